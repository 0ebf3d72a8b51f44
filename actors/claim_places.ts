import type { Metadata } from '#actors/metadata.ts'

/** A claim as everybody may see it, beside the author that it is about. */
export type ShownClaim = {
  readonly ppid: string
  /** Of a person who has signed in with it, and shows it. */
  readonly orcid?: string
  readonly status: 'verified'
}

/** Such a claim, and what tells which of the authors it is about. */
export type PlacedClaim = {
  readonly claim: ShownClaim
  readonly author_position?: number
  readonly name?: string
}

/**
 * The claims on each of the authors of a work, whose `names` and details stand in one order: by the
 * place that a claim names, else by ORCID iD, else by the name; the one author of a work is meant
 * in any case. A claim that nothing places is beside none.
 */
export function placeClaims(
  claims: readonly PlacedClaim[],
  names: readonly string[],
  details: Metadata['author_details'],
): ReadonlyMap<number, readonly ShownClaim[]> {
  const placed = new Map<number, ShownClaim[]>()
  for (const one of claims) {
    const index = indexOf(one, names, details)
    if (index === undefined) continue
    const others = placed.get(index) ?? []
    placed.set(index, [...others, one.claim])
  }
  return placed
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

// "Lovelace, Ada" is "Ada Lovelace".
function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other)
}

function foldName(name: string): string {
  const [family = '', given, ...more] = name.split(',')
  const text = given === undefined || more.length > 0 ? name : `${given} ${family}`
  return text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
