// The module that browsers load, on the WebCrypto that Node has: against receipts that are made
// without it, and against the verdicts of the offline verifier.

import type { ExecutionContext } from 'ava'
import canonicalize from 'canonicalize'
import fc from 'fast-check'

import { canonicalJson } from '#src/client/verify/encoding.js'
import { checkReceipt, whatHappened } from '#src/pages/scripts/receipt_check.js'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { mint } from '#test/src/_served_registry.ts'
import { testShared } from '#test/src/_shared_registry.ts'
import {
  content,
  createRegistry,
  issueReceipt,
  keyListOf,
  metadata,
  privateKey,
} from '#test/src/client/verify/_registry.ts'

const test = testShared()

const registry = createRegistry()
const keys = keyListOf(registry)
const place = { leafIndex: 5, treeSize: 11 }

type Evidence = Partial<Parameters<typeof checkReceipt>[0]>

/** What became of each step that was not done: its status and why. */
async function doubts(receipt: unknown, evidence: Evidence = {}): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const { steps } = await checkReceipt({
    receipt,
    published: keys,
    environment: 'live',
    metadata,
    content,
    ...evidence,
  })
  for (const { step, status, reason } of steps) {
    if (status !== 'done') found[step] = `${status}: ${reason}`
  }
  return found
}

async function refuses(t: ExecutionContext, receipt: unknown, expected: Record<string, string>) {
  t.deepEqual(await doubts(receipt), expected)
}

test('a receipt is right in all steps, with metadata and content', async (t) => {
  t.deepEqual(await doubts(issueReceipt(registry)), {})
})

test('what there is nothing to check with is not checked', async (t) => {
  const nothing = { metadata: undefined, content: undefined }
  t.deepEqual(await doubts(issueReceipt(registry), nothing), {
    metadata: 'not_checked: there is no metadata to look at',
    content: 'not_checked: no copy of the content was chosen',
  })
  const pending = issueReceipt(registry, place, { content_hash: null })
  t.deepEqual(await doubts(pending), {
    content: 'not_checked: the receipt names no content yet',
  })
})

test('other metadata and other content are wrong', async (t) => {
  const found = await doubts(issueReceipt(registry), {
    metadata: { ...metadata, work_title: 'Another title' },
    content: Uint8Array.from(Buffer.from('other content')),
  })
  t.deepEqual(Object.keys(found), ['metadata', 'content'])
  t.regex(
    found['metadata'] ?? '',
    /^failed: the metadata has sha256:[0-9a-f]{64}, the statement sha256:/,
  )
  t.regex(
    found['content'] ?? '',
    /^failed: the content has sha256:[0-9a-f]{64}, the statement sha256:/,
  )
})

test('a key that is not published, or was not in use, is wrong', async (t) => {
  await refuses(t, issueReceipt({ ...registry, receiptKey: privateKey(66) }), {
    signature: 'failed: the key of the receipt is none of the published keys',
  })
  const early = { ...keys, receipt_keys: keys.receipt_keys.map((key) => ({ ...key })) }
  for (const key of early.receipt_keys) key.valid_until = '2026-02-01T00:00:00.000Z'
  t.deepEqual(await doubts(issueReceipt(registry), { published: early }), {
    signature: 'failed: the key was not in use at that time',
  })
})

test('a log with another key is wrong', async (t) => {
  await refuses(t, issueReceipt({ ...registry, logKey: privateKey(66) }), {
    checkpoint: `failed: the log ${registry.origin} has not signed the checkpoint`,
  })
})

test('what is no receipt, and keys that are none, are told and thrown by nothing', async (t) => {
  for (const value of [null, [], {}, 'x', { ...issueReceipt(registry), version: -1 }]) {
    const found = await doubts(value)
    t.deepEqual(Object.keys(found).length, 5)
    t.regex(found['signature'] ?? '', /^failed: .* must be /)
  }
  for (const published of [null, {}, { log: 1, receipt_keys: [1] }, { log: { vkey: 'a+b+c' } }]) {
    const found = await doubts(issueReceipt(registry), { published })
    t.deepEqual(Object.keys(found).length, 5)
    t.regex(found['checkpoint'] ?? '', /^failed: the published keys cannot be used: /)
  }
})

