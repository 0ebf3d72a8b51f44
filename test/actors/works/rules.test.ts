import test from 'ava'
import type { Agent } from '#actors/values/agent.ts'
import { contentUrl } from '#actors/works/content.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { metadataHash } from '#actors/works/receipts/statement.ts'
import { streamArk, type WorkState, workStream } from '#actors/works/events.ts'
import { type Decision, evolve } from '#actors/works/rules.ts'
import { type Asked, decide } from '#test/actors/works/_decision.ts'
import { entityTag } from '#actors/values/entity_tag.ts'

const ark = '12345/x6np1wh8k'
const owner: Agent = {
  type: 'organization',
  id: 'demo',
  name: 'Demo',
  via: 'api_key',
  key_id: 'k1',
}
const other: Agent = { ...owner, id: 'other' }
const admin: Agent = { ...other, admin: true }

const first: Metadata = {
  authors: 'Ada Gibbs',
  work_title: 'A title',
  work_type: 'article',
  work_url: 'https://example.org/a.pdf',
}
const hash = (digit: string) => `sha256:${digit.repeat(64)}`
const at = (second: number) => `2026-11-21T10:00:0${second}.000Z`

const registration: Asked = {
  type: 'register',
  ark,
  dated: false,
  metadata: first,
  by: owner,
  at: at(0),
}

/** The state after a decision, whose event is put behind the events before it. */
function commit(
  before: WorkState | undefined,
  decision: Decision,
  place: { at: string },
): WorkState {
  if (decision.type !== 'accepted') throw new Error(`the command is ${decision.type}`)
  const [event] = decision.events
  if (event === undefined) throw new Error('there is no event')
  const seq = (before?.seq ?? 0) + 1
  const where = { stream: workStream(ark), seq, position: 10 * seq, leafIndex: 100 * seq, ...place }
  return evolve(before, event, where)
}

const registered = commit(undefined, decide(undefined, registration), { at: at(0) })

function change(patch: object, members: object = {}): Asked {
  return {
    type: 'update',
    current: first,
    patch,
    by: owner,
    at: at(1),
    receiptSuffix: 'zzzzzzzzzzzz',
    ...members,
  }
}

function withdrawal(members: object = {}): Asked {
  return { type: 'withdraw', reason: 'fraud', by: owner, at: at(2), ...members }
}

test('registers a work: one event, one statement, one answer', (t) => {
  const facts = {
    receipt_id: 'rcpt_2026_11_21_bcdfghjkmnpq',
    metadata_hash: metadataHash(JSON.stringify(first)),
    content_hash: null,
  }
  t.deepEqual(decide(undefined, registration), {
    type: 'accepted',
    events: [{ type: 'WorkRegistered', schema: 1, by: owner, data: { ...facts, metadata: first } }],
    statements: [
      {
        statement: 'registered',
        ark: 'ark:/12345/x6np1wh8k',
        version: 1,
        timestamp: at(0),
        ...facts,
      },
    ],
    change: {
      ark_identifier: 'ark:/12345/x6np1wh8k',
      version: 1,
      kind: 'registered',
      created_at: at(0),
      ...facts,
      fixity_status: 'pending',
      changed_fields: [],
      source: owner,
    },
  })
})

test('the state of a registered work is the row that is stored', (t) => {
  t.deepEqual(registered, {
    ark,
    identifier: `ark:/${ark}`,
    seq: 1,
    revision: 1,
    owner: { type: 'organization', id: 'demo', name: 'Demo' },
    created_at: at(0),
    updated_at: at(0),
    version: 1,
    status: 'registered',
    fixity_status: 'pending',
    content_hash: null,
    metadata_hash: metadataHash(JSON.stringify(first)),
    receipt_id: 'rcpt_2026_11_21_bcdfghjkmnpq',
    position: 10,
    leafIndex: 100,
  })
})

test('a registration keeps its idempotency key and the declared hash', (t) => {
  const idempotency = { key: 'org:demo/1', body_hash: 'ab' }
  const metadata = { content_hash: hash('a'), ...first }
  const decision = decide(undefined, { ...registration, metadata, idempotency })
  t.like(decision, {
    events: [{ idempotency, data: { content_hash: hash('a') } }],
    statements: [{ content_hash: hash('a') }],
    change: { content_hash: hash('a'), fixity_status: 'pending' },
  })
})

test('an ARK is registered once', (t) => {
  t.deepEqual(decide(registered, registration), { type: 'taken' })
})

test('metadata is the last member of an event, so that its bytes can be cut out', (t) => {
  for (const decision of [
    decide(undefined, registration),
    decide(registered, change({ volume: '1' })),
  ]) {
    if (decision.type !== 'accepted') return t.fail()
    t.is(Object.keys(decision.events[0]?.data ?? {}).at(-1), 'metadata')
  }
})

