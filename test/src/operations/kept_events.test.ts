import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { createLogger, logRequest } from '#src/edge/logger.ts'
import { EventTap, eventsFile, keptLimits, KeptEvents } from '#src/operations/kept_events.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const beginMs = Date.parse('2026-01-01T00:00:00.000Z')
const dayMs = 86_400_000

function failing(t: ExecutionContext): (error: unknown) => void {
  return (error) => t.fail(String(error))
}

async function fileOf(t: ExecutionContext): Promise<string> {
  return eventsFile({ dataDir: await makeTempDir(t) })
}

const refused = {
  id: 'request-1',
  method: 'GET',
  url: '/v1/works?api_key=svc_live_0123456789abcdef',
  status: 403,
  ip: '192.0.2.77',
  elapsedMs: 1,
}

test('refusals, errors and alarms are kept without secrets and addresses', async (t) => {
  const file = await fileOf(t)
  const lines: string[] = []
  const tap = new EventTap({ write: (line) => void lines.push(line) }, Date.now)
  const logger = createLogger('debug', tap)
  logRequest(logger, { ...refused, status: 200 })
  logRequest(logger, refused)
  logRequest(logger, { ...refused, isRepeated: true })
  logger.info('started')
  logger.error({ err: new Error('no room'), request_id: 'request-2' }, 'a write failed')
  tap.noteAlarm('Began: The disk is full.')
  const span = { fromMs: Date.now() - dayMs, untilMs: Date.now() + dayMs, limit: 10 }
  t.is(tap.read(span), undefined, 'nothing is kept before there is a file')
  tap.keepIn({ dataDir: path.dirname(file) }, failing(t))
  const found = tap.read(span)
  t.is(lines.length, 5, 'the log has every line')
  t.like(found?.refusal, { count: 1 })
  t.like(found?.refusal.events[0], { status: 403, network: '192.0.2.0/24', requestId: 'request-1' })
  t.is(found?.refusal.events[0]?.text, 'GET /v1/works?api_key=[redacted]')
  t.like(found?.error.events, [{ text: 'a write failed · no room', requestId: 'request-2' }])
  t.like(found?.alarm.events, [{ text: 'Began: The disk is full.' }])
  logRequest(logger, refused)
  tap.close()
  const again = KeptEvents.open(file, failing(t))
  t.teardown(() => again.close())
  t.is(again.read(span).refusal.count, 2, 'what waited is written at the end')
  const later = { ...span, fromMs: span.untilMs, untilMs: span.untilMs + dayMs }
  t.is(again.read(later).refusal.count, 0)
})

test('a flood is counted, and takes the room of so many lines a minute', async (t) => {
  const kept = KeptEvents.open(await fileOf(t), failing(t))
  t.teardown(() => kept.close())
  const events = (atMs: number, count: number) =>
    Array.from({ length: count }, () => ({ atMs, kind: 'refusal' as const, text: 'x' }))
  for (let round = 0; round < 3; round += 1) {
    const counts = new Map([['refusal', 150 + 1_000 * round] as const])
    kept.add({ events: events(beginMs, 150), counts }, beginMs)
  }
  const span = { fromMs: beginMs, untilMs: beginMs + 60_000, limit: 1_000 }
  const { refusal } = kept.read(span)
  t.deepEqual([refusal.count, refusal.events.length], [3_450, keptLimits.perMinuteMax])
})

test('thirty days of floods take bounded room, and what is older is gone', async (t) => {
  const file = await fileOf(t)
  const kept = KeptEvents.open(file, failing(t))
  const text = 'x'.repeat(keptLimits.charactersMax)
  const minutes = 260
  const add = (minute: number) => {
    const nowMs = beginMs + minute * 60_000
    const event = { atMs: nowMs, kind: 'error' as const, text }
    kept.add(
      { events: Array.from({ length: 200 }, () => event), counts: new Map([['error', 200]]) },
      nowMs,
    )
  }
  for (let minute = 0; minute < minutes; minute += 1) add(minute)
  const all = { fromMs: 0, untilMs: beginMs * 2, limit: 100_000 }
  t.is(kept.read(all).error.events.length, keptLimits.eventsMax)
  t.is(kept.read(all).error.count, minutes * 200)
  kept.add({ events: [], counts: new Map([['alarm', 1]]) }, beginMs + keptLimits.ageMs + dayMs)
  t.is(kept.read(all).error.events.length, 0)
  t.is(kept.read(all).error.count, 0)
  kept.close()
  t.true((await stat(file)).size < 60_000_000)
})

test('a file that cannot be read is put aside', async (t) => {
  const file = await fileOf(t)
  await writeFile(file, 'no database, but a text that is long enough to be looked at')
  const faults: unknown[] = []
  const kept = KeptEvents.open(file, (error) => faults.push(error))
  t.teardown(() => kept.close())
  kept.add({ events: [], counts: new Map([['alarm', 1]]) }, beginMs)
  t.is(faults.length, 1)
  t.true((await readdir(path.dirname(file))).includes('events.db.damaged'))
})
