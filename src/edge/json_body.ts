import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import AjvCompiler from '@fastify/ajv-compiler'

import type { HeaderStep } from '#src/edge/step.ts'
import { HttpError } from '#src/edge/errors.ts'

const charsetParameter = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Bytes of a body from which on it is parsed in several turns of the event loop. */
const longBytesMin = 262_144

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parses a long body of the route, as strictly as the others are. */
    readonly parseLong?: (bytes: Buffer) => Promise<unknown>
  }
}

/** Makes strict JSON in UTF-8 the one kind of body that a server reads; others are 415. */
export function registerJsonBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    try {
      refuseOtherCharset(request.headers['content-type'] ?? '')
      const { parseLong = parseLongJson } = request.routeOptions.config
      if (bytes.length > longBytesMin) return parseLong(bytes)
      // Clients name the type of a body that they leave out.
      const isLeftOut = bytes.length === 0 && request.routeOptions.schema?.isBodyOptional === true
      done(null, isLeftOut ? undefined : parseStrictJson(bytes))
    } catch (error) {
      done(error as HttpError)
    }
    return undefined
  })
}

/** The media type of JSON lines, one value on each. */
export const ndjsonType = 'application/x-ndjson'

/** Has `read` make a value of bodies of JSON lines on the routes of a server. */
export function registerNdjsonBody(
  server: FastifyInstance,
  read: (bytes: Buffer) => Promise<unknown>,
): void {
  const parse = ({ headers }: FastifyRequest, body: Buffer) => {
    refuseOtherCharset(headers['content-type'] ?? '')
    return read(body)
  }
  server.addContentTypeParser(ndjsonType, { parseAs: 'buffer' }, parse)
}

function refuseOtherCharset(contentType: string): void {
  const charset = charsetParameter.exec(contentType)?.[1]
  if (charset === undefined || charset.toLowerCase() === 'utf-8') return
  throw new HttpError('unsupported_media_type', 'JSON is UTF-8; send no other charset')
}

/** Bytes of a body beyond its limit that are read and thrown away. */
const unreadBytesMax = 33_554_432

/**
 * Has the rest of a body that is too large read and thrown away, within bounds of bytes and of the
 * time of a request. Else the connection ends while its client still writes, which then fails to
 * write and never reads why (RFC 9112 §9.6).
 */
export const readLargeBodies: HeaderStep = ({ raw }, reply) => {
  const announced = Number(raw.headers['content-length'] ?? 0)
  if (reply.statusCode !== 413 || raw.complete || announced > unreadBytesMax) return
  reply.removeHeader('connection')
  let bytes = 0
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > unreadBytesMax) raw.socket.destroy()
  })
  raw.resume()
}

/** Objects and arrays inside one another, at most. */
export const jsonDepthMax = 32

/** Members of one object, and elements of one array, at most. */
export const jsonMembersMax = 256
export const jsonElementsMax = 20_000

/** Values of one body, at most: small ones cost more by the byte than long strings. */
export const jsonValuesMax = 250_000

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

/** Characters of a long body that are looked at in one turn of the event loop. */
const turnCharacters = 131_072

/**
 * Parses JSON that means the same to everybody who reads it (RFC 8259, I-JSON): UTF-8 without a
 * byte order mark, no member twice however it is spelled, no lone surrogate, no NUL, no
 * `__proto__`, bounded depth, width and number of values. Throws HttpError `bad_request` that says
 * what is wrong, and where.
 */
export function parseStrictJson(bytes: Buffer): unknown {
  const text = decodeStrictly(bytes)
  new Scanner(text).walk(Infinity)
  return JSON.parse(text)
}

/** The same of a body that may be long: others get a turn of the event loop in between. */
export async function parseLongJson(bytes: Buffer): Promise<unknown> {
  const text = decodeStrictly(bytes)
  const scanner = new Scanner(text)
  do await nextTurn()
  while (!scanner.walk(turnCharacters))
  await nextTurn()
  return JSON.parse(text)
}

function decodeStrictly(bytes: Buffer): string {
  if (bytes.length === 0) throw malformed('it is empty')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw malformed('it starts with a byte order mark')
  }
  if (!isUtf8(bytes)) throw malformed(`byte ${firstBadByte(bytes)} is not UTF-8`)
  return bytes.toString('utf8')
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

