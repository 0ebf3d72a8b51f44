import { isEastAsian } from '#actors/values/author_name.ts'
import type { Terms } from '#src/discovery/csl/terms.ts'
import { append } from '#src/discovery/csl/typography.ts'

/** A name as CSL has it: in parts, or whole. */
export type CslName = {
  readonly family?: string
  readonly given?: string
  readonly suffix?: string
  readonly 'non-dropping-particle'?: string
  readonly 'dropping-particle'?: string
  readonly literal?: string
}

/** What a style says of names, by the names of its attributes. */
export type NameOptions = Readonly<Record<string, string>>

/**
 * What a style does with parts of names, and with each name as a whole. What it puts around given
 * names is around the particle, too, that follows them in a name that is turned round.
 */
export type NameForms = Readonly<
  Partial<Record<'family' | 'given' | 'aroundGiven' | 'whole', (text: string) => string>>
>

/** Writes the names of one list. */
export type NamesWriter = (names: readonly CslName[]) => string

/** How a list of names is written, with the words of a language. */
export function namesWriter(
  options: NameOptions,
  terms: Terms,
  { forms, restTerm = 'et-al' }: { readonly forms: NameForms; readonly restTerm?: string },
): NamesWriter {
  const write = wholeNameWriter(options, forms)
  const min = Number(options['et-al-min'] ?? Infinity)
  const first = Number(options['et-al-use-first'] ?? 1)
  const form = listForm(options, terms, restTerm)
  return (names) => {
    if (names.length < min || names.length <= first) {
      return joinAll(names.map(write), form, names.at(-1)?.family === undefined)
    }
    const shown = names.slice(0, first).map(write)
    const last = names.at(-1)
    const isWithLast = options['et-al-use-last'] === 'true' && names.length > first + 1 && last
    if (isWithLast)
      return `${shown.join(form.between)}${form.between}… ${write(last, names.length - 1)}`
    return withRest(shown, form)
  }
}

type ListForm = {
  readonly between: string
  readonly and: string
  readonly rest: string
  readonly isPartedBeforeLast: (count: number) => boolean
  readonly isPartedBeforeGroup: (count: number) => boolean
  readonly isPartedBeforeRest: (count: number) => boolean
}

function listForm(options: NameOptions, terms: Terms, restTerm: string): ListForm {
  const and = { text: terms.term('and'), symbol: '&' }[options['and'] ?? '']
  const isInverted = (count: number) => {
    const order = options['name-as-sort-order']
    return order === 'all' || (order === 'first' && count === 1)
  }
  return {
    between: options['name-delimiter'] ?? ', ',
    and: and ?? '',
    rest: terms.term(restTerm),
    isPartedBeforeLast: partingRule(options['delimiter-precedes-last'], isInverted),
    // Two names or more before a group are parted from it, unless a style asks how they stand.
    isPartedBeforeGroup: partingRule(
      options['delimiter-precedes-last'] === 'after-inverted-name'
        ? 'after-inverted-name'
        : undefined,
      isInverted,
    ),
    isPartedBeforeRest: partingRule(options['delimiter-precedes-et-al'], isInverted),
  }
}

/** Whether a delimiter follows a number of names, before the last one or the words for others. */
function partingRule(
  rule: string | undefined,
  isInverted: (count: number) => boolean,
): (count: number) => boolean {
  if (rule === 'always') return () => true
  if (rule === 'never') return () => false
  if (rule === 'after-inverted-name') return isInverted
  return (count) => count > 1
}

function joinAll(names: readonly string[], form: ListForm, endsInGroup: boolean): string {
  const last = names.at(-1) ?? ''
  if (names.length < 2) return last
  const others = names.slice(0, -1)
  if (form.and === '') return names.join(form.between)
  const isPartedAfter = endsInGroup ? form.isPartedBeforeGroup : form.isPartedBeforeLast
  const isParted = isPartedAfter(others.length)
  const parting = isParted ? form.between : ' '
  return `${append(others.join(form.between), parting, false)}${form.and} ${last}`
}

function withRest(names: readonly string[], form: ListForm): string {
  const shown = names.join(form.between)
  const parting = form.isPartedBeforeRest(names.length) ? form.between : ' '
  return shown === '' || form.rest === '' ? shown : `${shown}${parting}${form.rest}`
}

type NameWriter = (name: CslName, index: number) => string

function wholeNameWriter(options: NameOptions, forms: NameForms): NameWriter {
  const write = nameWriter(options, forms)
  const { whole } = forms
  if (whole === undefined) return write
  // What is said of names is said of persons.
  return (name, index) => {
    const text = write(name, index)
    return name.family === undefined ? text : whole(text)
  }
}

