import {
  canBeSameWords,
  canHaveParts,
  isSameName,
  joinAuthors,
  type NameWords,
  nameWords,
  type PartWords,
  resembles,
  splitAuthors,
  wholeName,
} from '#actors/values/author_name.ts'
import { faultsMax, type FieldFault } from '#actors/values/fault_list.ts'
import type { AuthorDetail, Metadata } from '#actors/works/metadata.ts'

/** The two fields that name authors: `author_details` in the order of `authors`. */
export type NamedAuthors = Pick<Metadata, 'authors' | 'author_details'>

/** An author, at a place from 1, whom `authors` and `author_details` give names that differ. */
export type NameConflict = {
  readonly place: number
  /** As `authors` has it. */
  readonly name: string
  /** As `author_details` has it, which is what formats and pages show. */
  readonly shown: string
}

/** The two fields as they agree, and what the client is told of it. */
export type AlignedAuthors = NamedAuthors & { readonly warnings: readonly FieldFault[] }

// Details that are looked at for one name, of those with its family name: some are very many.
const candidatesMax = 4

/** The authors whose names in the two fields cannot be of one person. */
export function nameConflicts({
  authors,
  author_details: details,
}: NamedAuthors): readonly NameConflict[] {
  if (details === undefined) return []
  return splitAuthors(authors).flatMap((name, index) => {
    const detail = details[index]
    if (detail === undefined || agrees(name, detail)) return []
    return [{ place: index + 1, name, shown: shownName(detail) }]
  })
}

/** What is told of names that differ, and of details that are more or fewer than the names. */
export function warnOfConflicts(named: NamedAuthors): readonly FieldFault[] {
  const details = named.author_details?.length
  if (details === undefined) return []
  const names = splitAuthors(named.authors).length
  const counted = `authors has ${names} names, author_details ${details}`
  const mismatch = { field: 'author_details', code: 'count_mismatch', message: counted }
  const conflicts = nameConflicts(named).slice(0, faultsMax)
  return [...(details === names ? [] : [mismatch]), ...conflicts.map(warnOfConflict)]
}

function warnOfConflict({ place, name, shown }: NameConflict): FieldFault {
  const field = `author_details[${place - 1}]`
  const message = `${field} is “${shown}” and authors has “${name}” there: “${shown}” is shown`
  return { field, code: 'names_differ', message }
}

/**
 * The two fields after a change: the one that was changed alone is followed by the other. Where
 * both were, or neither, they stay as they are.
 */
export function alignAuthors(before: NamedAuthors, after: NamedAuthors): AlignedAuthors {
  const hasNames = before.authors !== after.authors
  const hasDetails = JSON.stringify(before.author_details) !== JSON.stringify(after.author_details)
  const { author_details: details } = after
  if (details === undefined || hasNames === hasDetails) return { ...after, warnings: [] }
  return hasNames
    ? followNames(before, after.authors, details)
    : followDetails(after.authors, details)
}

/** Details of the names that they are of; those that fit no name are removed. */
function followNames(
  before: NamedAuthors,
  authors: string,
  details: readonly AuthorDetail[],
): AlignedAuthors {
  const names = splitAuthors(authors)
  const placed = new Placing(details)
  const former = splitAuthors(before.authors).slice(0, details.length)
  const found = placed.byName(names, former).map((index, place) => {
    return index ?? placed.byFit(names[place] ?? '', place, mayBeCorrected)
  })
  const aligned = names.map((name, place) => {
    const index = found[place]
    const detail = index === undefined ? undefined : details[index]
    if (detail === undefined) return { name }
    return isSameName(former[index ?? 0] ?? '', name) ? detail : renamed(detail, name)
  })
  const removed = placed.left().filter(saysMore).slice(0, faultsMax)
  const isSaid = aligned.some((detail, place) => saysMore(detail) || detail.name !== names[place])
  const kept = isSaid ? aligned : undefined
  const isFollowing = JSON.stringify(kept) !== JSON.stringify(details)
  const follows = 'author_details was made to follow authors, which was changed alone'
  return {
    authors,
    ...(kept && { author_details: kept }),
    warnings: [
      ...(isFollowing ? [{ field: 'author_details', code: 'realigned', message: follows }] : []),
      ...removed.map(warnOfRemoval),
    ],
  }
}

function warnOfRemoval(detail: AuthorDetail): FieldFault {
  const { name: _, family: __, given: ___, ...facts } = detail
  const said = Object.values(facts).join(', ')
  const message =
    `author_details of “${shownName(detail)}” (${said}) was removed, because it fits no name in ` +
    'authors; to keep it, send author_details with the name that it is of now'
  return { field: 'author_details', code: 'detail_removed', message }
}

/** Details in the order of the names, if each is of one of them; else the names of the details. */
function followDetails(authors: string, details: readonly AuthorDetail[]): AlignedAuthors {
  const names = splitAuthors(authors)
  const unchanged = { authors, author_details: details, warnings: [] }
  if (details.every((detail, index) => agreesAt(names, index, detail))) return unchanged
  const placed = new Placing(details)
  const found = names.map((name, place) => placed.byFit(name, place, fits))
  if (placed.left().length === 0) {
    const last = found.findLastIndex((index) => index !== undefined)
    const ordered = names.slice(0, last + 1).map((name, place) => {
      return details[found[place] ?? -1] ?? { name }
    })
    const message = 'author_details was put into the order of authors'
    const warnings = [{ field: 'author_details', code: 'realigned', message }]
    return { authors, author_details: ordered, warnings }
  }
  // Which of the names they are of nobody can tell.
  if (details.length < names.length) return unchanged
  const renamedAuthors = joinAuthors(
    details.map((detail, index) => {
      return agreesAt(names, index, detail) ? (names[index] ?? '') : writtenName(detail)
    }),
  )
  const message = 'authors was made to follow author_details, which was changed alone'
  const warnings = [{ field: 'authors', code: 'realigned', message }]
  return { authors: renamedAuthors, author_details: details, warnings }
}

