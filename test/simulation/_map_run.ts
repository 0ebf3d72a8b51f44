import canonicalize from 'canonicalize'
import assert from 'node:assert/strict'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { mapFact } from '#actors/works/receipts/statement.ts'
import { isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { LiveMap } from '#log/store/live_map.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { openLog } from '#log/store/open_log.ts'
import type { Store } from '#log/store/store.ts'
import { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import {
  journalLog,
  type JournalNode,
  type JournalNodeOptions,
  openJournalNode,
} from '#test/simulation/_journal_node.ts'
import { type JournalRun, runJournal } from '#test/simulation/_journal_run.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { until } from '#test/_until.ts'

/** What a run has come to: the journal of its nodes, and what was counted. */
export type MapRun = JournalRun & {
  readonly crashes: number
  readonly mapLeaves: number
  readonly statements: number
}

/** Statements about one work at most: the last one withdraws it. */
const statementsMax = 12

/**
 * Runs nodes with their maps on one journal, as `runJournal` does. A node that is killed goes on
 * with the files of its map as they were at that instant, the newest cut off anywhere. Throws an
 * assertion if an honest node finds its map damaged or wrong, or if a monitor raises an alarm.
 */
export async function runMaps(
  seed: number,
  steps: number,
  nodes: readonly string[],
): Promise<MapRun> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'arklog-maps-'))
  const maps = new MappedNodes(root, seed)
  try {
    const open = (name: string, options: JournalNodeOptions) => maps.open(name, options)
    const run = await runJournal(seed, steps, { nodes, open, entryOf: statementOf })
    const { entries, leaves } = await checkMonitor(run, path.join(root, 'monitor'))
    await maps.settled(entries)
    return { ...run, crashes: maps.crashes, mapLeaves: leaves, statements: entries - leaves }
  } finally {
    await maps.close()
    await rm(root, { recursive: true })
  }
}

class MappedNodes {
  readonly #root: string
  readonly #random: () => number
  readonly #maps = new Map<string, LiveMap>()
  readonly #dirs = new Map<string, string>()
  readonly #faults: string[] = []
  #starts = 0

  constructor(root: string, seed: number) {
    this.#root = root
    this.#random = seededRandom(seed + 1_000_000)
  }

  get crashes(): number {
    return this.#starts - this.#maps.size
  }

  async open(name: string, options: JournalNodeOptions): Promise<JournalNode> {
    const dir = await this.#dirAfterCrash(name)
    const { store, create, shown } = options
    const log = new LogReader(store, await openLog(store, { ...journalLog(), create }))
    // A node that was killed hears nothing of its store any more.
    const told = (message: string) => isOpen(store) && this.#faults.push(message)
    const map = new LiveMap({
      dir,
      origin: journalLog().origin,
      log,
      factOf: mapFact,
      intervalMs: 0,
      isWitnessed: false,
      elapsedMs: () => 0,
      wake: () => undefined,
      damaged: told,
      failed: (error) => told(error.message),
    })
    this.#maps.set(name, map)
    const publish: JournalNodeOptions['shown'] = (head) => {
      shown?.(head)
      log.publish(head.log)
      map.published()
    }
    return openJournalNode({ ...options, create: false, map, shown: publish })
  }

  /** Waits until all maps have come as far as the log, and holds them to be without a fault. */
  async settled(treeSize: number): Promise<void> {
    const all = [...this.#maps.values()]
    const isDone = () => all.every(({ status }) => status.covers === treeSize)
    await until('all maps have come as far as the log', () => this.#faults.length > 0 || isDone())
    assert.deepEqual(this.#faults, [])
  }

  async close(): Promise<void> {
    for (const map of this.#maps.values()) await map.close()
  }

  /** The files of a map as they are at this instant, the newest cut off anywhere. */
  async #dirAfterCrash(name: string): Promise<string> {
    const dir = path.join(this.#root, `${name} ${(this.#starts += 1)}`)
    const before = this.#dirs.get(name)
    this.#dirs.set(name, dir)
    const copied = before === undefined ? [] : copyFiles(before, dir)
    await this.#maps.get(name)?.close()
    const newest = copied.toSorted().at(-1)
    if (newest === undefined || this.#random() < 0.3) return dir
    const file = path.join(dir, newest)
    const { size } = statSync(file)
    const lost = Math.floor(this.#random() * (this.#random() < 0.5 ? size : 500))
    truncateSync(file, Math.max(0, size - lost))
    return dir
  }
}

/**
 * Copies the files of a folder, and gives their names: whatever is removed meanwhile is gone. It
 * reads and writes them, since copyFile of Node 24 on Linux never ends if a file becomes shorter
 * meanwhile, which one that is being opened does.
 */
function copyFiles(from: string, to: string): readonly string[] {
  const names = unlessGone(() => readdirSync(from)) ?? []
  if (names.length > 0) mkdirSync(to)
  return names.filter(
    (name) =>
      unlessGone(() => {
        writeFileSync(path.join(to, name), readFileSync(path.join(from, name)))
        return true
      }) ?? false,
  )
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function isOpen(store: Store): boolean {
  try {
    store.get(' ')
    return true
  } catch {
    return false
  }
}

/** The statement about a work after so many others: versions, looks at content, a withdrawal. */
function statementOf(slug: string, events: number): string | undefined {
  const count = 1 + ((slug.length + slug.charCodeAt(1)) % statementsMax)
  if (events >= count) return undefined
  const isContent = (at: number) => at % 4 === 2
  const isLast = events + 1 === count && events > 0
  const version = Array.from({ length: events + 1 }, (_, at) => at).filter((at) => !isContent(at))
  const kind = isLast ? 'tombstoned' : isContent(events) ? 'content' : 'registered'
  const digits = `${Buffer.from(slug).toString('hex')}${events}`.slice(-12).padStart(12, '0')
  const statement = {
    ark: `ark:/12345/${slug}`,
    content_hash: null,
    metadata_hash: `sha256:${'0a'.repeat(32)}`,
    ...(isLast && { reason: 'other' }),
    receipt_id: `rcpt_2026_03_04_${digits}`,
    signature: { algorithm: 'Ed25519', public_key: 'ab'.repeat(32), signature: 'cd'.repeat(64) },
    statement: kind,
    timestamp: '2026-03-04T05:06:07.089Z',
    version: Math.max(1, version.length - (isLast ? 1 : 0)),
  }
  return canonicalize(statement)
}

/** Has a monitor read the log of a run, in some rounds, and holds it to find nothing. */
async function checkMonitor({ disks }: JournalRun, folder: string) {
  await mkdir(folder)
  const store = openMemoryStore(new Map(disks[0]))
  const { origin } = journalLog()
  const log = new LogReader(store, await openLog(store, { ...journalLog(), create: false }))
  const { treeSize } = log.head()
  const read = (from: number) => Array.fromAsync(log.entries(from, Math.min(from + 256, treeSize)))
  const tree = {
    bundle: (index: number) => read(index * 256),
    rootAt: async (size: number) => log.rootAt(size),
  }
  let leaves = 0
  for (let from = 0; from < treeSize; from += 256) {
    const monitor = await MapWatch.open(folder, origin)
    const entries = await read(from)
    leaves += entries.filter(isMapLeaf).length
    await monitor.see(from, entries, tree)
    await monitor.settle(0, tree)
    assert.deepEqual(monitor.faults, [])
    await monitor.close()
  }
  return { entries: treeSize, leaves }
}
