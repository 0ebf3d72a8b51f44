// Whom a client trusts from its first call on, and that a registry cannot show it two histories.

import { randomBytes } from 'node:crypto'
import test from 'ava'

import { VerificationError } from '#src/client/errors.ts'
import { Trust, type TrustOptions } from '#src/client/trust.ts'
import { proveConsistency, rootHash } from '#log/tlog/tree.ts'
import { readLeaves } from '#test/log/_trees.ts'
import { serveRegistry } from '#test/src/_served_registry.ts'
import { changingFetch, newClient } from '#test/src/client/_client.ts'
import {
  createRegistry,
  entryOf,
  issueReceipt,
  keyListOf,
  leafHashOf,
  privateKey,
} from '#test/src/client/verify/_registry.ts'
import { hexKey, rotationOf } from '#test/src/client/verify/_rotation.ts'
import { shared } from '#test/src/_shared_registry.ts'

const registry = shared(() => serveRegistry())

function newWork() {
  const work_title = randomBytes(8).toString('hex')
  const work_url = `https://press.example/${work_title}`
  return { work_title, work_type: 'article', authors: 'Ada Ox', work_url } as const
}

const withoutKeys = { keys: undefined as never, trustOnFirstUse: true }

test('keys that were trusted at first are those that are trusted later', async (t) => {
  const storage = new Map<string, string>()
  const first = await newClient(registry, { ...withoutKeys, storage })
  await first.works.create(newWork())
  t.is(storage.size, 2, 'keys and a checkpoint')
  const other = JSON.stringify(keyListOf(createRegistry()))
  const lying = changingFetch(/svc-keys/, () => JSON.parse(other))
  const second = await newClient(registry, { ...withoutKeys, storage, fetch: lying })
  await t.notThrowsAsync(second.works.create(newWork()))
  const stranger = await newClient(registry, { ...withoutKeys, fetch: lying })
  const error = await t.throwsAsync(stranger.works.create(newWork()), {
    instanceOf: VerificationError,
  })
  // They are not of this registry, and its newer list does not lead on from them.
  t.is(error?.step, 'receipt_key')
})

test('one client goes on where another of the same storage was', async (t) => {
  const storage = new Map<string, string>()
  const asked: string[] = []
  const watching: typeof fetch = (input, init) => {
    if ((input as string).includes('/log/consistency')) asked.push(input as string)
    return fetch(input, init)
  }
  const first = await newClient(registry, { storage, fetch: watching })
  await first.works.create(newWork())
  t.is(asked.length, 0, 'nothing was seen before')
  await first.works.create(newWork())
  t.is(asked.length, 1)
  const second = await newClient(registry, { storage, fetch: watching })
  await second.works.create(newWork())
  t.is(asked.length, 2)
})

test('a checkpoint that was tampered with where it is kept is found', async (t) => {
  const storage = new Map<string, string>()
  const first = await newClient(registry, { storage })
  await first.works.create(newWork())
  for (const [name, text] of storage) storage.set(name, text.replace('registry', 'other'))
  const second = await newClient(registry, { storage })
  const error = await t.throwsAsync(second.works.create(newWork()), {
    instanceOf: VerificationError,
  })
  t.is(error?.step, 'consistency')
})

/** A trust in the registry in miniature, which proves what its log of `leaves` is. */
function trustIn(options: Partial<TrustOptions> = {}): Trust {
  return new Trust({
    environment: 'live',
    baseUrl: 'https://registry.example',
    keys: keyListOf(createRegistry()),
    trustOnFirstUse: false,
    storage: new Map(),
    fetchKeys: () => Promise.reject(new Error('no keys are fetched')),
    fetchConsistency: () => Promise.reject(new Error('no proof is fetched')),
    ...options,
  })
}

/** The leaves of a log in miniature that has one entry of its own. */
function leavesOf(entry: Buffer, leafIndex: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) =>
    leafHashOf(index === leafIndex ? entry : Buffer.from(`entry ${index}`)),
  )
}

const mini = createRegistry()

test('a log that grows is followed, and one that forks is not', async (t) => {
  const older = issueReceipt(mini, { leafIndex: 5, treeSize: 11 })
  const newer = issueReceipt(mini, { leafIndex: 5, treeSize: 20 })
  const read = readLeaves(leavesOf(entryOf(older), 5, 20))
  const asked: (readonly number[])[] = []
  const fetchConsistency = async (from: number, to: number) => {
    asked.push([from, to])
    t.is(Buffer.from(rootHash(20, read)).toString('hex'), newer.chain_proof.merkle_root)
    return proveConsistency(from, to, read).map((hash) => Buffer.from(hash).toString('hex'))
  }
  for (const receipts of [
    [older, newer, older, newer],
    [newer, older],
  ]) {
    const trust = trustIn({ fetchConsistency })
    for (const receipt of receipts) await t.notThrowsAsync(trust.verify(receipt, {}))
  }
  t.deepEqual(asked, [
    [11, 20],
    [11, 20],
  ])
  // Another entry in the same place, and every other as it was: another history.
  const forked = issueReceipt(mini, { leafIndex: 5, treeSize: 20 }, { version: 2 })
  const trust = trustIn({ fetchConsistency })
  await trust.verify(older, {})
  const error = await t.throwsAsync(trust.verify(forked, {}), { instanceOf: VerificationError })
  t.is(error?.step, 'consistency')
  t.is(error?.evidence['shown'], forked.chain_proof.checkpoint)
  const same = issueReceipt(mini, { leafIndex: 5, treeSize: 11 }, { version: 2 })
  const again = await t.throwsAsync(trust.verify(same, {}), { instanceOf: VerificationError })
  t.is(again?.step, 'consistency')
})

test('a key that has followed a trusted one by a rotation is trusted', async (t) => {
  const second = { ...mini, receiptKey: privateKey(3) }
  const publicKey = hexKey(second.receiptKey)
  const [oldest] = keyListOf(mini).receipt_keys
  const rotation = rotationOf(mini, publicKey)
  const list = { receipt_keys: [oldest, { public_key: publicKey, rotation }] }
  let fetched = 0
  const trust = trustIn({
    fetchKeys: async () => {
      fetched += 1
      return list
    },
  })
  const at = { leafIndex: 8, treeSize: 11 }
  const receipt = issueReceipt(second, at, { timestamp: '2026-03-01T00:00:00.000Z' })
  await t.notThrowsAsync(trust.verify(receipt, {}))
  await t.notThrowsAsync(trust.verify(receipt, {}))
  t.is(fetched, 1)
  const forger = { ...mini, receiptKey: privateKey(5) }
  const forged = trust.verify(issueReceipt(forger, at), {})
  const error = await t.throwsAsync(forged, { instanceOf: VerificationError })
  t.is(error?.step, 'receipt_key')
})
