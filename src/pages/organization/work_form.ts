import { twoDays } from '#actors/values/date.ts'
import { FaultList, type FieldFault } from '#actors/values/fault_list.ts'
import { foldOrcid } from '#actors/values/identifier.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { type Metadata, metadataFields } from '#actors/works/metadata.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  field,
  type Field,
  type FormBody,
  type FormState,
  hiddenField,
  type PageFault,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Fact } from '#src/pages/kit/parts.ts'
import { WordDifferences } from '#src/pages/kit/word_difference.ts'
import { shorten, typeName } from '#src/pages/kit/words.ts'
import {
  type Ask,
  askedByName,
  type AskedField,
  askedSections,
} from '#src/pages/organization/asked_fields.ts'
import {
  authorField,
  authorFieldNames,
  authorLines,
  authorPart,
  authorPlaces,
  authorRows,
  authorsBody,
  authorValues,
  changeRows,
  namelessRows,
  partOf,
} from '#src/pages/organization/author_rows.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'
import {
  changeRecordRows,
  type FormTree,
  isSectionField,
  keptField,
  keptOf,
  plainText,
  recordBody,
  recordValues,
  rowsOf,
  treeOf,
  unshownField,
  withoutEmptyRows,
} from '#src/pages/organization/record_form.ts'
import { capitalized, inEnglish, joined, list } from '#src/words/format.ts'
import { english, type Language } from '#src/words/language.ts'
import {
  workFields as labels,
  workChoices as choices,
  workForm as words,
  workHints as hints,
} from '#src/words/record_desk.ts'
import { type Text, textIn, Wording } from '#src/words/wording.ts'

const workTypeOptions = [
  { value: '', label: choices.choose },
  ...workTypeNames.map((value) => ({ value, label: typeName(value) })),
]

/**
 * A field of a work in the words of its form. Its text is read as the table of the fields of a work
 * says, in the spellings that people use.
 */
type WorkField = Omit<Field, 'required'> & {
  readonly name: keyof Metadata
  readonly spellings?: (text: string) => readonly string[]
}

const authorsField: WorkField = {
  name: 'authors',
  label: labels.moreAuthors,
  type: 'textarea',
  hint: hints.moreAuthors,
}

const fields: readonly WorkField[] = [
  {
    name: 'work_url',
    label: labels.work_url,
    type: 'url',
    spellings: addressSpellings,
    hint: hints.work_url,
  },
  {
    name: 'existing_doi',
    label: labels.existing_doi,
    spellings: addressSpellings,
    hint: hints.existing_doi,
  },
  { name: 'description', label: labels.abstract, type: 'textarea' },
  { name: 'keywords', label: labels.keywords, hint: hints.keywords },
  {
    name: 'language',
    label: labels.language,
    spellings: languageSpellings,
    hint: hints.workLanguage,
  },
  {
    name: 'license',
    label: labels.license,
    spellings: addressSpellings,
    hint: hints.workLicense,
  },
  {
    name: 'published_date',
    label: labels.published_date,
    spellings: dateSpellings,
    hint: hints.published_date,
  },
]

const titleField = { name: 'work_title', label: labels.work_title, required: true } as const
const typeField = { name: 'work_type', label: labels.work_type, options: workTypeOptions }

/** All but the rows of authors, whose number differs. */
const known: readonly WorkField[] = [titleField, authorsField, ...fields]
const names = [...known.map(({ name }) => name), typeField.name]

/** What the form calls each field of a work but its authors, in its order. */
export const workFieldLabels: readonly (readonly [name: string, label: Text])[] = [
  [titleField.name, titleField.label],
  [typeField.name, typeField.label],
  ...fields.map(({ name, label }) => [name, label] as const),
]

