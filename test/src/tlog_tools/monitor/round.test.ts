import test, { type ExecutionContext } from 'ava'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { noteVerifier } from '#log/tlog/ed25519.ts'
import type { AlarmKind } from '#src/tlog_tools/monitor/alarm.ts'
import { httpLogSource } from '#src/tlog_tools/monitor/log_source.ts'
import { readMonitorState } from '#src/tlog_tools/monitor/monitor_state.ts'
import { type RoundOutcome, runRound } from '#src/tlog_tools/monitor/round.ts'
import {
  checkpointOf,
  encodeBundle,
  filesOf,
  makeEntries,
  type ServedLog,
  serveLog,
  vkey,
} from '#test/src/tlog_tools/monitor/_served_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const startMs = Date.parse('2026-03-04T05:06:07.089Z')
const dayMs = 86_400_000

// Three levels of tiles, the last of one hash; made once, for it takes a while.
const largeSize = 66_000
const largeFiles = filesOf(makeEntries(largeSize))

// Monitors one log, each look an hour after the one before.
async function createMonitor(t: ExecutionContext, log: ServedLog) {
  const folder = await makeTempDir(t)
  const steps: number[] = []
  const followed = {
    source: httpLogSource(log.url, new AbortController().signal),
    vkey,
    verifier: noteVerifier(vkey),
    folder,
    staleAfterMs: dayMs,
    onProgress: (checked: number) => void steps.push(checked),
  }
  let nowMs = startMs
  const look = () => runRound(followed, (nowMs += 3_600_000))
  return { folder, look, steps, state: () => readMonitorState(folder, vkey) }
}

function isAlarm(t: ExecutionContext, outcome: RoundOutcome, kind: AlarmKind, message: string) {
  if (outcome.type !== 'alarm') return t.fail(`there was no alarm: ${outcome.type}`)
  t.is(outcome.kind, kind)
  t.is(outcome.message, message)
  return outcome.evidence
}

test('a log that only grows is followed, and every entry read once', async (t) => {
  const sizes = [1, 255, 256, 257, 700, 700, largeSize]
  const log = await serveLog(t, [])
  const { look, state, steps } = await createMonitor(t, log)
  const outcomes: RoundOutcome[] = []
  for (const size of sizes) {
    log.files = size === largeSize ? largeFiles : filesOf(makeEntries(size))
    outcomes.push(await look())
    t.is((await state())?.entriesChecked, size)
  }
  t.deepEqual(outcomes, [
    { type: 'started', treeSize: 1 },
    { type: 'advanced', from: 1, treeSize: 255 },
    { type: 'advanced', from: 255, treeSize: 256 },
    { type: 'advanced', from: 256, treeSize: 257 },
    { type: 'advanced', from: 257, treeSize: 700 },
    { type: 'unchanged', treeSize: 700 },
    { type: 'advanced', from: 700, treeSize: 66_000 },
  ])
  t.deepEqual(steps, [1, 255, 256, 257, 700, 16_384, 32_768, 49_152, 65_536, 66_000])
})

test('an empty log is followed into its first entries', async (t) => {
  const log = await serveLog(t, [])
  const { look } = await createMonitor(t, log)
  t.deepEqual(await look(), { type: 'started', treeSize: 0 })
  log.files = filesOf(makeEntries(3))
  t.deepEqual(await look(), { type: 'advanced', from: 0, treeSize: 3 })
})

test('a partial tile that has given way to the full one is cut out of it', async (t) => {
  const log = await serveLog(t, makeEntries(200))
  const { look } = await createMonitor(t, log)
  const later = filesOf(makeEntries(256))
  log.files = new Map([...later, ['checkpoint', log.files.get('checkpoint') ?? 404]])
  t.deepEqual(await look(), { type: 'started', treeSize: 200 })
})

test('a second head for one size is a fork', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const { look } = await createMonitor(t, log)
  await look()
  log.files = filesOf(makeEntries(300, ' of another history'))
  const evidence = isAlarm(
    t,
    await look(),
    'fork',
    'the log has signed two heads that contradict each other: sizes 300 and 300',
  )
  t.is(String(evidence?.get('old-checkpoint')), checkpointOf(makeEntries(300)))
  t.is(String(evidence?.get('new-checkpoint')), String(log.files.get('checkpoint')))
})

test('a larger log that does not extend the head seen before is a fork', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const { look, state } = await createMonitor(t, log)
  await look()
  const before = await state()
  const other = makeEntries(700)
  other[299] = Buffer.from('another entry 299')
  log.files = filesOf(other)
  const evidence = isAlarm(
    t,
    await look(),
    'fork',
    'the log has signed two heads that contradict each other: sizes 300 and 700',
  )
  t.deepEqual(await state(), before)
  t.deepEqual([...(evidence?.keys() ?? [])].toSorted(), [
    'new-checkpoint',
    'old-checkpoint',
    'tile/0/001',
    'tile/0/002.p/188',
    'tile/1/000.p/2',
  ])
})

test('a smaller head is a rollback, even of the same history', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const { look } = await createMonitor(t, log)
  await look()
  log.files = filesOf(makeEntries(299))
  isAlarm(t, await look(), 'rollback', 'the log signs a head of 299 entries after one of 300')
  log.files = filesOf(makeEntries(301))
  t.deepEqual(await look(), { type: 'advanced', from: 300, treeSize: 301 })
})

