// A monitor computes each map of a log from its entries, and proves what the log signed falsely.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { judgeFraud } from '#src/client/verify/map_fraud.js'
import { MappedLog, type MapTable } from '#test/src/client/verify/_mapped_log.ts'
import {
  ark,
  changed,
  follow,
  hourMs,
  keys,
  registry,
} from '#test/src/tlog_tools/monitor/_followed_log.ts'

function makeLog(): MappedLog {
  const log = new MappedLog(registry)
  log.state(ark('a'), 'registered', 1)
  log.state(ark('b'), 'registered', 1)
  log.addMapLeaf()
  log.state(ark('a'), 'registered', 2)
  log.state(ark('b'), 'tombstoned', 1)
  return log
}

test('an honest log raises no alarm, whenever the monitor is closed and opened', async (t) => {
  const log = makeLog()
  const { monitor, look } = await follow(t, log)
  for (let round = 0; round < 8; round += 1) {
    t.deepEqual(await look(), [])
    if (round % 3 === 2) await monitor.reopen()
    for (let n = 0; n < 60; n += 1)
      log.state(ark(`${round % 2}x${n}`), 'registered', 1 + (round >> 1))
    if (round % 2 === 1) log.add(Buffer.from('no statement'))
    log.addMapLeaf()
  }
  t.deepEqual(await look(), [])
})

const lies: Readonly<Record<string, (right: MapTable) => MapTable>> = {
  'an older version': (right) => changed(right, ark('a'), { version: 1, versionLeaf: 0 }),
  'a withdrawal that is hidden': (right) => changed(right, ark('b'), { state: 'registered' }),
  'an ARK that is denied': (right) => {
    right.delete(ark('a'))
    return right
  },
}

for (const [name, lie] of Object.entries(lies)) {
  test(`${name} is an alarm, with a fraud proof that anybody can judge`, async (t) => {
    const log = makeLog()
    const { monitor, look } = await follow(t, log)
    t.deepEqual(await look(), [])
    log.addMapLeaf(lie)
    t.deepEqual(await look([ark('a'), ark('b')]), ['bad_map'])
    const [incident] = monitor.current().incidents
    const file = path.join(incident?.evidence ?? '', 'fraud.json')
    const text = await readFile(file, 'utf8')
    const verdict = await judgeFraud(JSON.parse(text), keys)
    t.true(verdict.proven, verdict.reason)
    t.true(text.length <= 4_096)
    // It is never made good: not by a right map, nor by a start of the monitor.
    log.state(ark('c'), 'registered', 1)
    log.addMapLeaf()
    await monitor.reopen()
    await look()
    t.is(monitor.current().incidents.length, 1)
  })
}

test('a wrong map is an alarm though the next one is right, and nobody shows it', async (t) => {
  const log = makeLog()
  log.addMapLeaf(lies['an ARK that is denied'])
  log.state(ark('c'), 'registered', 1)
  log.addMapLeaf()
  const { look } = await follow(t, log)
  t.deepEqual(await look(), ['bad_map'])
})

test('a map leaf that skips an entry proves itself', async (t) => {
  const log = makeLog()
  log.addMapLeaf(undefined, { covers: 4 })
  const { monitor, look } = await follow(t, log)
  t.deepEqual(await look(), ['bad_map'])
  const [incident] = monitor.current().incidents
  const text = await readFile(path.join(incident?.evidence ?? '', 'fraud.json'), 'utf8')
  t.deepEqual(await judgeFraud(JSON.parse(text), keys), {
    proven: true,
    reason: 'entry 5 says that its map covers 4 entries',
  })
})

test('more ARKs than there are, another origin, and two leaves in a row are wrong', async (t) => {
  for (const changes of [{ keys: 3 }, { origin: 'other.example/log' }]) {
    const log = makeLog()
    log.addMapLeaf(undefined, changes)
    t.deepEqual(await (await follow(t, log)).look(), ['bad_map'])
  }
  const log = makeLog()
  log.addMapLeaf()
  log.addMapLeaf()
  t.deepEqual(await (await follow(t, log)).look(), ['bad_map'])
})

test('statements that do not follow each other are an alarm, and a right map', async (t) => {
  const log = makeLog()
  log.state(ark('a'), 'registered', 2)
  log.addMapLeaf()
  t.deepEqual(await (await follow(t, log)).look(), ['contradictory_work'])
})

test('entries that wait too long for a map leaf are an alarm until one covers them', async (t) => {
  const log = makeLog()
  const { look } = await follow(t, log, 2 * hourMs)
  t.deepEqual(await look(), [])
  t.deepEqual(await look(), [])
  t.deepEqual(await look(), [])
  t.deepEqual(await look(), ['map_missed'])
  log.addMapLeaf()
  t.deepEqual(await look(), [])
  t.deepEqual(await look(), [])
})

test('a log without map leaves needs none', async (t) => {
  const log = new MappedLog(registry)
  log.state(ark('a'), 'registered', 1)
  const { look } = await follow(t, log, hourMs)
  for (let round = 0; round < 4; round += 1) t.deepEqual(await look(), [])
})
