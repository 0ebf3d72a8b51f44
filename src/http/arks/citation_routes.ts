import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'

import { cslTitles } from '#src/discovery/csl/csl_data.ts'
import { citationStyles, usualForm } from '#src/discovery/formats/citation_styles.ts'
import { type FormatChoice, formatNames, formats } from '#src/discovery/formats/format_table.ts'
import { registrantOf } from '#src/discovery/formats/resolution.ts'
import { unmarkedTitle } from '#src/discovery/formats/title_marks.ts'
import { nameCursor, pageLinks, pageMembers, pageOf, pagesOf } from '#src/edge/list_page.ts'
import {
  integerParameter,
  type Parameter,
  readQuery,
  wordParameter,
} from '#src/edge/query_string.ts'
import { sendWritten } from '#src/edge/rendered_reply.ts'
import { component, conditionalRead, contentReply } from '#src/edge/reply_schemas.ts'
import { refuseWithheld } from '#src/edge/suspended.ts'
import { takeTurnIfLong, whenItsTurn } from '#src/edge/turns.ts'
import { cardImage } from '#src/http/arks/card_image.ts'
import { chooseFormat, othersOf } from '#src/http/arks/ark_request.ts'
import { tombstoneSchema } from '#src/http/arks/resolve_routes.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { workOfPath, type WorkRequest, type WorkRoute } from '#src/http/kit/works.ts'
import { readIncoming } from '#src/use_cases/incoming_relations.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { existingWork, workNamed } from '#src/use_cases/work_lookup.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { noticeNames, noticesOn } from '#actors/works/update_notices.ts'
import { element, formatDocument, textElement } from '#src/discovery/formats/xml.ts'
import { HttpError } from '#src/edge/errors.ts'
import { workRecord } from '#src/use_cases/work_record.ts'

type EmbedEdge = Pick<RegistryEdge, 'admit' | 'baseUrl' | 'config' | 'environments' | 'suspensions'>

/** What other sites show of a work: its title and authors, and how it stands. */
type EmbeddedWork = {
  readonly ark: string
  readonly status: string
  readonly isBad: boolean
  readonly metadata: Partial<Metadata>
}

function workParameter(description: string): Parameter<string> {
  return {
    read: (text) => (text !== '' && text.length <= 500 ? text : undefined),
    accepts: 'the ARK, the address or the DOI of a work',
    required: true,
    schema: Type.String({ description, minLength: 1, maxLength: 500 }),
  }
}

const size = integerParameter('Pixels. The answer has no size, so that this changes nothing.', {
  minimum: 0,
  maximum: 99_999,
})

const embedParameters = {
  url: workParameter('The address of the page of a work.'),
  format: wordParameter('OembedFormat', ['json', 'xml']),
  maxwidth: size,
  maxheight: size,
}

const badgeParameters = { ark: workParameter('The work.') }

/** `GET /badge`, `GET /card` and `GET /oembed`: a work as other sites show it. */
function registerEmbedRoutes(server: FastifyInstance, edge: EmbedEdge): void {
  const access = { type: 'public', limit: 'public_read' } as const
  const badge = {
    ...edge.admit(access, badgeParameters),
    schema: {
      operationId: 'getBadge',
      tags: ['works'],
      summary: 'A badge of a work as SVG: its ARK, and whether it was retracted or withdrawn.',
      response: { 200: contentReply('The badge.', 'image/svg+xml') },
    },
  }
  server.get('/badge', badge, async (request, reply) => {
    const { ark } = readQuery(request, badgeParameters)
    const work = await embedded(edge, ark, 'ark')
    // A retraction is to be seen soon wherever the badge is.
    reply.header('cache-control', 'public, max-age=3600')
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return reply.header('content-type', 'image/svg+xml; charset=utf-8').send(badgeOf(work))
  })
  registerCard(server, edge)
  const embed = {
    ...edge.admit(access, embedParameters),
    schema: {
      operationId: 'getEmbed',
      tags: ['works'],
      summary: 'What other sites show of a link to a work (oEmbed 1.0).',
      response: { 200: embedReply },
    },
  }
  server.get('/oembed', embed, async (request, reply) => {
    const { url, format } = readQuery(request, embedParameters)
    const shown = embedOf(edge, await embedded(edge, url, 'url').catch(withoutResponse))
    reply.header('cache-control', 'public, max-age=3600')
    if (format !== 'xml') return reply.send(shown)
    const members = Object.entries(shown).map(([name, value]) => textElement(name, String(value)))
    const text = formatDocument(element('oembed', {}, ...members))
    return reply.header('content-type', 'text/xml; charset=utf-8').send(text)
  })
}

/** Cards that are kept, of some 10 kB each: each takes as long to draw as many pages. */
const cardsMax = 100

