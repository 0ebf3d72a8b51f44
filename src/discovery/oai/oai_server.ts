import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'

import { parseArk } from '#actors/values/ark.ts'
import { prefersHtml } from '#src/edge/accept.ts'
import type { TakeTurn } from '#src/edge/turns.ts'
import type { Use } from '#src/edge/uses.ts'
import { cssName, stylesheetName } from '#src/discovery/oai/envelope.ts'
import { nativeSchemaName } from '#src/discovery/oai/record_formats.ts'
import { parseSetSpec } from '#src/discovery/oai/set_spec.ts'
import { replyPage } from '#src/discovery/oai/reply_page.ts'
import type { OaiRepository } from '#src/discovery/oai/repository.ts'

/** A repository as a server has it. */
export type ServedRepository = {
  /** Where requests go, `/oai`: the path of the repository's address. */
  readonly path: string
  readonly repository: OaiRepository
  /** Options of the routes by GET and by POST, such as who is admitted. */
  readonly asQuery?: RouteShorthandOptions
  readonly asForm?: RouteShorthandOptions
  /** Gives requests their turn. */
  readonly takeTurn: TakeTurn
  /** The slug of the organization that owns a work: asked where the records name no sets. */
  readonly organizationOf?: OrganizationOf
}

type OrganizationOf = (ark: string) => string | undefined

/** Bytes of a posted form: the longest arguments, escaped. */
const formBytesMax = 16_384

/**
 * What a browser may load for a reply: the files that make a page of it. A stylesheet in XSLT
 * counts as a script (CSP 3).
 */
const replyPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'"

/** The headers of a reply; the server it is part of compresses it for clients that take that. */
const replyHeaders = {
  'content-type': 'text/xml; charset=utf-8',
  'content-security-policy': replyPolicy,
  'cache-control': 'no-store',
  vary: 'Accept',
} as const

/** Files beside the repository: how people read its replies, and the schema of its own form. */
const files = [
  { name: stylesheetName, type: 'text/xsl; charset=utf-8' },
  { name: cssName, type: 'text/css; charset=utf-8' },
  { name: nativeSchemaName, type: 'application/xml; charset=utf-8' },
] as const

/**
 * Serves a repository by GET and by POST of a form, which only differ in where the arguments stand,
 * and the files beside it. Who would rather have HTML, as browsers do, gets a page of the reply.
 */
export function registerOaiRoutes(server: FastifyInstance, served: ServedRepository): void {
  const { path, repository, asQuery = {}, asForm = {}, takeTurn, organizationOf } = served
  const answer = (request: FastifyRequest, reply: FastifyReply, text: string) =>
    takeTurn(reply, async () => {
      const xml = await repository.answer(new URLSearchParams(text))
      reply.headers(replyHeaders)
      reply.uses = harvestsOf(xml, organizationOf)
      if (!prefersHtml(request)) return xml
      reply.header('content-type', 'text/html; charset=utf-8')
      return replyPage(path, Buffer.from(xml).toString('utf8'))
    })
  server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (_request, body, parsed) => parsed(null, body),
    )
    scope.get(path, asQuery, async (request, reply) => {
      const { originalUrl } = request
      const queryAt = originalUrl.indexOf('?')
      const query = queryAt < 0 ? '' : originalUrl.slice(queryAt + 1)
      return reply.send(await answer(request, reply, query))
    })
    scope.post(path, asForm, async (request, reply) => {
      const form = typeof request.body === 'string' ? request.body : ''
      return reply.send(await answer(request, reply, form))
    })
    for (const file of files) serveFile(scope, `${path}/${file.name}`, file)
    done()
  })
}

/** The works whose records a reply has: what counts is what was sent. */
function harvestsOf(
  xml: Uint8Array,
  organizationOf: OrganizationOf = () => undefined,
): readonly Use[] {
  const text = Buffer.from(xml).toString('latin1')
  if (!/<(?:GetRecord|ListRecords)[ >]/.test(text)) return []
  return [...text.matchAll(headerForm)].flatMap(([, name = '', spec]): readonly Use[] => {
    const parsed = parseArk(name)
    if (parsed.type === 'malformed') return []
    const set = spec === undefined ? undefined : parseSetSpec(spec)
    const named = set?.type === 'organization' ? set.slug : undefined
    const organization = set === undefined ? organizationOf(parsed.ark) : named
    return [{ environment: 'live', ark: parsed.ark, organization, kind: 'harvests' }]
  })
}

/** An identifier, a datestamp, and the first of the sets if there are any. */
const headerForm =
  /<header[^>]*>\s*<identifier>([^<]+)<\/identifier>\s*<[^<]*<[^<]*(?:<setSpec>([^<]+))?/g

function serveFile(
  server: FastifyInstance,
  path: string,
  { name, type }: { readonly name: string; readonly type: string },
): void {
  const content = readFileSync(new URL(name, import.meta.url))
  server.get(path, { schema: { hide: true } }, (_request, reply) => {
    reply.header('content-type', type)
    reply.header('cache-control', 'public, max-age=3600')
    return reply.send(content)
  })
}
