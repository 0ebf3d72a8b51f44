import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'

import { cslTitles } from '#src/discovery/csl/csl_data.ts'
import { citationStyles, usualForm } from '#src/discovery/formats/citation_styles.ts'
import { type FormatChoice, formatNames, formats } from '#src/discovery/formats/format_table.ts'
import { registrantOf } from '#src/discovery/formats/resolution.ts'
import { readingAccess } from '#src/edge/admission.ts'
import {
  nameCursor,
  nextDescription,
  pageLinks,
  pageLinksSchema,
  pageOf,
  pagesOf,
} from '#src/edge/list_page.ts'
import { type Parameter, readQuery } from '#src/edge/query_string.ts'
import { sendWritten } from '#src/edge/rendered_reply.ts'
import { component, conditionalRead, nullable } from '#src/edge/reply_schemas.ts'
import { refuseWithheld } from '#src/edge/suspended.ts'
import { takeTurnIfLong, whenItsTurn } from '#src/edge/turns.ts'
import { registerEmbedRoutes } from '#src/http/arks/embed_routes.ts'
import { chooseFormat, othersOf } from '#src/http/arks/ark_request.ts'
import { tombstoneSchema } from '#src/http/arks/resolve_routes.ts'
import { workOfPath, type WorkRequest } from '#src/http/kit/works.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'
import { readIncoming } from '#src/use_cases/incoming_relations.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { existingWork } from '#src/use_cases/work_lookup.ts'

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

/** `GET /works/{ark}/citation`, below both prefixes: a work in any of the formats. */
export function registerCitationRoutes(server: FastifyInstance, edge: CitationEdge): void {
  registerEmbedRoutes(server, edge)
  for (const prefix of pathPrefixes) {
    const access = readingAccess(prefix, 'read works', 'works_read')
    const options = {
      ...edge.admit(access, parameters),
      schema: {
        operationId: access.type === 'key' ? 'citeWork' : 'citePublicWork',
        ...conditionalRead,
        tags: ['works'],
        summary: 'Cites a work, as CSL-JSON or in the format that is asked for.',
        response: { 200: contentSchema('The work in the format.'), 410: tombstoneSchema },
      },
    }
    server.get(`${prefix}/works/:ark/citation`, options, (request: WorkRequest, reply) =>
      cite(edge, request, reply),
    )
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
  next: nullable(Type.String(), nextDescription),
  links: pageLinksSchema,
})

/** The styles of references, open to everyone, below both prefixes. */
export function registerCitationStyleRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'baseUrl'>,
): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }, pages.parameters),
    schema: {
      operationId: 'listCitationStyles',
      tags: ['works'],
      summary: 'Lists the styles of formatted citations by their names, A to Z unless told.',
      response: { 200: pageSchema },
    },
  }
  for (const prefix of pathPrefixes) {
    server.get(`${prefix}/citation-styles`, options, async (request, reply) => {
      const { entries, next } = pageOf([...cslTitles()], pages.read(request), ([id]) => id)
      reply.header('cache-control', 'no-cache')
      const styles = entries.map(([id, title]) => ({ id, title }))
      return { styles, next, links: pageLinks(edge.baseUrl, request, next) }
    })
  }
}