/** `GET /card`: the picture of a work that sites show with a link to its page. */
function registerCard(server: FastifyInstance, edge: EmbedEdge): void {
  const drawn = new LRUCache<string, Buffer>({ max: cardsMax })
  const card = {
    ...edge.admit({ type: 'public', limit: 'public_read' }, badgeParameters),
    schema: {
      operationId: 'getCard',
      tags: ['works'],
      summary: 'A work as a picture of 800 × 420 pixels, which sites show with a link to it.',
      response: { 200: contentReply('The picture.', 'image/png') },
    },
  }
  server.get('/card', card, async (request, reply) => {
    const { ark } = readQuery(request, badgeParameters)
    const { metadata, ...work } = await embedded(edge, ark, 'ark')
    const { work_title = '', work_title_markup, authors = '' } = metadata
    const text = {
      ...work,
      title: unmarkedTitle(work_title, work_title_markup),
      authors,
      registry: edge.config.REPOSITORY_NAME,
    }
    const name = JSON.stringify(text)
    const image = drawn.get(name) ?? cardImage(text)
    drawn.set(name, image)
    reply.header('cache-control', 'public, max-age=3600')
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return reply.header('content-type', 'image/png').send(image)
  })
}

/** An address that is no work's has no response, whatever it is (oEmbed 1.0, section 2.3.4). */
function withoutResponse(fault: unknown): never {
  if (!(fault instanceof HttpError) || fault.code !== 'malformed_ark') throw fault
  throw new HttpError('not_found', 'The address is not that of a work here')
}

const embedReply = {
  description: 'The work as a link.',
  content: {
    'application/json': {
      schema: component('Embed', {
        version: Type.Literal('1.0'),
        type: Type.Literal('link'),
        title: Type.String(),
        author_name: Type.Optional(Type.String()),
        provider_name: Type.String(),
        provider_url: Type.String(),
        cache_age: Type.Integer({ description: 'Seconds.' }),
      }),
    },
    'text/xml': { schema: Type.String() },
  },
}

/** HttpErrors `bad_request`, `malformed_ark`, `not_found`, `conflict` for several, `withheld`. */
async function embedded(
  { environments, suspensions }: EmbedEdge,
  named: string | undefined,
  parameter: string,
): Promise<EmbeddedWork> {
  if (named === undefined) {
    throw new HttpError('bad_request', `Say which work (the query parameter ${parameter})`)
  }
  const { environment, ark, state } = workNamed(environments, named)
  refuseWithheld(suspensions, ark)
  const text = await workRecord(environment, ark)
  const metadata = text === undefined ? {} : (JSON.parse(text) as Partial<Metadata>)
  const [gravest] = noticesOn(metadata)
  const isWithdrawn = state.status === 'withdrawn'
  const status = gravest === undefined ? undefined : noticeNames[gravest.kind].toLowerCase()
  return {
    ark: `ark:/${ark}`,
    status: status ?? (isWithdrawn ? 'withdrawn' : 'registered'),
    isBad: isWithdrawn || gravest !== undefined,
    metadata,
  }
}

function embedOf({ baseUrl, config }: EmbedEdge, { ark, status, isBad, metadata }: EmbeddedWork) {
  const { work_title = ark, work_title_markup, authors } = metadata
  const title = unmarkedTitle(work_title, work_title_markup)
  return {
    version: '1.0',
    type: 'link',
    title: isBad ? `[${status}] ${title}` : title,
    ...(authors !== undefined && { author_name: splitAuthors(authors).join('; ') }),
    provider_name: config.REPOSITORY_NAME,
    provider_url: baseUrl,
    cache_age: 3_600,
  } as const
}

/** Widths of a letter, about, and of what is left beside a text, in pixels. */
const letterWidth = 6.6
const beside = 12

// Colours on which white text can be read (a contrast of 4.5 at least).
const colours = { name: '#555', good: '#1a6b3c', bad: '#b3261e' } as const

function badgeOf({ ark, status, isBad }: EmbeddedWork): string {
  const [left, right] = [status, ark].map((text) => Math.round(text.length * letterWidth) + beside)
  const [nameWidth = 0, arkWidth = 0] = [left, right]
  const width = nameWidth + arkWidth
  const label = `${ark}: ${status}`
  const text = (at: number, room: number, said: string) =>
    textElement('text', said, {
      x: String(at + beside / 2),
      y: '14',
      textLength: String(room - beside),
      lengthAdjust: 'spacingAndGlyphs',
    })
  const area = (at: number, room: number, fill: string) =>
    element('rect', { x: String(at), width: String(room), height: '20', fill })
  const font = {
    fill: '#fff',
    'font-family': 'Verdana, DejaVu Sans, sans-serif',
    'font-size': '11',
  }
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: String(width),
    height: '20',
    role: 'img',
    'aria-label': label,
  }
  return formatDocument(
    element(
      'svg',
      attributes,
      textElement('title', label),
      area(0, nameWidth, isBad ? colours.bad : colours.good),
      area(nameWidth, arkWidth, colours.name),
      element('g', font, text(0, nameWidth, status), text(nameWidth, arkWidth, ark)),
    ),
  )
}