/** An object or an array that is not closed yet; `names` are those of an object's members. */
type Open = { readonly names: Set<string> | undefined; elements: number }

/** Walks over JSON text once and judges it; values are built afterwards, by `JSON.parse`. */
class Scanner {
  readonly #text: string
  /** What is open where the scanner stands, the innermost last. */
  readonly #open: Open[] = []
  #at = 0
  #values = 0

  constructor(text: string) {
    this.#text = text
    this.#skipBlank()
  }

  /** Walks on until it has passed so many characters; whether that was the end of the text. */
  walk(characters: number): boolean {
    const stop = this.#at + characters
    do {
      // In an object or an array that is not empty, its first value is the next one.
      if (!this.#begin() && !this.#end()) return true
    } while (this.#at < stop)
    return false
  }

  /** Walks over a value, or into one that holds others: then it is true. */
  #begin(): boolean {
    this.#values += 1
    if (this.#values > jsonValuesMax) throw this.#fault(`it has more than ${jsonValuesMax} values`)
    switch (this.#text.charCodeAt(this.#at)) {
      case quote:
        this.#string()
        break
      case openBrace:
        return this.#enter(closeBrace, { names: new Set(), elements: 0 })
      case openBracket:
        return this.#enter(closeBracket, { names: undefined, elements: 0 })
      default:
        if (!this.#skip(literal) && !this.#skip(number)) throw this.#fault('a value is missing')
    }
    this.#skipBlank()
    return false
  }

  /** Walks into an object or an array up to its first value; false if it is empty, and over. */
  #enter(closes: number, open: Open): boolean {
    if (this.#open.length === jsonDepthMax) {
      throw this.#fault(`it is nested more than ${jsonDepthMax} deep`)
    }
    this.#at += 1
    this.#skipBlank()
    if (this.#take(closes)) return false
    this.#open.push(open)
    this.#announce(open)
    return true
  }

  /** Walks from the end of a value to the next one; false if that was the end of the text. */
  #end(): boolean {
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (this.#take(comma)) {
        this.#announce(open)
        return true
      }
      const isObject = open.names !== undefined
      if (!this.#take(isObject ? closeBrace : closeBracket)) {
        throw this.#fault(`a comma or ${isObject ? '}' : ']'} is missing`)
      }
      this.#open.pop()
    }
    if (this.#at < this.#text.length) throw this.#fault('there is more after the value')
    return false
  }

  /** Counts the value that comes next; in an object, walks over its name. */
  #announce(open: Open): void {
    const { names } = open
    if (names === undefined) {
      open.elements += 1
      if (open.elements <= jsonElementsMax) return
      throw this.#fault(`an array has more than ${jsonElementsMax} elements`)
    }
    if (names.size === jsonMembersMax) {
      throw this.#fault(`an object has more than ${jsonMembersMax} members`)
    }
    const startsAt = this.#at
    const name = this.#name()
    if (names.size === names.add(name).size) {
      throw this.#fault(`the member ${shown(name)} stands there twice`, startsAt)
    }
    if (!this.#take(colon)) throw this.#fault('a colon is missing')
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
      this.#skipPlain()
      const code = this.#text.charCodeAt(this.#at)
      if (code === quote) break
      if (code === backslash) this.#escape()
      else if (this.#at >= this.#text.length) throw this.#fault('a string is not closed', startsAt)
      else throw this.#fault('a control character stands in a string')
    }
    this.#at += 1
  }

  /** Steps over what stands in a string between escapes: all but quotes, backslashes, controls. */
  #skipPlain(): void {
    const text = this.#text
    let at = this.#at
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === quote || code === backslash || code < space) break
    }
    this.#at = at
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

const buildCompiler = AjvCompiler()

/** A body is what it says it is; every fault of it is told at once. */
const customOptions = { coerceTypes: false, removeAdditional: false, allErrors: true } as const

/**
 * Lets a server check bodies by the schemas of its routes. A schema is compiled for the first body
 * that it is to check: a server has many, and most processes are sent few kinds of body, or none.
 */
export function registerBodyValidation(server: FastifyInstance): void {
  server.setValidatorCompiler((route) => {
    let validate: ReturnType<ReturnType<typeof buildCompiler>> | undefined
    return (value: unknown) => {
      // One compiler is kept for the same options.
      validate ??= buildCompiler({}, { customOptions })(route)
      return validate(value) === true || { error: validate.errors ?? [] }
    }
  })
}
