import test from 'ava'

import { verificationResult } from '#src/http/receipts/verification_routes.ts'
import { stepNames } from '#src/client/verify/receipt.js'
import type { Step, StepName, VerificationReport } from '#src/client/verify/types.ts'

const verifiedAt = '2026-01-01T00:00:00.000Z'

/** A report in which every step was done but those given. */
function report(others: Partial<Record<StepName, Step['status']>>): VerificationReport {
  const steps = stepNames.map((step) => {
    const status = others[step] ?? 'done'
    return { step, status, reason: `${step} was ${status}` }
  })
  const proven_time = { not_before: null, not_after: null }
  return { valid: true, registered_on: undefined, statement: undefined, proven_time, steps }
}

test('with all steps done, everything is true', (t) => {
  t.deepEqual(verificationResult(report({}), verifiedAt), {
    valid: true,
    verified_at: verifiedAt,
    signature_valid: true,
    content_match: true,
    chain_verified: true,
    witnessed: true,
    not_checked: [],
    error: null,
    reason: null,
  })
})

test('each step that failed makes its finding false, and is the reason', (t) => {
  const findings: [StepName, string, string][] = [
    ['form', 'signature_valid', 'signature_invalid'],
    ['receipt_key', 'signature_valid', 'signature_invalid'],
    ['signature', 'signature_valid', 'signature_invalid'],
    ['entry', 'chain_verified', 'chain_invalid'],
    ['inclusion', 'chain_verified', 'chain_invalid'],
    ['tree_head', 'chain_verified', 'chain_invalid'],
    ['checkpoint', 'chain_verified', 'chain_invalid'],
    ['time', 'chain_verified', 'chain_invalid'],
    ['content_hash', 'content_match', 'content_mismatch'],
  ]
  for (const [step, finding, error] of findings) {
    const result = verificationResult(report({ [step]: 'failed' }), verifiedAt)
    const expected = { valid: false, [finding]: false, error, reason: `${step} was failed` }
    t.like(result, expected)
    t.deepEqual(result.not_checked, [])
  }
})

test('a step that was not done makes its finding false and is named', (t) => {
  const result = verificationResult(report({ content_hash: 'not_checked' }), verifiedAt)
  t.like(result, { valid: false, signature_valid: true, content_match: false })
  t.deepEqual(result.not_checked, ['content_match'])
  t.is(result.error, 'not_checked', 'nothing speaks against it')
  t.is(result.reason, 'content_hash was not_checked')
})

test('a failure is a better reason than a step that was not done', (t) => {
  const steps = { content_hash: 'not_checked', checkpoint: 'failed' } as const
  const { error, reason } = verificationResult(report(steps), verifiedAt)
  t.deepEqual([error, reason], ['chain_invalid', 'checkpoint was failed'])
})

test('steps that no finding speaks of change nothing', (t) => {
  const steps = { metadata_hash: 'not_checked', fixity_status: 'not_checked' } as const
  t.true(verificationResult(report(steps), verifiedAt).valid)
})

test('that nobody has witnessed it makes a receipt no less valid, and is said', (t) => {
  for (const [status, witnessed] of [
    ['done', true],
    ['failed', false],
    ['not_checked', null],
  ] as const) {
    t.like(verificationResult(report({ witnesses: status }), verifiedAt), {
      valid: true,
      witnessed,
      not_checked: [],
      error: null,
      reason: null,
    })
  }
})
