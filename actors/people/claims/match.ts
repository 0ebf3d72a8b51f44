import type { ClaimBasis, MismatchCode } from '#actors/people/events.ts'
import { canBeSameName, isSameName, splitAuthors } from '#actors/values/author_name.ts'
import type { Metadata } from '#actors/works/metadata.ts'

/** Who claims, as everybody may see them; the ORCID iD is one that they have signed in with. */
export type Claimant = { readonly name?: string; readonly orcid?: string }

/** What speaks against a claim: a literal code, and the same in words. */
export type Mismatch = {
  readonly code: MismatchCode
  readonly message: string
}

/** An author of a work, where a claim says that somebody stands. */
type ClaimedAuthor = { readonly name: string; readonly orcid?: string }

/** A claim held against its work: what a reviewer must see before they agree to it. */
export type ClaimMatch = {
  readonly work_title: string
  /** The first of them, `authorsShownMax` at most. */
  readonly authors: readonly string[]
  readonly authors_count: number
  /** The place that is claimed, from 1; absent if nothing tells it. */
  readonly author_position?: number
  /** Who stands there. */
  readonly author?: ClaimedAuthor
  readonly claimant: Claimant
  /** The place, from 1, at which the work names the ORCID iD of the claimant, if it does. */
  readonly orcid_position?: number
  /** Empty if nothing speaks against it. */
  readonly mismatches: readonly Mismatch[]
}

/** Authors that a reviewer is shown beside the one who is claimed. */
const authorsShownMax = 50

/** The place, from 1, of an author with an ORCID iD; undefined if the work names none. */
export function positionOf(
  orcid: string | undefined,
  metadata: Pick<Metadata, 'author_details'> | undefined,
): number | undefined {
  if (orcid === undefined) return undefined
  const index = metadata?.author_details?.findIndex((author) => author.orcid === orcid) ?? -1
  return index < 0 ? undefined : index + 1
}

/**
 * The place, from 1, at which somebody probably stands: that of their ORCID iD, else of the one
 * author who is called as they are, else of the one who can be; undefined if nothing tells.
 */
export function likelyPosition(
  { name, orcid }: Claimant,
  metadata: Pick<Metadata, 'authors' | 'author_details'>,
): number | undefined {
  const named = positionOf(orcid, metadata)
  if (named !== undefined || name === undefined) return named
  const authors = splitAuthors(metadata.authors)
  for (const isOne of [isSameName, canBeSameName]) {
    const places = authors.flatMap((author, index) => (isOne(author, name) ? [index + 1] : []))
    if (places.length > 0) return places.length === 1 ? places[0] : undefined
  }
  return undefined
}

/** The place that a claim is about: as it says, or the only one that there is. */
export function impliedPosition(
  said: number | undefined,
  metadata: Metadata | undefined,
): number | undefined {
  if (said !== undefined || metadata === undefined) return said
  return splitAuthors(metadata.authors).length === 1 ? 1 : undefined
}

/** Holds a claim of a place against the metadata of the work as they are now. */
export function matchClaim(
  said: number | undefined,
  claimant: Claimant,
  metadata: Metadata,
): ClaimMatch {
  const names = splitAuthors(metadata.authors)
  const position = impliedPosition(said, metadata)
  const author = position === undefined ? undefined : authorAt(position, names, metadata)
  const named = positionOf(claimant.orcid, metadata)
  return {
    work_title: metadata.work_title,
    authors: names.slice(0, authorsShownMax),
    authors_count: names.length,
    ...(position !== undefined && { author_position: position }),
    ...(author !== undefined && { author }),
    claimant,
    ...(named !== undefined && { orcid_position: named }),
    mismatches: [
      ...placeMismatches(position, author, names.length),
      ...nameMismatches(author, claimant),
      ...orcidMismatches(author, claimant, { position, named }),
    ],
  }
}

function authorAt(
  position: number,
  names: readonly string[],
  { author_details: details }: Metadata,
): ClaimedAuthor | undefined {
  const name = names[position - 1]
  const orcid = details?.[position - 1]?.orcid
  return name === undefined ? undefined : { name, ...(orcid !== undefined && { orcid }) }
}

function placeMismatches(
  position: number | undefined,
  author: ClaimedAuthor | undefined,
  count: number,
): Mismatch[] {
  if (position === undefined) {
    const message = `The claim does not say which of the ${count} authors is meant`
    return [{ code: 'no_place', message }]
  }
  if (author !== undefined) return []
  const message = `The claim is of place ${position}, and the work has ${count} authors now`
  return [{ code: 'no_such_author', message }]
}

