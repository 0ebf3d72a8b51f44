import type { Json } from '#src/edge/openapi_document.ts'
import { exampleOf } from '#src/pages/docs/example.ts'
import type { DescribedOperation } from '#src/pages/docs/interface.ts'
import { type NamedSchemas, referenceOf } from '#src/pages/docs/schema_words.ts'

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
