import type { Json } from '#src/edge/openapi_document.ts'
import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { renderLine } from '#src/pages/docs/guides.ts'
import {
  alternativesOf,
  curlOf,
  type DescribedInterface,
  type DescribedOperation,
  type DescribedReply,
  exampleOf,
  type ExampleRequest,
  exampleRequest,
  groupsOf,
  hasMembers,
  meaningOf,
  type NamedSchemas,
  referenceOf,
  textOf,
  typeWords,
} from '#src/pages/docs/interface.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { facts, snippet, table } from '#src/pages/kit/parts.ts'
import { docs as words } from '#src/words/english.ts'
import { joined } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'

type Member = { readonly name: string; readonly isRequired: boolean; readonly schema: Json }

/** Types that one page explains, at most: what lies deeper is in `/openapi.json`. */
const typesMax = 60

/** The named types with members that schemas lead to, in the order in which one meets them. */
function typesWithin(roots: readonly Json[], schemas: NamedSchemas): readonly string[] {
  const found = new Set<string>()
  const waiting = [...roots]
  while (waiting.length > 0 && found.size < typesMax) {
    const schema = waiting.shift() ?? {}
    const name = referenceOf(schema)
    if (name === undefined) {
      waiting.push(...partsOf(schema))
      continue
    }
    const named = schemas[name] ?? {}
    if (found.has(name)) continue
    if (hasMembers(named) || alternativesOf(named).length > 0) found.add(name)
    waiting.push(...partsOf(named))
  }
  return [...found]
}

function partsOf(schema: Json): readonly Json[] {
  const { properties = {}, items, additionalProperties } = schema as Record<string, Json>
  const others = [items, additionalProperties].filter((part) => typeof part === 'object')
  return [
    ...Object.values(properties as Record<string, Json>),
    ...others,
    ...alternativesOf(schema),
  ]
}

function typeTable(name: string, schemas: NamedSchemas): Html {
  const schema = schemas[name] ?? {}
  const description = textOf(schema, 'description')
  const alternatives = alternativesOf(schema)
  const one = typeWords({ anyOf: alternatives }, schemas)
  return html`<section aria-labelledby="type-${name}"><h3 id="type-${name}">${name}</h3>
${description === '' ? '' : html`<p>${renderLine(description)}</p>`}
${alternatives.length === 0 ? '' : html`<p>It is ${one}.</p>`}
${hasMembers(schema) ? memberTable(name, schema, schemas) : ''}</section>`
}

const mayBeAbsent = html` <small>optional</small>`

function memberTable(name: string, schema: Json, schemas: NamedSchemas): Html {
  const required = (schema['required'] ?? []) as readonly string[]
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  const members = properties.map(([member, each]): Member => {
    return { name: member, isRequired: required.includes(member), schema: each }
  })
  return table(`Members of ${name}`, members, {
    Member: (member) => html`<code>${member.name}</code>${member.isRequired ? '' : mayBeAbsent}`,
    Type: (member) => typeWords(member.schema, schemas),
    Meaning: (member) => meaningOf(member.schema),
  })
}

/**
 * What an operation does when a live key would try it: reads are sent as they are; `dry run` is
 * sent so that nothing is registered; `sandbox only` is not sent.
 */
type LiveTrial = 'as it is' | 'dry run' | 'sandbox only'

/** Operations that check without keeping, though their method is one of a write. */
const harmless: ReadonlySet<string> = new Set([
  'validateWork',
  'verifyReceipt',
  'verifyVersion',
  'harvestByForm',
])

const optional = html` <span class="optional">(optional)</span>`

/** What may be tried of an operation with a key that is not one of the sandbox. */
function liveTrialOf({ id, method }: Pick<DescribedOperation, 'id' | 'method'>): LiveTrial {
  if (method === 'GET' || harmless.has(id)) return 'as it is'
  return id === 'createWork' ? 'dry run' : 'sandbox only'
}

const liveWords: Readonly<Record<LiveTrial, string>> = {
  'as it is': 'This only reads or checks, so you can also use a live key.',
  'dry run': 'With a live key this is a dry run: we check everything and register nothing.',
  'sandbox only': 'This writes: you can try it only with a sandbox key.',
}

/**
 * The form that sends a request from the page. It is shown where scripts run; the command above it
 * does the same everywhere.
 */
