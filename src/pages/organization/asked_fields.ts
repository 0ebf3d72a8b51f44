import { type FieldKind, type Row, shapeOf } from '#actors/values/field_table.ts'
import { fieldSections, metadataFields } from '#actors/works/metadata.ts'
import { capitalized, relationName, typeName } from '#src/pages/kit/words.ts'
import { english } from '#src/words/language.ts'
import { type Text, textIn } from '#src/words/wording.ts'

/** How a form asks for a value, which follows from its kind. */
export type Ask =
  | { readonly type: 'text'; readonly lines: boolean; readonly maxLength?: number }
  | { readonly type: 'number' }
  | { readonly type: 'flag' }
  | { readonly type: 'choice'; readonly values: readonly string[] }
  /** Texts, one a line. */
  | { readonly type: 'texts' }
  /** Records of numbers, one a line. */
  | { readonly type: 'numbers'; readonly names: readonly string[] }
  | { readonly type: 'record'; readonly members: readonly AskedField[] }
  | { readonly type: 'rows'; readonly members: readonly AskedField[]; readonly max: number }

/** A field of the table of a work, or a member of one, as a form asks for it. */
export type AskedField = {
  readonly name: string
  readonly label: string
  /** What one item is called, in the middle of a sentence. */
  readonly itemLabel: string
  readonly hint: string
  readonly isRequired: boolean
  readonly isByNeed: boolean
  readonly ask: Ask
}

/** A part of the form, which is closed while it is empty. */
export type AskedSection = { readonly name: string; readonly fields: readonly AskedField[] }

const writtenNames: Readonly<Record<string, string>> = {
  ark: 'ARK',
  credit: 'CRediT',
  doi: 'DOI',
  id: 'ID',
  isbn: 'ISBN',
  issn: 'ISSN',
  orcid: 'ORCID iD',
  ror: 'ROR ID',
  sha256: 'SHA-256',
  uri: 'address',
  url: 'address',
}

// What a form need not say, because it shows it.
const replacing = /\s*(?:A change replaces it as a whole|Replaced as a whole)\./

// A longer list of words is typed, and the table says what is near.
const choicesMax = 60

/** How a form asks for what a kind reads. */
function askOf(kind: FieldKind<unknown>): Ask {
  const { parts } = kind
  if (parts?.type === 'paragraphs') return { type: 'text', lines: true }
  if (parts?.type === 'record')
    return { type: 'record', members: parts.shape.readingOrder.map(asked) }
  if (parts?.type === 'list') return askOfList(askOf(parts.item), parts.max)
  const schema = kind.schema({}) as {
    readonly type?: string
    readonly enum?: readonly string[]
    readonly maxLength?: number
  }
  if (schema.type === 'boolean') return { type: 'flag' }
  if (schema.type === 'number' || schema.type === 'integer') return { type: 'number' }
  const { enum: values = [], maxLength } = schema
  if (values.length > 0 && values.length <= choicesMax) return { type: 'choice', values }
  return { type: 'text', lines: false, ...(maxLength !== undefined && { maxLength }) }
}

function askOfList(item: Ask, max: number): Ask {
  if (item.type !== 'record') return { type: 'texts' }
  const { members } = item
  const isNumbers = members.every(({ ask }) => ask.type === 'number')
  return isNumbers
    ? { type: 'numbers', names: members.map(({ name }) => name) }
    : { type: 'rows', members, max }
}

function asked(row: Row): AskedField {
  const { name, kind, about, example } = row
  const ask = askOf(kind)
  const label = row.label ?? labelOf(name)
  return {
    name,
    label,
    itemLabel: row.itemLabel ?? singular(midSentence(label)),
    hint: hintOf(about, example, ask),
    isRequired: row.required === true,
    isByNeed: row.byNeed === true,
    ask,
  }
}

/** All sections of the form of a work, in their order. */
export const askedSections: readonly AskedSection[] = fieldSections.map((section) => {
  const rows = shapeOf(metadataFields).readingOrder.filter((row) => row.section === section)
  return { name: section, fields: rows.map(asked) }
})

/** All fields that stand in sections, by their names. */
export const askedByName: ReadonlyMap<string, AskedField> = new Map(
  askedSections.flatMap(({ fields }) => fields).map((each) => [each.name, each]),
)

/** What the form of a work calls a field of its body. */
export function fieldLabel(name: string): Text {
  return askedByName.get(name)?.label ?? labelOf(name)
}

function labelOf(name: string): string {
  const words = name.split('_').map((word) => writtenNames[word] ?? word)
  return capitalized(words.join(' '))
}

/** A choice of a list as people read it. */
export function choiceLabel(value: string): string {
  const isRelation = /^[A-Z][a-z]+(?:[A-Z][a-z]+)+$/.test(value)
  return textIn(english, isRelation ? relationName(value) : typeName(value))
}

function hintOf(about: string, example: unknown, ask: Ask): string {
  const words = about.replace(replacing, '').replaceAll(/`([^`]*)`/g, (_, code: string) => {
    const isName = /^[a-z]+(?:_[a-z]+)*$/.test(code)
    return isName ? `“${labelOf(code).toLowerCase()}”` : code
  })
  if (ask.type === 'texts') return `${words} One a line.`
  if (ask.type === 'numbers') {
    return `${words} One a line: ${ask.names.map(labelOf).join(', ').toLowerCase()}.`
  }
  const isTold = /such as/i.test(words) || (ask.type !== 'text' && ask.type !== 'number')
  const isShort = typeof example === 'number' || typeof example === 'string'
  return isTold || !isShort ? words : `${words} Such as ${example}`.replace(/[^.]$/, '$&.')
}

/** A label as it stands in the middle of a sentence: capitals of abbreviations stay. */
export function midSentence(label: string): string {
  return /^.?[A-Z]/.test(label.slice(1)) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

function singular(label: string): string {
  if (/[^aeiou]ies$/.test(label)) return `${label.slice(0, -3)}y`
  return /[^s]s$/.test(label) ? label.slice(0, -1) : label
}
