import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import type { AlarmKind } from '#src/tlog_tools/monitor/alarm.ts'
import type { MonitorRound } from '#src/tlog_tools/monitor/monitor.ts'
import { mirrorAt, peerAt } from '#src/tlog_tools/monitor/vantage.ts'
import {
  demand,
  openMonitor,
  type OpenedMonitor,
  PliantWitness,
  startMs,
} from '#test/src/tlog_tools/monitor/_opened_monitor.ts'
import {
  checkpointOf,
  filesOf,
  makeEntries,
  serveLog,
} from '#test/src/tlog_tools/monitor/_served_log.ts'
import { privateKey, signedCheckpoint } from '#test/src/client/verify/_registry.ts'

const { signal } = new AbortController()
const witnesses = [1, 2, 3].map((n) => new PliantWitness(`w${n}`, 40 + n))
const [w1, w2, w3] = witnesses as [PliantWitness, PliantWitness, PliantWitness]

function isAlarm(t: ExecutionContext, round: MonitorRound, place: string, kind: AlarmKind) {
  const [found] = round.alarms
  t.deepEqual([round.alarms.length, found?.place, found?.alarm.kind], [1, place, kind])
  return found?.alarm.message ?? ''
}

/** That the newest report is of an alarm of this kind, and says what to do. */
function reports(t: ExecutionContext, { told }: OpenedMonitor, kind: AlarmKind, advice: RegExp) {
  const report = told.at(-1)
  t.is(report?.type, 'alarm')
  t.is(report?.kind, kind)
  t.regex(report?.advice ?? '', advice)
  return report
}

test('a split view between two vantage points is an alarm with both notes', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const other = await serveLog(t, makeEntries(300))
  const monitor = await openMonitor(t, log, { vantages: [mirrorAt(other.url, signal)] })
  t.deepEqual((await monitor.look()).alarms, [])
  const forked = makeEntries(700)
  forked[299] = Buffer.from('another entry 299')
  for (const [here, there] of [
    [makeEntries(300), forked],
    [makeEntries(800), forked],
    [makeEntries(800), forked.slice(0, 300)],
  ] as const) {
    log.files = filesOf(here)
    other.files = filesOf(there)
    const message = isAlarm(t, await monitor.look(), other.url, 'split_view')
    t.true(message.includes(`sizes ${here.length} here and ${there.length} there`), message)
  }
  const report = reports(t, monitor, 'split_view', /both signed notes .* two histories/)
  const evidence = report?.evidence ?? ''
  const read = (name: string) => readFile(path.join(evidence, name), 'utf8')
  t.is(await read('here/checkpoint'), checkpointOf(makeEntries(300)))
  t.is(await read('there/new-checkpoint'), checkpointOf(forked))
  t.true((await readdir(path.join(evidence, 'there'))).includes('tile'))
  // It was one incident, and goes on whatever is shown later, and after a restart.
  other.files = filesOf(makeEntries(800))
  await monitor.reopen()
  t.deepEqual((await monitor.look()).alarms, [])
  t.is(monitor.told.length, 1)
  t.deepEqual(
    monitor.current().incidents.map(({ kind }) => kind),
    ['split_view'],
  )
})

test('vantage points that lag or lead are no alarm, until they stand still', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const mirror = await serveLog(t, makeEntries(200))
  const monitor = await openMonitor(t, log, { vantages: [mirrorAt(mirror.url, signal)] })
  for (const size of [200, 300, 500]) {
    mirror.files = filesOf(makeEntries(size))
    t.deepEqual((await monitor.look()).alarms, [], `${size}`)
  }
  // However long nothing was registered, who is an hour behind then does not stand still.
  log.files = filesOf(makeEntries(500))
  for (let hour = 0; hour < 30; hour += 1) await monitor.look()
  log.files = filesOf(makeEntries(600))
  t.deepEqual((await monitor.look()).alarms, [])
  for (let hour = 0; hour < 24; hour += 1) t.deepEqual((await monitor.look()).alarms, [])
  const frozen = await monitor.look()
  t.true(frozen.alarms.some(({ place, alarm }) => place === mirror.url && alarm.kind === 'stale'))
  log.files = filesOf(makeEntries(601))
  mirror.files = filesOf(makeEntries(601))
  t.deepEqual((await monitor.look()).alarms, [])
  t.is(monitor.told.at(-1)?.type, 'alarm_ended')
  t.deepEqual(monitor.current().incidents, [])
})

