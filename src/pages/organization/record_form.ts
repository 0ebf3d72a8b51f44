import { parseJson, someOf } from '#actors/values/serialization.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { type Ask, type AskedField, askedByName } from '#src/pages/organization/asked_fields.ts'
import { type FormBody, textOf } from '#src/pages/kit/form.ts'
import type { Text } from '#src/words/wording.ts'

/**
 * The fields of a form are named by the paths of the body that it makes, such as
 * `contributors[0].role`: what is at a path of the body is at the same path of the form.
 */
export type FormTree = { text?: string; readonly parts: Map<string, FormTree> }

/** The name of a hidden field with the names of what is too long for the form, and stays. */
export const unshownField = 'unshown'

/**
 * The name of a hidden field with what a new work is filled in with and no field shows: its long
 * lists, and what is known of its authors beside what their rows show. It is JSON.
 */
export const keptField = 'kept'

/** Characters of it in a form that is sent, at most. */
const keptCharactersMax = 600_000

/** Rows that a form has of all lists together; a record with more keeps its longest unseen. */
const rowsMax = 300
/** Rows of one list. */
const listRowsMax = 100

/** The fields of a form as a tree by the parts of their names. */
export function treeOf(form: FormBody): FormTree {
  const root: FormTree = { parts: new Map() }
  for (const [name, text] of form) {
    const path = partsOf(name)
    if (!askedByName.has(path[0] ?? '')) continue
    let at = root
    for (const part of path) {
      const next = at.parts.get(part) ?? { parts: new Map() }
      at.parts.set(part, next)
      at = next
    }
    at.text = text
  }
  return root
}

/** Whether a field of a form is one of its sections. */
export function isSectionField(name: string): boolean {
  return isCarried(name) || askedByName.has(partsOf(name)[0] ?? '')
}

function isCarried(name: string): boolean {
  return name === unshownField || name === keptField
}

function partsOf(name: string): readonly string[] {
  return name.match(/\w+/g) ?? []
}

/** The rows of a list by the order of their numbers. */
export function rowsOf(tree: FormTree | undefined): readonly FormTree[] {
  const rows = [...(tree?.parts ?? [])].filter(([name]) => /^\d{1,3}$/.test(name))
  return rows.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, row]) => row)
}

