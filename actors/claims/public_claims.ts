import type { PlacedClaim } from '#actors/claims/placement.ts'
import { claimantOf, readProfile } from '#actors/claims/record.ts'
import { readClaim, readClaimants } from '#actors/claims/rows.ts'
import type { PersonReader } from '#actors/people/record.ts'
import { readWork } from '#actors/works/record.ts'

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