test('an old checkpoint that is replayed is a rollback, here and at a vantage point', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const mirror = await serveLog(t, makeEntries(300))
  const monitor = await openMonitor(t, log, { vantages: [mirrorAt(mirror.url, signal)] })
  await monitor.look()
  mirror.files = filesOf(makeEntries(299))
  const there = isAlarm(t, await monitor.look(), mirror.url, 'rollback')
  t.is(there, `${mirror.url} shows a head of 299 entries after one of 300`)
  reports(t, monitor, 'rollback', /old copy was restored, or a cache/)
  mirror.files = filesOf(makeEntries(300))
  log.files.set('checkpoint', Buffer.from(checkpointOf(makeEntries(299))))
  isAlarm(t, await monitor.look(), 'log', 'rollback')
  reports(t, monitor, 'rollback', /Ask the operator/)
})

test('another monitor that sees further is compared once the log has come as far', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const ours = await openMonitor(t, log)
  const peer = await serveLog(t, makeEntries(400))
  const vantages = [peerAt(path.join(ours.folder, 'state.json'), signal), peerAt(peer.url, signal)]
  const monitor = await openMonitor(t, log, { vantages })
  const first = await monitor.look()
  t.deepEqual(first.alarms, [])
  t.regex(first.failures[0]?.message ?? '', /state\.json cannot be read: ENOENT/)
  await ours.look()
  t.deepEqual((await monitor.look()).failures, [])
  log.files = filesOf(makeEntries(500, ' of another history'))
  peer.files = filesOf(makeEntries(500))
  const fresh = await openMonitor(t, log, { vantages })
  const alarms = (await fresh.look()).alarms.map(({ place, alarm }) => `${alarm.kind} ${place}`)
  t.deepEqual(
    alarms,
    vantages.map(({ name }) => `split_view ${name}`),
  )
})

test('a log that another key signs is told from one that is garbled', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const monitor = await openMonitor(t, log)
  await monitor.look()
  const forged = signedCheckpoint(
    { origin: 'log.example/test', logKey: privateKey(8) },
    4,
    Buffer.alloc(32),
  )
  log.files.set('checkpoint', Buffer.from(forged))
  isAlarm(t, await monitor.look(), 'log', 'key_changed')
  reports(t, monitor, 'key_changed', /by another way than the site/)
  log.files.set('checkpoint', Buffer.from('<html>'))
  isAlarm(t, await monitor.look(), 'log', 'bad_checkpoint')
  // The one has ended as the other began.
  t.deepEqual(
    monitor.told.map(({ type, kind }) => `${type} ${kind}`),
    ['alarm key_changed', 'alarm bad_checkpoint', 'alarm_ended key_changed'],
  )
})

test('the quorum of a policy is demanded, and must be of late', async (t) => {
  const entries = makeEntries(300)
  const log = await serveLog(t, entries)
  const monitor = await openMonitor(t, log, { quorum: demand(2, witnesses) })
  const plain = checkpointOf(entries)
  const missed = isAlarm(t, await monitor.look(), 'quorum', 'quorum_missed')
  t.is(missed, 'the policy demands 2 of (w1, w2, w3), but none of its witnesses has signed')
  reports(t, monitor, 'quorum_missed', /Compare the checkpoint with what others see/)
  // One key that was stolen is below the quorum.
  log.files.set('checkpoint', Buffer.from(w1.cosign(plain, monitor.nowMs())))
  t.regex(isAlarm(t, await monitor.look(), 'quorum', 'quorum_missed'), /but only w1 signed$/)
  const two = w2.cosign(w1.cosign(plain, monitor.nowMs()), startMs)
  log.files.set('checkpoint', Buffer.from(w3.cosign(two, monitor.nowMs())))
  t.deepEqual((await monitor.look()).alarms, [])
  t.is(monitor.told.at(-1)?.type, 'alarm_ended')
  const lapsed = isAlarm(t, await monitor.look(), 'quorum', 'quorum_lapsed')
  t.regex(lapsed, /last signed at 2026-03-04T07:06:07\.000Z, more than 7200 s ago/)
  reports(t, monitor, 'quorum_lapsed', /Witnesses are down, or refuse/)
})