test('a checkpoint that is garbled or signed by another key is an alarm', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const { look, state } = await createMonitor(t, log)
  const good = checkpointOf(makeEntries(3))
  for (const bad of ['', 'hello', good.replace('\n3\n', '\n4\n'), good.slice(0, -2)]) {
    log.files.set('checkpoint', Buffer.from(bad))
    const outcome = await look()
    t.is(outcome.type === 'alarm' && outcome.kind, 'bad_checkpoint')
    t.is(outcome.type === 'alarm' && String(outcome.evidence.get('new-checkpoint')), bad)
  }
  t.is(await state(), undefined)
})

test('every tile is checked: a wrong byte anywhere is an alarm', async (t) => {
  const log = await serveLog(t, [])
  const tilePaths = [...largeFiles.keys()].filter((file) =>
    /^tile\/(0\/(000|100|257)|[12])/.test(file),
  )
  t.deepEqual(tilePaths, [
    'tile/0/000',
    'tile/0/100',
    'tile/0/257.p/208',
    'tile/1/000',
    'tile/1/001.p/1',
    'tile/2/000.p/1',
  ])
  for (const file of tilePaths) {
    const bytes = Buffer.from(largeFiles.get(file) as Buffer)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    log.files = new Map([...largeFiles, [file, bytes]])
    const { look } = await createMonitor(t, log)
    const outcome = await look()
    t.is(outcome.type === 'alarm' && outcome.kind, 'bad_tile', file)
    t.true(outcome.type === 'alarm' && outcome.evidence.has(file), file)
  }
})

test('a tile that is too short is an alarm', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const { look } = await createMonitor(t, log)
  log.files.set('tile/0/000', (log.files.get('tile/0/000') as Buffer).subarray(32))
  isAlarm(t, await look(), 'bad_tile', 'tile 0/0 has not the 256 hashes asked for')
})

test('an entry that does not hash to its leaf is an alarm, and read again later', async (t) => {
  const entries = makeEntries(300)
  const log = await serveLog(t, entries)
  const { look, state } = await createMonitor(t, log)
  const good = log.files.get('tile/entries/001.p/44') ?? 404
  const wrong = entries.slice(256)
  wrong[3] = Buffer.from('entry 259, changed')
  log.files.set('tile/entries/001.p/44', encodeBundle(wrong))
  const problem = 'entry 259 does not hash to its leaf in the tree'
  const evidence = isAlarm(t, await look(), 'bad_entries', problem)
  t.deepEqual(evidence?.get('tile/entries/001.p/44'), encodeBundle(wrong))
  isAlarm(t, await look(), 'bad_entries', problem)
  log.files.set('tile/entries/001.p/44', good)
  t.deepEqual(await look(), { type: 'unchanged', treeSize: 300 })
  t.is((await state())?.entriesChecked, 300)
})

test('a bundle of too few entries is an alarm', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const { look } = await createMonitor(t, log)
  log.files.set('tile/entries/000', encodeBundle(makeEntries(255)))
  const outcome = await look()
  t.is(outcome.type === 'alarm' && outcome.kind, 'bad_entries')
})

test('a log that denies what its head commits it to raises an alarm', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const { look } = await createMonitor(t, log)
  log.files.delete('tile/0/000')
  isAlarm(t, await look(), 'bad_reply', `${log.url}/tile/0/000 answers 404`)
})

test('redirects are not followed, and too long replies are cut', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const { look } = await createMonitor(t, log)
  log.files.set('tile/0/000', 302)
  const redirected = `${log.url}/tile/0/000 answers 302, a redirect to /checkpoint`
  isAlarm(t, await look(), 'bad_reply', redirected)
  log.files.set('tile/0/000', Buffer.alloc(8_193))
  isAlarm(t, await look(), 'bad_reply', `${log.url}/tile/0/000 answers more than 8192 bytes`)
})

test('a log that fails for a while is not accused; reading goes on where it stopped', async (t) => {
  const log = await serveLog(t, [])
  const { look, state, steps } = await createMonitor(t, log)
  log.files = new Map([...largeFiles, ['tile/entries/130', 503]])
  t.deepEqual(await look(), {
    type: 'unreachable',
    message: `${log.url}/tile/entries/130 answers 503`,
  })
  t.is((await state())?.entriesChecked, 32_768)
  log.files = largeFiles
  t.deepEqual(await look(), { type: 'unchanged', treeSize: largeSize })
  t.deepEqual(steps, [16_384, 32_768, 49_152, 65_536, largeSize])
})

test('a head that stays the same too long is stale, reachable or not', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const { look } = await createMonitor(t, log)
  for (let hour = 0; hour <= 24; hour += 1) t.not((await look()).type, 'alarm')
  const message = 'the log has shown no newer head since 2026-03-04T06:06:07.089Z'
  isAlarm(t, await look(), 'stale', message)
  log.files.set('checkpoint', 500)
  isAlarm(t, await look(), 'stale', message)
  log.files = filesOf(makeEntries(4))
  t.deepEqual(await look(), { type: 'advanced', from: 3, treeSize: 4 })
})

test('a state folder of another log is refused', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const { look, folder } = await createMonitor(t, log)
  await look()
  await t.throwsAsync(() => readMonitorState(folder, 'other.example+00000000+AAAA'), {
    code: 'unusable_state',
    message: `${path.join(folder, 'state.json')} is of the log ${vkey}: use another folder`,
  })
})

test('the state is one JSON file with the signed head', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const { look, folder } = await createMonitor(t, log)
  await look()
  t.deepEqual(JSON.parse(await readFile(path.join(folder, 'state.json'), 'utf8')), {
    schema: 1,
    vkey,
    checkpoint: checkpointOf(makeEntries(3)),
    headSinceMs: startMs + 3_600_000,
    entriesChecked: 3,
  })
})
