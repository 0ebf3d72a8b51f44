import { STATUS_CODES } from 'node:http'

import { assert } from '#log/tlog/errors.ts'
import {
  type ReplyHeader,
  replyHeaders,
  type RequestHeader,
  requestHeaders,
} from '#src/edge/reply_schemas.ts'

/** JSON of any kind, as far as it is looked into. */
export type Json = { [name: string]: unknown }

/** What is known of an operation beside what the generator of the document takes. */
export type OperationFacts = {
  readonly requestHeaders: readonly RequestHeader[]
  readonly replyHeaders: readonly ReplyHeader[]
  readonly isBodyOptional: boolean
}

/** The member of an operation in which its facts come to this module. */
export const factsMember = 'x-facts'

/** Marks what is another spelling of something else, with the name of that. */
export const aliasMember = 'x-alias-of'

type Parameter = Json & {
  readonly schema?: Json
  readonly $ref?: string
  deprecated?: boolean
}
type Reply = Json & { headers?: Json; readonly content?: Readonly<Record<string, Json>> }
/** One operation of a document, as far as it is looked into. */
export type Operation = Json & {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: Json & { required?: boolean }
  responses: Record<string, Reply>
  [factsMember]?: OperationFacts
}

/** An OpenAPI document, as far as it is looked into. */
export type OpenApiDocument = {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: Record<string, Json>
}

function reference(kind: 'schemas' | 'parameters' | 'headers', name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}

/**
 * Completes a generated document: a schema with a `title` becomes the component of that name, the
 * headers of each operation are added, and of the operations with one id the first keeps it, while
 * the others are marked as its aliases.
 */
export function completeDocument(document: OpenApiDocument): OpenApiDocument {
  const schemas: Json = {}
  const paths = nameSchemas(document.paths, schemas) as OpenApiDocument['paths']
  const seen = new Map<string, number>()
  for (const path of Object.values(paths)) {
    for (const operation of Object.values(path)) {
      addFacts(operation)
      markDeprecated(operation)
      markAlias(operation, seen)
    }
  }
  const parameters = Object.entries(requestHeaders).map(
    ([name, header]) => [name, { name, in: 'header', ...header }] as const,
  )
  const components = {
    ...document.components,
    schemas,
    parameters: Object.fromEntries(parameters),
    headers: replyHeaders,
  }
  return { ...document, paths, components }
}

/** What says how a schema is meant at one place stays there, beside the reference to it. */
const isNote = (name: string) =>
  name === 'description' || name === 'examples' || name === 'example' || name.startsWith('x-')

/** Members whose values are data, and no part of a description. */
const dataMembers: ReadonlySet<string> = new Set([
  'default',
  'enum',
  'const',
  'example',
  'examples',
])

/** Replaces every schema that has a title by a reference to `schemas`, where it is put. */
function nameSchemas(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => nameSchemas(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    // The generator spells a constant as a list of one, of which programs would make a type.
    if (name === 'enum' && Array.isArray(member) && member.length === 1) return ['const', member[0]]
    return [name, dataMembers.has(name) ? member : nameSchemas(member, schemas)]
  })
  const { title, ...members } = Object.fromEntries(entries)
  if (typeof title !== 'string') return Object.fromEntries(entries)
  return referenceTo(title, members, schemas)
}

/** Puts a schema among the others, unless it is there; the notes of this place stay with it. */
function referenceTo(title: string, schema: Json, schemas: Json): Json {
  const own = Object.entries(schema).filter(([name]) => !name.startsWith('x-'))
  const known = (schemas[title] ??= Object.fromEntries(own)) as Json
  assert(textOf(known) === textOf(schema), `schemas of one title are one: ${title}`)
  const notes = Object.entries(schema).filter(
    ([name, note]) => isNote(name) && JSON.stringify(note) !== JSON.stringify(known[name]),
  )
  return { ...reference('schemas', title), ...Object.fromEntries(notes) }
}

function textOf(schema: Json): string {
  return JSON.stringify(Object.entries(schema).filter(([name]) => !isNote(name)))
}

const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

function addFacts(operation: Operation): void {
  const facts = operation[factsMember]
  delete operation[factsMember]
  if (facts === undefined) return
  if (facts.isBodyOptional && operation.requestBody !== undefined) {
    operation.requestBody.required = false
  }
  const asked = facts.requestHeaders.map((name) => reference('parameters', name))
  if (asked.length > 0) operation.parameters = [...(operation.parameters ?? []), ...asked]
  const { responses } = operation
  for (const [status, reply] of Object.entries(responses)) {
    if (reply['description'] === undescribed) reply['description'] = describeStatus(status)
    const names = headersOf(status, facts)
    if (names.length === 0) continue
    reply.headers = Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
  }
}

/** What the generator writes where a reply says nothing of itself. */
const undescribed = 'Default Response'

function describeStatus(status: string): string {
  if (status === '4XX') return 'The request is refused: `error` says why, as a word for programs.'
  if (status === '5XX') return 'The server failed, or is busy.'
  return STATUS_CODES[status] ?? 'It is done.'
}

function headersOf(status: string, facts: OperationFacts): readonly ReplyHeader[] {
  if (status.startsWith('2')) {
    const own = facts.replyHeaders.filter((name) => name !== 'Location' || status === '201')
    return [...own, ...limitHeaders]
  }
  if (status === '304') return ['ETag', ...limitHeaders]
  if (status === '429') return ['Retry-After', ...limitHeaders]
  return status.startsWith('5') ? ['Retry-After'] : []
}

function markAlias(operation: Operation, seen: Map<string, number>): void {
  const { operationId = '' } = operation
  const count = seen.get(operationId) ?? 0
  seen.set(operationId, count + 1)
  if (count === 0) return
  operation[aliasMember] = operationId
  operation.operationId = `${operationId}Alias${count === 1 ? '' : count}`
}

/** What is said of a parameter's schema is said of the parameter, where programs look for it. */
function markDeprecated({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (parameter.schema?.['deprecated'] !== true) continue
    delete parameter.schema['deprecated']
    parameter.deprecated = true
  }
}

/** A completed document without what only repeats the rest of it under another spelling. */
export function withoutAliases(document: OpenApiDocument): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const [path, methods] of Object.entries(document.paths)) {
    const own = Object.entries(methods).filter(([, operation]) => !isAlias(operation))
    if (own.length === 0) continue
    paths[path] = Object.fromEntries(
      own.map(([method, operation]) => [method, withoutOtherSpellings(operation)]),
    )
  }
  return { ...document, paths }
}

function isAlias(described: Json | undefined): boolean {
  return described?.[aliasMember] !== undefined
}

function withoutOtherSpellings(operation: Operation): Operation {
  const { parameters, responses } = operation
  const replies = Object.entries(responses).filter(([, { content = {} }]) => {
    const schemas = Object.values(content).map(({ schema }) => schema as Json | undefined)
    return schemas.length === 0 || !schemas.every(isAlias)
  })
  return {
    ...operation,
    ...(parameters && { parameters: parameters.filter(({ schema }) => !isAlias(schema)) }),
    responses: Object.fromEntries(replies),
  }
}
