import { isEastAsian } from '#actors/values/author_name.ts'
import type { CitedName } from '#src/discovery/formats/author_names.ts'

/** How a style shortens given names: what follows an initial, and what parts initials. */
export type InitialsForm = { readonly after: string; readonly between: string }

const noParts: readonly string[] = []

/**
 * The initials of given names: `Josiah Willard` as `J. W.`, `Jean-Paul` as `J.-P.`. What is small
 * after a hyphen has no initial of its own: `Seung-hyun` is `S.`.
 */
export function initials(given: string, { after, between }: InitialsForm): string {
  const names = given.match(/[-‐]?[\p{L}\p{M}\p{N}'’]+/gu) ?? noParts
  return names
    .filter((name) => !/^[-‐]\p{Ll}/u.test(name))
    .map((name, index) => {
      const letter = `${firstLetter(name.replace(/^[-‐]/, ''))}${after}`
      if (index === 0) return letter
      if (!/^[-‐]/.test(name)) return `${between}${letter}`
      return after === '' ? letter : `-${letter}`
    })
    .join('')
}

function firstLetter(name: string): string {
  return /^\P{M}\p{M}*/u.exec(name)?.[0] ?? ''
}

/** Names as a list: `a`, `a & b`, `a, b, & c`. */
export function listNames(
  names: readonly string[],
  { and, comma }: { readonly and: string; readonly comma: 'always' | 'more than two' | 'never' },
): string {
  const last = names.at(-1) ?? ''
  if (names.length < 2) return last
  const isParted = comma === 'always' || (comma === 'more than two' && names.length > 2)
  return `${names.slice(0, -1).join(', ')}${isParted ? ',' : ''} ${and} ${last}`
}

/** `Family, Given`, the given names as a style shortens them. */
export function invertedCitedName(
  name: CitedName,
  shorten: (given: string) => string,
  comma = ', ',
): string {
  if ('literal' in name) return name.literal
  const { family, given } = name
  if (isEastAsian(name)) return `${family}${given}`
  return `${family}${comma}${hasCapitals(given) ? shorten(given) : given}`
}

/** `Given Family`, the given names as a style shortens them. */
export function naturalName(name: CitedName, shorten: (given: string) => string): string {
  if ('literal' in name) return name.literal
  const { family, given } = name
  if (isEastAsian(name)) return `${family}${given}`
  return `${hasCapitals(given) ? shorten(given) : given} ${family}`
}

// Where writing has no capitals, names have no initials either.
function hasCapitals(given: string): boolean {
  return /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u.test(given)
}

/**
 * Sentences one after the other: a period ends each that does not end in `.`, `?` or `!` of its
 * own, before a closing quotation mark too.
 */
export function sentences(parts: readonly (string | undefined)[]): string {
  return present(parts)
    .map((part) => (/[.?!…][”’"'»]?$/u.test(part) ? part : closed(part, '.')))
    .join(' ')
}

/**
 * Parts with a comma between each two, but after a `?` or `!`; those that are not there are left
 * out.
 */
export function commaList(parts: readonly (string | undefined)[]): string | undefined {
  const shown = present(parts)
  if (shown.length === 0) return undefined
  return shown.reduce((text, part) => `${text}${/[?!]$/.test(text) ? '' : ','} ${part}`)
}

/** The parts that are there. */
export function present(parts: readonly (string | undefined)[]): readonly string[] {
  return parts.filter((part): part is string => part !== undefined && part !== '')
}

// American typography has periods and commas within quotation marks.
function closed(part: string, mark: string): string {
  return part.replace(/[”"]?$/, (quote) => mark + quote)
}

/** A title in quotation marks, those in it turned into single ones, with a mark before the last. */
export function quoted(title: string, mark = ''): string {
  const inner = title
    .replaceAll('“', '‘')
    .replaceAll('”', '’')
    .replace(/"([^"]*)"/g, '‘$1’')
  return /[.?!]$/.test(inner) ? `“${inner}”` : `“${inner}${mark}”`
}

/** Pages with an en dash between the first and the last. */
export function dashed(pages: string | undefined): string | undefined {
  return pages?.replace(/(?<=[^\s])\s*[-–—]+\s*(?=[^\s])/g, '–')
}

/** Pages with what a style has before one page and before several. */
export function labelledPages(
  pages: string | undefined,
  one: string,
  several: string,
): string | undefined {
  const range = dashed(pages)
  if (range === undefined) return undefined
  return `${/[–,&]/.test(range) ? several : one} ${range}`
}
