import { LRUCache } from 'lru-cache'

import { readLogged } from '#src/use_cases/logged_statement.ts'
import type { LogReader } from '#log/store/log_reader.ts'

/** That the log had so many entries at a time, in milliseconds since 1970. */
export type GrowthPoint = { readonly atMs: number; readonly treeSize: number }

/** The same, and that so many of the entries came with one commit, the last one. */
export type CommitPoint = GrowthPoint & { readonly entries: number }

/** How a log has grown: times in order, and commits at places that are evenly spread. */
export type LogGrowth = {
  readonly points: readonly GrowthPoint[]
  readonly commits: readonly CommitPoint[]
}

/** Places of a log that are looked at, and those at which commits are. */
const pointsMax = 200
const commitsMax = 50

/** Times that are kept: those of two rounds of places, as the steps between them have doubled. */
const timesKeptMax = 2 * (pointsMax + commitsMax)

/**
 * Tells how a log has grown. The times are those of its statements, which never go back. It reads
 * so many entries at most, whatever the size: those at the multiples of a power of two, so that
 * what is known of them stays good while the log grows. There is one for each log.
 */
export class LogGrowthReader {
  readonly #log: LogReader
  readonly #times = new LRUCache<number, number>({ max: timesKeptMax })
  readonly #commits = new LRUCache<number, CommitPoint>({ max: 2 * commitsMax })
  #known: { readonly treeSize: number; readonly growth: Promise<LogGrowth> } | undefined

  constructor(log: LogReader) {
    this.#log = log
  }

  /** How the log has grown up to its newest head. */
  read(): Promise<LogGrowth> {
    const { treeSize } = this.#log.head()
    if (this.#known?.treeSize !== treeSize) {
      const growth = this.#read(treeSize)
      this.#known = { treeSize, growth }
      // What has failed is tried again.
      growth.catch(() => (this.#known = undefined))
    }
    return this.#known.growth
  }

  async #read(treeSize: number): Promise<LogGrowth> {
    const points = placesOf(treeSize, pointsMax).map((leafIndex) => {
      return { atMs: this.#timeOf(leafIndex), treeSize: leafIndex + 1 }
    })
    const commits: CommitPoint[] = []
    for (const leafIndex of placesOf(treeSize, commitsMax)) {
      const commit = await this.#commitOf(leafIndex)
      if (commit !== undefined && commit.treeSize !== commits.at(-1)?.treeSize) commits.push(commit)
    }
    return { points, commits }
  }

  #timeOf(leafIndex: number): number {
    const known = this.#times.get(leafIndex)
    if (known !== undefined) return known
    const time = Date.parse(readLogged(this.#log, leafIndex).statement.timestamp)
    this.#times.set(leafIndex, time)
    return time
  }

  /** The commit that a leaf came with. */
  async #commitOf(leafIndex: number): Promise<CommitPoint | undefined> {
    const known = this.#commits.get(leafIndex)
    if (known !== undefined) return known
    const [[after], [before]] = await Promise.all([
      this.#log.checkpoints({ after: leafIndex, limit: 1 }),
      this.#log.checkpointsBefore({ before: leafIndex + 1, limit: 1 }),
    ])
    if (after === undefined) return undefined
    const { treeSize } = after
    const entries = treeSize - (before?.treeSize ?? 0)
    const commit = { atMs: this.#timeOf(treeSize - 1), treeSize, entries }
    this.#commits.set(leafIndex, commit)
    return commit
  }
}

/** The first leaf, the last, and between them the multiples of the least power of two that fits. */
function placesOf(treeSize: number, placesMax: number): number[] {
  if (treeSize === 0) return []
  let step = 1
  while (treeSize / step > placesMax - 1) step *= 2
  const places = Array.from({ length: Math.ceil(treeSize / step) }, (_, index) => index * step)
  const last = treeSize - 1
  return places.at(-1) === last ? places : [...places, last]
}