test('a file can be the content of versions that are written now, and not of older ones', (t) => {
  const sha256 = 'b'.repeat(64)
  const files = [{ url: 'https://example.org/b.pdf', kind: 'content', sha256 }] as const
  const metadata = { ...first, files }
  const decision = decide(undefined, { ...registration, metadata })
  const placed = commit(undefined, decision, { at: at(0) })
  t.like(placed, { content_file: 0, content_hash: hash('b') })
  // What names no file was written before, and the work's own address was checked.
  const checked = { ...registered, fixity_status: 'verified', content_hash: hash('a') } as const
  t.is(contentUrl(metadata, registered), 'https://example.org/a.pdf')
  const kept = { content_file: 0, content_hash: hash('b'), fixity_status: 'pending' }
  const before = commit(checked, decide(checked, change({ volume: '1' }, { current: metadata })), {
    at: at(1),
  })
  t.like(before, kept)
  const declared = { ...first, content_hash: hash('a') }
  const toFile = decide(checked, change({ files }, { current: declared }))
  t.like(commit(checked, toFile, { at: at(1) }), kept)
})

test('a change makes version 2 with a receipt of its own', (t) => {
  const decision = decide(registered, change({ volume: '1' }))
  const metadata = {
    authors: first.authors,
    volume: '1',
    work_title: first.work_title,
    work_type: first.work_type,
    work_url: 'https://example.org/a.pdf',
  }
  t.like(decision, {
    type: 'accepted',
    events: [
      {
        type: 'WorkVersioned',
        data: { kind: 'updated', version: 2, changed_fields: ['volume'], metadata },
      },
    ],
    statements: [
      { statement: 'registered', version: 2, receipt_id: 'rcpt_2026_11_21_zzzzzzzzzzzz' },
    ],
    change: {
      kind: 'updated',
      version: 2,
      created_at: at(1),
      metadata_hash: metadataHash(JSON.stringify(metadata)),
      changed_fields: ['volume'],
    },
  })
  t.like(commit(registered, decision, { at: at(1) }), {
    seq: 2,
    version: 2,
    created_at: at(0),
    updated_at: at(1),
    receipt_id: 'rcpt_2026_11_21_zzzzzzzzzzzz',
    position: 20,
    leafIndex: 200,
  })
})

test('a version keeps its note', (t) => {
  const command = change({ volume: '1' }, { type: 'add_version', versionNote: 'Corrected.' })
  t.like(decide(registered, command), {
    events: [{ data: { kind: 'versioned', version_note: 'Corrected.' } }],
    change: { kind: 'versioned' },
  })
})

test('no change is no version', (t) => {
  const same = { work_title: 'A title' }
  t.like(decide(registered, change(same)), {
    type: 'unchanged',
    change: {
      version: 1,
      receipt_id: registered.receipt_id,
      created_at: at(0),
      changed_fields: [],
    },
  })
  t.deepEqual(decide(registered, change(same, { type: 'add_version' })), {
    type: 'version_unchanged',
  })
})

test('what metadata may not become is refused', (t) => {
  t.like(decide(registered, change({ work_url: null })), {
    type: 'invalid',
    faults: [{ field: 'work_url', code: 'required' }],
  })
})

test('only its registrant and an admin may change a work', (t) => {
  const patch = { volume: '1' }
  t.deepEqual(decide(registered, change(patch, { by: other })), { type: 'forbidden' })
  t.deepEqual(decide(registered, withdrawal({ by: other })), { type: 'forbidden' })
  const person = { ...owner, type: 'person' }
  t.deepEqual(decide(registered, change(patch, { by: person })), { type: 'forbidden' })
  const denied = { ...other, admin: false }
  t.deepEqual(decide(registered, change(patch, { by: denied })), { type: 'forbidden' })
  const decision = decide(registered, change(patch, { by: admin }))
  t.like(decision, { type: 'accepted', events: [{ by: admin }], change: { source: admin } })
  t.like(commit(registered, decision, { at: at(1) }).owner, { id: 'demo' })
})

test('a change may be bound to what its author has seen', (t) => {
  const etag = entityTag(registered)
  t.is(etag, '"1"')
  for (const ifMatch of [['*'], [etag], ['"9"', etag]]) {
    t.is(decide(registered, change({ volume: '1' }, { ifMatch })).type, 'accepted')
  }
  for (const ifMatch of [[], ['"9"'], [`W/${etag}`]]) {
    const refusal = { type: 'precondition_failed', etag } as const
    t.deepEqual(decide(registered, change({ volume: '1' }, { ifMatch })), refusal)
    t.deepEqual(decide(registered, withdrawal({ ifMatch })), refusal)
  }
})

test('a work that does not exist cannot be changed', (t) => {
  t.deepEqual(decide(undefined, change({})), { type: 'not_found' })
  t.deepEqual(decide(undefined, withdrawal()), { type: 'not_found' })
})