function nameWriter(options: NameOptions, forms: NameForms): NameWriter {
  const order = options['name-as-sort-order']
  const separator = options['sort-separator'] ?? ', '
  const shorten = shortening(options)
  const isDemoted =
    (options['demote-non-dropping-particle'] ?? 'display-and-sort') === 'display-and-sort'
  const isUnmarked = options['initialize-with']?.includes('.') === false
  const isShort = options['name-form'] === 'short'
  const { family: formFamily = asIs, given: formGiven = asIs, aroundGiven = asIs } = forms
  return (name, index) => {
    if (name.family === undefined) return formFamily(name.literal ?? name.given ?? '')
    const { particle, family } = familyParts(name)
    const whole = particle === '' ? family : joinParticle(particle, family)
    if (isShort) return formFamily(whole)
    const { given = '' } = name
    if (isEastAsian({ family: whole, given })) return whole + given
    const suffix = isUnmarked ? (name.suffix ?? '').replaceAll('.', '') : (name.suffix ?? '')
    const short = given !== '' && hasCapitals(given) ? shorten(given) : given
    const shown = formGiven(together(short, ' ', name['dropping-particle'] ?? ''))
    if (order !== 'all' && !(order === 'first' && index === 0)) {
      return together(together(aroundGiven(shown), ' ', formFamily(whole)), ' ', suffix)
    }
    if (given === '') return together(formFamily(whole), separator, suffix)
    const before = formFamily(isDemoted ? family : whole)
    const after = isDemoted ? together(shown, ' ', formFamily(particle)) : shown
    return together(together(before, separator, aroundGiven(after)), separator, suffix)
  }
}

function asIs(text: string): string {
  return text
}

/** Two texts with what stands between them, where neither is empty. */
function together(left: string, between: string, right: string): string {
  return left === '' || right === '' ? left + right : left + between + right
}

// What is small before a family name is a particle of it: `von Helmholtz`, `de la Cruz`.
const particles = /^((?:\p{Ll}[\p{L}’']*\s+)+|(?:d|l)[’'])(?=\p{Lu})/u

function familyParts(name: CslName): { readonly particle: string; readonly family: string } {
  const { family = '', 'non-dropping-particle': known } = name
  if (known !== undefined) return { particle: known, family }
  if (isCapital(family)) return { particle: '', family }
  const [found = ''] = particles.exec(family) ?? []
  return { particle: found.trim(), family: family.slice(found.length) }
}

// Most family names begin with one.
function isCapital(text: string): boolean {
  const first = text.charCodeAt(0)
  return first >= 0x41 && first <= 0x5a
}

function joinParticle(particle: string, family: string): string {
  return /[’'-]$/.test(particle) ? `${particle}${family}` : `${particle} ${family}`
}

// Where writing has no capitals, names have no initials either.
function hasCapitals(given: string): boolean {
  return /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u.test(given)
}

/** How given names are shortened: as they are, where the style asks for no initials. */
function shortening(options: NameOptions): (given: string) => string {
  const after = options['initialize-with']
  if (after === undefined) return (given) => given
  const isHyphenated = options['initialize-with-hyphen'] !== 'false'
  if (options['initialize'] === 'false') return (given) => spacedInitials(given, after)
  return (given) => initials(given, after, isHyphenated)
}

/** Given names as they are, but for the initials among them. */
function spacedInitials(given: string, after: string): string {
  return given.replace(/(?<![\p{L}\p{M}’'])(\p{Lu})\.?(?:\s+|(?=$|-))/gu, `$1${after}`).trim()
}

// As most persons have one.
const oneGiven = /^[A-Z][a-z]+$/

/**
 * The initials of given names: `Josiah Willard` as `J. W.`, `Jean-Paul` as `J.-P.`. What is small
 * after a hyphen has no initial of its own: `Seung-hyun` is `S.`.
 */
function initials(given: string, after: string, isHyphenated: boolean): string {
  if (oneGiven.test(given)) return `${given.charAt(0)}${after.trimEnd()}`
  const names = given.match(/[-‐]?[\p{L}\p{M}\p{N}'’]+/gu) ?? []
  const mark = after.trimEnd()
  return names
    .filter((name) => !/^[-‐]\p{Ll}/u.test(name))
    .map((name, index) => {
      const letter = /\P{M}\p{M}*/u.exec(name.replace(/^[-‐]/, ''))?.[0] ?? ''
      if (index === 0) return `${letter}${mark}`
      const isHyphen = /^[-‐]/.test(name)
      if (isHyphen && isHyphenated) return `-${letter}${mark}`
      return `${isHyphen ? '' : after.slice(mark.length)}${letter}${mark}`
    })
    .join('')
}
