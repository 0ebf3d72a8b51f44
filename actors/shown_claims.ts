import type { PlacedClaim } from '#actors/claim_places.ts'
import { authenticatedOrcid, readProfile } from '#actors/claim_record.ts'
import { readClaim, readClaimants } from '#actors/claim_rows.ts'
import type { Profile } from '#actors/people.ts'
import type { PersonReader } from '#actors/person_record.ts'

/**
 * The claims on a work, `naan/name`, that everybody may see: those that are verified, of people who
 * show theirs. And all who have claims on it, on whom the answer therefore depends.
 */
export function readShownClaims(
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
  const orcid = shows(profile, 'orcid') ? authenticatedOrcid(profile) : undefined
  const name = shows(profile, 'name') ? profile.name : undefined
  const { author_position } = row
  return [
    {
      claim: { ppid, ...(orcid !== undefined && { orcid }), status: 'verified' },
      ...(author_position !== undefined && { author_position }),
      ...(name !== undefined && { name }),
    },
  ]
}

function shows({ visibility }: Profile, field: 'orcid' | 'name'): boolean {
  return visibility[field] === 'public'
}