test('a withdrawal ends a work with a tombstone', (t) => {
  const members = { note: 'See there.', replacedBy: 'ark:/12345/other' }
  const decision = decide(registered, withdrawal(members))
  t.like(decision, {
    type: 'accepted',
    events: [
      {
        type: 'WorkWithdrawn',
        data: { reason: 'fraud', note: 'See there.', replaced_by: 'ark:/12345/other' },
      },
    ],
    statements: [
      {
        statement: 'tombstoned',
        reason: 'fraud',
        version: 1,
        receipt_id: registered.receipt_id,
        metadata_hash: registered.metadata_hash,
        timestamp: at(2),
      },
    ],
    change: { kind: 'withdrawn', version: 1, created_at: at(2) },
  })
  const withdrawn = commit(registered, decision, { at: at(2) })
  t.deepEqual(withdrawn, {
    ...registered,
    fixity_status: 'unreachable',
    seq: 2,
    revision: 2,
    status: 'withdrawn',
    updated_at: at(2),
    leafIndex: 200,
    changed: { position: 20, at: at(2) },
  })
  const gone = { type: 'gone', withdrawnAt: at(2) } as const
  t.deepEqual(decide(withdrawn, change({ volume: '1' })), gone)
  t.deepEqual(decide(withdrawn, withdrawal({ by: admin })), gone)
  t.deepEqual(decide(withdrawn, withdrawal({ by: other })), { type: 'forbidden' })
})

const notAnother = 'replaced_by must be the ARK of another work'

test('a work does not replace itself', (t) => {
  t.deepEqual(decide(registered, withdrawal({ replacedBy: `ark:/${ark}` })), {
    type: 'invalid',
    faults: [{ field: 'replaced_by', code: 'bad_value', message: notAnother }],
  })
})

const stable = { sha512: 'd'.repeat(128), bytes: 3, media_type: null, version: 1, leaf: 101 }
const found = { since: 1, checked_at: at(0), reason: null, message: null, streak: 1 }
const checked = { ...found, next_check_at: at(9), stable }
const verified: WorkState = {
  ...registered,
  content_hash: hash('b'),
  fixity_status: 'verified',
  checked,
}
const declared: Metadata = { content_hash: hash('a'), ...first }
const pending = { fixity_status: 'pending', content_hash: null }

for (const [title, state, current, patch, expected] of [
  ['fetched content stays with its address', verified, first, { volume: '1' }, verified],
  [
    'content at another address is unknown',
    verified,
    first,
    { work_url: 'https://b.example/' },
    pending,
  ],
  [
    'a failed check stays with its address',
    { ...verified, fixity_status: 'failed' },
    first,
    { volume: '1' },
    { content_hash: hash('b'), fixity_status: 'failed' },
  ],
  [
    'declaring what was fetched changes nothing of it',
    verified,
    first,
    { content_hash: hash('b') },
    verified,
  ],
  [
    'declaring something else asks for another check',
    verified,
    first,
    { content_hash: hash('c') },
    { content_hash: hash('c'), fixity_status: 'pending' },
  ],
  [
    'what was only declared goes with its declaration',
    { ...registered, content_hash: hash('a') },
    declared,
    { content_hash: null },
    pending,
  ],
  [
    'what was declared and verified stays without its declaration',
    { ...verified, content_hash: hash('a') },
    declared,
    { content_hash: null },
    { content_hash: hash('a'), fixity_status: 'verified' },
  ],
  [
    'what was declared goes with its address',
    { ...verified, content_hash: hash('a') },
    declared,
    { work_url: 'https://b.example/' },
    pending,
  ],
] as const) {
  test(`content of a version: ${title}`, (t) => {
    const { content_hash, fixity_status } = expected
    const decision = decide(state, change(patch, { current }))
    t.like(decision, {
      type: 'accepted',
      events: [{ data: { content_hash, fixity_status } }],
      statements: [{ content_hash }],
      change: { content_hash, fixity_status },
    })
    t.like(commit(state, decision, { at: at(1) }), { content_hash, fixity_status })
  })
}

test('events that cannot follow on a state are a bug', (t) => {
  const decision = decide(registered, change({ volume: '1' }))
  if (decision.type !== 'accepted') return t.fail()
  const [event] = decision.events
  if (event === undefined) return t.fail()
  const place = { stream: workStream(ark), seq: 2, at: at(1), position: 20, leafIndex: 200 }
  t.throws(() => evolve(registered, event, { ...place, seq: 3 }), {
    message: 'assertion failed: the events of a work have no gaps',
  })
  t.throws(() => evolve(undefined, event, { ...place, seq: 1 }), {
    message: 'assertion failed: a work is registered before anything else happens to it',
  })
  t.throws(() => evolve({ ...registered, version: 7 }, event, place), {
    message: 'assertion failed: the versions of a work have no gaps',
  })
  t.throws(() => evolve({ ...registered, status: 'withdrawn' }, event, place), {
    message: 'assertion failed: a work that is withdrawn can only be erased',
  })
})

test('a stream is named by its ARK', (t) => {
  t.is(workStream(ark), 'work/12345/x6np1wh8k')
  t.is(streamArk(workStream(ark)), ark)
})
