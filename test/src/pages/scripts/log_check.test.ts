// What the pages of the log run in browsers, on the WebCrypto that Node has, against checkpoints
// and cosignatures that are made without it.

import test from 'ava'

import { checkContinuation, checkHead, checkSinceKept } from '#src/pages/scripts/log_check.js'
import { leafHash } from '#log/tlog/hash.ts'
import { formatVkey } from '#log/tlog/note.ts'
import { proveConsistency } from '#log/tlog/tree.ts'
import { key, makeEntries, origin } from '#test/log/_log.ts'
import { readLeaves } from '#test/log/_trees.ts'
import { createRegistry, keyListOf } from '#test/src/client/verify/_registry.ts'
import { checkpointOf, cosign, testWitness, thresholdPolicy } from '#test/log/_witnesses.ts'

const vkey = formatVkey(origin, 1, key.publicKey)
const [receiptKey] = keyListOf(createRegistry()).receipt_keys
const log = { origin, vkey, url: `https://${origin}` }
const published = { log, receipt_keys: [receiptKey] }
const trust = { published, environment: 'live', ownVkey: '' } as const
const policy = thresholdPolicy(2, 3)
const witnessed = { ...trust, published: { ...published, log: { ...log, witness_policy: policy } } }

function proofOf(from: number, to: number): Uint8Array<ArrayBuffer>[] {
  const read = readLeaves(makeEntries(0, to).map(leafHash))
  return proveConsistency(from, to, read).map((hash) => Uint8Array.from(hash))
}

type Step = { readonly step: string; readonly status: string; readonly reason: string }

async function statuses(steps: AsyncIterable<Step>): Promise<string[]> {
  return (await Array.fromAsync(steps)).map(({ step, status }) => `${step} ${status}`)
}

test('a head is right with the signature of its log, and of its witnesses', async (t) => {
  const head = checkpointOf(5)
  t.deepEqual(await statuses(checkHead(head, trust)), ['checkpoint done'])
  const [one, two] = [testWitness(1), testWitness(2)]
  for (const [note, status] of [
    [head, 'not_checked'],
    [cosign(head, [one]), 'not_checked'],
    [cosign(head, [one, two]), 'done'],
    [cosign(head, [one, two]).replace(/(w2\.example \S{30})\S/, '$1A'), 'failed'],
  ] as const) {
    const found = await statuses(checkHead(note, witnessed))
    t.deepEqual(found, ['checkpoint done', `witnesses ${status}`])
  }
})

test('a head is wrong by another key, another name, or with anything changed', async (t) => {
  const head = checkpointOf(5)
  const other = formatVkey(origin, 1, testWitness(1).key.publicKey)
  t.deepEqual(await statuses(checkHead(head, { ...trust, ownVkey: other })), ['checkpoint failed'])
  const named = formatVkey('other.example/log', 1, key.publicKey)
  t.deepEqual(await statuses(checkHead(head, { ...trust, ownVkey: named })), ['checkpoint failed'])
  for (const changed of [
    head.replace('\n5\n', '\n6\n'),
    head.replace('\n5\n', '\n05\n'),
    head.replace('\n5\n', '\n-5\n'),
    head.replace('\n\n', '\nan extension\n\n'),
    head.slice(0, -1),
    'no checkpoint',
    '',
  ]) {
    t.deepEqual(await statuses(checkHead(changed, trust)), ['checkpoint failed'], changed)
  }
})

test('one checkpoint continues another by its proof alone', async (t) => {
  const [older, newer] = [checkpointOf(5), checkpointOf(12)]
  const check = (proof: readonly Uint8Array<ArrayBuffer>[]) =>
    statuses(checkContinuation({ older, newer, proof: async () => proof }, trust))
  const right = ['older done', 'checkpoint done']
  t.deepEqual(await check(proofOf(5, 12)), [...right, 'consistency done'])
  t.deepEqual(await check(proofOf(6, 12)), [...right, 'consistency failed'])
  t.deepEqual(await check([]), [...right, 'consistency failed'])
})

test('a checkpoint that was kept is of the log that is shown, or proof against it', async (t) => {
  const ask = async (from: number, to: number) => proofOf(from, to)
  const check = async (kept: string, shown: string) => {
    const { status } = await checkSinceKept({ kept, shown, ask })
    return status
  }
  t.is(await check(checkpointOf(5), checkpointOf(12)), 'done')
  t.is(await check(checkpointOf(12), checkpointOf(5)), 'done')
  t.is(await check(checkpointOf(5), checkpointOf(5)), 'done')
  const forked = checkpointOf(6).replace('\n6\n', '\n5\n')
  t.is(await check(forked, checkpointOf(12)), 'failed')
  t.is(await check(forked, checkpointOf(5)), 'failed')
  t.is(await check('what is no checkpoint', checkpointOf(5)), 'failed')
})
