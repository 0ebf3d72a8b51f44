import test from 'ava'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

import type { MapValue } from '#log/tlog/map/map_value.ts'
import { judgeFraud } from '#src/client/verify/map_fraud.js'
import { MappedLog, type MapTable } from '#test/src/client/verify/_mapped_log.ts'
import { changed, follow, liveKeys, registry } from '#test/src/tlog_tools/monitor/_followed_log.ts'
import { makeEntries } from '#test/src/tlog_tools/monitor/_served_log.ts'

const [work, other] = ['ark:/12345/x7wf3kz91', 'ark:/12345/x7wf3kz92'] as const

type Watched = Awaited<ReturnType<typeof follow>>

/** The alarms of the next look; the registry proves what its map has of the work. */
async function alarmsOf({ monitor, look }: Watched, shown: readonly string[] = [work]) {
  const kinds = await look(shown)
  const [incident] = monitor.current().incidents
  const folder = incident?.evidence
  const files = folder === undefined ? [] : await readdir(folder)
  const fraud = files.includes('fraud.json.gz')
    ? await readFile(path.join(folder ?? '', 'fraud.json.gz'))
    : undefined
  return { kinds, fraud, incident }
}

async function judge(fraud: Buffer | undefined): Promise<string> {
  const read: unknown = fraud && JSON.parse(String(gunzipSync(fraud)))
  const { proven, reason } = await judgeFraud(read, await liveKeys())
  return proven ? reason : `nothing: ${reason}`
}

/** Some statements, and a map leaf at entry 21. */
function startedLog(): MappedLog {
  const log = new MappedLog(registry)
  for (let at = 0; at < 20; at += 1) log.state(`ark:/12345/x${at}`, 'registered', 1)
  log.state(other, 'registered', 1)
  log.addMapLeaf()
  return log
}

const without = (ark: string) => (table: MapTable) => {
  table.delete(ark)
  return table
}

test('an honest log raises nothing, through restarts and a map that is lost', async (t) => {
  const log = startedLog()
  const watched = await follow(t, log)
  const kinds: string[] = []
  for (let round = 1; round < 12; round += 1) {
    for (let at = 0; at < 30; at += 1) log.state(`ark:/12345/y${round}b${at}`, 'registered', 1)
    log.state(other, 'registered', round + 1)
    if (round === 5) log.state('ark:/12345/x3', 'content', 1)
    if (round === 6) log.state('ark:/12345/x3', 'tombstoned', 1)
    if (round % 4 !== 0) log.addMapLeaf()
    log.state(`ark:/12345/z${round}`, 'registered', 1)
    kinds.push(...(await alarmsOf(watched)).kinds)
    if (round % 3 === 0) await watched.monitor.reopen()
    if (round !== 8) continue
    await rm(path.join(watched.monitor.folder, 'map'), { recursive: true })
    await watched.monitor.reopen()
  }
  log.addMapLeaf()
  kinds.push(...(await alarmsOf(watched)).kinds)
  t.deepEqual(kinds, [])
  const read = JSON.parse(await readFile(path.join(watched.monitor.folder, 'map.json'), 'utf8'))
  t.deepEqual(read.leaf, { leafIndex: log.entries.length - 1, keys: 21 + 11 * 31 })
})

test('a monitor from before map leaves reads what stands before the first one', async (t) => {
  const log = new MappedLog(registry)
  for (let at = 0; at < 600; at += 1) log.state(`ark:/12345/x${at}`, 'registered', 1)
  const watched = await follow(t, log)
  t.deepEqual((await alarmsOf(watched)).kinds, [])
  t.false((await readdir(watched.monitor.folder)).includes('map.json'))
  log.addMapLeaf()
  log.state(work, 'registered', 1)
  log.addMapLeaf()
  t.deepEqual((await alarmsOf(watched)).kinds, [])
  log.addMapLeaf(without('ark:/12345/x17'))
  t.deepEqual((await alarmsOf(watched)).kinds, ['bad_map'])
})

test('a log without map leaves has no map', async (t) => {
  const log = new MappedLog(registry)
  makeEntries(300).forEach((entry) => log.add(entry))
  const watched = await follow(t, log)
  t.deepEqual((await alarmsOf(watched)).kinds, [])
  t.false((await readdir(watched.monitor.folder)).includes('map'))
})

type Planted = { readonly value: Partial<MapValue> | undefined; readonly says: string }

/** Lies of a map about a work, after its statements are in the log from entry 22 on. */
const lies: Readonly<Record<string, (log: MappedLog) => Planted>> = {
  'a version is kept back': (log) => {
    log.state(work, 'registered', 1)
    log.state(work, 'registered', 2)
    const value = { version: 1, versionLeaf: 22, newestLeaf: 22, statements: 1 }
    return { value, says: 'the map leaves out a statement that it covers' }
  },
  'a version is kept back, and its statement is counted': (log) => {
    log.state(work, 'registered', 1)
    log.state(work, 'registered', 2)
    return { value: { version: 1, versionLeaf: 22 }, says: 'the map says version 1, and covers 2' }
  },
  'a withdrawal is kept back': (log) => {
    log.state(work, 'registered', 1)
    log.state(work, 'tombstoned', 1)
    return { value: { state: 'registered' }, says: 'the map hides a withdrawal' }
  },
  'an ARK is denied': (log) => {
    log.state(work, 'registered', 1)
    const says = 'the map denies an ARK of which it covers a statement'
    return { value: undefined, says }
  },
  'a work has a version that nobody registered': (log) => {
    log.state(work, 'registered', 1)
    const says = 'entry 22, which the map names for version 2, does not register it'
    return { value: { version: 2, statements: 2 }, says }
  },
  'a work is said to contradict itself': (log) => {
    log.state(work, 'registered', 1)
    const says = 'the map says itself that statements about the ARK contradict each other'
    return { value: { state: 'contradictory' }, says }
  },
}

