import test from 'ava'

import {
  isEvidenceFile,
  RefusedError,
  VerificationError,
  verifyEvidence,
} from '#src/client/arklog.ts'
import { serveRegistry } from '#test/src/_served_registry.ts'
import { changingFetch, newClient } from '#test/src/client/_client.ts'
import { shared } from '#test/src/_shared_registry.ts'

const registry = shared(() => serveRegistry())

const article = {
  work_title: 'On the order of things',
  work_type: 'article',
  authors: 'Ox, Ada; Pen, Bo',
} as const

function newWork(name: string) {
  return {
    ...article,
    work_title: name,
    work_url: `https://press.example/${encodeURIComponent(name)}`,
  }
}

test('a work goes through its life, and each of its receipts is verified', async (t) => {
  const client = await newClient(registry)
  const created = await client.works.create(newWork('life'))
  const { ark_identifier: ark } = created
  t.is(created.response.status, 201)
  t.is(created.receipt?.statement.ark, ark)
  t.is(created.receipt?.statement.receipt_id, created.receipt_id)
  t.deepEqual(
    Object.keys(created).filter((name) => ['response', 'receipt'].includes(name)),
    [],
  )

  const read = await client.works.get(ark)
  const changed = await client.works.update(ark, { ...read, keywords: 'order' }, { ifMatch: read })
  t.is(changed.version, 2)
  t.is(changed.receipt?.statement.version, 2)
  const stale = client.works.update(ark, { keywords: 'disorder' }, { ifMatch: read })
  const refused = await t.throwsAsync(stale, { instanceOf: RefusedError })
  t.like(refused, { code: 'precondition_failed', status: 412 })
  const version = await client.works.createVersion(ark, {
    description: 'The second edition.',
    version_note: 'Second edition',
  })
  t.is(version.receipt?.statement.version, 3)

  for (const limit of [1, 2, 100]) {
    const versions = await client.works.versions(ark, { limit }).take(10)
    t.deepEqual(
      versions.map((each) => each.version).toSorted((a, b) => a - b),
      [1, 2, 3],
      `${limit} on a page`,
    )
    t.is((await client.works.history(ark, { limit }).take(10)).length, 3, `${limit} on a page`)
  }
  const first = await client.works.resolve(ark, { version: 1 })
  t.is(first.metadata.keywords, undefined)

  const ended = await client.works.withdraw(ark, { reason: 'test' })
  t.is(ended.receipt?.statement.statement, 'tombstoned')
  const gone = await t.throwsAsync(client.works.get(ark), { instanceOf: RefusedError })
  t.is(gone?.status, 410)
})

test('a wrong field is told by its name', async (t) => {
  const client = await newClient(registry)
  const wrong = { ...newWork('wrong'), language: 'no language' as never }
  const refused = await t.throwsAsync(client.works.create(wrong), { instanceOf: RefusedError })
  t.like(refused, { code: 'validation_failed', status: 422 })
  t.is(refused?.details[0]?.field, 'language')
  t.truthy(refused?.requestId)
})

test('everybody reads and verifies without a key, the sandbox with its own keys', async (t) => {
  const writer = await newClient(registry)
  const { ark_identifier: ark } = await writer.works.create(newWork('public'))
  const reader = await newClient(registry, { key: undefined as never })
  t.is((await reader.works.get(ark)).work_title, 'public')
  t.is((await reader.receipts.get(ark, 1)).ark, ark)
  const { metadata } = await reader.works.resolve(ark)
  t.is(metadata.work_title, 'public')

  const scopes = ['works:write', 'works:read']
  const key = await registry.key({ scopes, environment: 'sandbox' })
  const sandbox = await newClient(registry, { key })
  const tried = await sandbox.works.create(newWork('tried'))
  t.is(tried.receipt?.statement.ark, tried.ark_identifier)
})

const lies: readonly (readonly [
  step: string,
  what: string,
  change: (receipt: Record<string, unknown>) => unknown,
])[] = [
  ['form', 'a member is missing', (receipt) => ({ ...receipt, timestamp: undefined })],
  ['identity', 'it is of another version', (receipt) => ({ ...receipt, version: 2 })],
  ['identity', 'it is of another work', (receipt) => ({ ...receipt, ark: 'ark:/12345/k2other' })],
  [
    'signature',
    'its time is another one',
    (receipt) => ({ ...receipt, timestamp: '2099-01-01T00:00:00.000Z' }),
  ],
  [
    'inclusion',
    'it is said to stand elsewhere in the log',
    ({ chain_proof, ...receipt }) => ({
      ...receipt,
      chain_proof: { ...(chain_proof as object), leaf_index: 0, inclusion_proof: [] },
    }),
  ],
  [
    'tree_head',
    'its height is not that of the checkpoint',
    ({ chain_proof, ...receipt }) => ({
      ...receipt,
      chain_proof: { ...(chain_proof as object), block_height: 1 },
    }),
  ],
  [
    'checkpoint',
    'the log has not signed its checkpoint',
    ({ chain_proof, ...receipt }) => {
      const { checkpoint, ...proof } = chain_proof as { checkpoint: string }
      const broken = breakSignature(checkpoint)
      return { ...receipt, chain_proof: { ...proof, checkpoint: broken } }
    },
  ],
]

