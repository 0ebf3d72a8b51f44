import test, { type ExecutionContext } from 'ava'

import { idempotencyOf } from '#actors/journal/idempotency.ts'
import { digestOf, metadataHash } from '#actors/works/receipts/statement.ts'
import { canonicalJson } from '#actors/values/serialization.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import {
  type PreparationLimits,
  PreparedWork,
  WorkPreparation,
  worksReader,
} from '#src/use_cases/work_preparation.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { HttpError } from '#src/edge/errors.ts'
import { until } from '#test/_until.ts'
import { work } from '#test/src/_served_registry.ts'

const limits: PreparationLimits = {
  threadsMax: 2,
  waitingMax: 8,
  bodyTime: { cpuMsMax: 60_000, msMax: 600_000 },
  heapMegabytesMax: 256,
  idleMsMax: 600_000,
}

const bodyOf = (...works: unknown[]) => Buffer.from(JSON.stringify({ owner: 'org:demo', works }))

const bodies = [
  work(),
  work({ work_title: '  A   “title”  with Ünïcode \u{1f4d6} ', authors: 'Doe, Jane; Roe, Rick' }),
  work({ existing_doi: 'https://doi.org/10.1234/ABC', colour: 'red' }),
  { work_title: 'No type' },
  { type: 'ok', metadata: { work_title: 'No check' } },
  null,
  17,
  [],
]

test('what threads make of works is what is made of them one by one', async (t) => {
  const preparation = new WorkPreparation(limits)
  const calls = Array.from({ length: 5 }, () => preparation.read(bodyOf(...bodies)))
  for (const read of await Promise.all(calls)) {
    const { owner, works } = read as { owner: string; works: readonly PreparedWork[] }
    t.is(owner, 'org:demo')
    t.is(works.length, bodies.length)
    for (const [index, prepared] of works.entries()) {
      const body = bodies[index]
      t.true(prepared instanceof PreparedWork)
      t.deepEqual(prepared.check, checkNewWork(body))
      t.is(prepared.bodyHash, idempotencyOf('a', body).bodyHash)
      if (prepared.check.type !== 'ok') continue
      const text = canonicalJson(prepared.check.metadata)
      t.deepEqual(digestOf(prepared.check.metadata), { text, hash: metadataHash(text) })
    }
  }
  t.is(preparation.threads, limits.threadsMax)
})

test('each of many threads of requests reads with one of its own at least', async (t) => {
  const read = (await worksReader(1_000)(bodyOf(work()))) as { works: readonly PreparedWork[] }
  t.true(read.works[0] instanceof PreparedWork)
})

test('a body without works is left to its schema, and no JSON is refused', async (t) => {
  const preparation = new WorkPreparation(limits)
  for (const body of [{}, { works: 'all' }, [1], null, 'text']) {
    t.deepEqual(await preparation.read(Buffer.from(JSON.stringify(body))), body)
  }
  t.deepEqual(await preparation.read(bodyOf()), { owner: 'org:demo', works: [] })
  const texts = ['{"works": [1, 2}', '{"works": [], "works": []}', '', '\u0000', '{"a":"\xff']
  for (const text of texts) {
    const bytes = Buffer.from(text, 'latin1')
    const expected = t.throws(() => parseStrictJson(bytes), { instanceOf: HttpError })
    const { code, message } = expected ?? {}
    await t.throwsAsync(preparation.read(bytes), { instanceOf: HttpError, code, message })
  }
})

test('without threads a body is only parsed', async (t) => {
  const preparation = new WorkPreparation({ ...limits, threadsMax: 0 })
  t.deepEqual(await preparation.read(bodyOf(...bodies)), { owner: 'org:demo', works: bodies })
  t.is(preparation.threads, 0)
})

async function isUnavailable(t: ExecutionContext, reading: Promise<unknown>, message: RegExp) {
  const error = await t.throwsAsync(reading, { instanceOf: HttpError, message })
  t.like(error, { code: 'unavailable', extra: { retry_after: 1 } })
}

test('a thread that dies fails its body, and the next has a new one', async (t) => {
  const preparation = new WorkPreparation({ ...limits, threadsMax: 1, heapMegabytesMax: 32 })
  const description = 'x'.repeat(5_000)
  const many = bodyOf(...Array.from({ length: 10_000 }, () => work({ description })))
  const dying = isUnavailable(t, preparation.read(many), /its thread has failed; send them again$/)
  const next = preparation.read(bodyOf(work()))
  await dying
  t.like(await next, { owner: 'org:demo' })
  t.is(preparation.threads, 1)
})

test('a body that takes too long is given up', async (t) => {
  // No thread is ready within a millisecond.
  const bodyTime = { ...limits.bodyTime, msMax: 1 }
  const preparation = new WorkPreparation({ ...limits, threadsMax: 1, bodyTime })
  const reading = [preparation.read(bodyOf(work())), preparation.read(bodyOf(work()))]
  for (const body of reading) await isUnavailable(t, body, /: it took too long; /)
  t.is(preparation.threads, 0)
})

test('few bodies wait, and threads without work end', async (t) => {
  const preparation = new WorkPreparation({ ...limits, threadsMax: 1, waitingMax: 1, idleMsMax: 1 })
  const first = preparation.read(bodyOf(work()))
  const second = preparation.read(bodyOf(work()))
  await isUnavailable(t, preparation.read(bodyOf(work())), /too many others wait/)
  await first
  await second
  await until('the thread has ended', () => preparation.threads === 0, { pauseMs: 5 })
  t.like(await preparation.read(bodyOf(work())), { owner: 'org:demo' })
})
