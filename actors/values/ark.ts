import { assert } from '#log/tlog/errors.ts'

/**
 * The alphabet of NAANs and minted names: digits and consonants without `l`, so that names do not
 * form words and no two characters look alike. Its length, 29, is prime: the check character
 * depends on that.
 */
export const betanumerics = '0123456789bcdfghjkmnpqrstvwxz'

/** A source of unpredictable bytes: exactly `count` of them. */
export type RandomBytes = (count: number) => Uint8Array

// The largest multiple of 29 in a byte: bytes from here on would favour the first characters.
const unbiasedBelow = 256 - (256 % betanumerics.length)

// The character code of the betanumeric of each byte, as far as they favour none.
const codes = Array.from({ length: unbiasedBelow }, (_, byte) =>
  betanumerics.charCodeAt(byte % betanumerics.length),
)

/**
 * `length` betanumerics, each equally likely if the bytes are. A tenth of all bytes is not used: it
 * asks for so many that one call is nearly always enough, because a call costs more than its bytes.
 */
export function randomBetanumerics(length: number, random: RandomBytes): string {
  const text = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const bytes = random(4 + Math.ceil(1.3 * (length - filled)))
    for (let at = 0; at < bytes.length && filled < length; at += 1) {
      const code = codes[bytes[at] as number]
      if (code !== undefined) text[filled++] = code
    }
  }
  return text.toString('latin1')
}

const poolBytes = 8_192

/**
 * Draws from the source in large pieces and hands them out in small ones, each byte once: a call
 * into the operating system for twelve bytes costs more than everything else about an id.
 */
