import type { NameParts } from '#actors/values/author_name.ts'
import type { DescribedAuthor } from '#src/formats/described_work.ts'

/** A name as citations have it: in its parts, or whole. */
export type CitedName = NameParts | { readonly literal: string }

/**
 * The parts of an author's name where they are known: given as such, or written `Family, Given`.
 * Nothing is guessed.
 */
export function nameParts({ name, family, given }: DescribedAuthor): NameParts | undefined {
  if (family !== undefined && given !== undefined) return { family, given }
  // Where semicolons part the names, a comma parts a name.
  const [before = '', after = '', ...more] = name.split(',', 3).map((part) => part.trim())
  if (before === '' || after === '' || more.length > 0 || namesGroup(name)) return undefined
  return { family: before, given: after }
}

/** `Family, Given` where the parts are known, else the name as it was given. */
export function invertedName(author: DescribedAuthor): string {
  const parts = nameParts(author)
  return parts === undefined ? author.name : `${parts.family}, ${parts.given}`
}

/**
 * The names of the authors for a citation, which turns names round and shortens them. Names that
 * are written `Given Family` are parted if that is safe for all of them: one that may have its
 * family name elsewhere leaves the others whole, too: a citation has one way to name people.
 */
export function citedNames(authors: readonly DescribedAuthor[]): readonly CitedName[] {
  const names = authors.map((author) => {
    const parts = nameParts(author) ?? naturalParts(author.name)
    return parts ?? { literal: author.name, isClear: namesGroup(author.name) }
  })
  const isClear = names.every((name) => !('isClear' in name) || name.isClear)
  return authors.map((author, index) => {
    const parts = isClear ? names[index] : nameParts(author)
    return parts !== undefined && 'family' in parts ? parts : { literal: author.name }
  })
}

const word = "[\\p{Lu}][\\p{L}\\p{M}'’]+(?:[-‐][\\p{L}][\\p{L}\\p{M}'’]*)*"
const initials = '\\p{Lu}\\.?(?:[-‐]?\\p{Lu}\\.)*'
const particles = '(?:(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|ten|ter|zu|af|av)\\s+)*'

// Latin script, one given name or initials, further initials, the family name with its particles.
// Two family names, or two given ones, cannot be told apart.
const naturalForm = new RegExp(
  `^((?:${word}|${initials})(?:\\s+${initials})*)\\s+(${particles}${word})$`,
  'u',
)

function naturalParts(name: string): NameParts | undefined {
  const [, given, family] = naturalForm.exec(name) ?? []
  const isSafe = /^[\p{Script=Latin}\p{M}\p{P}\s]+$/u.test(name) && !namesGroup(name)
  return isSafe && given !== undefined && family !== undefined ? { family, given } : undefined
}

const groupWords = new RegExp(
  `(?<![\\p{L}])(?:${[
    'academy|agency|alliance|archives?|association|authority|bank|board|bureau|cent(?:er|re)',
    'collaborat(?:ion|ors)|college|commission|committee|company|conference|consorti(?:um|a)',
    'corporation|council|department|directorate|editor(?:s|ial)|faculty|federation|foundation',
    'fund|gmbh|government|group|hospital|inc|initiative|institut(?:e|es|ion|o)?|international',
    'investigators|laborator(?:y|ies)|labs?|library|ltd|ministry|museum|national|network|office',
    'organi[sz]ation|partnership|program(?:me)?|project|registry|research|school|service',
    'societ(?:y|é)|study|survey|taskforce|team|trust|union|universi\\p{L}+|working',
  ].join('|')})(?![\\p{L}])`,
  'iu',
)

/** Whether a name reads as that of a group: by a word that groups have, or as an abbreviation. */
export function namesGroup(name: string): boolean {
  return groupWords.test(name) || /^[\p{Lu}\d&.-]{3,}$/u.test(name)
}
