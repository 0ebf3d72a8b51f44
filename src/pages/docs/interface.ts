import type { Json, OpenApiDocument, Operation } from '#src/edge/openapi_document.ts'

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
export type DescribedContent = {
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
