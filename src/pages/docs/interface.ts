import type { Json, OpenApiDocument, Operation } from '#src/edge/openapi_document.ts'
import { renderLine } from '#src/pages/docs/guides.ts'
import { html, type Html, joinHtml } from '#src/pages/kit/html.ts'

/** The schemas that have a name. */
export type NamedSchemas = Readonly<Record<string, Json>>

/** The name of the schema that a schema refers to, if it does. */
export function referenceOf(schema: Json): string | undefined {
  return '$ref' in schema ? textOf(schema, '$ref').split('/').at(-1) : undefined
}

/** Whether a schema has members, and so a table of its own. */
export function hasMembers({ properties }: Json): boolean {
  return properties !== undefined
}

/** The alternatives of a schema; none if it is one thing. */
export function alternativesOf(schema: Json): readonly Json[] {
  const { anyOf, oneOf, allOf } = schema as Readonly<Record<string, readonly Json[]>>
  return anyOf ?? oneOf ?? allOf ?? []
}

/** What a value of a schema is, in words; a type with members is a link to its table. */
export function typeWords(schema: Json, schemas: NamedSchemas): Html {
  const name = referenceOf(schema)
  if (name !== undefined) return namedWords(name, schemas)
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) {
    return joinHtml(
      alternatives.map((each) => typeWords(each, schemas)),
      ' or ',
    )
  }
  if (schema['const'] !== undefined) return html`<code>${JSON.stringify(schema['const'])}</code>`
  if (Array.isArray(schema['enum'])) return wordList(schema['enum'])
  if (schema['type'] === 'array') {
    return html`list of ${typeWords((schema['items'] ?? {}) as Json, schemas)}`
  }
  return html`${plainType(schema)}${limitsOf(schema)}`
}

function namedWords(name: string, schemas: NamedSchemas): Html {
  const schema = schemas[name] ?? {}
  if (!hasMembers(schema) && alternativesOf(schema).length === 0) return typeWords(schema, schemas)
  return html`<a href="#type-${name}">${name}</a>`
}

/** Words of a list that are shown where they are used. */
const wordsMax = 40

function wordList(words: readonly unknown[]): Html {
  const shown = words.slice(0, wordsMax).map((word) => html`<code>${String(word)}</code>`)
  const more = words.length > wordsMax ? html`, and ${words.length - wordsMax} more` : ''
  return html`one of ${joinHtml(shown, ', ')}${more}`
}

function plainType({ type, format, properties }: Json): string {
  const names = [type ?? (properties === undefined ? 'anything' : 'object')].flat().map(String)
  const words = names.map((name) => (name === 'string' ? 'text' : name)).join(' or ')
  return typeof format === 'string' ? `${words} (${format})` : words
}

function limitsOf(schema: Json): string {
  const { minimum, maximum, maxLength } = schema
  const digits = new Intl.NumberFormat('en')
  const limits = [
    typeof minimum === 'number' ? `${digits.format(minimum)} or more` : '',
    typeof maximum === 'number' ? `${digits.format(maximum)} at most` : '',
    typeof maxLength === 'number' ? `${digits.format(maxLength)} characters at most` : '',
  ].filter((limit) => limit !== '')
  return limits.length === 0 ? '' : `, ${limits.join(', ')}`
}

/** What is said of a value: its description, its default, and a text that it may be. */
export function meaningOf(schema: Json): Html {
  const [example] = (schema['examples'] ?? []) as readonly unknown[]
  const preset = schema['default']
  return html`${renderLine(textOf(schema, 'description'))}
${preset === undefined ? '' : html` Default: <code>${JSON.stringify(preset)}</code>.`}
${
  example === undefined
    ? ''
    : html` <span class="example">Example:
<code>${typeof example === 'string' ? example : JSON.stringify(example)}</code></span>`
}`
}

/** A parameter of an operation, in its path, its query or its headers. */
export type DescribedParameter = {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly isRequired: boolean
  readonly isDeprecated: boolean
  /** Markdown. */
  readonly description: string
  readonly schema: Json
}

/** What is sent or replied: a description in Markdown, and a schema for each media type. */
type DescribedContent = {
  readonly description: string
  readonly contents: readonly (readonly [mediaType: string, schema: Json | undefined])[]
}

/** A reply of an operation; `status` is one such as `201`, or a class of them such as `4XX`. */
export type DescribedReply = DescribedContent & {
  readonly status: string
  readonly headers: readonly string[]
}