/** The members of a body, unchecked, that the sections of a form ask for; empty ones are absent. */
export function recordBody(form: FormBody): Record<string, unknown> {
  const tree = treeOf(form)
  const members = [...askedByName.values()].map(({ name, ask }): [string, unknown] => {
    return [name, valueOf(ask, tree.parts.get(name))]
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function valueOf(ask: Ask, tree: FormTree | undefined): unknown {
  if (tree === undefined) return undefined
  if (ask.type === 'record') return membersOf(ask.members, tree)
  if (ask.type === 'rows') {
    const rows = rowsOf(tree).map((row) => membersOf(ask.members, row))
    return someOf(rows.filter((row) => row !== undefined))
  }
  const text = tree.text?.trim() ?? ''
  if (text === '') return undefined
  if (ask.type === 'flag') return text === 'true' ? true : text === 'false' ? false : text
  if (ask.type === 'number') return numberOf(text)
  if (ask.type === 'texts') return someOf(linesOf(text))
  return ask.type === 'numbers' ? linesOf(text).map((line) => numbersOf(ask.names, line)) : text
}

function membersOf(members: readonly AskedField[], tree: FormTree): unknown {
  const entries = members
    .map(({ name, ask }): [string, unknown] => [name, valueOf(ask, tree.parts.get(name))])
    .filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

// What is no number is left for the table of fields to say so.
function numberOf(text: string): number | string {
  return /^[-+]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

function numbersOf(names: readonly string[], line: string): unknown {
  const numbers = line.split(/\s*[,;\s]\s*/).filter((text) => text !== '')
  if (numbers.length > names.length) return line
  return Object.fromEntries(numbers.map((text, index) => [names[index] ?? '', numberOf(text)]))
}

/** The fields of a form that say a value: the inverse of `recordBody`. */
export function recordValues(metadata: Readonly<Record<string, unknown>>): FormBody {
  const values = new Map<string, string>()
  const unshown: string[] = []
  let rowsLeft = rowsMax
  for (const { name, ask } of askedByName.values()) {
    const value = metadata[name]
    const rows = rowsIn(ask, value)
    if (rows > Math.min(listRowsMax, rowsLeft)) {
      unshown.push(name)
      continue
    }
    rowsLeft -= rows
    values.set(name, '')
    addTexts(ask, name, value, values)
  }
  if (unshown.length > 0) values.set(unshownField, unshown.join(' '))
  return values
}

/**
 * The same for a work that is not registered yet: what the form does not show goes along with it.
 * What is too long even for that is left out, and `leftOut` has its labels.
 */
export function withKept(
  values: FormBody,
  metadata: Readonly<Record<string, unknown>>,
): { readonly values: FormBody; readonly leftOut: readonly Text[] } {
  const names = unshownNames(values)
  const members = [...names, 'authors', 'author_details'].map((name) => [name, metadata[name]])
  const kept = JSON.stringify(Object.fromEntries(members))
  if (encodeURIComponent(kept.toWellFormed()).length <= keptCharactersMax) {
    return { values: new Map([...values, [keptField, kept]]), leftOut: [] }
  }
  const shown = new Map([...values].filter(([name]) => name !== unshownField))
  return { values: shown, leftOut: names.map((name) => askedByName.get(name)?.label ?? name) }
}

function unshownNames(values: FormBody): readonly string[] {
  return textOf(values, unshownField)
    .split(' ')
    .filter((name) => askedByName.has(name))
}

/** What a form of a new work carries along, unchecked: its long lists, and its authors. */
export function keptOf(form: FormBody) {
  const kept = parseJson(textOf(form, keptField))
  const of = (name: string) => memberOf(kept, name)
  const lists = unshownNames(form).map((name): [string, unknown] => [name, of(name)])
  return {
    lists: Object.fromEntries(lists.filter(([, value]) => value !== undefined)),
    authors: of('authors'),
    author_details: of('author_details'),
  }
}

function rowsIn(ask: Ask, value: unknown): number {
  if (value === undefined) return 0
  if (ask.type === 'rows') {
    return itemsOf(value).reduce(
      (sum: number, item) => sum + 1 + rowsOfMembers(ask.members, item),
      0,
    )
  }
  return ask.type === 'record' ? rowsOfMembers(ask.members, value) : 0
}

function rowsOfMembers(members: readonly AskedField[], value: unknown): number {
  return members.reduce((sum, { name, ask }) => sum + rowsIn(ask, memberOf(value, name)), 0)
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

function addTexts(ask: Ask, path: string, value: unknown, values: Map<string, string>): void {
  if (value === undefined) return
  if (ask.type === 'rows') {
    for (const [index, item] of itemsOf(value).entries()) {
      addMembers(ask.members, `${path}[${index}]`, item, values)
    }
  } else if (ask.type === 'record') addMembers(ask.members, path, value, values)
  else values.set(path, shownText(ask, value))
}

function addMembers(
  members: readonly AskedField[],
  path: string,
  value: unknown,
  values: Map<string, string>,
): void {
  for (const { name, ask } of members) {
    addTexts(ask, `${path}.${name}`, memberOf(value, name), values)
  }
}

function shownText(ask: Ask, value: unknown): string {
  if (ask.type === 'texts') return itemsOf(value).map(plainText).join('\n')
  if (ask.type !== 'numbers') return plainText(value)
  const lines = itemsOf(value).map((item) => {
    if (typeof item === 'string') return item
    return ask.names.map((name) => plainText(memberOf(item, name))).join(', ')
  })
  return lines.join('\n')
}

/** A text, a number or a flag as it is typed; what is no value of a form is empty. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
}

/** Whether a form asks for a field of a work at all; what it does not ask for stays. */
function isAsked(form: FormBody, name: string): boolean {
  return treeOf(form).parts.has(name)
}

/** The same form without rows in which nothing stands, so that the others have new numbers. */
export function withoutEmptyRows(form: FormBody): FormBody {
  const tree = treeOf(form)
  const others = [...form].filter(([name]) => isCarried(name) || !isSectionField(name))
  const shown = [...tree.parts.keys()].map((name): [string, string] => [name, ''])
  const values = new Map<string, string>([...others, ...shown])
  const body = recordBody(form)
  for (const [name, { ask }] of askedByName) addTexts(ask, name, body[name], values)
  return values
}

/**
 * The members that a form changes of a work: what it shows as it was stays as it is, and so does
 * what it does not show. What was emptied is null.
 */
export function recordPatch(before: Metadata, sent: FormBody): Record<string, unknown> {
  const former = recordBody(recordValues(before))
  const next = recordBody(sent)
  const unshown = new Set(textOf(recordValues(before), unshownField).split(' '))
  const changed = [...askedByName.keys()].filter((name) => {
    const isSame = JSON.stringify(former[name]) === JSON.stringify(next[name])
    return !isSame && !unshown.has(name) && isAsked(sent, name)
  })
  return Object.fromEntries(changed.map((name) => [name, next[name] ?? null]))
}

/**
 * The same form with one row more or less in a list, if a button of one was pressed, and the path
 * of the row to go on with; else undefined.
 */
export function changeRecordRows(
  form: FormBody,
): { readonly values: FormBody; readonly focus: string } | undefined {
  const [added, removed] = [textOf(form, 'add_row'), textOf(form, 'remove_row')]
  const values = new Map([...form].filter(([name]) => name !== 'add_row' && name !== 'remove_row'))
  if (added !== '') {
    const place = rowsOf(nodeAt(treeOf(form), added)).length
    if (!/^\w[\w.[\]]*$/.test(added) || place >= listRowsMax) return { values, focus: added }
    values.set(`${added}[${place}]`, '')
    return { values, focus: `${added}[${place}]` }
  }
  const [, list, number] = /^(.+)\[(\d{1,3})\]$/.exec(removed) ?? []
  if (list === undefined) return undefined
  const place = Number(number)
  for (const [name, text] of form) {
    const at = placeIn(list, name)
    if (at === undefined || at.place < place) continue
    values.delete(name)
    if (at.place > place) values.set(`${list}[${at.place - 1}]${at.rest}`, text)
  }
  return { values, focus: `${list}[${Math.max(0, place - 1)}]` }
}

function placeIn(list: string, name: string) {
  if (!name.startsWith(`${list}[`)) return undefined
  const [, place, rest = ''] = /^(\d{1,3})\](.*)$/.exec(name.slice(list.length + 1)) ?? []
  return place === undefined ? undefined : { place: Number(place), rest }
}

function nodeAt(tree: FormTree, path: string): FormTree | undefined {
  return partsOf(path).reduce<FormTree | undefined>((at, part) => at?.parts.get(part), tree)
}
