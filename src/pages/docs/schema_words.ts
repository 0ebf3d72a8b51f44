import type { Json } from '#src/edge/openapi_document.ts'
import { textOf } from '#src/pages/docs/interface.ts'
import { renderLine } from '#src/pages/docs/markdown.ts'
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
${preset === undefined ? '' : html` Unless told: <code>${JSON.stringify(preset)}</code>.`}
${
  example === undefined
    ? ''
    : html` <span class="example">Such as
<code>${typeof example === 'string' ? example : JSON.stringify(example)}</code></span>`
}`
}