function tryForm(operation: DescribedOperation, request: ExampleRequest): Html | string {
  const { id, isPublic, group } = operation
  // These are pages and forms of a browser of their own.
  if (group === 'oauth') return ''
  const trial = liveTrialOf(operation)
  const body =
    request.body === undefined
      ? ''
      : html`<div class="field"><label for="try-body">Body</label>
<textarea id="try-body" name="body" rows="8" spellcheck="false">${'\n'}${request.body}</textarea>
</div>`
  return html`<form class="try card" data-try="${id}" data-method="${request.method}"
data-live="${trial}" data-type="${request.mediaType}" hidden novalidate>
<h3 id="try">Try it</h3>
<p class="hint">${liveWords[trial]}</p>
<div class="field"><label for="try-key">Key${isPublic ? optional : ''}</label>
<p class="hint">A sandbox key: yours, or <code>svc_test_…</code>. It stays on this page.
<a href="/docs/quick-start#key">Get a key</a></p>
<input id="try-key" name="key" type="text" autocomplete="off" spellcheck="false"></div>
<div class="field"><label for="try-path">Address</label>
<input id="try-path" name="path" type="text" value="${request.path}" spellcheck="false"></div>
${body}
<div class="buttons"><button class="button" type="submit">Send request</button></div>
<div class="try-reply" role="status" aria-live="polite"></div>
</form>`
}

const exampleCharactersMax = 6_000

/** The page of one operation: how it is called, what it takes, and what it replies. */
export function operationPage(
  operation: DescribedOperation,
  described: DescribedInterface,
  baseUrl: string,
): DocsPage {
  const { schemas } = described
  const { id, method, path, summary, description, group, isPublic, body, replies } = operation
  const request = exampleRequest(operation, schemas)
  const sent = (body?.contents ?? []).flatMap(schemaIn)
  const succeeded = replies.filter(({ status }) => /^[23]/.test(status))
  const received = replies.flatMap(({ contents }) => contents.flatMap(schemaIn))
  const explained = received.filter((schema) => referenceOf(schema) !== 'Error')
  const types = typesWithin([...sent, ...explained], schemas)
  const others = groupsOf(described).get(group) ?? []
  return {
    title: titleOf(summary),
    path: operationPath(id),
    description: summary,
    near: { heading: groupName(group), links: others.map(linkTo) },
    body: html`<p class="operation"><code>${method} ${path}</code></p>
${description === '' ? '' : html`<p>${renderLine(description)}</p>`}
${operationFacts(operation)}
<h2 id="call">Call it</h2>
${snippet('A command that calls it', curlOf(request, { baseUrl, isPublic }))}
${tryForm(operation, request)}
${parameterPart(operation, schemas)}
${body === undefined ? '' : bodyPart(body, schemas)}
<h2 id="replies">Replies</h2>
${replyTable(replies, schemas)}
${replyExample(succeeded, schemas)}
${types.length === 0 ? '' : html`<h2 id="types">Types</h2>`}
${types.map((name) => typeTable(name, schemas))}`,
  }
}

function schemaIn([, schema]: DescribedReply['contents'][number]): Json[] {
  return schema === undefined ? [] : [schema]
}

function linkTo({ id, path, summary }: DescribedOperation) {
  // What everybody reads below `/api/v1` has the words of what needs a key below `/v1`.
  const isTwin = path.startsWith('/api/v1/') && id.includes('Public')
  const name = titleOf(summary) + (isTwin ? ', without a key' : '')
  return { path: operationPath(id), name }
}

function titleOf(summary: string): string {
  return summary.replaceAll('`', '').replace(/\.$/, '')
}

function operationFacts(operation: DescribedOperation): Html {
  const { id, aliases, isDeprecated } = operation
  const spelled = aliases.map((path) => html`<li><code>${path}</code></li>`)
  return facts([
    ['Needs', needsOf(operation)],
    ['Name in clients', html`<code>${id}</code>`],
    ['Other paths', aliases.length === 0 ? undefined : html`<ul>${spelled}</ul>`],
    ['Deprecated', isDeprecated ? 'It will end. Replies say when.' : undefined],
  ])
}

const placeWords = { path: 'in the path', query: 'in the query', header: 'a header' } as const

function parameterPart({ parameters }: DescribedOperation, schemas: NamedSchemas): Html | string {
  if (parameters.length === 0) return ''
  const list = table('Parameters', parameters, {
    Parameter: ({ name, place, isRequired }) =>
      html`<code>${name}</code> <small>${placeWords[place]}${
        isRequired ? ', required' : ''
      }</small>`,
    Type: ({ schema }) => typeWords(schema, schemas),
    Meaning: ({ schema, description }) => meaningOf({ ...schema, description }),
  })
  return html`<h2 id="parameters">Parameters</h2>
${list}`
}

