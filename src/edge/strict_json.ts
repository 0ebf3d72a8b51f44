import { isUtf8 } from 'node:buffer'

import { HttpError } from '#src/errors.ts'

/** Objects and arrays inside one another, at most. */
export const jsonDepthMax = 32

/** Members of one object, and elements of one array, at most. */
export const jsonMembersMax = 256
export const jsonElementsMax = 20_000

/** Values of one body, at most: small ones cost more by the byte than long strings. */
export const jsonValuesMax = 250_000

/** What a string may hold between its escapes: everything but quotes, backslashes and controls. */
const plainRun = /[^"\\\u0000-\u001f]*/y
const shortEscape = /\\["\\/bfnrt]/y
const longEscape = /\\u[0-9a-fA-F]{4}/y
const lowSurrogate = /\\u[dD][c-fC-F][0-9a-fA-F]{2}/y
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const literal = /true|false|null/y
const blank = /[ \t\n\r]*/y

const space = 0x20
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Parses JSON that means the same to everybody who reads it (RFC 8259, I-JSON): UTF-8 without a
 * byte order mark, no member twice however it is spelled, no lone surrogate, no NUL, no
 * `__proto__`, bounded depth, width and number of values. Throws HttpError `bad_request` that says
 * what is wrong, and where.
 */
export function parseStrictJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw malformed('it is empty')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw malformed('it starts with a byte order mark')
  }
  if (!isUtf8(bytes)) throw malformed(`byte ${firstBadByte(bytes)} is not UTF-8`)
  const text = bytes.toString('utf8')
  new Scanner(text).scan()
  return JSON.parse(text)
}

function malformed(what: string): HttpError {
  return new HttpError('bad_request', `The body is not strict JSON: ${what}`)
}

/** Position of the first byte that is not UTF-8, from 0. */
function firstBadByte(bytes: Buffer): number {
  // A bad byte becomes U+FFFD, so it is where decoding and encoding again first differ.
  const again = Buffer.from(bytes.toString('utf8'))
  let at = 0
  while (bytes[at] === again[at]) at += 1
  return at
}

/** Walks over JSON text once and judges it; values are built afterwards, by `JSON.parse`. */
class Scanner {
  readonly #text: string
  #at = 0
  #values = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): void {
    this.#skipBlank()
    this.#value(0)
    if (this.#at < this.#text.length) throw this.#fault('there is more after the value')
  }

  /** Walks over a value, and the blanks after it. */
  #value(depth: number): void {
    this.#values += 1
    if (this.#values > jsonValuesMax) throw this.#fault(`it has more than ${jsonValuesMax} values`)
    switch (this.#text.charCodeAt(this.#at)) {
      case quote:
        this.#string()
        break
      case openBrace:
        return this.#object(depth + 1)
      case openBracket:
        return this.#array(depth + 1)
      default:
        if (!this.#skip(literal) && !this.#skip(number)) throw this.#fault('a value is missing')
    }
    this.#skipBlank()
  }

  #object(depth: number): void {
    this.#enter(openBrace, depth)
    if (this.#take(closeBrace)) return
    const names = new Set<string>()
    do {
      if (names.size === jsonMembersMax) {
        throw this.#fault(`an object has more than ${jsonMembersMax} members`)
      }
      const startsAt = this.#at
      const name = this.#name()
      if (names.size === names.add(name).size) {
        throw this.#fault(`the member ${shown(name)} stands there twice`, startsAt)
      }
      if (!this.#take(colon)) throw this.#fault('a colon is missing')
      this.#value(depth)
    } while (this.#take(comma))
    if (!this.#take(closeBrace)) throw this.#fault('a comma or } is missing')
  }

  #array(depth: number): void {
    this.#enter(openBracket, depth)
    if (this.#take(closeBracket)) return
    let elements = 0
    do {
      elements += 1
      if (elements > jsonElementsMax) {
        throw this.#fault(`an array has more than ${jsonElementsMax} elements`)
      }
      this.#value(depth)
    } while (this.#take(comma))
    if (!this.#take(closeBracket)) throw this.#fault('a comma or ] is missing')
  }

  #enter(bracket: number, depth: number): void {
    if (depth > jsonDepthMax) throw this.#fault(`it is nested more than ${jsonDepthMax} deep`)
    this.#take(bracket)
  }

  /** Walks over a member's name and gives it with its escapes undone, as two may spell one name. */
  #name(): string {
    const startsAt = this.#at
    if (this.#text.charCodeAt(startsAt) !== quote) throw this.#fault('a member name is missing')
    this.#string()
    const raw = this.#text.slice(startsAt + 1, this.#at - 1)
    const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
    if (name === '__proto__') throw this.#fault('a member is named __proto__', startsAt)
    this.#skipBlank()
    return name
  }

  #string(): void {
    const startsAt = this.#at
    this.#at += 1
    for (;;) {
      this.#skip(plainRun)
      const code = this.#text.charCodeAt(this.#at)
      if (code === quote) break
      if (code === backslash) this.#escape()
      else if (this.#at >= this.#text.length) throw this.#fault('a string is not closed', startsAt)
      else throw this.#fault('a control character stands in a string')
    }
    this.#at += 1
  }

  #escape(): void {
    const startsAt = this.#at
    if (this.#skip(shortEscape)) return
    if (!this.#skip(longEscape)) throw this.#fault('an escape is malformed')
    const unit = Number.parseInt(this.#text.slice(startsAt + 2, startsAt + 6), 16)
    if (unit === 0) throw this.#fault('a string holds NUL', startsAt)
    const isHigh = unit >= 0xd800 && unit <= 0xdbff
    const isLow = unit >= 0xdc00 && unit <= 0xdfff
    if (isLow || (isHigh && !this.#skip(lowSurrogate))) {
      throw this.#fault('a string holds half a surrogate pair', startsAt)
    }
  }

  /** Steps over one character and the blanks after it, if it is the next. */
  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false
    this.#at += 1
    this.#skipBlank()
    return true
  }

  #skipBlank(): void {
    if (this.#text.charCodeAt(this.#at) <= space) this.#skip(blank)
  }

  /** Steps over what a sticky pattern matches here, if it matches. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #fault(what: string, at = this.#at): HttpError {
    const before = this.#text.slice(0, at)
    const line = before.split('\n').length
    const column = at - before.lastIndexOf('\n')
    return malformed(`${what}, at line ${line} column ${column}`)
  }
}

/** A member's name as a message quotes it: a long one is cut. */
function shown(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}
