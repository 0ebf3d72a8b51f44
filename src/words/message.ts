import { parseMessage } from 'messageformat'
import type { Model } from 'messageformat'

import { assert } from '#log/tlog/errors.ts'
import { english, type Language } from '#src/words/language.ts'
import { escapeHtml, TextWording, Wording } from '#src/words/wording.ts'

/** What a message can have in it. A number is written as it is where the message names no form. */
type Value = string | number | Wording

/** Makes an element such as a link of the words of a message that stand in it. */
export type Slot = (words: Wording) => Wording

type Arguments = Readonly<Record<string, Value | Slot>>

// What stands in `{$…}` and `{#…}`, and the names in there.
type Within<
  S extends string,
  Sign extends string,
> = S extends `${string}{${Sign}${infer E}}${infer Rest}` ? E | Within<Rest, Sign> : never
type NameIn<E extends string> = E extends `${infer N} ${string}`
  ? N
  : E extends `${infer N}/`
    ? N
    : E
type NumberIn<E extends string> = E extends `${infer N} :${'number' | 'integer'}${string}`
  ? N
  : never

type ValueNames<S extends string> = NameIn<Within<S, '$'>>
type NumberNames<S extends string> = NumberIn<Within<S, '$'>>
type SlotNames<S extends string> = NameIn<Within<S, '#'>>

/** What has to be given to a message, read from its text: values, numbers and slots by name. */
export type ArgumentsOf<S extends string> = {
  readonly [N in ValueNames<S> | SlotNames<S>]: N extends SlotNames<S>
    ? Slot
    : N extends NumberNames<S>
      ? number
      : Value
}

/** A message that needs nothing is a text; another one is asked for its text with what it needs. */
type MessageOf<S extends string> = [ValueNames<S> | SlotNames<S>] extends [never]
  ? Said
  : ((given: ArgumentsOf<S>) => Said) & { readonly message: Message }

/** Thousands of messages are given this. */
const nothing: Arguments = {}

/** The messages of a place by their keys. */
type Messages<T extends Readonly<Record<string, string>>> = {
  readonly [K in keyof T]: MessageOf<T[K]>
}

/** The messages of all places in another language; what is missing is English. */
export type Catalogue<P> = {
  readonly [N in keyof P]?: { readonly [K in keyof P[N]]?: string }
}

/**
 * The messages of a place, such as a group of pages, in English and in the syntax of
 * MessageFormat 2 (Unicode TR 35, part 9): `{$name}` is a value, `{$count :integer}` a number as
 * readers write it,
 * `{#link}…{/link}` words in an element of the page, `.match` chooses by number or kind.
 */
export function messages<const T extends Readonly<Record<string, string>>>(
  place: string,
  texts: T,
): Messages<T> {
  const kept = new Place(place, Object.keys(texts))
  // An object that begins as a table has no shape for each of its keys, which take more than it.
  const made = Object.create(null) as Record<string, unknown>
  for (const [index, [key, text]] of Object.entries(texts).entries()) {
    const message = new Message(kept, index, text)
    const say = (given: Arguments) => new Said(message, given)
    made[key] = message.isConstant ? say(nothing) : Object.assign(say, { message })
  }
  return made as Messages<T>
}

/** The text of a place for a code, such as one of a list of types; undefined if it has none. */
export function termOf(place: Readonly<Record<string, unknown>>, code: string): Said | undefined {
  const said = Object.hasOwn(place, code) ? place[code] : undefined
  return said instanceof Said ? said : undefined
}

/** A message in all languages. Its text in a language is read when it is first needed. */
export class Message {
  /** In English. */
  readonly text: string
  readonly #place: Place
  readonly #index: number

  constructor(place: Place, index: number, text: string) {
    this.text = text
    this.#place = place
    this.#index = index
  }

  get place(): string {
    return this.#place.name
  }

  get key(): string {
    return this.#place.keys[this.#index] ?? ''
  }

  /** Whether it is the same whatever it is said of. */
  get isConstant(): boolean {
    return !syntax.test(this.text)
  }

  in(language: Language): Form {
    return this.#place.formIn(language, this.#index, this.text)
  }
}

/** A text of a translation that nobody has needed yet, and that is not its own form. */
class Unread {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What has been read of the messages of a place; undefined is English, and not read yet. */
type Forms = (Form | Unread | undefined)[]

/** A group of messages, with their forms in each language that somebody has read it in. */
class Place {
  readonly name: string
  readonly keys: readonly string[]
  readonly #formsIn = new Map<Language, Forms>()
  // Pages are written one after the other, most of them in the same language.
  #language: Language | undefined
  #forms: Forms = []