test('receipts of a registry are right, and wrong with any character changed', async (t) => {
  const { key, call } = t.context
  const { ark_identifier: ark } = await mint(t.context, await key({ scopes: ['works:write'] }))
  const receipt = (await call(`/api/v1/receipts/${ark}/v1`)).json()
  const published = (await call('/.well-known/svc-keys.json')).json()
  const resolved = (await call(`/api/v1/resolve/${ark}/v1`)).json()
  const evidence = { published, metadata: resolved['metadata'], content: undefined }
  const untouched = { content: 'not_checked: no copy of the content was chosen' }
  t.deepEqual(await doubts(receipt, evidence), untouched)
  const trusted = (await parseKeyList(published)).live
  const text = JSON.stringify(receipt)
  const places = fc.tuple(fc.nat(text.length - 1), fc.constantFrom(...'0a1bx"-{'))
  await fc.assert(
    fc.asyncProperty(places, async ([at, sign]) => {
      const changed = parse(text.slice(0, at) + sign + text.slice(at + 1))
      if (changed === undefined) return
      const found = await doubts(changed, evidence)
      const isRight = Object.values(found).every((doubt) => doubt.startsWith('not_checked'))
      const given = { metadata: resolved['metadata'] }
      t.is(isRight, (await verifyReceipt(changed, trusted, given)).valid, JSON.stringify(found))
    }),
    { numRuns: 300 },
  )
})

test('receipts of the sandbox, and of withdrawn works, are right too', async (t) => {
  const { key, call } = t.context
  const writer = await key({ scopes: ['works:write'], environment: 'sandbox' })
  const { ark_identifier: ark } = await mint(t.context, writer)
  const body = { reason: 'test' }
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key: writer, body })
  const receipt = (await call(`/api/v1/receipts/${ark}/v1`)).json()
  t.is(receipt['statement'], 'tombstoned')
  const published = (await call('/.well-known/svc-keys.json')).json()
  const evidence = { metadata: undefined, content: undefined }
  const untouched = ['metadata', 'content']
  const found = await doubts(receipt, { ...evidence, published, environment: 'sandbox' })
  t.deepEqual(Object.keys(found), untouched)
  const live = await doubts(receipt, { ...evidence, published })
  t.deepEqual(Object.keys(live), ['metadata', 'signature', 'checkpoint', 'content'])
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

test('canonical JSON is that of the registry', (t) => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text)
      t.true(canonicalJson(value) === canonicalize(value))
    }),
  )
  // Names are in the order of their UTF-16 code units (RFC 8785 §3.2.3).
  const names = '{"\u20ac":1,"\\r":2,"\ufb33":3,"1":4,"\ud83d\ude02":5}'
  t.is(canonicalJson(JSON.parse(names)), '{"\\r":2,"1":4,"\u20ac":1,"\ud83d\ude02":5,"\ufb33":3}')
  t.throws(() => canonicalJson('\ud800'), { code: 'no_canonical_form' })
})

test('a verdict dates a version by its registration, and what came later by its own name', (t) => {
  const statement = {
    ark: 'ark:/12345/k2bcd45g7h3',
    version: 1,
    receipt_id: 'rcpt_2026_03_04_0123456789bc',
    timestamp: '2026-03-09T05:06:07.089Z',
  }
  const registered = { ...statement, timestamp: '2026-03-04T05:06:07.089Z' }
  const day = '2026-03-04'
  const [key, { at }] = whatHappened({ ...registered, statement: 'registered' })
  t.deepEqual([key, at], ['provenRegistered', '2026-03-04 05:06:07 UTC'])
  for (const [kind, words] of [
    ['content', 'provenContent'],
    ['tombstoned', 'provenWithdrawn'],
  ] as const) {
    const said = whatHappened({ ...statement, statement: kind })
    t.deepEqual(said, [words, { at: '2026-03-09 05:06:07 UTC', day }])
  }
})
