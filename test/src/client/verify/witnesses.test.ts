// The witnesses of a checkpoint, as commands, browsers and the client tell of them.

import test from 'ava'

import { formatSignature, parseVkey } from '#log/tlog/note.ts'
import { parsePolicy } from '#log/tlog/policy.ts'
import { parseKeyList, withPolicy } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { VerificationError } from '#src/client/errors.ts'
import {
  parseTrustedKeys,
  parseWitnessPolicy,
  verifyReceipt as verifyByClient,
} from '#src/client/receipt_verification.ts'
import { checkReceipt } from '#src/pages/scripts/receipt_check.js'
import {
  cosign,
  testWitness,
  thresholdPolicy,
  unknownVkey,
  witnessLines,
} from '#test/log/_witnesses.ts'
import {
  createRegistry,
  issueReceipt,
  keyListOf,
  metadata,
  type ReceiptJson,
} from '#test/src/client/verify/_registry.ts'

const registry = createRegistry()
const list = keyListOf(registry)
const { live: keys } = await parseKeyList(JSON.stringify(list))
const receipt = issueReceipt(registry)
const [one, two, three] = [testWitness(1), testWitness(2), testWitness(3)]
const nested = `${witnessLines(3)}group a 1 w2 w3\ngroup b 2 w1 a\nquorum b\n`

/** The receipt with another checkpoint. */
function withCheckpoint(change: (checkpoint: string) => string): ReceiptJson {
  const { chain_proof } = receipt
  const checkpoint = change(chain_proof.checkpoint)
  return { ...receipt, chain_proof: { ...chain_proof, checkpoint } }
}

async function offline(value: ReceiptJson, policy: string) {
  const { valid, steps } = await verifyReceipt(value, await withPolicy(keys, policy))
  const { status, reason } = steps.find(({ step }) => step === 'witnesses') ?? {}
  return { valid, status, reason }
}

async function inBrowser(value: ReceiptJson, policy: string | null) {
  const published = { ...list, log: { ...list.log, witness_policy: policy } }
  const environment = 'live'
  const { steps } = await checkReceipt({ receipt: value, published, environment, metadata })
  const found = steps.find(({ step }) => step === 'witnesses')
  return found && { status: found.status, reason: found.reason }
}

/** The names of those who signed, or the message of the client's refusal. */
async function byClient(value: ReceiptJson, policy: string): Promise<string> {
  try {
    const trusted = await parseTrustedKeys(list, 'live')
    const evidence = { witnesses: await parseWitnessPolicy(policy) }
    const { witnesses } = await verifyByClient(value, trusted, evidence)
    return witnesses.map(({ name, signedAtMs }) => `${name} ${signedAtMs}`).join(', ')
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error
    return `${error.step}: ${error.message}`
  }
}

test('with its quorum a receipt is witnessed, and all say by whom and when', async (t) => {
  const cosigned = withCheckpoint((checkpoint) => cosign(checkpoint, [three, one]))
  t.deepEqual(await offline(cosigned, nested), {
    valid: true,
    status: 'done',
    reason:
      'the policy demands 2 of (w1, 1 of (w2, w3)): signed by w1 at 2026-03-04T05:06:07.000Z, w3 ' +
      'at 2026-03-04T05:06:07.000Z; w2 did not',
  })
  t.deepEqual(await inBrowser(cosigned, nested), {
    status: 'done',
    reason:
      'witnesses signed this checkpoint too: w1 on 2026-03-04 at 05:06:07 UTC, w3 on 2026-03-04 ' +
      'at 05:06:07 UTC',
  })
  t.is(await byClient(cosigned, nested), 'w1 1772600767000, w3 1772600767000')
})

for (const [name, signers, policy] of [
  ['none', [], nested],
  ['one of two', [one], nested],
  ['two of one group', [two, three], nested],
  ['a stranger beside one', [one, testWitness(4)], thresholdPolicy(2, 3)],
] as const) {
  test(`below the quorum a receipt is not proven: ${name}`, async (t) => {
    const cosigned = withCheckpoint((checkpoint) => cosign(checkpoint, signers))
    const { valid, status, reason } = await offline(cosigned, policy)
    t.deepEqual([valid, status], [false, 'failed'])
    t.regex(reason ?? '', /^too few .*: the policy demands 2 of .*, but (?:none of its|only w\d)/)
    t.is((await inBrowser(cosigned, policy))?.status, 'not_checked')
    t.regex(await byClient(cosigned, policy), /^witnesses: .*: the policy demands 2 of .*, but /)
  })
}