export function bufferedRandom(source: RandomBytes): RandomBytes {
  let pool = new Uint8Array(0)
  let used = 0
  return (count) => {
    assert(count <= poolBytes, 'ids are made of few bytes')
    if (used + count > pool.length) {
      pool = source(poolBytes).slice()
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}

declare const arkBrand: unique symbol

/**
 * An ARK in the form in which records are kept and looked up: `naan/name`, normalised, without
 * label, date, qualifiers and inflection. Two spellings of one identifier give the same text.
 */
export type Ark = string & { readonly [arkBrand]: true }

/** An ending that asks about the object: `?info`, and `?json`, `?` and `??` beside it. */
type Inflection = 'info' | 'json' | '?' | '??'

/** An ARK taken apart. `normalized` is the whole of it, `ark:naan/name…`, with its qualifiers. */
export type ParsedArk = {
  readonly type: 'ark'
  readonly ark: Ark
  readonly naan: string
  readonly name: string
  /** Day of the form `naan/ddmmyyyy/name`, as `YYYY-MM-DD`: the work must be created on it. */
  readonly date?: string
  /** Parts of the object, as `/c3/s5`, and forms of it, as `.v7.xsl`; '' without any. */
  readonly components: string
  readonly variants: string
  readonly inflection?: Inflection
  readonly normalized: string
}

/** Why a text is not an ARK; `reason` completes the sentence "The ARK is malformed: …". */
type MalformedArk = { readonly type: 'malformed'; readonly reason: string }

/** Characters that an ARK may have before it is normalised. */
export const arkCharactersMax = 2_048
/** Characters that a NAAN may have. */
const naanCharactersMax = 16

const label = /(?:^\s*|\/)ark:/i
const naanForm = new RegExp(`^[${betanumerics}]{1,${naanCharactersMax}}$`)
// Hyphens, their typographic relatives and white space are decoration (draft-kunze-ark).
const decoration = /[-\u2010-\u2015\s]+/g
const repertoire = /^[A-Za-z0-9=~*+@_$%./]*$/
const anatomy = /^([^/.]+)((?:\/[^/.]+)*)((?:\.[^/.]+)*)$/
const datedComponents = /^\/([^/]+)(.*)$/

/**
 * Parses and normalises an ARK in any of its spellings (draft-kunze-ark, "Normalization and Lexical
 * Equivalence"): with or without a resolver's address, `ark:` or `ark:/`, hyphens anywhere.
 */
export function parseArk(text: string): ParsedArk | MalformedArk {
  return readArk(text, undefined)
}

/**
 * Parses an ARK from a path, where the label may be missing: also `naan/name`, and a bare name of
 * `naan`.
 */
export function parseArkReference(text: string, naan: string): ParsedArk | MalformedArk {
  return readArk(text, naan)
}

/** The identifier of the work that an ARK in some spelling names; undefined if it is no ARK. */
export function foldArk(text: string): string | undefined {
  const ark = parseArk(text)
  return ark.type === 'ark' ? `ark:/${ark.ark}` : undefined
}

// Without a day, qualifiers, and whatever would be normalised.
const shownForm = /^ark:\/?([0-9]{1,16}\/[0-9a-z]+)$/

/** The normal form of an ARK that is spelled as the registry shows its own; else undefined. */
export function readShownArk(text: string): Ark | undefined {
  if (text.length > arkCharactersMax) return undefined
  return shownForm.exec(text)?.[1] as Ark | undefined
}

/** The NAAN of an ARK without a name, such as `ark:12345`: it asks about the authority itself. */
export function parseNaan(text: string): string | undefined {
  const found = label.exec(text)
  if (found === null || text.length > arkCharactersMax) return undefined
  const body = text.slice(found.index + found[0].length).replace(decoration, '')
  const naan = body.replace(/^\/+|[/.]+$/g, '').toLowerCase()
  return naanForm.test(naan) ? naan : undefined
}

function readArk(text: string, defaultNaan: string | undefined): ParsedArk | MalformedArk {
  if (text.length > arkCharactersMax) {
    return malformed(`it has more than ${arkCharactersMax} characters`)
  }
  const queryAt = text.indexOf('?')
  const path = queryAt < 0 ? text : text.slice(0, queryAt)
  const found = label.exec(path)
  if (found !== null) {
    const body = path.slice(found.index + found[0].length)
    return readBody(body, readInflection(text, queryAt))
  }
  if (defaultNaan === undefined) return malformed('it has no label "ark:"')
  const body = path.includes('/') ? path : `${defaultNaan}/${path}`
  return readBody(body, readInflection(text, queryAt))
}

function readInflection(text: string, queryAt: number): Inflection | undefined {
  if (queryAt < 0) return undefined
  const query = text.slice(queryAt + 1)
  if (query === '') return '?'
  if (query === '?') return '??'
  return query === 'info' || query === 'json' ? query : undefined
}

function readBody(decorated: string, inflection: Inflection | undefined): ParsedArk | MalformedArk {
  const body = decorated.replace(decoration, '').replace(/^\/+/, '')
  const slashAt = body.indexOf('/')
  const naan = (slashAt < 0 ? body : body.slice(0, slashAt)).toLowerCase()
  if (!naanForm.test(naan)) {
    return malformed(
      `its NAAN must be 1 to ${naanCharactersMax} digits and consonants other than l and y`,
    )
  }
  const rest = slashAt < 0 ? '' : normaliseName(body.slice(slashAt + 1))
  if (rest === '') return malformed(`it has no name after the NAAN ${naan}`)
  if (!repertoire.test(rest)) {
    return malformed('its name may only have the characters A-Z a-z 0-9 = ~ * + @ _ $ % . /')
  }
  if (/%(?![0-9A-F]{2})/.test(rest)) {
    return malformed('a percent sign must be followed by two hexadecimal digits')
  }
  return takeApart(naan, rest, inflection)
}

/** Steps N5 and N8: percent pairs in capitals, one structural character where several stand. */
function normaliseName(name: string): string {
  return name
    .replace(/%[0-9a-f]{2}/gi, (pair) => pair.toUpperCase())
    .replace(/([/.])[/.]+/g, '$1')
    .replace(/^[/.]|[/.]$/g, '')
}

function takeApart(
  naan: string,
  rest: string,
  inflection: Inflection | undefined,
): ParsedArk | MalformedArk {
  const [, first = '', components = '', variants = ''] = anatomy.exec(rest) ?? []
  if (first === '') return malformed('a variant (.) must not stand before a component (/)')
  const date = readDate(first)
  const [, second = '', others = ''] = datedComponents.exec(components) ?? []
  const isDated = date !== undefined && second !== ''
  const name = isDated ? second : first
  return {
    type: 'ark',
    ark: `${naan}/${name}` as Ark,
    naan,
    name,
    ...(isDated && { date }),
    components: isDated ? others : components,
    variants,
    ...(inflection && { inflection }),
    normalized: `ark:${naan}/${rest}`,
  }
}

/** The day that `ddmmyyyy` names, as `YYYY-MM-DD`; undefined if it names none. */
function readDate(component: string): string | undefined {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(component) ?? []
  if (day === undefined) return undefined
  const date = `${year}-${month}-${day}`
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined
}

function malformed(reason: string): MalformedArk {
  return { type: 'malformed', reason }
}

/** The ARK as records and receipts spell it: `ark:/naan/name`. */
export function formatArk(naan: string, name: string): string {
  return `ark:/${naan}/${name}`
}

/** The dated spelling of an ARK, `ark:/naan/ddmmyyyy/name`; `date` starts with `YYYY-MM-DD`. */
export function formatDatedArk(naan: string, name: string, date: string): string {
  return `ark:/${naan}/${date.slice(8, 10)}${date.slice(5, 7)}${date.slice(0, 4)}/${name}`
}

/**
 * Characters that a check zone may have: the weight of the 29th is 0 modulo 29, so that an error
 * there would go unseen.
 */
export const checkZoneMax = betanumerics.length - 1

// The ordinal of each betanumeric, by its ASCII code; 0 for other characters.
const ordinals = Array.from({ length: 128 }, (_, code) =>
  Math.max(0, betanumerics.indexOf(String.fromCharCode(code))),
)

/**
 * The NOID check character of a zone `naan/name`, the name without its last character: the sum of
 * position times ordinal, modulo 29. Characters outside the alphabet count 0.
 */
export function checkCharacter(zone: string): string {
  let sum = 0
  for (let index = 0; index < zone.length; index++) {
    sum += (index + 1) * (ordinals[zone.charCodeAt(index)] ?? 0)
  }
  return betanumerics.charAt(sum % betanumerics.length)
}

/** Whether the last character of `naan/name` is the check character of those before it. */
export function hasValidCheck(ark: string): boolean {
  return checkCharacter(ark.slice(0, -1)) === ark.slice(-1)
}

/**
 * The ARKs with a valid check character that one typing error in the name would turn into `ark`:
 * one character replaced, two neighbours swapped, or capitals throughout. Suggest one only if
 * exactly one of them exists.
 */
export function repairCandidates(ark: string): Ark[] {
  const nameAt = ark.indexOf('/') + 1
  const lower = ark.toLowerCase()
  const spellings = new Set([lower])
  for (let at = nameAt; at < lower.length; at++) {
    const before = lower.slice(0, at)
    const after = lower.slice(at + 1)
    for (const character of betanumerics) spellings.add(before + character + after)
    spellings.add(before + after.charAt(0) + lower.charAt(at) + after.slice(1))
  }
  spellings.delete(ark)
  return [...spellings].filter(hasValidCheck) as Ark[]
}