/** One operation of the interface, with everything that a page says of it. */
export type DescribedOperation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly group: string
  readonly summary: string
  /** Markdown. */
  readonly description: string
  readonly isDeprecated: boolean
  readonly parameters: readonly DescribedParameter[]
  readonly body: (DescribedContent & { readonly isRequired: boolean }) | undefined
  readonly replies: readonly DescribedReply[]
  /** Whether a caller needs no credential. */
  readonly isPublic: boolean
  /** Scopes of keys and of tokens, any one of which a credential needs. */
  readonly scopes: readonly string[]
  /** Other spellings of the same, such as `/v1/work`. */
  readonly aliases: readonly string[]
}

/** The interface as it is described: operations by their ids, in order, and what schemas name. */
export type DescribedInterface = {
  readonly operations: ReadonlyMap<string, DescribedOperation>
  readonly schemas: Readonly<Record<string, Json>>
}

/** Reads a document that has the aliases in it: each operation is there once, with its aliases. */
export function readInterface({ paths, components }: OpenApiDocument): DescribedInterface {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const aliases = Map.groupBy(all, ({ operation }) => operation['x-alias-of'] as string | undefined)
  const own = aliases.get(undefined) ?? []
  const operations = own.map(({ path, method, operation }) => {
    const others = aliases.get(operation.operationId) ?? []
    const spelled = others.map((alias) => alias.path)
    return readOperation({ path, method, operation, aliases: spelled, components })
  })
  return {
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    schemas: (components['schemas'] ?? {}) as Record<string, Json>,
  }
}

/** Operations of one group, in the order of the document. */
export function groupsOf({
  operations,
}: DescribedInterface): ReadonlyMap<string, readonly DescribedOperation[]> {
  return Map.groupBy(operations.values(), ({ group }) => group)
}

type ReadOperation = {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly aliases: readonly string[]
  readonly components: OpenApiDocument['components']
}

function readOperation({
  path,
  method,
  operation,
  aliases,
  components,
}: ReadOperation): DescribedOperation {
  const { operationId: id = '', parameters = [], requestBody, responses } = operation
  const [group = 'registry'] = (operation['tags'] ?? []) as string[]
  const security = (operation['security'] ?? []) as Record<string, string[]>[]
  const scopes = security.flatMap((requirement) => Object.values(requirement).flat())
  const described = parameters.map((parameter) => readParameter(parameter, components))
  const replies = Object.entries(responses).map(([status, reply]) => ({
    ...readContent(reply),
    status,
    headers: Object.keys(reply.headers ?? {}),
  }))
  const description = textOf(operation, 'description')
  return {
    id,
    method: method.toUpperCase(),
    path,
    group,
    // What has no summary gives something, and says what.
    summary: textOf(operation, 'summary') || (replies[0]?.description ?? id),
    description,
    isDeprecated: operation['deprecated'] === true,
    parameters: described.filter(({ schema }) => schema['x-alias-of'] === undefined),
    body: requestBody && {
      ...readContent(requestBody),
      isRequired: requestBody.required !== false,
    },
    replies: replies.toSorted((one, other) => one.status.localeCompare(other.status)),
    isPublic: security.some((requirement) => Object.keys(requirement).length === 0),
    scopes: [...new Set(scopes)],
    aliases,
  }
}

function readParameter(given: Json, components: OpenApiDocument['components']): DescribedParameter {
  const name = textOf(given, '$ref').split('/').at(-1) ?? ''
  const shared = components['parameters']?.[name] as Json | undefined
  const parameter = shared ?? given
  const schema = (parameter['schema'] ?? {}) as Json
  return {
    name: textOf(parameter, 'name'),
    place: parameter['in'] as DescribedParameter['place'],
    isRequired: parameter['required'] === true,
    isDeprecated: parameter['deprecated'] === true,
    description: textOf(parameter, 'description') || textOf(schema, 'description'),
    schema,
  }
}

function readContent(given: Json): DescribedContent {
  const content = (given['content'] ?? {}) as Record<string, { readonly schema?: Json }>
  return {
    description: textOf(given, 'description'),
    contents: Object.entries(content).map(([type, { schema }]) => [type, schema] as const),
  }
}

/** A member of JSON that is a text; empty if there is none. */
export function textOf(value: Json, member: string): string {
  const text = value[member]
  return typeof text === 'string' ? text : ''
}

/** How deep an example goes: types may hold themselves. */
const depthMax = 6

/** Members beside the required ones that an example of what is sent may have. */
type Members = 'all' | 'required'

/**
 * A value that fits a schema, made of its examples, defaults and words; undefined if nothing is
 * known of one. Of what is sent, by default only what is required.
 */