test('a witness whose key is of an unknown type has not signed, and is no fault', async (t) => {
  const lines = `${witnessLines(1)}witness ml ${unknownVkey('ml.example')} https://ml.example\n`
  const line = formatSignature({ ...parseVkey(unknownVkey('ml.example')), bytes: Buffer.alloc(9) })
  const cosigned = withCheckpoint((checkpoint) => cosign(checkpoint, [one]) + line)
  const any = `${lines}group g 1 w1 ml\nquorum g\n`
  t.like(await offline(cosigned, any), { valid: true, status: 'done' })
  t.regex((await offline(cosigned, any)).reason ?? '', /signed by w1 at 2026-[^;]*; ml did not$/)
  t.is((await inBrowser(cosigned, any))?.status, 'done')
  t.is(await byClient(cosigned, any), 'w1 1772600767000')
  const all = `${lines}group g 2 w1 ml\nquorum g\n`
  t.like(await offline(cosigned, all), { valid: false, status: 'failed' })
  t.regex(
    (await offline(cosigned, all)).reason ?? '',
    /witness ml has a key of an unknown type 0x05; it/,
  )
  t.deepEqual(await inBrowser(cosigned, all), {
    status: 'not_checked',
    reason:
      'only w1 on 2026-03-04 at 05:06:07 UTC have signed this checkpoint by now; they do within ' +
      'seconds, try again; the key of ml is of a type unknown to this page',
  })
  t.is(
    await byClient(cosigned, all),
    'witnesses: The receipt is not valid: too few witnesses have signed the checkpoint: ' +
      'the policy demands 2 of (w1, ml), but only w1 signed; ' +
      'witness ml has a key of an unknown type 0x05; it counts as missing',
  )
})

test('a cosignature of another checkpoint, or one that was altered, is wrong', async (t) => {
  const ofAnother = issueReceipt(registry, { leafIndex: 5, treeSize: 12 }).chain_proof.checkpoint
  const replayed = cosign(ofAnother, [one, two]).split('\n').slice(5).join('\n')
  for (const forged of [
    withCheckpoint((checkpoint) => checkpoint + replayed),
    withCheckpoint((checkpoint) => {
      const note = cosign(checkpoint, [one, two])
      return note.slice(0, -6) + (note.at(-6) === 'A' ? 'B' : 'A') + note.slice(-5)
    }),
  ]) {
    const { valid, status } = await offline(forged, thresholdPolicy(1, 2))
    t.deepEqual([valid, status], [false, 'failed'])
    t.is((await inBrowser(forged, thresholdPolicy(1, 2)))?.status, 'failed')
    t.regex(await byClient(forged, thresholdPolicy(1, 2)), /^witnesses: .* is wrong$/)
  }
})

test('without a policy nothing is said of witnesses', async (t) => {
  const { steps, valid } = await verifyReceipt(receipt, keys)
  t.true(valid)
  t.like(
    steps.find(({ step }) => step === 'witnesses'),
    { status: 'not_checked', reason: 'no policy of witnesses was given' },
  )
  t.is(await inBrowser(receipt, null), undefined)
})

test('a policy of other logs is none of this one', async (t) => {
  const other = keyListOf({ ...createRegistry(5, 6), origin: 'other.example/log' }).log.vkey
  await t.throwsAsync(withPolicy(keys, `log ${other}\nquorum none\n`), {
    code: 'malformed_policy',
    message: 'the policy is for other logs than registry.example/log, which it must name',
  })
  await t.notThrowsAsync(withPolicy(keys, `log ${other}\nlog ${list.log.vkey}\nquorum none\n`))
})

for (const [name, policy, line] of [
  ['no quorum', witnessLines(1), 2],
  ['a quorum of nobody known', `${witnessLines(1)}quorum w2`, 2],
  ['two quorums', `${witnessLines(1)}quorum w1\nquorum w1`, 3],
  ['a key of the log', `witness a ${list.log.vkey}\nquorum a`, 1],
  ['a key twice', `witness a ${one.vkey}\nwitness b ${one.vkey}\nquorum a`, 2],
  ['a name twice', `witness a ${one.vkey}\nwitness a ${two.vkey}\nquorum a`, 2],
  ['a member of two groups', `${witnessLines(1)}group a any w1\ngroup b any w1\nquorum b`, 3],
  ['more than its members', `${witnessLines(2)}group a 3 w1 w2\nquorum a`, 3],
  ['an unknown keyword', 'witnesses', 1],
  ['a NUL in a comment', `${witnessLines(1)}# a\u0000\nquorum w1`, 2],
  ['a VT between words', `${witnessLines(1)}quorum\u000bw1`, 2],
  ['a DEL in a name', `witness a\u007f ${one.vkey}\nquorum none`, 1],
] as const) {
  test(`neither the client nor the log takes a policy with ${name}`, async (t) => {
    t.is(
      await byClient(receipt, policy),
      `policy: The policy of witnesses is wrong in line ${line}`,
    )
    t.throws(() => parsePolicy(policy), { code: 'malformed_policy' })
  })
}
