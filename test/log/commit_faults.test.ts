import * as path from 'node:path'

import test, { type ExecutionContext } from 'ava'

import { audit } from '#log/store/audit.ts'
import { openCheckpoint } from '#log/tlog/checkpoint.ts'
import { planCommit } from '#log/store/commit.ts'
import { HeadGuard } from '#log/store/guard.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { openLog } from '#log/store/open_log.ts'
import type { Store } from '#log/store/store.ts'
import { type Fault, FaultyStore } from '#test/contracts/_faulty_store.ts'
import { type MemoryDisk, openMemoryStore } from '#test/contracts/_memory_store.ts'
import { existing, logOptions, origin, signer, verifier } from '#test/log/_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { toHex } from '#test/log/_vectors.ts'

// The commits of a run: across a tile, with entries after it, and with a restart in between.
const poolSizes = [3, 255, 3]
const poolsBeforeRestart = 2

/**
 * What the outside world has been told: entries by index, and every head that was published. `run`
 * is part of each entry, so that no run proposes again what a failed one has proposed.
 */
type World = {
  run: number
  readonly entries: Map<number, string>
  readonly checkpoints: Set<string>
}

function newWorld(): World {
  return { run: 0, entries: new Map(), checkpoints: new Set() }
}

/** Runs a log as a service does. What it acknowledges goes to the world; a fault ends it. */
async function runService(store: Store, guard: HeadGuard, world: World): Promise<void> {
  world.run += 1
  let log = await startLog(store, guard)
  for (const [at, size] of poolSizes.entries()) {
    if (at === poolsBeforeRestart) log = await startLog(store, guard)
    const start = log.head().treeSize
    const texts = Array.from({ length: size }, (_, i) => `run ${world.run}: ${start + i}`)
    const plan = planCommit(
      log.head(),
      texts.map((text) => Buffer.from(text)),
      signer,
    )
    await store.commit(plan.operations)
    log.publish(plan.next)
    guard.remember(plan.next.checkpoint)
    world.checkpoints.add(plan.next.checkpoint)
    for (const [i, text] of texts.entries()) world.entries.set(start + i, text)
    await readBack(log)
  }
}

async function startLog(store: Store, guard: HeadGuard): Promise<LogReader> {
  const log = new LogReader(store, await openLog(store, logOptions))
  guard.check(log)
  return log
}

async function readBack(log: LogReader): Promise<void> {
  log.entry(0)
  log.inclusion(1)
  await log.entryBundle(0, 2)
}

/** The oracle: the log opens, is sound, and has all that was told, under one root a size. */
async function checkWorld(t: ExecutionContext, store: Store, world: World): Promise<void> {
  const report = await audit(store, { origin, verifier })
  t.deepEqual(report.problems, [])
  const log = new LogReader(store, await openLog(store, existing))
  t.is(toHex(log.head().rootHash), toHex(report.rootHash))
  for (const [index, text] of world.entries) t.is(Buffer.from(log.entry(index)).toString(), text)
  for (const checkpoint of world.checkpoints) {
    const { treeSize, rootHash } = openCheckpoint(checkpoint, origin, [verifier])
    t.is(toHex(log.rootAt(treeSize)), toHex(rootHash))
    t.is(log.checkpointAt(treeSize), checkpoint)
  }
}

/** Lets a fault end a service, starts it again, and asks the oracle at each step. */
async function surviveFault(
  t: ExecutionContext,
  open: () => Promise<Store>,
  fault: Fault,
): Promise<void> {
  const world = newWorld()
  const file = path.join(await makeTempDir(t), 'log.head')
  const faulty = new FaultyStore(await open(), fault)
  const guard = new HeadGuard(file, verifier)
  await t.throwsAsync(runService(faulty, guard, world), {
    code: 'store_failed',
    message: `injected fault: ${fault.operation} ${fault.nth} is ${fault.outcome}`,
  })
  await faulty.close()
  guard.close()
  const store = await open()
  const nextGuard = new HeadGuard(file, verifier)
  await startLog(store, nextGuard)
  await checkWorld(t, store, world)
  await runService(store, nextGuard, world)
  await checkWorld(t, store, world)
  nextGuard.close()
  await store.close()
}

function openMemory(): () => Promise<Store> {
  const disk: MemoryDisk = new Map()
  return async () => openMemoryStore(disk)
}

async function openLevel(t: ExecutionContext): Promise<() => Promise<Store>> {
  const dir = path.join(await makeTempDir(t), 'store')
  return () => openLevelStore(dir, { create: true })
}

// How often a run without faults calls each operation: these are the rows of the table.
const calls = { get: 12, scan: 6, commit: 4 }

test('the table of faults has every call of a run', async (t) => {
  const store = new FaultyStore(openMemoryStore())
  const guard = new HeadGuard(path.join(await makeTempDir(t), 'log.head'), verifier)
  await runService(store, guard, newWorld())
  guard.close()
  t.deepEqual(store.calls, calls)
})

for (const outcome of ['lost', 'kept'] as const) {
  for (const operation of ['get', 'scan', 'commit'] as const) {
    for (let nth = 1; nth <= calls[operation]; nth += 1) {
      test(`${operation} ${nth} fails and is ${outcome}`, async (t) => {
        await surviveFault(t, openMemory(), { operation, nth, outcome })
      })
    }
  }
  for (let nth = 1; nth <= calls.commit; nth += 1) {
    test(`commit ${nth} fails in LevelDB and is ${outcome}`, async (t) => {
      await surviveFault(t, await openLevel(t), { operation: 'commit', nth, outcome })
    })
  }
}
