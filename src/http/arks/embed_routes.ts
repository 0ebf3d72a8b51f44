import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { splitAuthors } from '#actors/values/author_name.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { noticeNames, noticesOn } from '#actors/works/update_notices.ts'
import { element, formatDocument, textElement } from '#src/discovery/formats/xml.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  integerParameter,
  type Parameter,
  readQuery,
  wordParameter,
} from '#src/edge/query_string.ts'
import { component, contentReply } from '#src/edge/reply_schemas.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { workNamed } from '#src/use_cases/work_lookup.ts'
import { workRecord } from '#src/use_cases/work_record.ts'

type EmbedEdge = Pick<RegistryEdge, 'admit' | 'baseUrl' | 'config' | 'environments'>

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

/** `GET /badge` and `GET /oembed`: a work as other sites show it. */
export function registerEmbedRoutes(server: FastifyInstance, edge: EmbedEdge): void {
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
    const shown = embedOf(edge, await embedded(edge, url, 'url'))
    reply.header('cache-control', 'public, max-age=3600')
    if (format !== 'xml') return reply.send(shown)
    const members = Object.entries(shown).map(([name, value]) => textElement(name, String(value)))
    const text = formatDocument(element('oembed', {}, ...members))
    return reply.header('content-type', 'text/xml; charset=utf-8').send(text)
  })
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

/** HttpErrors `bad_request`, `malformed_ark`, `not_found`, `conflict` for several works. */
async function embedded(
  { environments }: EmbedEdge,
  named: string | undefined,
  parameter: string,
): Promise<EmbeddedWork> {
  if (named === undefined) {
    throw new HttpError('bad_request', `Say which work (the query parameter ${parameter})`)
  }
  const { environment, ark, state } = workNamed(environments, named)
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
  const { work_title: title = ark, authors } = metadata
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