for (const [name, plant] of Object.entries(lies)) {
  test(`${name}: an alarm with a proof of 4 kB`, async (t) => {
    const log = startedLog()
    const { value, says } = plant(log)
    const watched = await follow(t, log)
    log.addMapLeaf((table) => {
      return value === undefined ? without(work)(table) : changed(table, work, value)
    })
    const { kinds, fraud } = await alarmsOf(watched)
    t.deepEqual(kinds, ['bad_map'])
    t.true((fraud?.length ?? 0) < 4_096)
    t.is(await judge(fraud), says)
  })
}

test('a wrong map that the next leaf puts right is an alarm for good', async (t) => {
  const log = startedLog()
  const watched = await follow(t, log)
  log.state(work, 'registered', 1)
  log.addMapLeaf(without(work))
  log.state(work, 'registered', 2)
  log.addMapLeaf()
  const { kinds, fraud, incident } = await alarmsOf(watched)
  t.deepEqual(kinds, ['bad_map'])
  t.is(fraud, undefined)
  t.regex(incident?.message ?? '', /at entry 23 has 21 ARKs .* lead to 22 and /)
  await watched.monitor.reopen()
  t.deepEqual((await alarmsOf(watched)).kinds, [])
  t.deepEqual(
    watched.monitor.current().incidents.map(({ kind }) => kind),
    ['bad_map'],
  )
})

test('where the registry proves nothing the leaf itself is the evidence', async (t) => {
  const log = startedLog()
  const watched = await follow(t, log)
  log.state(work, 'registered', 1)
  log.addMapLeaf(without(work))
  const { kinds, fraud, incident } = await alarmsOf(watched, [])
  t.deepEqual(kinds, ['bad_map'])
  t.is(fraud, undefined)
  const found = await readFile(path.join(incident?.evidence ?? '', 'fault.json'), 'utf8')
  t.is(JSON.parse(found).leafIndex, 23)
})

test('a map leaf that covers fewer entries than stand before it', async (t) => {
  const log = startedLog()
  const watched = await follow(t, log)
  log.state(work, 'registered', 1)
  log.addMapLeaf(without(work), { covers: 22 })
  const { kinds, fraud } = await alarmsOf(watched)
  t.deepEqual(kinds, ['bad_map'])
  t.is(await judge(fraud), 'entry 23 says that its map covers 22 entries')
})

test('a map leaf that cannot be read, or is of another log', async (t) => {
  for (const text of ['arklog-map/v1\nx\n', 'arklog-map/v1\nother.example\n22\n0\n']) {
    const log = startedLog()
    const watched = await follow(t, log)
    const root = `${Buffer.alloc(32).toString('base64')}\n`
    log.add(Buffer.from(text.includes('other') ? text + root : text))
    const { kinds, fraud } = await alarmsOf(watched)
    t.deepEqual(kinds, ['bad_map'])
    t.regex(await judge(fraud), /unreadable|of other/)
  }
})

test('ARKs that a map has lost', async (t) => {
  const log = startedLog()
  const watched = await follow(t, log)
  await alarmsOf(watched)
  log.state(other, 'registered', 2)
  log.addMapLeaf(without('ark:/12345/x7'))
  const { kinds, fraud } = await alarmsOf(watched)
  t.deepEqual(kinds, ['bad_map'])
  t.is(await judge(fraud), 'the map of entry 23 has 20 ARKs, and had 21 before')
})

test('statements that contradict each other', async (t) => {
  const log = startedLog()
  const watched = await follow(t, log)
  log.state(work, 'registered', 1)
  log.state(work, 'registered', 2)
  log.state(work, 'registered', 1)
  log.addMapLeaf()
  const { kinds, fraud } = await alarmsOf(watched)
  t.deepEqual(kinds, ['contradictory_work'])
  t.regex(await judge(fraud), /^the map says itself/)
})

test('a version that leaves one out is proven by the map itself', async (t) => {
  const log = startedLog()
  const watched = await follow(t, log)
  log.state(work, 'registered', 1)
  log.state(work, 'registered', 3)
  log.addMapLeaf()
  const { kinds, fraud } = await alarmsOf(watched)
  t.deepEqual(kinds, ['contradictory_work'])
  t.regex(await judge(fraud), /^the map says itself/)
})

test('no map leaf for a day, while there are statements', async (t) => {
  const log = startedLog()
  const watched = await follow(t, log)
  const kinds: string[][] = [(await alarmsOf(watched)).kinds]
  log.state(work, 'registered', 1)
  for (let hour = 0; hour < 26; hour += 1) {
    log.state(`ark:/12345/y${hour}`, 'registered', 1)
    kinds.push((await alarmsOf(watched)).kinds)
    if (hour % 5 === 0) await watched.monitor.reopen()
  }
  t.deepEqual(kinds.slice(0, -1).flat(), [])
  t.deepEqual(kinds.at(-1), ['map_missed'])
  log.addMapLeaf()
  t.deepEqual((await alarmsOf(watched)).kinds, [])
  t.deepEqual(watched.monitor.current().incidents, [])
})