type CitationEdge = Pick<
  RegistryEdge,
  'admit' | 'environments' | 'baseUrl' | 'config' | 'takeTurn' | 'writeWork' | 'suspensions'
>

const parameters = {
  format: {
    ...nameParameter('The format; without it, the Accept header decides.', formatNames),
    schema: Type.String({ title: 'CitationFormat', enum: [...formatNames] }),
  },
  style: nameParameter(
    'The style of a formatted citation: one of these, or any that `/v1/citation-styles` lists. ' +
      'Without one it is `apa`.',
    Object.keys(citationStyles),
  ),
  locale: nameParameter(
    'The language of a formatted citation, as CSL calls it. An unknown one is read as `en-US`; ' +
      'without one it is that of the style.',
    ['en-US', 'de-DE', 'fr-FR', 'ja-JP'],
  ),
}

/** Text of which the values that are known are described; what others mean is said elsewhere. */
function nameParameter(description: string, values: readonly string[]): Parameter<string> {
  return {
    read: (text) => text,
    accepts: `one of ${values.join(', ')}`,
    schema: Type.String({ description, examples: [...values] }),
  }
}

function contentSchema(description: string) {
  const types = formatNames.map((name) => {
    const { label, mediaTypes } = formats[name]
    const [mediaType] = mediaTypes
    const note = { description: `${label}; \`?format=${name}\`.` }
    const schema = mediaType.endsWith('json') ? note : { type: 'string', ...note }
    return [mediaType, { schema }] as const
  })
  return { description, content: Object.fromEntries(types) }
}

async function cite(
  edge: CitationEdge,
  request: WorkRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = readQuery(request, parameters)
  const named = workOfPath(edge.environments, request, reply)
  const whenLong = whenItsTurn(edge, reply)
  const { environment, ark, requested } = named
  refuseWithheld(edge.suspensions, ark)
  const asked = await environment.catalogue.resolve(ark, requested, undefined, whenLong)
  const found = existingWork(named, asked)
  reply.header('vary', 'Accept')
  const { accept } = request.headers
  const first = chooseFormat(accept, query)
  const send = async (
    choice: FormatChoice | undefined,
    offered = formatNames,
  ): Promise<FastifyReply> => {
    const registrant = registrantOf(environment, ark)
    const incoming = await readIncoming(environment.catalogue, ark, choice?.name)
    const written = await edge.writeWork({
      resolution: found.body,
      place: { baseUrl: edge.baseUrl, isPinned: false, registrant, incoming },
      wanted: choice ?? { name: 'csl', ...usualForm, isExport: false },
    })
    const others = othersOf(accept, offered, choice, written.lacking)
    if (others !== undefined) return send(chooseFormat(accept, query, others), others)
    return sendWritten(request, reply, found, written)
  }
  return takeTurnIfLong(edge, reply, found.body, () => send(first))
}

const pages = pagesOf({ cursor: nameCursor, limit: 200, limitMax: 1_000, order: 'oldest' })

const pageSchema = component('CitationStylePage', {
  styles: Type.Array(
    component('CitationStyle', {
      id: Type.String({ description: 'What `style` takes, and what CSL calls it.' }),
      title: Type.String(),
    }),
  ),
  ...pageMembers(Type.String()),
})

const citing: Route<CitationEdge, WorkRoute['Params']> = {
  method: 'GET',
  path: '/works/:ark/citation',
  demands: { type: 'reading', right: 'read works', limit: 'works_read' },
  parameters,
  operationId: 'citeWork',
  publicOperationId: 'citePublicWork',
  ...conditionalRead,
  summary: 'Cites a work, as CSL-JSON or in the format that is asked for.',
  response: { 200: contentSchema('The work in the format.'), 410: tombstoneSchema },
  handle: cite,
}

const listingStyles: Route<CitationEdge> = {
  method: 'GET',
  path: '/citation-styles',
  demands: { type: 'public', limit: 'public_read' },
  parameters: pages.parameters,
  operationId: 'listCitationStyles',
  summary: 'Lists the styles of formatted citations by their names, A to Z unless told.',
  response: { 200: pageSchema },
  handle(edge, request, reply) {
    const { entries, next } = pageOf([...cslTitles()], pages.read(request), ([id]) => id)
    reply.header('cache-control', 'no-cache')
    const styles = entries.map(([id, title]) => ({ id, title }))
    return { styles, next, links: pageLinks(edge.baseUrl, request, next) }
  },
}

/** A work in any of the formats, the styles of references, and what other sites show of a work. */
export function registerCitationRoutes(server: FastifyInstance, edge: CitationEdge): void {
  registerEmbedRoutes(server, edge)
  registerRoutes(server, edge, 'works', [citing, listingStyles])
}
