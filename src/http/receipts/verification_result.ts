import { type Static, Type } from 'typebox'

import { component, wordOf } from '#src/edge/reply_schemas.ts'
import type { Step, StepName, VerificationReport } from '#src/client/verify/types.ts'

const findingSchema = wordOf('Finding', ['signature_valid', 'content_match', 'chain_verified'])

/** Answer of the verification endpoints: what was found, and what was not looked at. */
export const verificationReply = component('VerificationResult', {
  valid: Type.Boolean({ description: 'Whether the three findings are all true.' }),
  verified_at: Type.String({ format: 'date-time' }),
  signature_valid: Type.Boolean({
    description: 'Whether a published receipt key signed exactly this statement.',
  }),
  content_match: Type.Boolean({
    description: 'Whether the content has the hash that the statement names.',
  }),
  chain_verified: Type.Boolean({
    description: 'Whether the statement is proven to be in the log that its checkpoint signs.',
  }),
  witnessed: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether the checkpoint of the receipt carries the cosignatures that the published policy ' +
      'demands; null if the log has no witnesses. A receipt is valid without them too.',
  }),
  not_checked: Type.Array(findingSchema, {
    description: 'Findings that are false because they could not be checked.',
  }),
  error: Type.Union(
    [
      wordOf('VerificationError', [
        'signature_invalid',
        'content_mismatch',
        'chain_invalid',
        'not_checked',
      ]),
      Type.Null(),
    ],
    {
      description:
        'What a receipt that is not valid comes down to: something was changed or is not ours, ' +
        'or nothing speaks against it but it could not be checked to the end (`not_checked`).',
    },
  ),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the receipt is not valid; null if it is.',
  }),
})

export type VerificationResult = Static<typeof verificationReply>

type Finding = Static<typeof findingSchema>

const findings = {
  signature_valid: ['form', 'receipt_key', 'signature'],
  content_match: ['content_hash'],
  chain_verified: ['entry', 'leaf_hash', 'inclusion', 'tree_head', 'checkpoint'],
} as const satisfies Record<Finding, readonly StepName[]>

const failures = {
  signature_valid: 'signature_invalid',
  content_match: 'content_mismatch',
  chain_verified: 'chain_invalid',
} as const satisfies Record<Finding, VerificationResult['error']>

const findingNames = Object.keys(findings) as readonly Finding[]

/**
 * Sums a verification report up. A finding is true if all its steps were done; `valid` if all are
 * true. `verifiedAt` is a time as receipts spell it.
 */
export function verificationResult(
  { steps }: VerificationReport,
  verifiedAt: string,
): VerificationResult {
  const stepsOf = (finding: Finding): Step[] => {
    const names: readonly StepName[] = findings[finding]
    return steps.filter(({ step }) => names.includes(step))
  }
  const isTrue = (finding: Finding) => stepsOf(finding).every(({ status }) => status === 'done')
  const isWrong = ({ status }: Step) => status === 'failed'
  const failure = findingNames.find((finding) => stepsOf(finding).some(isWrong))
  const failed = findingNames.flatMap(stepsOf).find(isWrong)
  const skipped = findingNames.flatMap(stepsOf).find(({ status }) => status === 'not_checked')
  return {
    valid: findingNames.every(isTrue),
    verified_at: verifiedAt,
    signature_valid: isTrue('signature_valid'),
    content_match: isTrue('content_match'),
    chain_verified: isTrue('chain_verified'),
    witnessed: wasWitnessed(steps),
    not_checked: findingNames.filter((finding) =>
      stepsOf(finding).some(({ status }) => status === 'not_checked'),
    ),
    error: errorOf(failure, skipped),
    reason: (failed ?? skipped)?.reason ?? null,
  }
}

function wasWitnessed(steps: readonly Step[]): boolean | null {
  const status = steps.find(({ step }) => step === 'witnesses')?.status
  return status === undefined || status === 'not_checked' ? null : status === 'done'
}

function errorOf(failure: Finding | undefined, skipped: Step | undefined) {
  if (failure !== undefined) return failures[failure]
  return skipped === undefined ? null : 'not_checked'
}