/** The fields of a form that registers a work; `focus` is the path of the row to begin with. */
export function workFields(state: FormState, focus?: string): Html {
  const others = fields.map((each) => field(each, state))
  // Enter, pressed in a field, pushes the first button of a form: it must not be one of a row.
  return html`<button class="unseen" type="submit" tabindex="-1"
aria-hidden="true">${words.goOn}</button>
${field(titleField, state)}${selectField(typeField, state)}
${authorRows(state, focus)}${field(authorsField, state)}${others}
${recordSections(state, focus)}`
}

/** The same form with a row more or less, if a button of a row was pressed; else undefined. */
export function changeWorkRows(
  form: FormBody,
): { readonly values: FormBody; readonly focus: string } | undefined {
  return changeRows(form) ?? changeRecordRows(form)
}

/** The same fields, carried along unseen. */
export function hiddenWorkFields(form: FormBody): Html {
  const sections = [...form.keys()].filter(isSectionField)
  const carried = [...names, ...authorFieldNames(form), ...sections]
  return html`${carried.map((name) => hiddenField(name, textOf(form, name)))}`
}

/** Normalizes what was typed to what a work can hold, and says what was taken otherwise. */
export function normalizeWorkForm(form: FormBody): FoldedForm {
  return foldForm(withoutEmptyRows(form), (name) => {
    const author = authorPart(name)
    if (author !== undefined) {
      return { label: author.label, ...(author.part === 'orcid' && { fold: readOrcid }) }
    }
    const own = known.find((each) => each.name === name)
    const { spellings } = own ?? {}
    if (own === undefined) return placeOf(name)
    return { label: own.label, ...(spellings && { fold: readAs(own.name, spellings) }) }
  })
}

/** Reads a text as the table of fields does, in the first of its spellings that it understands. */
function readAs(name: keyof Metadata, spellings: (text: string) => readonly string[]) {
  const { kind } = metadataFields[name]
  return (text: string) => {
    const read = spellings(text).map((each) => kind.read(each, name, new FaultList()))
    return read.find((value) => typeof value === 'string')
  }
}

function readOrcid(text: string): string | undefined {
  return addressSpellings(text)
    .map(foldOrcid)
    .find((orcid) => orcid !== undefined)
}

/** What was taken otherwise than it was typed, in a message above a form. */
export function noticeBox(notices: readonly Text[]): Html {
  if (notices.length === 0) return html``
  const items = notices.map((notice) => html`<li>${notice}</li>`)
  return html`<div class="flash flash-info" role="status">
<p>${words.adjusted}</p><ul>${items}</ul></div>`
}

/**
 * The body of a creation, unchecked, that a form asks for; what was left empty is absent. `before`
 * is the work that is changed, if one is.
 */
export function workBody(form: FormBody, before?: Metadata): Record<string, unknown> {
  const given = names
    .map((name): [string, string] => [name, textOf(form, name).trim()])
    .filter(([name, text]) => text !== '' && name !== authorsField.name)
  const kept = keptOf(form)
  const authors = authorsBody(form, before ?? keptAuthors(kept))
  return { ...Object.fromEntries(given), ...authors, ...kept.lists, ...recordBody(form) }
}

/** The authors that a new work was filled in with, as far as a work can have them. */
function keptAuthors({ authors, author_details: details }: ReturnType<typeof keptOf>) {
  if (typeof authors !== 'string') return undefined
  const { kind } = metadataFields.author_details
  const author_details = kind.read(details ?? [], 'author_details', new FaultList())
  return { authors, ...(author_details !== undefined && { author_details }) }
}

