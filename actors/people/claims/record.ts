import {
  type Claimant,
  type ClaimMatch,
  type Confirmation,
  matchClaim,
  type PlacedClaim,
} from '#actors/people/claims/match.ts'
import type { Claim, KnownAuthor } from '#actors/people/claims/port.ts'
import { type ClaimCase, openSteps } from '#actors/people/claims/rules.ts'
import { type ClaimRow, readClaim, readClaimants } from '#actors/people/claims/views.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { readEvent } from '#actors/journal/rows.ts'
import type { ActivePerson, ClaimBasis, ClaimStep } from '#actors/people/events.ts'
import type { Profile } from '#actors/people/port.ts'
import { openEvent, type PersonReader, readPerson } from '#actors/people/record.ts'
import type { Agent } from '#actors/values/agent.ts'
import { metadataAt } from '#actors/works/events.ts'
import { readNamedWork, readWork } from '#actors/works/record.ts'

/** A claim as it is told, with the words that its events hold sealed. */
export function describeClaim(row: ClaimRow, reader: PersonReader): Claim {
  const { made, contested, older: _, newer: _newer, person_confirmed: _word, ...facts } = row
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
function openProfile(
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

/** Others that a reviewer is shown who count as authors of a work already. */
const knownMax = 10

/** Others who count as authors of the work of a claim. */
export function readKnownBeside(
  { ppid, ark }: Pick<ClaimRow, 'ppid' | 'ark'>,
  { read }: PersonReader,
): KnownAuthor[] {
  const known: KnownAuthor[] = []
  for (const other of readClaimants(ark, read)) {
    if (known.length === knownMax) break
    const row = other === ppid ? undefined : readClaim(other, ark, read)
    if (row?.status !== 'verified') continue
    const { author_position: place } = row
    known.push({ ppid: other, ...(place !== undefined && { author_position: place }) })
  }
  return known
}

/** What a command on the claim of a person on a work is decided on; undefined without a work. */
export function readCase(
  person: ActivePerson,
  ark: string,
  claim: ClaimRow | undefined,
  reader: PersonReader,
): Omit<ClaimCase, 'claimId'> | undefined {
  const work = readWork(ark, reader.read)?.state
  if (work === undefined) return undefined
  const profile = openProfile(person, reader)
  const claimant = profile === undefined ? {} : claimantOf(profile)
  const metadata = metadataAt(work.position, reader.read)
  const orcid = authenticatedOrcid(profile)
  return { claim, ppid: person.ppid, orcid, claimant, work, metadata }
}

/** What somebody could say of a claim as it stands; nothing if its person is gone. */
export function readSteps(
  { ppid, ark, claim_id: claimId }: Pick<ClaimRow, 'ppid' | 'ark' | 'claim_id'>,
  by: Agent,
  reader: PersonReader,
): readonly ClaimStep[] {
  const person = readPerson(ppid, reader.read)?.state
  if (person?.status !== 'active') return []
  const known = readCase(person, ark, readClaim(ppid, ark, reader.read), reader)
  return known === undefined ? [] : openSteps({ ...known, claimId }, by)
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

function confirmations(basis: ClaimBasis, { person_confirmed }: ClaimRow): Confirmation[] {
  return person_confirmed === true ? [basis, 'person'] : [basis]
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
      claim: {
        ppid,
        ...(orcid !== undefined && { orcid }),
        status: 'verified',
        basis,
        confirmed_by: isOwnWord ? ['person'] : confirmations(basis, row),
      },
      ...(author_position !== undefined && { author_position }),
      ...(name !== undefined && { name }),
      ...(isOwnWord && { isOwnWord }),
    },
  ]
}
