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
  const objects = schemas
    .map(([name, schema]) => ({ name, members: membersOf(schema) }))
    .filter(({ members }) => members.size >= sharedMembersMin)
  const types = schemas.map(([name, schema]) => {
    return `${comment(schema, '')}export type ${name} = ${extended(schema, objects)}\n`
  })
  return [head, patch, ...types].join('\n')
}

const patch = `/** A change of some members; null removes one that can be absent. */
type Patch<T> = {
  [K in keyof T]?: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | null : T[K]
}
`

type NamedObject = { readonly name: string; readonly members: ReadonlyMap<string, Member> }

/** A member of an object as it is written, as one that can be absent, and as one of a change. */
type Member = { readonly text: string; readonly optional: string; readonly patch: string }

/** An object with all members of another one that has as many is written as that one and more. */
const sharedMembersMin = 7

function extended(schema: Schema, objects: readonly NamedObject[]): string {
  const members = membersOf(schema)
  const patched = objects.find((other) => isPatchOf(members, other.members))
  if (patched !== undefined) return `Patch<${patched.name}>`
  const base = objects
    .filter((other) => other.members.size < members.size || isStricter(members, other.members))
    .filter((other) => isPartOf(other.members, members))
    .toSorted((a, b) => b.members.size - a.members.size)[0]
  if (base === undefined) return typeOf(schema, '')
  const own = [...members].filter(([name, { text }]) => base.members.get(name)?.text !== text)
  return `${base.name} & {\n${own.map(([, { text }]) => text).join('')}}`
}

/** Whether every member of one object is one of another, which may demand it. */
function isPartOf(part: NamedObject['members'], whole: NamedObject['members']): boolean {
  return [...part].every(([name, { text }]) => {
    const member = whole.get(name)
    return member?.text === text || member?.optional === text
  })
}

/** Whether an object has the members of another one as a change of it has them. */
function isPatchOf(change: NamedObject['members'], whole: NamedObject['members']): boolean {
  if (change.size === 0 || change.size !== whole.size) return false
  return [...whole].every(([name, { patch: text }]) => change.get(name)?.text === text)
}

/** Whether one object demands members that another one can be without. */
function isStricter(one: NamedObject['members'], other: NamedObject['members']): boolean {
  return [...one].some(([name, { text }]) => other.has(name) && other.get(name)?.text !== text)
}

function membersOf({ type, properties = {}, required = [], ...rest }: Schema): Map<string, Member> {
  if (type !== 'object' || rest.additionalProperties === true) return new Map()
  const members = Object.entries(properties).map(([name, member]): [string, Member] => {
    const isRequired = required.includes(name)
    const optional = memberOf(name, member, false, '  ')
    return [
      name,
      {
        text: memberOf(name, member, isRequired, '  '),
        optional,
        patch: isRequired ? optional : optional.replace(/\n$/, ' | null\n'),
      },
    ]
  })
  return new Map(members)
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
  const members = Object.entries(properties).map(([name, member]) =>
    memberOf(name, member, required.includes(name), inner),
  )
  const further = Object.values(patternProperties ?? {})
  if (typeof additionalProperties === 'object') further.push(additionalProperties)
  if (members.length === 0) {
    const types = further.map((each) => typeOf(each, inner))
    return `Record<string, ${types.length === 0 ? 'unknown' : types.join(' | ')}>`
  }
  if (additionalProperties === true) members.push(`${inner}[further: string]: unknown\n`)
  return `{\n${members.join('')}${indent}}`
}

function memberOf(name: string, member: Schema, isRequired: boolean, indent: string): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
  const mark = isRequired ? '' : '?'
  return `${comment(member, indent)}${indent}${key}${mark}: ${typeOf(member, indent)}\n`
}

function comment({ description }: Schema, indent: string): string {
  if (description === undefined) return ''
  const text = description.replaceAll('*/', '*\\/').trim().split(/\s+/).join(' ')
  return `${indent}/** ${text} */\n`
}
