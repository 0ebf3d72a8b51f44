import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'

import { parseArk } from '#actors/values/ark.ts'
import { nativeSchemaName } from '#src/discovery/oai/record_formats.ts'
import { cssName, type OaiRepository, stylesheetName } from '#src/discovery/oai/repository.ts'
import { parseSetSpec } from '#src/discovery/oai/oai_request.ts'
import { prefersHtml } from '#src/edge/accept.ts'
import type { TakeTurn } from '#src/edge/turns.ts'
import type { Use } from '#src/edge/uses.ts'

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

/** An element of a reply: text and attributes as they stand there, escaped. */
type Node = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Node[]
  text: string
}

// What our own replies consist of: tags and text. They have no comments and no other sections.
const token = /<\?[^>]*\?>|<(\/?)([^\s<>/]+)([^<>]*?)(\/?)>|([^<]+)/g
const attribute = /([^\s=]+)="([^"]*)"/g

const verbs = [
  ['verb=Identify', 'Identify'],
  ['verb=ListMetadataFormats', 'Formats'],
  ['verb=ListSets', 'Sets'],
  ['verb=ListIdentifiers&amp;metadataPrefix=oai_dc', 'Identifiers'],
  ['verb=ListRecords&amp;metadataPrefix=oai_dc', 'Records'],
] as const

/**
 * A page of a reply of this repository, for people who open its address in a browser. `path` is
 * that of the repository, `xml` one of its own replies: what is escaped there is escaped here.
 */
function replyPage(path: string, xml: string): string {
  const [root] = parse(xml)
  const request = root?.children.find(({ name }) => name === 'request')
  const verb = request?.attributes.get('verb') ?? 'request'
  const complete = root?.children.find(({ name }) => name === 'responseDate')?.text ?? ''
  const parts = (root?.children ?? []).filter(
    ({ name }) => name !== 'request' && name !== 'responseDate',
  )
  const links = verbs.map(([query, name]) => `<a href="${path}?${query}">${name}</a>`).join('\n')
  const shown = { path, verb }
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>OAI-PMH: ${verb}</title><link rel="stylesheet" href="${path}/${cssName}"></head>
<body><header><h1>OAI-PMH ${verb}</h1>
<p>This address is for programs that harvest metadata. They get the same as XML.</p>
<nav aria-label="Verbs">${links}</nav></header>
<main>${parts.map((part) => topPart(part, shown)).join('')}</main>
<footer><p>Complete up to ${complete}.</p></footer></body></html>
`
}

type Shown = { readonly path: string; readonly verb: string }

function topPart(part: Node, shown: Shown): string {
  if (part.name === 'error') {
    const code = part.attributes.get('code') ?? ''
    return `<p class="error"><strong>${code}</strong>: ${part.text}</p>`
  }
  if (part.name === 'Identify') return members(part.children)
  return part.children.map((item) => listItem(item, shown)).join('')
}

function listItem(item: Node, shown: Shown): string {
  const { path, verb } = shown
  switch (item.name) {
    case 'resumptionToken':
      return nextPage(item, shown)
    case 'header':
      return `<section>${recordHeader(item, path)}</section>`
    case 'record': {
      const [header, ...rest] = item.children
      const described = rest.flatMap(({ children }) => children)
      const head = header === undefined ? '' : recordHeader(header, path)
      return `<section>${head}${described.map(description).join('')}</section>`
    }
    default:
      return `<section>${linked(item, path, verb)}${members(item.children)}</section>`
  }
}

/** What a set or a format leads to: its records. */
function linked({ children }: Node, path: string, verb: string): string {
  const [first] = children
  if (first === undefined) return ''
  const query =
    verb === 'ListSets'
      ? `metadataPrefix=oai_dc&amp;set=${quoted(first.text)}`
      : `metadataPrefix=${quoted(first.text)}`
  return `<p><a href="${path}?verb=ListRecords&amp;${query}">Records of ${first.text}</a></p>`
}

function recordHeader({ children, attributes }: Node, path: string): string {
  const textOf = (wanted: string) => children.find(({ name }) => name === wanted)?.text ?? ''
  const id = textOf('identifier')
  const query = `verb=GetRecord&amp;metadataPrefix=oai_dc&amp;identifier=${quoted(id)}`
  const sets = children.filter(({ name }) => name === 'setSpec')
  const withdrawn = attributes.get('status') === 'deleted' ? ', <strong>withdrawn</strong>' : ''
  const named = sets.map(({ text }) => ` <code>${text}</code>`).join('')
  const link = `<a href="${path}?${query}">${id}</a>`
  return `<p>${link}, changed ${textOf('datestamp')}${withdrawn}${named}</p>`
}

function description({ name, children }: Node): string {
  return `<h2>${withoutPrefix(name)}</h2>${members(children)}`
}

function members(nodes: readonly Node[]): string {
  if (nodes.length === 0) return ''
  const rows = nodes.map(({ name, attributes, children, text }) => {
    const plain = [...attributes].filter(([one]) => !/^xmlns|:/.test(one))
    const said = plain.map(([, value]) => ` <small>${value}</small>`).join('')
    const value = children.length === 0 ? linkOf(text) : members(children)
    return `<dt>${withoutPrefix(name)}${said}</dt><dd>${value}</dd>`
  })
  return `<dl>${rows.join('')}</dl>`
}

function linkOf(text: string): string {
  return /^https?:\/\/[^\s"]+$/.test(text) ? `<a href="${text}" rel="nofollow">${text}</a>` : text
}

function nextPage({ text, attributes }: Node, { path, verb }: Shown): string {
  if (text === '') return ''
  const size = attributes.get('completeListSize')
  const of = size === undefined ? '' : ` of ${size}`
  const query = `verb=${verb}&amp;resumptionToken=${quoted(text)}`
  return `<p><a href="${path}?${query}">Next page</a>${of}</p>`
}

// A text may have a quote as it is; what has been escaped stays so.
function quoted(text: string): string {
  return text.replaceAll('"', '&quot;')
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function parse(xml: string): readonly Node[] {
  const top: Node = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [top]
  for (const [, end, name, inside = '', empty, text] of xml.matchAll(token)) {
    const last = open.at(-1) ?? top
    if (text !== undefined) last.text += text.trim()
    else if (end === '/') open.pop()
    else if (name !== undefined) {
      const pairs = [...inside.matchAll(attribute)].map(([, key = '', value = '']) => {
        return [key, value] as const
      })
      const node: Node = { name, attributes: new Map(pairs), children: [], text: '' }
      last.children.push(node)
      if (empty !== '/') open.push(node)
    }
  }
  return top.children
}
