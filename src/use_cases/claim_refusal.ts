import type { ChangeClaimAnswer, MakeClaimAnswer } from '#actors/claims/port.ts'
import { HttpError, invalidInput } from '#src/errors.ts'
import { noPerson } from '#src/use_cases/named_person.ts'
import { goneWork } from '#src/use_cases/work_lookup.ts'

type Answer = MakeClaimAnswer | ChangeClaimAnswer

/** An answer with the claim that there is now. */
type Claimed = Extract<Answer, { type: 'claimed' | 'agreed' | 'exists' | 'changed' | 'unchanged' }>

type Refusal = Exclude<Answer, Claimed>

const claimedTypes: ReadonlySet<string> = new Set<Claimed['type']>([
  'claimed',
  'agreed',
  'exists',
  'changed',
  'unchanged',
])

/** Whether a claim was made or changed, or stands already as it was wanted. */
export function isClaimed<A extends Answer>(answer: A): answer is A & Claimed {
  return claimedTypes.has(answer.type)
}

/** The HttpError that a refusal of a claim, or of a change of one, is. */
export function refusedClaim(refusal: Refusal): HttpError {
  switch (refusal.type) {
    case 'no_person':
      return noPerson()
    case 'no_work':
      return new HttpError('not_found', 'There is no work with this ARK')
    case 'work_gone':
      return goneWork(refusal)
    case 'not_found':
      return new HttpError('not_found', 'There is no such claim')
    case 'forbidden':
      return new HttpError(
        'forbidden',
        'Only the person and the registrant of the work can say who its author is',
      )
    case 'blocked':
      return new HttpError('conflict', 'The person has said that this work is not theirs')
    case 'rejected':
      return new HttpError(
        'conflict',
        'This claim was rejected: contest it, and an administrator will decide',
        { extra: { claim_id: refusal.claim.claim_id } },
      )
    case 'too_many_claims':
      return new HttpError('conflict', 'The person has as many claims as a person can have')
    case 'mismatch':
      return new HttpError(
        'conflict',
        'The claim does not match its work: say in confirm_mismatch why it is right all the same',
        { extra: { mismatches: refusal.mismatches } },
      )
    case 'wrong_status':
      return new HttpError(
        'conflict',
        `This cannot be done with a claim that is ${refusal.claim.status}`,
      )
    case 'invalid':
      return invalidInput('The claim cannot be made or changed like this', refusal.faults)
  }
}