function agreesAt(names: readonly string[], index: number, detail: AuthorDetail): boolean {
  const name = names[index]
  return name !== undefined && agrees(name, detail)
}

/** Details that are given places among names, each once. */
class Placing {
  readonly #details: readonly AuthorDetail[]
  readonly #words: readonly DetailWords[]
  readonly #free: Set<number>
  readonly #byFamily = new Map<string, number[]>()

  constructor(details: readonly AuthorDetail[]) {
    this.#details = details
    this.#words = details.map(wordsOf)
    this.#free = new Set(details.keys())
    // Lists of indexes end with the least, which can be taken off them.
    for (const [index, { shown }] of [...this.#words.entries()].toReversed()) {
      addTo(this.#byFamily, shown.at(-1) ?? '', index)
    }
  }

  /** The details that have no place. */
  left(): readonly AuthorDetail[] {
    return [...this.#free].map((index) => this.#details[index] ?? {})
  }

  /** Gives each name the detail of the same former name. */
  byName(names: readonly string[], former: readonly string[]): readonly (number | undefined)[] {
    const indexes = new Map<string, number[]>()
    for (const [index, name] of [...former.entries()].toReversed()) {
      addTo(indexes, name.toLowerCase(), index)
    }
    return names.map((name, place) => {
      const key = name.toLowerCase()
      if (former[place]?.toLowerCase() === key && this.#free.has(place)) return this.#take(place)
      return this.#take(this.#firstFree(indexes.get(key))[0])
    })
  }

  /** Gives a name a detail that is of it, best that of its own place. */
  byFit(
    name: string,
    place: number,
    isOf: (name: NameWords, words: DetailWords) => boolean,
  ): number | undefined {
    const words = nameWords(name)
    const candidates = [place, ...this.#firstFree(this.#byFamily.get(words.at(-1) ?? ''))]
    return this.#take(
      candidates.find((index) => {
        const detail = this.#free.has(index) ? this.#words[index] : undefined
        return detail !== undefined && isOf(words, detail)
      }),
    )
  }

  /** The first of some details, but for those at their end that have a place, which go for good. */
  #firstFree(indexes: number[] = []): readonly number[] {
    while (indexes.length > 0 && !this.#free.has(indexes.at(-1) ?? 0)) indexes.pop()
    return indexes.slice(-candidatesMax).toReversed()
  }

  #take(index: number | undefined): number | undefined {
    if (index !== undefined) this.#free.delete(index)
    return index
  }
}

function addTo(indexes: Map<string, number[]>, key: string, index: number): void {
  const known = indexes.get(key)
  if (known === undefined) indexes.set(key, [index])
  else known.push(index)
}

/** Whether a detail names the author of a name; most spell them alike, and need no folding. */
function agrees(name: string, detail: AuthorDetail): boolean {
  const { name: whole = name, family, given } = detail
  const isParted =
    family === undefined || name === `${given} ${family}` || name === `${family}, ${given}`
  return (whole === name && isParted) || fits(nameWords(name), wordsOf(detail))
}

/** The names of a detail in words: as a whole, in parts, and what is shown of it. */
type DetailWords = {
  readonly whole: NameWords | undefined
  readonly parts: PartWords | undefined
  readonly shown: NameWords
}

function wordsOf(detail: AuthorDetail): DetailWords {
  const { name, family, given = '' } = detail
  return {
    whole: name === undefined ? undefined : nameWords(name),
    parts:
      family === undefined ? undefined : { family: nameWords(family), given: nameWords(given) },
    shown: nameWords(shownName(detail)),
  }
}

/** Whether all names of a detail can be of the person whom a name is of. */
function fits(name: NameWords, { whole, parts }: DetailWords): boolean {
  const isWhole = whole === undefined || canBeSameWords(name, whole)
  return isWhole && (parts === undefined || canHaveParts(name, parts))
}

function mayBeCorrected(name: NameWords, words: DetailWords): boolean {
  return fits(name, words) || resembles(name, words.shown)
}

/** What formats show of a detail: its parts if both are there. */
function shownName({ name, family = '', given }: AuthorDetail): string {
  return family !== '' && given !== undefined ? wholeName({ family, given }) : (name ?? family)
}

function writtenName(detail: AuthorDetail): string {
  return detail.name ?? shownName(detail)
}

function saysMore({ orcid, affiliation, ror }: AuthorDetail): boolean {
  return (orcid ?? affiliation ?? ror) !== undefined
}

/** A detail of an author who has another name now. */
function renamed(detail: AuthorDetail, name: string): AuthorDetail {
  const { name: _, family, given, ...facts } = detail
  const isSame =
    family !== undefined && given !== undefined && isSameName(wholeName({ family, given }), name)
  const parts = isSame ? { family, given } : {}
  // Stored members stand in the order of canonical JSON.
  const members = Object.entries({ ...facts, ...parts, name })
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
