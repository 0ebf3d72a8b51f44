import type { Json } from '#src/edge/openapi_document.ts'
import { alternativesOf, type NamedSchemas, referenceOf } from '#src/pages/docs/schema_words.ts'

/** How deep an example goes: types may hold themselves. */
const depthMax = 6

/** Members beside the required ones that an example of what is sent may have. */
type Members = 'all' | 'required'

/**
 * A value that fits a schema, made of its examples, defaults and words; undefined if nothing is
 * known of one. Of what is sent, only what is required, unless told.
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
