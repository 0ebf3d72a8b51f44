import type { Json } from '#src/edge/openapi_document.ts'
import { textOf } from '#src/pages/docs/interface.ts'
import { renderLine } from '#src/pages/docs/markdown.ts'
import {
  alternativesOf,
  hasMembers,
  meaningOf,
  type NamedSchemas,
  referenceOf,
  typeWords,
} from '#src/pages/docs/schema_words.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { table } from '#src/pages/kit/parts.ts'

/** A member of an object, as its line in the table. */
type Member = { readonly name: string; readonly isRequired: boolean; readonly schema: Json }

/** Types that one page explains, at most: what lies deeper is in `/openapi.json`. */
const typesMax = 60

/** The named types with members that schemas lead to, in the order in which one meets them. */
export function typesWithin(roots: readonly Json[], schemas: NamedSchemas): readonly string[] {
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

/** The table of a named type, under a heading that its links lead to. */
export function typeTable(name: string, schemas: NamedSchemas): Html {
  const schema = schemas[name] ?? {}
  const description = textOf(schema, 'description')
  const alternatives = alternativesOf(schema)
  const words = typeWords({ anyOf: alternatives }, schemas)
  return html`<section aria-labelledby="type-${name}"><h3 id="type-${name}">${name}</h3>
${description === '' ? '' : html`<p>${renderLine(description)}</p>`}
${alternatives.length === 0 ? '' : html`<p>It is ${words}.</p>`}
${hasMembers(schema) ? memberTable(name, schema, schemas) : ''}</section>`
}

const mayBeAbsent = html` <small>may be absent</small>`

function memberTable(name: string, schema: Json, schemas: NamedSchemas): Html {
  const required = (schema['required'] ?? []) as readonly string[]
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  const members = properties.map(([member, each]): Member => {
    return { name: member, isRequired: required.includes(member), schema: each }
  })
  const columns = [
    {
      heading: 'Member',
      isRowHeading: true,
      cell: (member: Member) =>
        html`<code>${member.name}</code>${member.isRequired ? '' : mayBeAbsent}`,
    },
    { heading: 'Is', cell: (member: Member) => typeWords(member.schema, schemas) },
    { heading: 'Means', cell: (member: Member) => meaningOf(member.schema) },
  ]
  return table(`Members of ${name}`, columns, members)
}
