import test from 'ava'
import type { Agent } from '#actors/values/agent.ts'
import {
  type CheckDecision,
  checkTarget,
  decideCheck,
  decideRequest,
  dueOf,
} from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { type WorkState, workStream } from '#actors/works/events.ts'
import { evolve } from '#actors/works/rules.ts'
import { decide } from '#test/actors/works/_decision.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import { fetched, hashOf, unavailable } from '#test/actors/_content.ts'
import type { Finding } from '#actors/works/content.ts'

const ark = '12345/x6np1wh8k'
const owner: Agent = { type: 'organization', id: 'demo', name: 'Demo', via: 'api_key' }
const metadata: Metadata = {
  authors: 'Ada Gibbs',
  work_title: 'A title',
  work_type: 'article',
  work_url: 'https://example.org/work',
}
const startMs = Date.UTC(2026, 10, 21, 10)
const timeAt = (ms: number) => new Date(startMs + ms).toISOString()
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

const same: Finding = { type: 'same', content: fetched('a') }
const changed: Finding = { type: 'changed', content: fetched('b') }
const unstable: Finding = { type: 'unstable', message: 'why', content: fetched('c') }
const page = { ...fetched('d'), mediaType: 'text/html' } as const
const landing: Finding = { type: 'unstable', message: 'why', content: page }

function register(current: Metadata = metadata): WorkState {
  const command = {
    type: 'register',
    ark,
    dated: false,
    metadata: current,
    by: owner,
    at: timeAt(0),
    receiptSuffix: 'bcdfghjkmnpq',
  } as const
  const decision = decide(undefined, command)
  if (decision.type !== 'accepted') throw new Error(decision.type)
  return commit(undefined, decision, timeAt(0))
}

/** The work after what was decided, whose statement becomes leaf 100 × seq. */
function commit(
  state: WorkState | undefined,
  decided: Extract<CheckDecision | ReturnType<typeof decideRequest>, { type: 'accepted' }> | Parts,
  at: string,
): WorkState {
  const [event] = decided.events
  if (event === undefined) throw new Error('there is no event')
  const seq = (state?.seq ?? 0) + 1
  const leafIndex = decided.statements.length > 0 ? 100 * seq : -1
  return evolve(state, event, { stream: workStream(ark), seq, at, position: seq, leafIndex })
}
type Parts = Pick<Extract<ReturnType<typeof decide>, { type: 'accepted' }>, 'events' | 'statements'>

function check(state: WorkState, finding: Finding, ms: number, jitter = 0, current = metadata) {
  const report = { version: state.version, target: checkTarget(state, current), finding }
  const decision = decideCheck(state, current, report, { at: timeAt(ms), jitter })
  if (decision.type !== 'accepted') throw new Error(`the check is ${decision.type}`)
  return { decision, after: commit(state, decision, timeAt(ms)) }
}

/** The state after checks an hour apart. */
function checkAll(state: WorkState, findings: readonly Finding[]): WorkState {
  return findings.reduce((before, finding, index) => {
    return check(before, finding, (index + 1) * hour).after
  }, state)
}

test('new content is due at once, before what is checked again', (t) => {
  t.deepEqual(dueOf(register()), { version: 1, class: 0, at: timeAt(0) })
  t.deepEqual(dueOf(check(register(), same, hour).after), {
    version: 1,
    class: 1,
    at: timeAt(hour + day),
  })
})

test('content that is found stable is stated once, with the hash that was fetched', (t) => {
  const registered = register()
  const { decision, after } = check(registered, same, hour)
  const { metadata_hash, receipt_id } = registered
  const content_hash = hashOf('a')
  t.deepEqual(decision.statements, [
    {
      statement: 'content',
      ark: `ark:/${ark}`,
      version: 1,
      receipt_id,
      timestamp: timeAt(hour),
      content_hash,
      metadata_hash,
    },
  ])
  const { sha256, sha512, bytes } = fetched('a')
  t.deepEqual(decision.events[0].data, {
    version: 1,
    since: 1,
    receipt_id,
    from: 'pending',
    status: 'verified',
    method: 'remote_fetch',
    final_url: 'https://example.org/work',
    http_status: 200,
    bytes,
    media_type: 'application/pdf',
    sha256,
    sha512,
    reason: null,
    message: null,
    next_check_at: timeAt(hour + day),
    content: { content_hash, metadata_hash },
  })
  t.deepEqual(after, {
    ...registered,
    seq: 2,
    fixity_status: 'verified',
    content_hash,
    leafIndex: 200,
    changed: { position: 2, at: timeAt(hour) },
    checked: {
      since: 1,
      checked_at: timeAt(hour),
      reason: null,
      message: null,
      streak: 1,
      next_check_at: timeAt(hour + day),
      stable: { sha512, bytes, media_type: 'application/pdf', version: 1, leaf: 200 },
    },
  })
  t.deepEqual(check(after, same, 2 * hour).decision.statements, [])
})

