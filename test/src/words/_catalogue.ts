import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Model, parseMessage, validate } from 'messageformat'

import * as readers from '#src/words/english.ts'
import { english, type Language } from '#src/words/language.ts'
import { languages } from '#src/words/languages.ts'
import { type Message, messages } from '#src/words/message.ts'
import * as administratorDesk from '#src/words/administrator_desk.ts'
import * as publisherDesk from '#src/words/publisher_desk.ts'
import * as recordDesk from '#src/words/record_desk.ts'

const root = join(import.meta.dirname, '../../..')

/** A message of the catalogue, in English. */
export type Entry = Pick<Message, 'place' | 'key' | 'text'>

type Places = Readonly<Record<string, Readonly<Record<string, { readonly message: Message }>>>>

/** The places of readers, authors, sign-in and mails, which are in all languages. */
export const everywhere: Places = readers

/** The places of the desks of publishers and administrators, which are in some of the languages. */
export const desks: Places = { ...publisherDesk, ...recordDesk, ...administratorDesk }

const places: Places = { ...everywhere, ...desks }

/** The messages of places. */
export function entriesOf(some: Places): readonly Message[] {
  return Object.values(some).flatMap((place) => Object.values(place).map(({ message }) => message))
}

/** All messages. */
export const catalogue: readonly Message[] = entriesOf(places)

/** The languages of the pages of a place: all, or those of the desks. */
export function languagesOf({ place }: Entry): readonly Language[] {
  return Object.hasOwn(desks, place) ? languages.filter(({ hasDesks }) => hasDesks) : languages
}

/** Places whose messages are translated under another name than that of their export. */
export function misnamedPlaces(): readonly string[] {
  return Object.entries(places).flatMap(([name, place]) =>
    Object.values(place).every(({ message }) => message.place === name) ? [] : [name],
  )
}

/** What a message is called in lists of faults. */
export function nameOf({ place, key }: Entry): string {
  return `${place}.${key}`
}

const translations = new Map(languages.map((language) => [language, language.translations]))

/** The text of a message in a language; undefined where it is missing. */
export function translationOf({ place, key }: Entry, language: Language): string | undefined {
  return translations.get(language)?.[place]?.[key]
}

type Names = { readonly values: ReadonlySet<string>; readonly slots: ReadonlySet<string> }

/** The forms of a message. */
function patternsOf(model: Model.Message): readonly Model.Pattern[] {
  return model.type === 'message' ? [model.pattern] : model.variants.map(({ value }) => value)
}

/** How many characters the words of the longest form have. */
function longestOf(model: Model.Message): number {
  const lengths = patternsOf(model).map((pattern) =>
    pattern.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0),
  )
  return Math.max(...lengths)
}

/** The values and slots that a message has in any of its forms. */
function namesIn(model: Model.Message): Names {
  const parts = patternsOf(model).flat()
  const values = parts.flatMap((part) =>
    typeof part !== 'string' && part.type === 'expression' && part.arg?.type === 'variable'
      ? [part.arg.name]
      : [],
  )
  const slots = parts.flatMap((part) =>
    typeof part !== 'string' && part.type === 'markup' ? [part.name] : [],
  )
  const chosen = model.type === 'message' ? [] : model.selectors.map(({ name }) => name)
  return { values: new Set([...values, ...chosen]), slots: new Set(slots) }
}

const functions = new Set(['number', 'integer', 'string'])

function functionsIn(model: Model.Message): readonly string[] {
  const expressions = [
    ...model.declarations.map(({ value }) => value),
    ...patternsOf(model)
      .flat()
      .filter((part) => typeof part !== 'string' && part.type === 'expression'),
  ]
  return expressions.flatMap(({ functionRef }) => functionRef?.name ?? [])
}

/** How much longer than in English a text can be, of a label and of a sentence. */
const shortCharacters = 12
const longerTimes = 2.2

/** What is wrong with a text of a message in a language, or in English. */
export function faultsOf(entry: Entry, text: string, tag: string): readonly string[] {
  const name = `${tag}: ${nameOf(entry)}`
  let model: Model.Message
  try {
    model = parseMessage(text)
    validate(model)
    // It says so where an element is not ended.
    messages(entry.place, { text }).text.message.in(english)
  } catch (error) {
    return [`${name} cannot be read: ${String(error)}`]
  }
  const unknown = functionsIn(model).filter((each) => !functions.has(each))
  const faults = unknown.map((each) => `${name} has a form that nothing writes: ${each}`)
  const inEnglish = parseMessage(entry.text)
  const wanted = namesIn(inEnglish)
  const given = namesIn(model)
  for (const kind of ['values', 'slots'] as const) {
    const [lost, added] = [
      wanted[kind].difference(given[kind]),
      given[kind].difference(wanted[kind]),
    ]
    if (lost.size > 0) faults.push(`${name} lacks ${[...lost].join(', ')}`)
    if (added.size > 0) faults.push(`${name} names what it is not given: ${[...added].join(', ')}`)
  }
  const [length, englishLength] = [longestOf(model), longestOf(inEnglish)]
  if (length > englishLength * longerTimes + shortCharacters) {
    faults.push(`${name} has ${length} characters, English ${englishLength}`)
  }
  return [...faults, ...pluralFaults(name, model, tag)]
}

/** Forms of a number that the language does not have, such as `few` in English. */
function pluralFaults(name: string, model: Model.Message, tag: string): readonly string[] {
  if (model.type === 'message') return []
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
  const forms = new Set<string>(['zero', 'one', 'two', 'few', 'many', 'other'])
  const counted = model.declarations.filter(({ value }) => value.functionRef?.name !== 'string')
  const numbers = new Set(counted.map((each) => each.name))
  return model.variants.flatMap(({ keys }) =>
    keys.flatMap((key, index) => {
      const selector = model.selectors[index]
      if (key.type === '*' || selector === undefined || !numbers.has(selector.name)) return []
      const isForm = forms.has(key.value)
      if (!isForm || pluralCategories.some((one) => one === key.value)) return []
      return [`${name} has a form for “${key.value}”, which the language has not`]
    }),
  )
}

/** Keys of a language that English does not have, or has no more. */
export function strangeKeys(language: Language): readonly string[] {
  const known = new Set(catalogue.map(nameOf))
  return Object.entries(language.translations).flatMap(([place, texts]) =>
    Object.keys(texts ?? {})
      .map((key) => `${place}.${key}`)
      .filter((name) => !known.has(name)),
  )
}

const importedPlaces = /import \{([^}]*)\} from '#src\/words\/(?:english|\w+_desk)\.ts'/g
const importedPlace = /(\w+)(?: as (\w+))?/g

/** Messages that nothing says. A file that looks keys up may use any of their place. */
export function unusedMessages(): readonly string[] {
  const used = new Set<string>()
  for (const file of globSync('src/**/*.ts', { cwd: root, exclude: (name) => name === 'words' })) {
    const text = readFileSync(join(root, file), 'utf8')
    const imported = [...text.matchAll(importedPlaces)].map(([, names = '']) => names).join()
    const source = text.replaceAll(importedPlaces, '')
    for (const [, place = '', alias = place] of imported.matchAll(importedPlace)) {
      if (new RegExp(String.raw`\b${alias}(?:\[|[,)])`).test(source)) used.add(place)
      for (const [, key] of source.matchAll(new RegExp(String.raw`\b${alias}\s*\.(\w+)`, 'g'))) {
        used.add(`${place}.${key}`)
      }
    }
  }
  return catalogue.map(nameOf).filter((name) => {
    const [place = ''] = name.split('.')
    return !used.has(name) && !used.has(place)
  })
}