function bodyPart(
  { description, contents, isRequired }: NonNullable<DescribedOperation['body']>,
  schemas: NamedSchemas,
): Html {
  const forms = contents.map(
    ([mediaType, schema]) =>
      html`<li><code>${mediaType}</code>: ${typeWords(schema ?? {}, schemas)}</li>`,
  )
  return html`<h2 id="body">Body</h2>
<p>${renderLine(description)}${isRequired ? '' : ' It is optional.'}</p><ul>${forms}</ul>`
}

function replyTable(replies: readonly DescribedReply[], schemas: NamedSchemas): Html {
  return table('Replies by their status', replies, {
    Status: ({ status }) => html`<code>${status}</code>`,
    When: ({ description, status }) =>
      html`${renderLine(description)}${/^[45]/.test(status) ? seeErrors : ''}`,
    Body: (reply) => replyBody(reply, schemas),
    Headers: ({ headers }) =>
      headers.map((name, at) => html`${at === 0 ? '' : ', '}<code>${name}</code>`),
  })
}

const seeErrors = html` <a href="/docs/errors">All errors</a>`

function replyBody({ contents, status }: DescribedReply, schemas: NamedSchemas): Html {
  const isError = /^[45]/.test(status)
  const lines = contents.map(([mediaType, schema]) => {
    const named = schema !== undefined && referenceOf(schema) === 'Error' && isError
    const what = named ? 'Error' : typeWords(schema ?? {}, schemas)
    const as = mediaType === 'application/json' ? '' : html`<code>${mediaType}</code>: `
    return html`<li>${as}${what}</li>`
  })
  return lines.length === 0 ? html`nothing` : html`<ul class="plain">${lines}</ul>`
}

function replyExample(replies: readonly DescribedReply[], schemas: NamedSchemas): Html | string {
  const found = replies.flatMap(({ contents }) =>
    contents.flatMap(([mediaType, schema]): Json[] =>
      mediaType === 'application/json' && schema !== undefined ? [schema] : [],
    ),
  )
  const example = found[0] && exampleOf(found[0], schemas)
  if (example === undefined || example === null) return ''
  const text = JSON.stringify(example, null, 2)
  if (text.length > exampleCharactersMax) return ''
  return html`<h3 id="example">Example</h3>${snippet('An example of the reply', text)}`
}

const groupNames: Readonly<Record<string, Text>> = {
  works: words.works,
  resolve: words.resolve,
  receipts: words.receipts,
  log: words.log,
  people: words.people,
  claims: words.claims,
  organizations: words.organizations,
  search: words.search,
  changes: words.changes,
  oauth: 'OAuth',
  harvesting: words.harvesting,
  feeds: words.feeds,
  registry: words.registry,
}

function operationPath(id: string): string {
  return `/docs/reference/${id}`
}

function groupName(group: string): Text {
  return groupNames[group] ?? group
}

/** The page that lists all operations, by groups. */
export function referencePage(described: DescribedInterface): DocsPage {
  const groups = [...groupsOf(described)].toSorted(
    ([one], [other]) => orderOf(one) - orderOf(other),
  )
  const sections = groups.map(([group, operations]) => groupSection(group, operations))
  return {
    title: 'Reference',
    path: '/docs/reference',
    description: 'Every operation of the interface, generated from its OpenAPI description.',
    contents: groups.map(([group]) => ({ path: `#${group}`, name: groupName(group) })),
    body: html`<p class="lead">${described.operations.size} operations, each on a page of its own.
They come from the description at <a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI
3.1). Every path below <code>/v1</code> also works below <code>/api/v1</code>. The page of an
operation lists its other paths.</p>${sections}`,
  }
}

function orderOf(group: string): number {
  const at = Object.keys(groupNames).indexOf(group)
  return at < 0 ? Number.MAX_SAFE_INTEGER : at
}

function groupSection(group: string, operations: readonly DescribedOperation[]): Html {
  const list = table(joined(['Operations: ', groupName(group)], ''), operations, {
    Operation: ({ id, method, path }) =>
      html`<a href="${operationPath(id)}"><code>${method} ${path}</code></a>`,
    'What it does': ({ summary, isDeprecated }) =>
      html`${renderLine(summary)}${isDeprecated ? ' (It will end.)' : ''}`,
    Needs: needsOf,
  })
  return html`<section aria-labelledby="${group}"><h2 id="${group}">${groupName(group)}</h2>
${list}</section>`
}

/** What a caller needs, in words: nothing, a credential, or one with a scope. */
function needsOf({ isPublic, scopes }: DescribedOperation): Html {
  if (isPublic) return html`nothing`
  if (scopes.length === 0) return html`a key or a token`
  const written = scopes.map((scope, at) => html`${at === 0 ? '' : ' or '}<code>${scope}</code>`)
  return html`${written}`
}
