// Writes the types of the client from the component schemas of our OpenAPI document. It knows what
// our document says, and throws at anything else.

import assert from 'node:assert/strict'

/** A schema of the document, as far as it is looked into. */
type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** The document, as far as it is looked into. */
export type Described = {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const head =
  '// Written by `npm run client:types` from the OpenAPI document: change nothing by hand.\n'

/** The text of the module with a type for each schema, in the order of their names. */
export function writeTypes({ components }: Described): string {
  const schemas = Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const types = schemas.map(
    ([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  return [head, ...types].join('\n')
}

function typeOf(schema: Schema, indent: string): string {
  const { $ref, anyOf, oneOf, enum: words, type } = schema
  if ($ref !== undefined) return nameOf($ref)
  if ('const' in schema) return spell(schema.const)
  if (words !== undefined) return words.map(spell).join(' | ')
  const some = anyOf ?? oneOf
  // Beside properties, such a list says which of them go together.
  if (some !== undefined && type === undefined) {
    const types = [...new Set(some.map((each) => typeOf(each, indent)))]
    return types.includes('unknown') ? 'unknown' : types.join(' | ')
  }
  if (Array.isArray(type)) {
    return type.map((each) => typeOf({ ...schema, type: each as string }, indent)).join(' | ')
  }
  return simpleTypeOf(schema, indent)
}

function spell(value: unknown): string {
  return JSON.stringify(value).replaceAll('"', "'")
}

function simpleTypeOf(schema: Schema, indent: string): string {
  switch (schema.type) {
    case undefined:
      return 'unknown'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent))
    case 'object':
      return objectOf(schema, indent)
    default:
      return assert.fail(`the document has a type that is not known: ${String(schema.type)}`)
  }
}

function nameOf(reference: string): string {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? []
  return name ?? assert.fail(`the document refers to ${reference}`)
}

function arrayOf(type: string): string {
  return /[ |]/.test(type) ? `(${type})[]` : `${type}[]`
}

function objectOf(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema
  const inner = `${indent}  `
  const members = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?'
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    return `${comment(member, inner)}${inner}${key}${mark}: ${typeOf(member, inner)}\n`
  })
  const further = Object.values(patternProperties ?? {})
  if (typeof additionalProperties === 'object') further.push(additionalProperties)
  if (members.length === 0) {
    const types = further.map((each) => typeOf(each, inner))
    return `Record<string, ${types.length === 0 ? 'unknown' : types.join(' | ')}>`
  }
  if (additionalProperties === true) members.push(`${inner}[further: string]: unknown\n`)
  return `{\n${members.join('')}${indent}}`
}

function comment({ description }: Schema, indent: string): string {
  if (description === undefined) return ''
  const text = description.replaceAll('*/', '*\\/').trim().split(/\s+/).join(' ')
  return `${indent}/** ${text} */\n`
}
