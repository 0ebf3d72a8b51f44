import path from 'node:path'
import { mkdir } from 'node:fs/promises'

import { type Checkpoint } from '#log/tlog/checkpoint.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { checkEntries } from '#src/tlog_tools/monitor/entry_check.ts'
import { httpLogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'
import type { KnownLog } from '#src/tlog_tools/witness/decision.ts'

/**
 * What a checkpoint is found to be by who has computed its map: `behind` if entries are still to be
 * read, or cannot be.
 */
export type MapVerdict =
  | { readonly type: 'right' }
  | { readonly type: 'wrong' | 'behind'; readonly message: string }

/** Entries that are read before a log is answered; the rest is read by the next submissions. */
const entriesAtOnce = 16_384

/** The map of one log, and the check that is under way. */
type Following = { readonly watch: MapWatch; turn: Promise<unknown> }

/**
 * Computes the maps of the logs of a witness from their entries, and judges the checkpoints that it
 * is asked to cosign. It owns its folder.
 */
export class MapChecks {
  readonly #folder: string
  readonly #signal: AbortSignal
  readonly #logs = new Map<string, Promise<Following>>()

  /** `signal` ends all requests. */
  constructor(folder: string, signal: AbortSignal) {
    this.#folder = folder
    this.#signal = signal
  }

  /**
   * Judges a checkpoint that the log has signed, and that continues what was cosigned: it must end
   * with a map leaf, and every map leaf of the log must be the one that the entries lead to.
   */
  async check(log: KnownLog, checkpoint: Checkpoint): Promise<MapVerdict> {
    const following = await this.#open(log)
    // One after the other: the map is one.
    const turn = following.turn.then(() => this.#judge(following.watch, log, checkpoint))
    following.turn = turn.catch(() => undefined)
    return turn
  }

  async close(): Promise<void> {
    for (const following of this.#logs.values()) {
      const { watch, turn } = await following
      await turn
      await watch.close()
    }
  }

  #open(log: KnownLog): Promise<Following> {
    const known = this.#logs.get(log.id)
    if (known !== undefined) return known
    const opening = this.#openAnew(log)
    this.#logs.set(log.id, opening)
    opening.catch(() => this.#logs.delete(log.id))
    return opening
  }

  async #openAnew({ id, origin }: KnownLog): Promise<Following> {
    const folder = path.join(this.#folder, id)
    await mkdir(folder, { recursive: true })
    return { watch: await MapWatch.open(folder, origin), turn: Promise.resolve() }
  }

  async #judge(watch: MapWatch, log: KnownLog, head: Checkpoint): Promise<MapVerdict> {
    const source = httpLogSource(log.url ?? `https://${log.origin}`, this.#signal)
    const { treeSize } = head
    try {
      const tiles = new TileReader(head, (tile) => source.tile(tile))
      await watch.goOn(tiles)
      const end = watch.covers + entriesAtOnce
      const visitor = { onEntry: (index: number, entry: Uint8Array) => watch.see(index, entry) }
      for await (const read of checkEntries(source, tiles, watch.covers, visitor)) {
        await watch.settle(tiles)
        if (read >= end && read < treeSize) {
          const message = `The witness has read ${read} of ${treeSize} entries`
          return { type: 'behind', message }
        }
      }
    } catch (error) {
      if (error instanceof SourceError) return { type: 'behind', message: error.message }
      if (error instanceof LogAlarm) return { type: 'wrong', message: error.message }
      throw error
    }
    const [fault] = watch.faults.filter(({ kind }) => kind === 'bad_map')
    if (fault !== undefined) return { type: 'wrong', message: fault.message }
    if (watch.newestLeaf === treeSize - 1) return { type: 'right' }
    return { type: 'wrong', message: 'The checkpoint does not end with a map leaf' }
  }
}