test('a cosignature of years ahead does not look as if it were of late', async (t) => {
  const entries = makeEntries(300)
  const log = await serveLog(t, entries)
  const year2036 = Date.UTC(2036, 0, 1)
  const ahead = w1.cosign(checkpointOf(entries), year2036)
  log.files.set('checkpoint', Buffer.from(ahead))
  const monitor = await openMonitor(t, log, { quorum: demand(1, [w1, w2]) })
  t.is(
    isAlarm(t, await monitor.look(), 'quorum', 'quorum_missed'),
    'the policy demands 1 of (w1, w2), but some signed ahead of this clock: w1 at ' +
      '2036-01-01T00:00:00.000Z',
  )
  log.files.set('checkpoint', Buffer.from(w2.cosign(ahead, startMs + 2 * 3_600_000)))
  t.deepEqual((await monitor.look()).alarms, [])
  t.deepEqual((await monitor.look()).alarms, [])
  await monitor.look()
  t.regex(
    isAlarm(t, await monitor.look(), 'quorum', 'quorum_lapsed'),
    /last signed at 2026-03-04T07:06:07\.000Z/,
  )
})

test('the newest witnessed checkpoint stands in for one that was just signed', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const monitor = await openMonitor(t, log, { quorum: demand(1, [w1]) })
  const witnessed = w1.cosign(checkpointOf(makeEntries(200)), startMs + 3_600_000)
  log.files.set('checkpoint/witnessed', Buffer.from(witnessed))
  t.deepEqual((await monitor.look()).alarms, [])
  // Witnesses that know another history are proof of a fork, whoever made it.
  const other = w1.cosign(checkpointOf(makeEntries(250, ' of another')), startMs + 7_200_000)
  log.files.set('checkpoint/witnessed', Buffer.from(other))
  const message = isAlarm(t, await monitor.look(), 'quorum', 'fork')
  t.is(message, 'the witnesses signed another history than the log shows: sizes 250 and 300')
})

test('of a fork it is told which witness has signed both heads', async (t) => {
  const entries = makeEntries(300)
  const log = await serveLog(t, entries)
  const monitor = await openMonitor(t, log, { quorum: demand(1, [w1, w2]) })
  const both = w2.cosign(w1.cosign(checkpointOf(entries), startMs), startMs)
  log.files.set('checkpoint', Buffer.from(both))
  t.deepEqual((await monitor.look()).alarms, [])
  const forked = makeEntries(400, ' of another')
  log.files = filesOf(forked)
  log.files.set('checkpoint', Buffer.from(w1.cosign(checkpointOf(forked), startMs)))
  const message = isAlarm(t, await monitor.look(), 'log', 'fork')
  t.regex(message, /; and these witnesses have cosigned both: w1$/)
})

test('a cosignature of another log is an alarm, and counts for nothing', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const monitor = await openMonitor(t, log, { quorum: demand(1, [w1]) })
  const foreign = checkpointOf(makeEntries(300)).replace('log.example/test', 'log.example/other')
  const line = w1.line(foreign, startMs + 3_600_000)
  log.files.set('checkpoint', Buffer.from(checkpointOf(makeEntries(300)) + line))
  const message = isAlarm(t, await monitor.look(), 'quorum', 'bad_cosignature')
  t.is(message, 'the signature of witness.example/w1 is wrong')
  reports(t, monitor, 'bad_cosignature', /of another checkpoint or log, or was forged/)
})

test('a frozen log is told once, and once more when it moves', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const monitor = await openMonitor(t, log)
  for (let hour = 0; hour <= 30; hour += 1) await monitor.look()
  log.files.set('checkpoint', 503)
  await monitor.look()
  await monitor.reopen()
  await monitor.look()
  reports(t, monitor, 'stale', /Compare with another vantage point/)
  log.files = filesOf(makeEntries(4))
  await monitor.look()
  t.deepEqual(
    monitor.told.map(({ type }) => type),
    ['alarm', 'alarm_ended'],
  )
})