/** The checkpoint with one bit of its last signature turned. */
function breakSignature(checkpoint: string): string {
  const [, head = '', blob = ''] = /^([^]*) ([^ ]+)\n$/.exec(checkpoint) ?? []
  const bytes = Buffer.from(blob, 'base64')
  bytes[10] = (bytes[10] ?? 0) ^ 1
  return `${head} ${bytes.toString('base64')}\n`
}

for (const [step, what, change] of lies) {
  test(`a receipt fails its ${step}: ${what}`, async (t) => {
    const lying = changingFetch(/\/receipts\//, change)
    const client = await newClient(registry, { fetch: lying })
    const work = client.works.create(newWork(`lie: ${what}`))
    const error = await t.throwsAsync(work, { instanceOf: VerificationError })
    t.is(error?.step, step as VerificationError['step'], error?.message)
    t.is(error?.code, 'verification_failed')
    const answer = error?.evidence['answer'] as { ark_identifier: string } | undefined
    t.regex(answer?.ark_identifier ?? '', /^ark:/)
    const trusting = await newClient(registry, { fetch: lying, verify: false })
    t.is((await trusting.works.create(newWork(`believed: ${what}`))).receipt, null)
  })
}

test('what an ARK resolves to must be what its receipt is about', async (t) => {
  const fetch = changingFetch(/\/resolve\//, (body) => {
    return { ...body, metadata: { ...(body['metadata'] as object), authors: 'Somebody Else' } }
  })
  const client = await newClient(registry, { fetch })
  const { ark_identifier: ark } = await client.works.create(newWork('whose'))
  const error = await t.throwsAsync(client.works.resolve(ark), { instanceOf: VerificationError })
  t.is(error?.step, 'metadata_hash')
})

test('the registry is asked to check a work, and to verify a receipt', async (t) => {
  const client = await newClient(registry)
  const content_hash = `sha256:${'a'.repeat(64)}`
  const work = { ...newWork('asked'), content_hash }
  t.true((await client.works.validate(work)).valid)
  const { ark_identifier: ark, receipt_id } = await client.works.create(work)
  const answer = await client.receipts.ask(receipt_id, content_hash)
  t.like(answer, { valid: true, content_match: true })
  const other = await client.receipts.ask(receipt_id, `sha256:${'b'.repeat(64)}`)
  t.false(other.valid)
  const proofs = await client.receipts.proofs(ark, 1)
  t.is(proofs.signatures.length, 1)
  const evidence = await client.receipts.evidence(ark, 1)
  t.true(isEvidenceFile(evidence))
  const { body: keys } = await registry.call('/.well-known/svc-keys.json')
  const { valid, isTrusted } = await verifyEvidence(evidence, { keys })
  t.deepEqual({ valid, isTrusted }, { valid: true, isTrusted: true })
  const bundle = await client.receipts.bundle(ark, 1)
  const { compared } = await client.receipts.verify(bundle)
  t.deepEqual(compared, ['metadata_hash'])
  const { statement } = await client.receipts.verify(bundle.receipt, { content: content_hash })
  t.is(statement.ark, ark)
})

test('a work is put by its DOI: registered, replaced, found, its receipts verified', async (t) => {
  const client = await newClient(registry)
  const doi = '10.5555/client/put'
  const made = await client.works.putByDoi(doi, newWork('put'), { isNew: true })
  t.is(made.response.status, 201)
  t.is(made.receipt?.statement.version, 1)
  const changed = await client.works.putByDoi(doi, { ...newWork('put'), keywords: 'order' })
  t.like(changed, { ark_identifier: made.ark_identifier, version: 2 })
  t.is(changed.receipt?.statement.version, 2)
  const again = client.works.putByDoi(doi, newWork('put'), { isNew: true })
  const refused = await t.throwsAsync(again, { instanceOf: RefusedError })
  t.like(refused, { code: 'precondition_failed', status: 412 })
  const { works } = await client.works.findByDoi(doi)
  t.deepEqual(
    works.map(({ ark_identifier }) => ark_identifier),
    [made.ark_identifier],
  )
})