for (const [title, findings, status, reason] of [
  ['pending → verified', [same], 'verified', null],
  ['pending → unreachable', [unavailable(404)], 'unreachable', 'http_status'],
  ['pending → unreachable without stable content', [unstable], 'unreachable', 'no_stable_content'],
  ['pending → unreachable as a page', [landing], 'unreachable', 'landing_page'],
  ['pending → failed', [changed], 'failed', 'hash_mismatch'],
  ['verified → failed', [same, changed], 'failed', 'hash_mismatch'],
  ['verified → unreachable', [same, unavailable(503)], 'unreachable', 'http_status'],
  ['failed → verified', [same, changed, same], 'verified', null],
  ['failed → unreachable', [same, changed, unavailable(410)], 'unreachable', 'http_status'],
  ['unreachable → verified', [unavailable(404), same], 'verified', null],
  ['unreachable → failed', [same, unavailable(404), changed], 'failed', 'hash_mismatch'],
] as const satisfies readonly (readonly [string, readonly Finding[], string, string | null])[]) {
  test(`transition: ${title}`, (t) => {
    const state = checkAll(register(), findings)
    t.is(state.fixity_status, status)
    t.is(state.checked?.reason, reason)
    const wasStable = findings.some((finding: Finding) => finding === same)
    t.is(state.content_hash, wasStable ? hashOf('a') : null)
    t.is(state.updated_at, timeAt(0), 'a check is no change of the work')
    t.is(state.revision, 1)
  })
}

for (const [title, finding, delays] of [
  ['verified', same, [day, 2 * day, 4 * day, 7 * day, 7 * day]],
  ['failed', changed, [day, 2 * day, 4 * day, 7 * day, 7 * day]],
  ['without stable content', unstable, [day, 2 * day, 4 * day, 7 * day, 7 * day]],
  [
    'unreachable',
    unavailable(404),
    [minute, 5 * minute, 30 * minute, 2 * hour, 12 * hour, day, 2 * day, 4 * day, 7 * day, 7 * day],
  ],
] as const) {
  test(`what stays ${title} is checked again after growing delays`, (t) => {
    let state = register()
    for (const delay of delays) {
      state = check(state, finding, hour).after
      t.deepEqual(dueOf(state), { version: 1, class: 1, at: timeAt(hour + delay) })
    }
  })
}

test('another status begins its delays anew', (t) => {
  const state = checkAll(register(), [unavailable(404), unavailable(404), same, unavailable(404)])
  t.deepEqual(dueOf(state), { version: 1, class: 1, at: timeAt(4 * hour + minute) })
})

test('a host may ask for more time, up to a week, but not for less', (t) => {
  const due = (finding: Finding) => dueOf(check(register(), finding, 0).after)?.at
  t.is(due(unavailable(503, 3 * hour)), timeAt(3 * hour))
  t.is(due(unavailable(429, 1_000)), timeAt(minute))
  t.is(due(unavailable(503, 365 * day)), timeAt(7 * day))
})

test('jitter spreads the next checks over a tenth of their delay', (t) => {
  t.is(dueOf(check(register(), same, 0, 0.5).after)?.at, timeAt(day * 1.05))
})

test('a declared hash stays until it is found, and is stated then', (t) => {
  const current = { content_hash: hashOf('a'), ...metadata }
  const failed = check(register(current), changed, hour, 0, current)
  t.like(failed.after, { fixity_status: 'failed', content_hash: hashOf('a') })
  t.deepEqual(failed.decision.statements, [])
  const found = check(failed.after, same, day, 0, current)
  t.like(found.after, { fixity_status: 'verified', content_hash: hashOf('a') })
  t.is(found.decision.statements.length, 1)
})

test('what was found at an address with secrets is kept without them', (t) => {
  const finalUrl = 'https://u:p@cdn.example/a?X-Amz-Signature=ab#top'
  const { decision } = check(register(), { type: 'same', content: fetched('a', { finalUrl }) }, 0)
  t.is(decision.events[0].data.final_url, 'https://cdn.example/a')
})

test('a check of content that the work no longer has is outdated', (t) => {
  const registered = register()
  const moment = { at: timeAt(hour), jitter: 0 }
  const report = { version: 1, target: checkTarget(registered, metadata), finding: same }
  const moved = { ...metadata, work_url: 'https://example.org/other' }
  t.deepEqual(decideCheck(registered, moved, report, moment), { type: 'outdated' })
  const verified = check(registered, same, hour).after
  t.deepEqual(decideCheck(verified, metadata, report, moment), { type: 'outdated' })
})