export function exampleOf(
  schema: Json,
  schemas: NamedSchemas,
  members: Members = 'all',
  depth = 0,
): unknown {
  const [example] = (schema['examples'] ?? []) as readonly unknown[]
  if (example !== undefined) return example
  if (schema['const'] !== undefined) return schema['const']
  if (schema['default'] !== undefined) return schema['default']
  const words = schema['enum']
  if (Array.isArray(words)) return words[0]
  if (depth >= depthMax) return undefined
  const named = schemas[referenceOf(schema) ?? '']
  if (named !== undefined) return exampleOf(named, schemas, members, depth + 1)
  const [first] = alternativesOf(schema)
  const hasOwn = schema['properties'] !== undefined
  if (first !== undefined && !hasOwn) return exampleOf(first, schemas, members, depth + 1)
  return plainExample(schema, schemas, members, depth)
}

function plainExample(
  schema: Json,
  schemas: NamedSchemas,
  members: Members,
  depth: number,
): unknown {
  const { type, format, minimum = 1 } = schema
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z'
  if (type === 'array') {
    const item = exampleOf((schema['items'] ?? {}) as Json, schemas, members, depth + 1)
    return item === undefined ? [] : [item]
  }
  if (type === 'integer' || type === 'number') return minimum
  if (type === 'boolean') return true
  if (type === 'string') return '…'
  if (schema['properties'] === undefined) return undefined
  const required = (schema['required'] ?? []) as readonly string[]
  const all = Object.entries(schema['properties'] as Record<string, Json>)
  const shown = all.filter(([name]) => members === 'all' || required.includes(name))
  const values = shown.map(([name, each]) => [name, exampleOf(each, schemas, members, depth + 1)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** A request that shows how an operation is called. */
export type ExampleRequest = {
  readonly method: string
  /** With its parameters and its query, from the root of the host. */
  readonly path: string
  /** JSON, or the fields of a form; undefined without a body. */
  readonly body: string | undefined
  readonly mediaType: string | undefined
}

/** Members that an example has though no schema alone requires them. */
const alsoShown: Readonly<Record<string, readonly string[]>> = { NewWork: ['work_url'] }

/** The request that a page shows for an operation. */
export function exampleRequest(
  operation: DescribedOperation,
  schemas: NamedSchemas,
): ExampleRequest {
  const { method, parameters, body } = operation
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const described = parameters.find((each) => each.name === name)
    return wordOf(exampleOf(described?.schema ?? {}, schemas)) || name
  })
  const asked = parameters.filter(({ place, isRequired }) => place === 'query' && isRequired)
  const query = new URLSearchParams(
    asked.map(({ name, schema }) => [name, wordOf(exampleOf(schema, schemas)) || '…']),
  )
  const [first] = body?.contents ?? []
  const [mediaType, schema] = first ?? []
  return {
    method,
    path: query.size === 0 ? path : `${path}?${query}`,
    mediaType,
    body: mediaType === undefined ? undefined : bodyOf(mediaType, schema ?? {}, schemas),
  }
}

/** A plain value as it stands in an address; empty for all others. */
function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
}

function bodyOf(mediaType: string, schema: Json, schemas: NamedSchemas): string {
  const value = sentExample(schema, schemas)
  if (mediaType === 'application/json') return JSON.stringify(value, null, 2)
  return new URLSearchParams(
    Object.entries(value).map(([name, each]) => [name, wordOf(each)]),
  ).toString()
}

/** What is required, and where nothing is, the first member that is known. */
function sentExample(schema: Json, schemas: NamedSchemas): Record<string, unknown> {
  const all = (exampleOf(schema, schemas) ?? {}) as Record<string, unknown>
  const required = (exampleOf(schema, schemas, 'required') ?? {}) as Record<string, unknown>
  const also = alsoShown[referenceOf(schema) ?? ''] ?? []
  const shown = { ...required, ...Object.fromEntries(also.map((name) => [name, all[name]])) }
  return Object.keys(shown).length > 0 ? shown : Object.fromEntries(Object.entries(all).slice(0, 1))
}

/** The request as a command; a caller that needs a credential has it in the variable `KEY`. */
export function curlOf(
  { method, path, body, mediaType }: ExampleRequest,
  { baseUrl, isPublic }: { readonly baseUrl: string; readonly isPublic: boolean },
): string {
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `
  const lines = [`curl -s ${verb}'${baseUrl}${path}'`]
  if (!isPublic) lines.push(`-H "authorization: Bearer $KEY"`)
  if (mediaType !== undefined && body !== undefined) {
    lines.push(`-H 'content-type: ${mediaType}'`, `-d '${body.replaceAll("'", String.raw`'\''`)}'`)
  }
  return lines.join(' \\\n  ')
}
