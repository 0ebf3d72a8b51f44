// When a statement was made, by the clocks of witnesses: in commands, the client, the browser and
// the registry's own verification.

import { createHash } from 'node:crypto'
import test from 'ava'

import { verifyReceipt } from '#src/client/verify/receipt.js'
import { parseKeyList, withPolicy } from '#src/client/verify/trusted_keys.js'
import { verificationResult } from '#src/http/receipts/verification_routes.ts'
import { checkReceipt } from '#src/pages/scripts/receipt_check.js'
import { issueReceipt, metadata, type ReceiptJson } from '#test/src/client/verify/_registry.ts'
import { provenByLog } from '#test/src/client/verify/_second_opinion.ts'
import {
  before,
  carry,
  cosignAt,
  list,
  policy,
  receiptOf,
  registry,
} from '#test/src/client/verify/_timed_receipt.ts'

const { live: keys } = await parseKeyList(JSON.stringify(list))

/** The same receipt with another checkpoint before it. */
function renamed(receipt: ReceiptJson, carried: string): ReceiptJson {
  const proof = receipt.chain_proof
  const checkpoint = carry(proof.checkpoint.replace(/\u2014 arklog.*\n/, ''), carried)
  return { ...receipt, chain_proof: { ...proof, checkpoint } }
}

/** What all readers say of a receipt: they say the same. */
async function read(receipt: ReceiptJson) {
  const report = await verifyReceipt(receipt, await withPolicy(keys, policy))
  const { valid, proven_time: time, steps } = report
  const { status, reason = '' } = steps.find(({ step }) => step === 'time') ?? {}
  const published = { ...list, log: { ...list.log, witness_policy: policy } }
  const shown = await checkReceipt({ receipt, published, environment: 'live', metadata })
  const inBrowser = shown.steps.find(({ step }) => step === 'time')
  const { valid: ofRegistry } = verificationResult(
    await verifyReceipt(receipt, await withPolicy(keys, policy), {
      contentHash: String(receipt.content_hash),
    }),
    '2026-01-01T00:00:00.000Z',
  )
  return { valid, ofRegistry, time, status, reason, inBrowser }
}

const day = 86_400

for (const [name, made, not_before, not_after] of [
  ['in the same second', { before: [0, 0], after: [0, 0] }, '05:06:07', '05:06:08'],
  ['in a minute', { before: [-20, -10], after: [30, 40] }, '05:05:47', '05:06:48'],
  [
    'one clock a day ahead',
    { before: [-20, day, -10], after: [30, day, 40] },
    '05:05:57',
    '05:06:48',
  ],
  [
    'one clock a day behind',
    { before: [-20, -day, -10], after: [30, -day, 40] },
    '05:05:47',
    '05:06:38',
  ],
] as const) {
  test(`a statement lies between two cosigned checkpoints: ${name}`, async (t) => {
    const { valid, ofRegistry, time, status, reason, inBrowser } = await read(receiptOf(made))
    t.true(valid, reason)
    t.true(ofRegistry)
    t.deepEqual(time, {
      not_before: `2026-03-04T${not_before}.000Z`,
      not_after: `2026-03-04T${not_after}.000Z`,
    })
    t.is(status, 'done')
    t.regex(
      reason,
      /^witnesses prove that it was made not before .* and not after .* lies in there$/,
    )
    t.deepEqual(inBrowser, { step: 'time', status: 'done', reason })
  })
}