test('a withdrawn work is checked no more', (t) => {
  const registered = register()
  const withdrawal = { type: 'withdraw', reason: 'test', by: owner, at: timeAt(hour) } as const
  const decision = decide(registered, withdrawal)
  if (decision.type !== 'accepted') return t.fail()
  const withdrawn = commit(registered, decision, timeAt(hour))
  const report = { version: 1, target: checkTarget(registered, metadata), finding: same }
  const gone = { type: 'gone', withdrawnAt: timeAt(hour) } as const
  t.is(dueOf(withdrawn), undefined)
  t.deepEqual(decideCheck(withdrawn, metadata, report, { at: timeAt(day), jitter: 0 }), gone)
  t.deepEqual(decideRequest(withdrawn, owner), gone)
})

test('a check that is asked for goes before those that are due, and is asked for once', (t) => {
  t.deepEqual(decideRequest(register(), owner), { type: 'queued' })
  const verified = check(register(), same, hour).after
  const decision = decideRequest(verified, owner)
  if (decision.type !== 'accepted') return t.fail()
  t.like(decision, { events: [{ type: 'FixityRequested', by: owner }], statements: [] })
  const asked = commit(verified, decision, timeAt(2 * hour))
  t.deepEqual(dueOf(asked), { version: 1, class: 0, at: timeAt(2 * hour) })
  t.like(asked, { fixity_status: 'verified', leafIndex: 200, revision: 1 })
  t.deepEqual(decideRequest(asked, owner), { type: 'queued' })
  const checked = check(asked, same, 3 * hour).after
  t.is(checked.checked?.streak, 2)
  t.deepEqual(dueOf(checked), { version: 1, class: 1, at: timeAt(3 * hour + 2 * day) })
})

/** The next version of a work, made by its owner. */
function revise(state: WorkState, patch: object, current = metadata): WorkState {
  const command = { type: 'update', current, patch, by: owner, at: timeAt(day) } as const
  const decision = decide(state, { ...command, receiptSuffix: 'zzzzzzzzzzzz' })
  if (decision.type !== 'accepted') throw new Error(decision.type)
  return commit(state, decision, timeAt(day))
}

test('a version at the same address takes over what is known, and when it is due', (t) => {
  const verified = check(register(), same, hour).after
  const next = revise(verified, { volume: '1' })
  t.deepEqual(next.checked, verified.checked)
  t.like(next, { version: 2, fixity_status: 'verified', content_hash: hashOf('a') })
  const { decision, after } = check(next, same, 2 * day)
  t.deepEqual(decision.statements, [], 'its registration states the hash')
  t.like(decision.events[0].data, { version: 2, since: 1 })
  t.is(after.checked?.stable?.version, 1)
})

test('a version with other content is due at once, and has its own statement', (t) => {
  const verified = check(register(), same, hour).after
  const moved = { ...metadata, work_url: 'https://example.org/other' }
  const next = revise(verified, { work_url: moved.work_url })
  t.is(next.checked, undefined)
  t.deepEqual(dueOf(next), { version: 2, class: 0, at: timeAt(day) })
  const { decision } = check(next, same, 2 * day, 0, moved)
  t.like(decision.events[0].data, { version: 2, since: 2 })
  t.like(decision.statements[0], { statement: 'content', version: 2 })
})

test('another DOI is another content where the work has no other address', (t) => {
  const { work_url: _, ...doiOnly } = { ...metadata, existing_doi: '10.5555/1' }
  const verified = check(register(doiOnly), same, hour, 0, doiOnly).after
  t.is(revise(verified, { volume: '1' }, doiOnly).fixity_status, 'verified')
  t.is(revise(verified, { existing_doi: '10.5555/2' }, doiOnly).fixity_status, 'pending')
})

test('the entity tag changes with a check, and the one before it still meets If-Match', (t) => {
  const registered = register()
  const checked = check(registered, same, hour).after
  t.is(entityTag(registered), '"1"')
  t.is(entityTag(checked), '"1.2"')
  const update = (state: WorkState, tag: string) => {
    const command = {
      type: 'update',
      current: metadata,
      patch: { volume: '1' },
      by: owner,
    } as const
    const more = { at: timeAt(day), receiptSuffix: 'zzzzzzzzzzzz', ifMatch: [tag] }
    return decide(state, { ...command, ...more })
  }
  for (const tag of ['"1"', '"1.2"', '*']) t.is(update(checked, tag).type, 'accepted', tag)
  const revised = revise(checked, { volume: '2' })
  t.is(entityTag(revised), '"3"')
  for (const tag of ['"1"', '"1.2"', 'W/"3"', '"3', '"33"']) {
    t.deepEqual(update(revised, tag), { type: 'precondition_failed', etag: '"3"' })
  }
})
