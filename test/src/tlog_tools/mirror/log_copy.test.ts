// A copy of a log holds what the log serves, byte for byte, and nothing that does not verify.

import { rm } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import type { MonitorRound } from '#src/tlog_tools/monitor/monitor.ts'
import { demand, PliantWitness, startMs } from '#test/src/tlog_tools/monitor/_opened_monitor.ts'
import {
  checkpointOf,
  filesOf,
  makeEntries,
  serveLog,
} from '#test/src/tlog_tools/monitor/_served_log.ts'
import { openMirror, type OpenedMirror } from '#test/src/tlog_tools/mirror/_opened_mirror.ts'

function alarmsOf({ alarms }: MonitorRound): string[] {
  return alarms.map(({ place, alarm }) => `${place}: ${alarm.kind}`)
}

/** The files of a log, sorted by path. */
function sorted(files: ReadonlyMap<string, unknown>): [string, unknown][] {
  return [...files].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

async function assertCopy(t: ExecutionContext, mirror: OpenedMirror, entries: Buffer[]) {
  t.deepEqual(sorted(await mirror.files()), sorted(filesOf(entries)))
  t.deepEqual(await mirror.audit(), { treeSize: entries.length, problems: [], ahead: 0 })
}

for (const size of [0, 1, 3, 256, 257, 700, 66_000]) {
  test(`the copy of a log of ${size} entries is what the log serves`, async (t) => {
    const entries = makeEntries(size)
    const mirror = await openMirror(t, await serveLog(t, entries))
    t.deepEqual(alarmsOf(await mirror.look()), [])
    await assertCopy(t, mirror, entries)
    t.deepEqual(mirror.shown, [size])
  })
}

test('a copy grows with its log, and asks for nothing twice but the edge', async (t) => {
  const all = makeEntries(1_100)
  const log = await serveLog(t, all.slice(0, 3))
  const mirror = await openMirror(t, log)
  for (const size of [3, 200, 300, 512, 1_100]) {
    log.files = filesOf(all.slice(0, size))
    log.asked.length = 0
    await mirror.look()
    await mirror.reopen()
  }
  t.deepEqual(mirror.shown, [3, 200, 300, 512, 1_100])
  t.deepEqual(
    log.asked.filter((file) => /entries\/00[01]$/.test(file)),
    [],
  )
  const files = await mirror.files()
  for (const [name, bytes] of filesOf(all)) t.deepEqual(files.get(name), bytes)
  // Of what is full now, no part is left.
  t.false([...files.keys()].some((name) => /tile\/(?:0|entries)\/00[0-3]\.p/.test(name)))
  t.deepEqual(await mirror.audit(), { treeSize: 1_100, problems: [], ahead: 0 })
})

test('a log that asks to be asked later is, and in the end given up', async (t) => {
  const entries = makeEntries(300)
  const log = await serveLog(t, entries)
  const mirror = await openMirror(t, log)
  log.busy = 5
  t.is((await mirror.look()).outcome.type, 'started')
  await assertCopy(t, mirror, entries)
  log.busy = 1_000
  t.regex(JSON.stringify((await mirror.look()).outcome), /unreachable.*checkpoint answers 429/)
})

test('nothing that does not verify is ever in a copy', async (t) => {
  const entries = makeEntries(700)
  const honest = filesOf(entries)
  for (const [name, bytes] of honest) {
    if (typeof bytes === 'number') continue
    const log = await serveLog(t, entries)
    const flipped = Buffer.from(bytes)
    flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] ?? 0) ^ 1
    log.files.set(name, flipped)
    const mirror = await openMirror(t, log)
    t.is(alarmsOf(await mirror.look()).length, 1, name)
    t.deepEqual(mirror.shown, [], name)
    for (const [kept, found] of await mirror.files()) t.deepEqual(found, honest.get(kept), kept)
    // Once it is right again, the copy is made to its end.
    log.files = honest
    await mirror.look()
    await assertCopy(t, mirror, entries)
  }
})

test('a log that goes back, or shows another history, leaves the copy as it was', async (t) => {
  const entries = makeEntries(600)
  const log = await serveLog(t, entries)
  const mirror = await openMirror(t, log)
  await mirror.look()
  log.files = filesOf(entries.slice(0, 300))
  t.deepEqual(alarmsOf(await mirror.look()), ['log: rollback'])
  log.files = filesOf(makeEntries(900, ' of another history'))
  t.deepEqual(alarmsOf(await mirror.look()), ['log: fork'])
  await assertCopy(t, mirror, entries)
})

test('also when what the monitor knew is lost', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const mirror = await openMirror(t, log)
  await mirror.look()
  await rm(path.join(mirror.state, 'state.json'))
  await mirror.reopen()
  log.files = filesOf(makeEntries(400, ' of another history'))
  t.deepEqual(alarmsOf(await mirror.look()), ['copy: fork'])
  t.is(String(await mirror.folder.checkpoint()), checkpointOf(makeEntries(300)))
})

test('with a policy the copy shows what has its quorum, and nothing newer', async (t) => {
  const all = makeEntries(900)
  const log = await serveLog(t, all.slice(0, 300))
  const witness = new PliantWitness('w', 1)
  const mirror = await openMirror(t, log, demand(1, [witness]))
  const cosigned = (size: number) => {
    return Buffer.from(witness.cosign(checkpointOf(all.slice(0, size)), startMs))
  }
  t.deepEqual(alarmsOf(await mirror.look()), ['quorum: quorum_missed'])
  t.deepEqual(mirror.shown, [])
  log.files.set('checkpoint', cosigned(300))
  await mirror.look()
  log.files = filesOf(all)
  log.files.set('checkpoint/witnessed', cosigned(500))
  await mirror.look()
  t.deepEqual(mirror.shown, [300])
  t.deepEqual(await mirror.folder.checkpoint(), cosigned(300))
  // What the copy shows is whole, and what is there of later entries is counted.
  const { treeSize, problems, ahead } = await mirror.audit()
  t.deepEqual([treeSize, problems, ahead > 0], [300, [], true])
})

test('a flipped byte, a lost file and another one are named', async (t) => {
  const entries = makeEntries(66_000)
  const mirror = await openMirror(t, await serveLog(t, entries))
  await mirror.look()
  const files = await mirror.files()
  const some = [...files].filter(([name], nth) => nth % 250 === 0 || /\.p\/|checkpoint/.test(name))
  t.true(some.length > 6)
  for (const [name, bytes] of some) {
    const flipped = Buffer.from(bytes)
    flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] ?? 0) ^ 1
    await mirror.replace(name, flipped)
    t.deepEqual(
      (await mirror.audit()).problems.map(({ file }) => file),
      [name],
    )
    await mirror.replace(name, bytes)
  }
  await mirror.remove('tile/entries/007')
  await mirror.replace('tile/junk', Buffer.from('junk'))
  await mirror.replace('tile/0/000.new', Buffer.from('cut'))
  t.deepEqual((await mirror.audit()).problems, [
    { file: 'tile/entries/007', message: 'is not there' },
    { file: 'tile/junk', message: 'is no file of a log' },
  ])
})