  constructor(name: string, keys: readonly string[]) {
    this.name = name
    this.keys = keys
  }

  /** The form of the message of an index, of which `text` is the English one. */
  formIn(language: Language, index: number, text: string): Form {
    if (this.#language !== language) {
      this.#forms = this.#formsOf(language)
      this.#language = language
    }
    const known = this.#forms[index]
    if (typeof known === 'string') return known
    if (known !== undefined && !(known instanceof Unread)) return known
    const form =
      known === undefined
        ? readForm(text, english, language.disguise)
        : readForm(known.text, language, undefined)
    this.#forms[index] = form
    return form
  }

  #formsOf(language: Language): Forms {
    const known = this.#formsIn.get(language)
    if (known !== undefined) return known
    const texts = language.takeTexts(this.name)
    const forms = this.keys.map((key) => {
      const text = texts?.[key]
      const isForm = text === undefined || (!syntax.test(text) && escapeHtml(text) === text)
      return isForm ? text : new Unread(text)
    })
    this.#formsIn.set(language, forms)
    return forms
  }
}

/** A message with what was given to it. */
export class Said extends TextWording {
  readonly message: Message
  readonly #given: Arguments

  constructor(message: Message, given: Arguments) {
    super()
    this.message = message
    this.#given = given
  }

  /** Slots leave their words as they are; HTML has no text, and is a bug here. */
  text(language: Language): string {
    const form = this.message.in(language)
    if (typeof form === 'string') return form
    const pieces = choosePieces(form, this.#given)
    return pieces.map((piece) => pieceText(piece, this.#given, language)).join('')
  }

  override html(language: Language): string {
    const form = this.message.in(language)
    if (typeof form === 'string') return form
    return piecesHtml(choosePieces(form, this.#given), this.#given, language)
  }
}

/** The words of a message that stand in a slot. */
class SlotWords extends Wording {
  readonly #pieces: readonly Piece[]
  readonly #given: Arguments

  constructor(pieces: readonly Piece[], given: Arguments) {
    super()
    this.#pieces = pieces
    this.#given = given
  }

  html(language: Language): string {
    return piecesHtml(this.#pieces, this.#given, language)
  }
}

/** A string is words that are their own HTML, which most are. */
type Piece =
  | string
  | { readonly type: 'words'; readonly text: string; readonly html: string }
  | NamedValue
  | { readonly type: 'slot'; readonly name: string; readonly pieces: readonly Piece[] }

type NamedValue = { readonly type: 'value'; readonly name: string; readonly isNumber: boolean }

/** A message as it is written in one language: a string is all of it, and its HTML. */
type Form = string | readonly Piece[] | Choice

/** Forms by keys of selectors, null for any other. */
type Choice = {
  /** The language of the words, which is not that of the reader if they lack in it. */
  readonly language: Language
  readonly selectors: readonly NamedValue[]
  readonly variants: readonly {
    readonly keys: readonly (string | null)[]
    readonly pieces: readonly Piece[]
  }[]
}

/** What means something else than itself in a message. */
const syntax = /[{\\]/

function readForm(text: string, language: Language, disguise: Language['disguise']): Form {
  if (!syntax.test(text)) {
    const words = readWords(text, disguise)
    return typeof words === 'string' ? words : [words]
  }
  const model = parseMessage(text)
  const numbers = new Set(model.declarations.flatMap(numberNames))
  const read = (pattern: Model.Pattern) => readPieces(pattern, numbers, disguise)
  if (model.type === 'message') return read(model.pattern)
  const selectors = model.selectors.map(({ name }) => namedValue(name, numbers.has(name)))
  const variants = model.variants.map(({ keys, value }) => {
    return { keys: keys.map((key) => (key.type === '*' ? null : key.value)), pieces: read(value) }
  })
  return { language, selectors, variants }
}

function readWords(part: string, disguise: Language['disguise']): Piece {
  const text = disguise?.(part) ?? part
  const html = escapeHtml(text)
  return html === text ? text : { type: 'words', text, html }
}

// Hundreds of messages have a `$count`: they share it.
const namedValues = new Map<string, NamedValue>()

function namedValue(name: string, isNumber: boolean): NamedValue {
  const key = isNumber ? `${name} :number` : name
  const value = namedValues.get(key) ?? { type: 'value', name, isNumber }
  namedValues.set(key, value)
  return value
}

function numberNames({ name, value }: Model.Declaration): readonly string[] {
  return isNumeric(value.functionRef) ? [name] : []
}

function isNumeric(form: Model.FunctionRef | undefined): boolean {
  return form?.name === 'number' || form?.name === 'integer'
}

function readPieces(
  pattern: Model.Pattern,
  numbers: ReadonlySet<string>,
  disguise: Language['disguise'],
): readonly Piece[] {
  const open: { readonly name: string; readonly pieces: Piece[] }[] = [{ name: '', pieces: [] }]
  for (const part of pattern) {
    const within = open.at(-1)?.pieces
    assert(within !== undefined, 'a message ends what it begins')
    if (typeof part === 'string') {
      within.push(readWords(part, disguise))
    } else if (part.type === 'expression') {
      assert(part.arg?.type === 'variable', 'a message has words and named values')
      const { name } = part.arg
      within.push(namedValue(name, isNumeric(part.functionRef) || numbers.has(name)))
    } else if (part.kind === 'open') {
      open.push({ name: part.name, pieces: [] })
    } else {
      const ended = part.kind === 'close' ? open.pop() : { name: part.name, pieces: [] }
      assert(ended?.name === part.name, 'a message ends what it began last')
      open.at(-1)?.pieces.push({ type: 'slot', name: ended.name, pieces: [...ended.pieces] })
    }
  }
  const [whole] = open
  assert(open.length === 1 && whole !== undefined, 'a message ends what it begins')
  // A copy has no room to grow, which all of them together would pay for.
  return [...whole.pieces]
}

/** The form for what was given: an equal value before the form of a number, and that before any. */
function choosePieces(form: Exclude<Form, string>, given: Arguments): readonly Piece[] {
  if (!('variants' in form)) return form
  const { selectors, variants } = form
  const names = selectors.map(({ name, isNumber }): readonly (string | null)[] => {
    const value = given[name]
    if (typeof value === 'string') return [value, null]
    assert(typeof value === 'number', 'a message is chosen by a number or a word')
    if (!isNumber) return [`${value}`, null]
    return [`${value}`, form.language.pluralOf(value), null]
  })
  const ranked = variants.map(({ keys, pieces }) => {
    return { ranks: keys.map((key, index) => names[index]?.indexOf(key) ?? -1), pieces }
  })
  const [best] = ranked
    .filter(({ ranks }) => !ranks.includes(-1))
    .toSorted(({ ranks: one }, { ranks: other }) => {
      const differing = one.findIndex((rank, index) => rank !== other[index])
      return differing < 0 ? 0 : (one[differing] ?? 0) - (other[differing] ?? 0)
    })
  assert(best !== undefined, 'a message has a form for any value')
  return best.pieces
}

function piecesHtml(pieces: readonly Piece[], given: Arguments, language: Language): string {
  let html = ''
  for (const piece of pieces) html += pieceHtml(piece, given, language)
  return html
}

function pieceHtml(piece: Piece, given: Arguments, language: Language): string {
  if (typeof piece === 'string') return piece
  switch (piece.type) {
    case 'words':
      return piece.html
    case 'value': {
      const value = given[piece.name]
      if (value instanceof Wording) return value.html(language)
      return escapeHtml(valueText(value, piece, language))
    }
    case 'slot': {
      const slot = given[piece.name]
      assert(typeof slot === 'function', 'a message is given its slots')
      return slot(new SlotWords(piece.pieces, given)).html(language)
    }
  }
}

function pieceText(piece: Piece, given: Arguments, language: Language): string {
  if (typeof piece === 'string') return piece
  switch (piece.type) {
    case 'words':
      return piece.text
    case 'value': {
      const value = given[piece.name]
      if (value instanceof TextWording) return value.text(language)
      return valueText(value, piece, language)
    }
    case 'slot':
      return piece.pieces.map((each) => pieceText(each, given, language)).join('')
  }
}

// Between letters that are read from right to left, what somebody has typed stays in one piece.
const isolateStart = '\u2068'
const isolateEnd = '\u2069'

function valueText(
  value: Value | Slot | undefined,
  { isNumber }: NamedValue,
  language: Language,
): string {
  assert(typeof value === 'string' || typeof value === 'number', 'a message is given its values')
  if (typeof value === 'number') return isNumber ? language.number(value) : String(value)
  return language.direction === 'ltr' ? value : isolateStart + value + isolateEnd
}
