import type { FieldFault } from '#actors/values/fault_list.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { field, type FormState, hiddenField, selectField, textOf } from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { capitalized } from '#src/pages/kit/words.ts'
import {
  type Ask,
  type AskedField,
  askedByName,
  type AskedSection,
  askedSections,
  choiceLabel,
  midSentence,
} from '#src/pages/organization/asked_fields.ts'
import {
  type FormTree,
  keptField,
  plainText,
  recordBody,
  rowsOf,
  treeOf,
  unshownField,
} from '#src/pages/organization/record_form.ts'

/** What a form shows of its sections, and the path of the row to begin with. */
type Shown = { readonly state: FormState; readonly focus: string | undefined }

/** The sections of a form of a work: each is closed while it has nothing that wants a look. */
export function recordSections(state: FormState, focus?: string): Html {
  const tree = treeOf(state.values)
  const filled = recordBody(state.values)
  const unshown = new Set(textOf(state.values, unshownField).split(' '))
  const shown = { state, focus }
  const sections = askedSections.map((section) => {
    const names = section.fields.map(({ name }) => name)
    const isFull = names.some((name) => name in filled || unshown.has(name))
    const isOpen = isFull || names.some((name) => wantsLook(name, shown))
    const fields = section.fields.filter(({ name }) => !unshown.has(name))
    const kept = section.fields.filter(({ name }) => unshown.has(name)).map(unshownNote)
    return html`<details class="section"${isOpen ? html` open` : ''}>
<summary>${isFull ? headingOf(section) : `Add ${section.name}`}</summary>
${membersShown(fields, '', tree, shown, section.name)}${kept}</details>`
  })
  const carried = [unshownField, keptField].map((name) => {
    const text = textOf(state.values, name)
    return text === '' ? '' : hiddenField(name, text)
  })
  return html`${sections}${carried}`
}

function headingOf({ name }: AskedSection): string {
  const heading = name.replace(/^an? /, '')
  return heading.charAt(0).toUpperCase() + heading.slice(1)
}

function unshownNote({ label }: AskedField): Html {
  return html`<p class="hint">${label}: too many to be shown in a form. They stay as they are.</p>`
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
  what: string,
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
<summary>More about ${what.replace(/^an? /, 'the ')}</summary>
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
  if (ask.type === 'rows') return rowsShown(each, ask, path, tree, place)
  if (ask.type === 'record') {
    return html`<fieldset class="part"><legend>${label}</legend>
${membersShown(ask.members, path, tree, shown, midSentence(label))}</fieldset>`
  }
  const options = optionsOf(ask)
  if (options !== undefined) return selectField({ name: path, label, hint, options }, shown.state)
  const isLong =
    ask.type === 'texts' || ask.type === 'numbers' || (ask.type === 'text' && ask.lines)
  const type = isLong ? 'textarea' : 'text'
  return field(
    { name: path, label, hint, type, isPlain: true, isFirst: place.isFirst },
    shown.state,
  )
}

function optionsOf(ask: Ask) {
  const none = { value: '', label: 'Choose one' }
  if (ask.type === 'flag') {
    return [none, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]
  }
  if (ask.type !== 'choice') return undefined
  return [none, ...ask.values.map((value) => ({ value, label: choiceLabel(value) }))]
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
  const { itemLabel, hint } = each
  const shownRows = rows.map((row, index) => {
    const name = `${itemLabel} ${index + 1}`
    const at = `${path}[${index}]`
    return html`<fieldset class="part"><legend>${capitalized(name)}</legend>
${membersShown(ask.members, at, row, shown, name)}
<button class="button button-quiet" type="submit" name="remove_row" value="${at}">Remove
${name}</button></fieldset>`
  })
  const article = /^(?:[aeiou]|IS[BS]N)/i.test(itemLabel) ? 'an' : 'a'
  const add = rows.length === 0 ? `Add ${article} ${itemLabel}` : `Add another ${itemLabel}`
  return html`<div class="rows"><p class="hint">${hint}</p>
${shownRows}<p><button class="button button-quiet" type="submit" name="add_row"
value="${path}">${add}</button></p></div>`
}

type Placed = { readonly name: string; readonly label: string }

/** The field of a form in which a fault at a path of the body is to be shown, and its label. */
export function placeOf(path: string): Placed | undefined {
  const [name = '', ...rest] = path.match(/\w+/g) ?? []
  const top = askedByName.get(name)
  return top === undefined ? undefined : placeBelow(top, name, rest, [])
}

function placeBelow(
  { ask, label, itemLabel }: AskedField,
  path: string,
  rest: readonly string[],
  above: readonly string[],
): Placed {
  const isRows = ask.type === 'rows'
  if (!isRows && ask.type !== 'record') return { name: path, label: labelled([...above, label]) }
  const [index, ...parts] = isRows ? [rest[0] ?? '0', ...rest.slice(1)] : ['', ...rest]
  const at = isRows ? `${path}[${index}]` : path
  const labels = [...above, isRows ? `${itemLabel} ${Number(index) + 1}` : label]
  const [part, ...further] = parts
  const member = ask.members.find(({ name }) => name === part)
  if (member !== undefined) return placeBelow(member, `${at}.${member.name}`, further, labels)
  const [first] = ask.members
  const name = first === undefined ? at : placeBelow(first, `${at}.${first.name}`, [], []).name
  return { name, label: labelled(labels) }
}

function labelled(labels: readonly string[]): string {
  return capitalized(labels.map(midSentence).join(', '))
}

// A member of a member, as messages name it.
const bodyPath = /\b[a-z_0-9]+(?:\[\d+\]|\.[a-z_0-9]+)+/g

/** A fault of the body as one of the form, in the form's words; undefined if it has no section. */
export function asRecordFault({ field: path, code, message }: FieldFault): FieldFault | undefined {
  const place = placeOf(path)
  if (place === undefined) return undefined
  const inWords = message
    .replaceAll(bodyPath, (other) => placeOf(other)?.label ?? other)
    .replaceAll(path, place.label)
  return { field: place.name, code, message: inWords }
}

/** What sections say of a record: the label of each field, and a line for each item. */
export function recordLines(metadata: Metadata): readonly (readonly [string, readonly string[]])[] {
  return [...askedByName.values()].flatMap(({ name, label, ask }) => {
    const value = (metadata as Readonly<Record<string, unknown>>)[name]
    return value === undefined ? [] : [[label, linesOf(ask, value)] as const]
  })
}

function linesOf(ask: Ask, value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((item) => lineOf(ask, item)) : [lineOf(ask, value)]
}

function lineOf(ask: Ask, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `(${lineOf(ask, item)})`).join(' ')
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    return ask.type === 'choice' ? choiceLabel(plainText(value)) : plainText(value)
  }
  if (ask.type === 'numbers') return Object.values(value).join(', ')
  if (ask.type !== 'record' && ask.type !== 'rows') return ''
  const record = value as Readonly<Record<string, unknown>>
  const parts = ask.members.flatMap(({ name, label, ask: member }) =>
    record[name] === undefined ? [] : [`${label}: ${lineOf(member, record[name])}`],
  )
  return parts.join('; ')
}