/** What a form has said of a work, in the order and the words of the form. */
export function workFacts(metadata: Metadata): readonly Fact[] {
  const rows = fields.flatMap(({ name, label }): Fact[] => {
    const value = (metadata as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' ? [[label, value]] : []
  })
  const authors = authorLines(metadata).split('\n')
  const authorList = html`<ol class="plain">${authors.map((line) => html`<li>${line}</li>`)}</ol>`
  const others = recordLines(metadata).map(([label, lines]): Fact => {
    if (lines.length === 1) return [label, lines[0] ?? '']
    const items = lines.map((line) => html`<li dir="auto">${line}</li>`)
    return [label, html`<ol class="plain">${items}</ol>`]
  })
  return [
    [labels.work_type, typeName(metadata.work_type)],
    [labels.authors, authorList],
    ...rows,
    ...others,
  ]
}

function workFieldLabel(name: string): Text | undefined {
  return known.find((each) => each.name === name)?.label ?? authorPart(name)?.label
}

/** Faults of the form itself, before a body is made of it. */
export function formFaults(form: FormBody): readonly PageFault[] {
  return namelessRows(form).map((place) =>
    pageFault(authorField(place, 'family'), 'required', words.familyNeeded({ number: place })),
  )
}

/** A fault that a form finds itself. Programs are told of it in English. */
export function pageFault(name: string, code: string, text: Text): PageFault {
  return { field: name, code, message: textIn(english, text), text }
}

/** The faults of a form, and those of its body at other fields, in the form's words. */
export function withFaults(
  own: readonly PageFault[],
  others: readonly PageFault[],
  form: FormBody,
): readonly PageFault[] {
  const told = others.map((each) => (each.text === undefined ? asWorkFault(each, form) : each))
  return [...own, ...told.filter(({ field: name }) => !own.some((each) => each.field === name))]
}

/** A fault of the body as one of the field of the form that it comes from, in the form's words. */
export function asWorkFault(fault: FieldFault, form: FormBody): PageFault {
  const inSection = asRecordFault(fault)
  if (inSection !== undefined) return inSection
  const name = formFieldOf(fault, form)
  const text = faultText(fault, name, form)
  if (text !== undefined) return pageFault(name, fault.code, text)
  const label = workFieldLabel(name)
  // Paths are those of the body, which nobody sees who fills in a form.
  const message =
    label === undefined
      ? fault.message
      : fault.message.replaceAll(fault.field, textIn(english, label))
  return { field: name, code: fault.code, message }
}

/** What keeps no work back, but should be seen, in the words of the form. */
export function warningBoxes(warnings: readonly FieldFault[], form: FormBody): readonly Html[] {
  return warnings.map((warning) => {
    const { message, text = inEnglish(message) } = asWorkFault(warning, form)
    return html`<div class="flash flash-info"><p>${text}</p></div>`
  })
}

function formFieldOf({ field: path, code }: FieldFault, form: FormBody): string {
  const [, index, part] = /^author_details\[(\d+)\]\.(\w+)/.exec(path) ?? []
  if (index !== undefined) {
    const place = authorPlaces(form)[Number(index)]
    return place === undefined ? 'authors' : authorField(place, partOf(part))
  }
  const [name = ''] = /^\w+/.exec(path) ?? []
  if (name === 'authors') return code === 'required' ? authorField(1, 'family') : 'authors'
  return name === 'author_details' ? 'authors' : name
}

/** What a form says of a fault in its own words; undefined where the API says it. */
function faultText(
  { field: path, code }: FieldFault,
  name: string,
  form: FormBody,
): Text | undefined {
  if (name === 'work_type') return words.typeNeeded
  if (code === 'required') {
    if (path === 'work_url') return words.addressNeeded
    if (path === 'authors') return words.authorNeeded
    return words.needed({ label: workFieldLabel(name) ?? name })
  }
  return code === 'bad_value' ? badValue(name, textOf(form, name).trim()) : undefined
}

const quotedCharactersMax = 60

function badValue(name: string, text: string): Text | undefined {
  const typed = text.slice(0, quotedCharactersMax).toWellFormed()
  if (authorPart(name)?.part === 'orcid') return words.noOrcid({ typed })
  if (name === 'language') return words.noLanguage({ typed })
  if (name !== 'published_date') return undefined
  const days = twoDays(text)
  if (days === undefined) return words.noDate({ typed })
  return words.twoDates({ typed, one: days[0], other: days[1] })
}

/** A form as it is taken, and a sentence for each thing that was taken otherwise than typed. */
export type FoldedForm = { readonly values: FormBody; readonly notices: readonly Text[] }

/** What a field of a form is called, and how its text is brought into what a work can hold. */
type FoldedField = {
  readonly label: Text
  readonly fold?: (text: string) => string | undefined
}

/**
 * Folds what people type and paste into what a work can hold, where the meaning is certain: what
 * cannot be understood stays as it is, for the check of the form to say so. Signs that come along
 * when texts are copied are removed from all fields, of which `fieldOf` knows the name.
 */
function foldForm(form: FormBody, fieldOf: (name: string) => FoldedField | undefined): FoldedForm {
  const notices: Text[] = []
  const values = new Map(form)
  for (const [name, typed] of form) {
    const own = fieldOf(name)
    if (own === undefined || typed === '') continue
    const { text, removed } = withoutCopiedSigns(typed)
    const { label } = own
    if (removed.length > 0) notices.push(words.removed({ label, signs: list(removed) }))
    const folded = own.fold?.(text.trim())
    if (folded !== undefined && folded.toLowerCase() !== text.trim().toLowerCase()) {
      const shown = shorten(text.trim(), shownCharactersMax)
      notices.push(words.taken({ label, typed: shown, meant: folded }))
    }
    values.set(name, folded ?? text)
  }
  return { values, notices }
}

const shownCharactersMax = 100

/** Signs that nobody sees and that come along with copied text, by what people know them as. */
const copiedSigns = [
  // Where a word may be parted at the end of a line; PDF files have them where it was.
  [/\u00ad[\t ]*\n?/g, words.softHyphens],
  // Not the joiners U+200C and U+200D, which Persian and emoji are written with.
  [/[\u200b\u2060\ufeff]/g, words.spaces],
  [/[\u200e\u200f\u061c]/g, words.directions],
  [/[^\P{Cc}\t\n\r]/gu, words.controls],
] as const

// Of control characters, these part lines: the words on their two sides must not run together.
const lineBreaks = /[\v\f\u0085]/

/** A text without such signs, and which were removed: `2 soft hyphens`. */
function withoutCopiedSigns(typed: string): {
  readonly text: string
  readonly removed: readonly Text[]
} {
  let text = typed
  const removed: Text[] = []
  for (const [signs, name] of copiedSigns) {
    let count = 0
    text = text.replace(signs, (sign) => {
      count += 1
      return lineBreaks.test(sign) ? ' ' : ''
    })
    if (count > 0) removed.push(name({ count }))
  }
  return { text, removed }
}

/** An address that was typed without its beginning, as browsers take it. */
function addressSpellings(text: string): readonly string[] {
  const isBare = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/:?#]\S*)?$/u.test(text)
  return isBare ? [text, `https://${text}`] : [text]
}

/** The language that `British English`, `Portuguese (Brazil)` and `en_GB.UTF-8` have in them. */
function languageSpellings(text: string): readonly string[] {
  const plain = text.replace(/[\s,;]*\(.*\)$/, '').replace(/[.@].*$/, '')
  return [text, plain, plain.split(/\s+/).at(-1) ?? '']
}

/** A date without what stands around it in sentences: `Friday, 12th of March 2021`. */
function dateSpellings(text: string): readonly string[] {
  const plain = text
    .replace(/^\p{L}+day,?\s+/iu, '')
    .replace(/^(?:le|am|den|el)\s+/i, '')
    .replace(/\s+of\s+/i, ' ')
    .replace(/^(\d{4})年\s*(\d{1,2})月(?:\s*(\d{1,2})日)?$/, (_, year, month, day) =>
      [year, month, day].filter(Boolean).join('/'),
    )
  return [text, plain]
}

/** What a form to change a work begins with. */
export function workValues(metadata: Metadata): FormBody {
  const texts = metadata as Readonly<Record<string, unknown>>
  const values = workFieldLabels.map(([name]): [string, string] => {
    const value = texts[name]
    return [name, typeof value === 'string' ? value : '']
  })
  return new Map([...values, ...authorValues(metadata), ...recordValues(texts)])
}

/** Bytes of the name under which a form is carried out once, however often it is sent. */
const formKeyBytes = 16

/** A name for one form, under which what it asks for is done once. */
export function newFormKey({ random }: OrganizationContext): string {
  return Buffer.from(random(formKeyBytes)).toString('hex')
}

/** Such a name, as a form has carried it. HttpError `bad_request` for anything else. */
export function formKeyOf(body: FormBody): string {
  const once = textOf(body, 'once')
  if (/^[0-9a-f]{32}$/.test(once)) return once
  throw new HttpError('bad_request', textIn(english, words.notWhole))
}

/** The fields in which two descriptions differ, word by word; `words` bounds that of a page. */
export function differences(
  before: Metadata,
  after: Metadata,
  found = new WordDifferences(),
): readonly Fact[] {
  const [former, next] = [shownTexts(before), shownTexts(after)]
  return [...new Map([...next, ...former]).keys()].flatMap((label): Fact[] => {
    const [old, text] = [former.get(label) ?? '', next.get(label) ?? '']
    if (textIn(english, old) === textIn(english, text)) return []
    const shown = new Difference(old, text, found)
    return [[label, html`<div class="difference" dir="auto">${shown}</div>`]]
  })
}

/** What differs between two texts, in the language that both are written in. */
class Difference extends Wording {
  readonly #before: Text
  readonly #after: Text
  readonly #found: WordDifferences

  constructor(before: Text, after: Text, found: WordDifferences) {
    super()
    this.#before = before
    this.#after = after
    this.#found = found
  }

  html(language: Language): string {
    const [before, after] = [textIn(language, this.#before), textIn(language, this.#after)]
    return this.#found.between(before, after).html(language)
  }
}

function shownTexts(metadata: Metadata): ReadonlyMap<Text, Text> {
  const values = workValues(metadata)
  const texts = fields.map(({ name, label }) => [label, textOf(values, name)] as const)
  const sections = recordLines(metadata).map(([label, lines]) => {
    return [label, joined(lines, '\n')] as const
  })
  return new Map<Text, Text>([
    [labels.work_title, metadata.work_title],
    [labels.work_type, typeName(metadata.work_type)],
    [labels.authors, authorLines(metadata)],
    ...texts,
    ...sections,
  ])
}

/** What a form shows of its sections, and the path of the row to begin with. */
type Shown = { readonly state: FormState; readonly focus: string | undefined }

/** The sections of a form of a work: each is closed while it has nothing that wants a look. */
export function recordSections(state: FormState, focus?: string): Html {
  const tree = treeOf(state.values)
  const filled = recordBody(state.values)
  const unshown = new Set(textOf(state.values, unshownField).split(' '))
  const shown = { state, focus }
  const sections = askedSections.map(({ name, fields: asked }) => {
    const inSection = asked.map((each) => each.name)
    const isFull = inSection.some((each) => each in filled || unshown.has(each))
    const isOpen = isFull || inSection.some((each) => wantsLook(each, shown))
    const visible = asked.filter((each) => !unshown.has(each.name))
    const kept = asked.filter((each) => unshown.has(each.name)).map(unshownNote)
    return html`<details class="section"${isOpen ? html` open` : ''}>
<summary>${isFull ? capitalized(name) : words.addSection({ section: name })}</summary>
${membersShown(visible, '', tree, shown, name)}${kept}</details>`
  })
  const carried = [unshownField, keptField].map((name) => {
    const text = textOf(state.values, name)
    return text === '' ? '' : hiddenField(name, text)
  })
  return html`${sections}${carried}`
}

function unshownNote({ label }: AskedField): Html {
  return html`<p class="hint">${words.tooMany({ label })}</p>`
}

/** Whether something at a path or below it is wrong, or is to be gone on with. */
function wantsLook(path: string, { state, focus }: Shown): boolean {
  const isBelow = (other: string) => other.startsWith(path) && !/^\w/.test(other.slice(path.length))
  return (focus !== undefined && isBelow(focus)) || state.faults.some((each) => isBelow(each.field))
}

/** Members of a record: the usual ones, then the others behind a click while they are empty. */
function membersShown(
  members: readonly AskedField[],
  path: string,
  tree: FormTree | undefined,
  shown: Shown,
  what: Text,
): Html {
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`)
  const show = (each: AskedField, index: number) =>
    memberShown(each, pathOf(each.name), tree?.parts.get(each.name), {
      shown,
      isFirst: index === 0 && path !== '' && shown.focus === path,
      // A section that is one list has a row to begin with.
      hasRow: path === '' && index === 0,
    })
  const usual = members.filter(({ isByNeed }) => !isByNeed)
  const others = members.filter(({ isByNeed }) => isByNeed)
  const isOpen = others.some(
    ({ name }) => hasText(tree?.parts.get(name)) || wantsLook(pathOf(name), shown),
  )
  const more =
    others.length === 0
      ? ''
      : html`<details class="fold"${isOpen ? html` open` : ''}>
<summary>${words.more({ item: what })}</summary>
<div class="columns">${others.map((each) => show(each, -1))}</div></details>`
  return html`<div class="columns">${usual.map(show)}</div>${more}`
}

function hasText(tree: FormTree | undefined): boolean {
  if (tree === undefined) return false
  return (tree.text ?? '').trim() !== '' || [...tree.parts.values()].some(hasText)
}

type Place = { readonly shown: Shown; readonly isFirst: boolean; readonly hasRow: boolean }

function memberShown(
  each: AskedField,
  path: string,
  tree: FormTree | undefined,
  place: Place,
): Html {
  const { ask, label, hint } = each
  const { shown } = place
  const named = { name: path, label, ...(hint !== undefined && { hint }) }
  if (ask.type === 'rows') return rowsShown(each, ask, path, tree, place)
  if (ask.type === 'record') {
    return html`<fieldset class="part"><legend>${label}</legend>
${membersShown(ask.members, path, tree, shown, label)}</fieldset>`
  }
  const options = optionsOf(ask)
  if (options !== undefined) return selectField({ ...named, options }, shown.state)
  const isLong =
    ask.type === 'texts' || ask.type === 'numbers' || (ask.type === 'text' && ask.lines)
  const type = isLong ? 'textarea' : 'text'
  return field({ ...named, type, isPlain: true, isFirst: place.isFirst }, shown.state)
}

function optionsOf(ask: Ask) {
  const none = { value: '', label: choices.choose }
  if (ask.type === 'flag') {
    return [none, { value: 'true', label: choices.yes }, { value: 'false', label: choices.no }]
  }
  if (ask.type !== 'choice') return undefined
  return [none, ...[...ask.choices].map(([value, label]) => ({ value, label }))]
}

function rowsShown(
  each: AskedField,
  ask: Extract<Ask, { type: 'rows' }>,
  path: string,
  tree: FormTree | undefined,
  { shown, hasRow }: Place,
): Html {
  const given = rowsOf(tree)
  const rows = given.length === 0 && hasRow ? [undefined] : given
  const { item } = ask
  const shownRows = rows.map((row, index) => {
    const number = index + 1
    const name = words.numbered({ item, number })
    const at = `${path}[${index}]`
    return html`<fieldset class="part"><legend>${capitalized(name)}</legend>
${membersShown(ask.members, at, row, shown, name)}
<button class="button button-quiet" type="submit" name="remove_row"
value="${at}">${words.remove({ item, number })}</button></fieldset>`
  })
  const { label, hint } = each
  const about = hint === undefined ? label : words.labelled({ label, value: hint })
  return html`<div class="rows"><p class="hint">${about}</p>
${shownRows}<p><button class="button button-quiet" type="submit" name="add_row"
value="${path}">${words.add({ item })}</button></p></div>`
}

type Placed = { readonly name: string; readonly label: Text }

/** The field of a form in which a fault at a path of the body is to be shown, and its label. */
export function placeOf(path: string): Placed | undefined {
  const [name = '', ...rest] = path.match(/\w+/g) ?? []
  const top = askedByName.get(name)
  return top === undefined ? undefined : placeBelow(top, name, rest, [])
}

function placeBelow(
  { ask, label }: AskedField,
  path: string,
  rest: readonly string[],
  above: readonly Text[],
): Placed {
  if (ask.type !== 'rows' && ask.type !== 'record') {
    return { name: path, label: labelBelow([...above, label]) }
  }
  const isRows = ask.type === 'rows'
  const [index, ...parts] = isRows ? [rest[0] ?? '0', ...rest.slice(1)] : ['', ...rest]
  const at = isRows ? `${path}[${index}]` : path
  const own = isRows ? words.numbered({ item: ask.item, number: Number(index) + 1 }) : label
  const around = [...above, own]
  const [part, ...further] = parts
  const member = ask.members.find(({ name }) => name === part)
  if (member !== undefined) return placeBelow(member, `${at}.${member.name}`, further, around)
  const [first] = ask.members
  const name = first === undefined ? at : placeBelow(first, `${at}.${first.name}`, [], []).name
  return { name, label: labelBelow(around) }
}

function labelBelow(around: readonly Text[]): Text {
  return joined(around.map(capitalized), ' › ')
}

// A member of a member, as messages name it.
const bodyPath = /\b[a-z_0-9]+(?:\[\d+\]|\.[a-z_0-9]+)+/g

/** A fault of the body as one of the form, in the form's words; undefined if it has no section. */
function asRecordFault({ field: path, code, message }: FieldFault): PageFault | undefined {
  const place = placeOf(path)
  if (place === undefined) return undefined
  const { name, label } = place
  if (code === 'required') return pageFault(name, code, words.needed({ label }))
  const inWords = message
    .replaceAll(bodyPath, (other) => textIn(english, placeOf(other)?.label ?? other))
    .replaceAll(path, textIn(english, label))
  return { field: name, code, message: inWords }
}

/** What sections say of a record: the label of each field, and a line for each item. */
function recordLines(metadata: Metadata): readonly (readonly [Text, readonly Text[]])[] {
  return [...askedByName.values()].flatMap(({ name, label, ask }) => {
    const value = (metadata as Readonly<Record<string, unknown>>)[name]
    return value === undefined ? [] : [[label, linesOf(ask, value)] as const]
  })
}

function linesOf(ask: Ask, value: unknown): readonly Text[] {
  return Array.isArray(value) ? value.map((item) => lineOf(ask, item)) : [lineOf(ask, value)]
}

function lineOf(ask: Ask, value: unknown): Text {
  if (Array.isArray(value)) {
    const items = value.map((item) => words.inBrackets({ value: lineOf(ask, item) }))
    return joined(items, ' ')
  }
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'boolean') return value ? choices.yes : choices.no
    const text = plainText(value)
    return ask.type === 'choice' ? (ask.choices.get(text) ?? text) : text
  }
  if (ask.type === 'numbers') return Object.values(value).join(', ')
  if (ask.type !== 'record' && ask.type !== 'rows') return ''
  const record = value as Readonly<Record<string, unknown>>
  const parts = ask.members.flatMap(({ name, label, ask: member }) =>
    record[name] === undefined
      ? []
      : [words.labelled({ label, value: lineOf(member, record[name]) })],
  )
  return joined(parts, '; ')
}