// Clocks of the registry and of witnesses, in seconds; that of the verifier is never read.
for (const [name, made, reason] of [
  ['the registry a second behind', { before: [1, 1], after: [2, 2] }, /not before .*07:08|clock/],
  [
    'the registry an hour behind',
    { before: [3_600, 3_600], after: [3_601, 3_601] },
    /a clock was wrong/,
  ],
  ['the registry two seconds ahead', { before: [-9, -9], after: [-2, -2] }, /a clock was wrong/],
  [
    'the registry a year ahead',
    { before: [-365 * day, -365 * day], after: [1 - 365 * day, 1 - 365 * day] },
    /a clock was wrong/,
  ],
  [
    'two witnesses of three behind',
    { before: [-9, -9, -9], after: [-3, -3, 5] },
    /a clock was wrong/,
  ],
  ['two witnesses of three ahead', { before: [9, 9, -9], after: [20, 20, 5] }, /a clock was wrong/],
  [
    'what it names was signed later',
    { before: [40, 50], after: [10, 20] },
    /after what covers it: at /,
  ],
] as const) {
  test(`a statement outside of its interval is not proven: ${name}`, async (t) => {
    const found = await read(receiptOf(made))
    t.false(found.valid)
    t.false(found.ofRegistry)
    t.is(found.status, 'failed')
    t.regex(found.reason, reason)
    t.is(found.inBrowser?.status, 'failed')
    t.deepEqual(found.time, { not_before: null, not_after: null })
  })
}

test('a statement that names nothing has an end alone', async (t) => {
  const { valid, time, reason } = await read(receiptOf({ after: [5, 9] }))
  t.true(valid)
  t.deepEqual(time, { not_before: null, not_after: '2026-03-04T05:06:17.000Z' })
  t.regex(reason, /; how long before is the registry’s word, for it names no witnessed checkpoint$/)
})

test('a checkpoint that is missing, or without the quorum, is no beginning', async (t) => {
  const whole = receiptOf({ before: [-5, -5], after: [5, 9] })
  const checkpoint = whole.chain_proof.checkpoint.replace(/\u2014 arklog.*\n/, '')
  const lacking = await read({ ...whole, chain_proof: { ...whole.chain_proof, checkpoint } })
  t.true(lacking.valid)
  t.regex(lacking.reason, /the receipt lacks the checkpoint that the statement names$/)
  const alone = await read(receiptOf({ before: [-5], after: [5, 9] }))
  t.true(alone.valid)
  t.is(alone.time.not_before, null)
  t.regex(alone.reason, /has not the quorum of this policy$/)
})

test('another checkpoint than the one that is named condemns the receipt', async (t) => {
  const whole = receiptOf({ before: [-5, -5], after: [5, 9] })
  const named = cosignAt(before, [-5, -5])
  const right = await read(renamed(whole, named))
  t.true(right.valid)
  t.not(right.time.not_before, null)
  const others = [before, cosignAt(before, [-6, -6]), 'x', '\u0000', `\ufeff${named}`]
  for (const carried of others) {
    const { valid, status } = await read(renamed(whole, carried))
    t.false(valid)
    t.is(status, 'failed')
  }
  // One that the statement names, and that no witness has signed so.
  const [forged] = [cosignAt(before, [-5, -5]).replaceAll(/=\n$/g, '=\n').replace('\n4\n', '\n3\n')]
  const digest = createHash('sha256')
    .update(forged ?? '')
    .digest('hex')
  const receipt = issueReceipt(registry, undefined, { witnessed_checkpoint: `sha256:${digest}` })
  const checkpoint = cosignAt(receipt.chain_proof.checkpoint, [5, 9])
  const covered = { ...receipt, chain_proof: { ...receipt.chain_proof, checkpoint } }
  const { valid, reason } = await read(renamed(covered, forged ?? ''))
  t.false(valid)
  t.regex(reason, /is wrong$/)
})

test('without witnesses the time is the registry’s word', async (t) => {
  const { valid, proven_time, steps } = await verifyReceipt(issueReceipt(registry), keys)
  t.true(valid)
  t.deepEqual(proven_time, { not_before: null, not_after: null })
  const { status, reason } = steps.find(({ step }) => step === 'time') ?? {}
  t.is(status, 'not_checked')
  t.regex(reason ?? '', /^nobody but the registry says when it was made/)
})

// As verifiers were before statements named anything: each object had these members alone.
const earlierMembers = [
  'block_height',
  'merkle_root',
  'inclusion_proof',
  'leaf_index',
  'tree_size',
  'checkpoint',
]

test('a verifier of an earlier release reads a receipt that names a checkpoint', (t) => {
  const receipt = receiptOf({ before: [-5, -5], after: [5, 9] })
  t.deepEqual(Object.keys(receipt.chain_proof), earlierMembers)
  t.true(provenByLog(receipt, keys, metadata))
})