function nameMismatches(author: ClaimedAuthor | undefined, { name }: Claimant): Mismatch[] {
  if (name === undefined) {
    return [{ code: 'name_hidden', message: 'The person does not show a name' }]
  }
  if (author === undefined || canBeSameName(author.name, name)) return []
  const message = `The author at this place is “${author.name}”, and the person is “${name}”`
  return [{ code: 'name_differs', message }]
}

function orcidMismatches(
  author: ClaimedAuthor | undefined,
  { orcid }: Claimant,
  { position, named }: { position: number | undefined; named: number | undefined },
): Mismatch[] {
  if (orcid === undefined) return []
  if (author?.orcid !== undefined && author.orcid !== orcid) {
    const message = `The author at this place has the ORCID iD ${author.orcid}, the person ${orcid}`
    return [{ code: 'orcid_differs', message }]
  }
  if (named === undefined || named === position) return []
  const message = `The work names the ORCID iD of the person, ${orcid}, at place ${named}`
  return [{ code: 'orcid_differs', message }]
}

/** A claim as everybody may see it, beside the author that it is about. */
export type PublicClaim = {
  readonly ppid: string
  /** Of a person who has signed in with it, and shows it. */
  readonly orcid?: string
  readonly status: 'verified'
  /** By whose word: of who registered the work, of an administrator; or by the ORCID iD. */
  readonly basis: ClaimBasis
  /** All on whose word it rests. */
  readonly confirmed_by: readonly Confirmation[]
}

/**
 * Whose word a claim rests on: of who registered the work, of the person themselves (and not only
 * of an application that they permit), of an administrator; or the ORCID iD that they have signed
 * in with.
 */
export type Confirmation = ClaimBasis | 'person'

/** Such a claim, and what tells which of the authors it is about. */
export type PlacedClaim = {
  readonly claim: PublicClaim
  readonly author_position?: number
  readonly name?: string
  /** Whether the person has registered the work: nobody else says that they are its author. */
  readonly isOwnWord?: true
}

/** A claim that says of none of the authors that it is they; with what the person is called. */
export type UnplacedClaim = PublicClaim & { readonly name?: string }

/** The claims on each of the authors of a work, by index, and those that nothing places. */
export type Placement = {
  readonly beside: ReadonlyMap<number, readonly PublicClaim[]>
  readonly unplaced: readonly UnplacedClaim[]
}

/**
 * The claims on each of the authors of a work, whose `names` and details stand in one order: by the
 * place that a claim names, else by ORCID iD, else by the name; the one author of a work is meant
 * in any case. A claim that nothing places is beside none. By their own word alone nobody is beside
 * an author of another name, or shown without a place.
 */
export function placeClaims(
  claims: readonly PlacedClaim[],
  names: readonly string[],
  details: Metadata['author_details'],
): Placement {
  const beside = new Map<number, PublicClaim[]>()
  const unplaced: UnplacedClaim[] = []
  for (const one of claims) {
    const index = indexOf(one, names, details)
    // The place may be one that the work had before a change of its authors.
    if (index === undefined || index >= names.length) {
      const { claim, name, isOwnWord } = one
      if (isOwnWord !== true) unplaced.push({ ...claim, ...(name !== undefined && { name }) })
    } else if (isCredible(one, index, names, details)) {
      beside.set(index, [...(beside.get(index) ?? []), one.claim])
    }
  }
  return { beside, unplaced }
}

function isCredible(
  { claim, name, isOwnWord }: PlacedClaim,
  index: number,
  names: readonly string[],
  details: Metadata['author_details'] = [],
): boolean {
  if (isOwnWord !== true) return true
  const orcid = details[index]?.orcid
  if (orcid !== undefined && claim.orcid !== undefined) return orcid === claim.orcid
  return name !== undefined && canBeSameName(names[index] ?? '', name)
}

function indexOf(
  { claim, author_position, name }: PlacedClaim,
  names: readonly string[],
  details: Metadata['author_details'] = [],
): number | undefined {
  if (author_position !== undefined) return author_position - 1
  const byOrcid = details.findIndex(({ orcid }) => orcid !== undefined && orcid === claim.orcid)
  if (byOrcid >= 0) return byOrcid
  if (names.length === 1) return 0
  const byName = name === undefined ? -1 : names.findIndex((other) => isSameName(other, name))
  return byName < 0 ? undefined : byName
}
