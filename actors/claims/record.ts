import { type Claimant, type ClaimMatch, matchClaim } from '#actors/claims/match.ts'
import type { PlacedClaim } from '#actors/claims/placement.ts'
import type { Claim } from '#actors/claims/port.ts'
import { type ClaimRow, readClaim, readClaimants } from '#actors/claims/views.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { readEvent } from '#actors/journal/rows.ts'
import type { ActivePerson } from '#actors/people/events.ts'
import type { Profile } from '#actors/people/port.ts'
import { openEvent, type PersonReader, readPerson } from '#actors/people/record.ts'
import { metadataAt } from '#actors/works/events.ts'
import { readNamedWork, readWork } from '#actors/works/record.ts'

/** A claim as it is told, with the words that its events hold sealed. */
export function describeClaim(row: ClaimRow, reader: PersonReader): Claim {
  const { made, contested, older: _, newer: _newer, ...facts } = row
  const work = readNamedWork(row.ark, reader.read)
  const message = openWord(row.ppid, made, 'message', reader)
  const reason = openWord(row.ppid, contested, 'reason', reader)
  return {
    ...facts,
    ark_identifier: work.state.identifier,
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
  }
}

/** The claim of a person on a work, if there is one and the person is there. */
export function readWholeClaim(ppid: string, ark: string, reader: PersonReader): Claim | undefined {
  const row = readClaim(ppid, ark, reader.read)
  return row && describeClaim(row, reader)
}

function openWord(
  ppid: string,
  position: number | undefined,
  word: 'message' | 'reason',
  { read, seal }: PersonReader,
): string | undefined {
  if (position === undefined) return undefined
  const event: JournalEvent = readEvent(position, read)
  const after = openEvent(ppid, event, seal)?.after as { readonly [Word in typeof word]?: string }
  return after?.[word]
}

/** What a person says of themselves, without their items; undefined if they are not there. */
export function readProfile(ppid: string, reader: PersonReader): Profile | undefined {
  const state = readPerson(ppid, reader.read)?.state
  return state?.status === 'active' ? openProfile(state, reader) : undefined
}

/** The same of a person whose state was read already. */
export function openProfile(
  { ppid, profile }: ActivePerson,
  { read, seal }: PersonReader,
): Profile | undefined {
  return openEvent(ppid, readEvent(profile, read), seal)?.after as Profile | undefined
}

/** Who claims, as far as their profile shows it to everybody. */
export function claimantOf(profile: Profile): Claimant {
  const { name, visibility } = profile
  const orcid = visibility.orcid === 'public' ? authenticatedOrcid(profile) : undefined
  return {
    ...(visibility.name === 'public' && { name }),
    ...(orcid !== undefined && { orcid }),
  }
}

/** What a person is called, if their profile shows it to everybody. */
export function publicName(ppid: string, reader: PersonReader): string | undefined {
  const profile = readProfile(ppid, reader)
  return profile && claimantOf(profile).name
}

/** A claim held against its work; undefined once the metadata of the work were erased. */
export function readMatch(
  { ppid, ark, author_position: place }: Pick<ClaimRow, 'ppid' | 'ark' | 'author_position'>,
  reader: PersonReader,
): ClaimMatch | undefined {
  const profile = readProfile(ppid, reader)
  const work = readWork(ark, reader.read)
  const metadata = work && metadataAt(work.state.position, reader.read)
  if (profile === undefined || metadata === undefined) return undefined
  return matchClaim(place, claimantOf(profile), metadata)
}

/** The ORCID iD that a person has signed in with. */
export function authenticatedOrcid(profile: Profile | undefined): string | undefined {
  return profile?.orcid_authenticated === true ? profile.orcid : undefined
}

/**
 * The claims on a work, `naan/name`, that everybody may see: those that are verified, of people who
 * show theirs. And all who have claims on it, on whom the answer therefore depends.
 */
export function readPublicClaims(
  ark: string,
  reader: PersonReader,
): { readonly claims: readonly PlacedClaim[]; readonly people: readonly string[] } {
  const people = readClaimants(ark, reader.read)
  return { claims: people.flatMap((ppid) => showClaim(ppid, ark, reader)), people }
}

function showClaim(ppid: string, ark: string, reader: PersonReader): PlacedClaim[] {
  const row = readClaim(ppid, ark, reader.read)
  if (row?.status !== 'verified') return []
  const profile = readProfile(ppid, reader)
  if (profile?.visibility.claims !== 'public') return []
  const { orcid, name } = claimantOf(profile)
  const { author_position, basis = 'registrant' } = row
  const owner = readWork(ark, reader.read)?.state.owner
  const isOwnWord =
    basis === 'registrant' && owner !== undefined && owner.type === 'person' && owner.id === ppid
  return [
    {
      claim: { ppid, ...(orcid !== undefined && { orcid }), status: 'verified', basis },
      ...(author_position !== undefined && { author_position }),
      ...(name !== undefined && { name }),
      ...(isOwnWord && { isOwnWord }),
    },
  ]
}
