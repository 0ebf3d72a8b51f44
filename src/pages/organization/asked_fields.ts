import { type FieldKind, type Row, shapeOf } from '#actors/values/field_table.ts'
import { fieldSections, metadataFields } from '#actors/works/metadata.ts'
import { assert } from '#log/tlog/errors.ts'
import { type Html, joinHtml } from '#src/pages/kit/html.ts'
import { kinds, relations, types } from '#src/words/english.ts'
import { capitalized, inEnglish, list } from '#src/words/format.ts'
import { type Said, termOf } from '#src/words/message.ts'
import {
  workChoices,
  workFields,
  workHints,
  workItems,
  workSections,
} from '#src/words/record_desk.ts'
import type { Text } from '#src/words/wording.ts'

/** How a form asks for a value, which follows from its kind. */
export type Ask =
  | { readonly type: 'text'; readonly lines: boolean; readonly maxLength?: number }
  | { readonly type: 'number' }
  | { readonly type: 'flag' }
  /** Values with what they are called. */
  | { readonly type: 'choice'; readonly choices: ReadonlyMap<string, Text> }
  /** Texts, one a line. */
  | { readonly type: 'texts' }
  /** Records of numbers, one a line. */
  | { readonly type: 'numbers'; readonly names: readonly string[] }
  | { readonly type: 'record'; readonly members: readonly AskedField[] }
  | {
      readonly type: 'rows'
      readonly members: readonly AskedField[]
      readonly max: number
      /** What one item is called, in the middle of a sentence. */
      readonly item: Text
    }

/** A field of the table of a work, or a member of one, as a form asks for it. */
export type AskedField = {
  readonly name: string
  readonly label: Text
  readonly hint?: Html
  readonly isRequired: boolean
  readonly isByNeed: boolean
  readonly ask: Ask
}

/** A part of the form, which is closed while it is empty. */
type AskedSection = { readonly name: Text; readonly fields: readonly AskedField[] }

type Place = Readonly<Record<string, unknown>>

/** The names of a field and of the records around it: `contributors`, `affiliations`, `name`. */
type Path = readonly string[]

/**
 * The words that a place has for a field: those of its path (`subjects_code`) come before those of
 * its name (`code`).
 */
function wordsOf(place: Place, path: Path): Said | undefined {
  const keys = path.map((_, index) => path.slice(index).join('_'))
  return keys.map((key) => termOf(place, key)).find((said) => said !== undefined)
}

function labelOf(place: Place, path: Path): Said {
  const label = wordsOf(place, path)
  assert(label !== undefined, `the words of the form have ${path.join('.')}`)
  return label
}

// A longer list of words is typed, and the table says what is near.
const choicesMax = 60

/** How a form asks for what a kind reads. */
function askOf(kind: FieldKind<unknown>, path: Path): Ask {
  const { parts } = kind
  if (parts?.type === 'paragraphs') return { type: 'text', lines: true }
  if (parts?.type === 'record') {
    const members = parts.shape.readingOrder.map((row) => asked(row, path))
    return { type: 'record', members }
  }
  if (parts?.type === 'list') return askOfList(askOf(parts.item, path), parts.max, path)
  const schema = kind.schema({}) as {
    readonly type?: string
    readonly enum?: readonly string[]
    readonly maxLength?: number
  }
  if (schema.type === 'boolean') return { type: 'flag' }
  if (schema.type === 'number' || schema.type === 'integer') return { type: 'number' }
  const { enum: values = [], maxLength } = schema
  if (values.length > 0 && values.length <= choicesMax) {
    const choices = new Map(values.map((value) => [value, choiceLabel(value, path)]))
    return { type: 'choice', choices }
  }
  return { type: 'text', lines: false, ...(maxLength !== undefined && { maxLength }) }
}

function askOfList(item: Ask, max: number, path: Path): Ask {
  if (item.type !== 'record') return { type: 'texts' }
  const { members } = item
  const isNumbers = members.every(({ ask }) => ask.type === 'number')
  return isNumbers
    ? { type: 'numbers', names: members.map(({ name }) => name) }
    : { type: 'rows', members, max, item: labelOf(workItems, path) }
}

/** What stands before the codes of a field among the kinds of a record that readers see. */
const kindPrefixes: Readonly<Record<string, string>> = {
  contributors_role: 'role',
  titles_kind: 'title',
  descriptions_kind: 'text',
  dates_kind: 'date',
  files_kind: 'file',
  rights_applies_to: 'stage',
  files_content_version: 'stage',
  access_right: 'access',
}

function choiceLabel(value: string, path: Path): Text {
  const prefix = kindPrefixes[path.slice(-2).join('_')]
  const found =
    (prefix === undefined ? undefined : termOf(kinds, `${prefix}_${value}`)) ??
    termOf(workChoices, value) ??
    termOf(relations, value) ??
    termOf(types, value)
  // What nothing names has a name that is the same in all languages, such as a scheme: `arXiv`.
  return found === undefined ? value : capitalized(found)
}

function asked(row: Row, around: Path): AskedField {
  const { name, kind, example } = row
  const path = [...around, name]
  const ask = askOf(kind, path)
  const hint = hintOf(path, example, ask)
  return {
    name,
    label: labelOf(workFields, path),
    ...(hint !== undefined && { hint }),
    isRequired: row.required === true,
    isByNeed: row.byNeed === true,
    ask,
  }
}

/** All sections of the form of a work, in their order. */
export const askedSections: readonly AskedSection[] = fieldSections.map((section) => {
  const rows = shapeOf(metadataFields).readingOrder.filter((row) => row.section === section)
  return { name: labelOf(workSections, [section]), fields: rows.map((row) => asked(row, [])) }
})

/** All fields that stand in sections, by their names. */
export const askedByName: ReadonlyMap<string, AskedField> = new Map(
  askedSections.flatMap(({ fields }) => fields).map((each) => [each.name, each]),
)

function hintOf(path: Path, example: unknown, ask: Ask): Html | undefined {
  const words = wordsOf(workHints, path)
  const hints = [words, lineHint(path, ask) ?? exampleHint(words, example, ask)]
  const given = hints.filter((hint) => hint !== undefined)
  return given.length === 0 ? undefined : joinHtml(given, ' ')
}

function lineHint(path: Path, ask: Ask): Said | undefined {
  if (ask.type === 'texts') return workHints.onePerLine
  if (ask.type !== 'numbers') return undefined
  const names = list(
    ask.names.map((name) => labelOf(workFields, [...path, name])),
    'unit',
  )
  return workHints.numbersPerLine({ names })
}

function exampleHint(words: Said | undefined, example: unknown, { type }: Ask): Said | undefined {
  const isTold = words !== undefined && /such as/i.test(words.message.text)
  const isTyped = type === 'text' || type === 'number'
  const isShort = typeof example === 'number' || typeof example === 'string'
  if (isTold || !isTyped || !isShort) return undefined
  return workHints.suchAs({ example: inEnglish(`${example}`) })
}
