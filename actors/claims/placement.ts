import { canBeSameName, isSameName } from '#actors/values/author_name.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { ClaimBasis } from '#actors/people/events.ts'

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
