import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mkdir } from 'node:fs/promises'

import { LogError } from '#log/tlog/errors.ts'
import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { findLogSource, type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import { followMap, type MapVerdict } from '#src/tlog_tools/monitor/map_follow.ts'
import { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import type { KnownLog } from '#src/tlog_tools/witness/decision.ts'

/** Where maps are kept, and how long an answer may take. */
export type MapCheckerOptions = {
  readonly dir: string
  /** Time of day in milliseconds of 1970. */
  readonly nowMs: () => number
  readonly waitMs?: number
}

// Logs ask again soon, and give a witness ten seconds for an answer.
const waitMsDefault = 5_000

type CheckedLog = {
  readonly maps: MapWatch
  url: string
  source: LogSource
  /** What is under way; undefined if nothing is. */
  reading: Promise<MapVerdict> | undefined
}

/**
 * Recomputes the maps of logs from their entries, which it reads where each log is served, and says
 * whether the map of a checkpoint is right. It owns its folder.
 */
export class MapChecker {
  readonly #options: MapCheckerOptions
  readonly #logs = new Map<string, Promise<CheckedLog>>()
  readonly #ends = new AbortController()

  constructor(options: MapCheckerOptions) {
    this.#options = options
  }

  /**
   * Judges a checkpoint that its log has signed, and that continues the last one that was cosigned.
   * It waits for some seconds; a map that takes longer is computed meanwhile, for a later question.
   */
  async check(log: KnownLog, checkpoint: Checkpoint): Promise<MapVerdict> {
    const url = log.url ?? `https://${log.origin}`
    const checked = await this.#open(log, url)
    const late = new AbortController()
    const isLate = sleep(this.#options.waitMs ?? waitMsDefault, 'late' as const, late)
    isLate.catch(() => undefined)
    try {
      while (checked.reading !== undefined) {
        if ((await Promise.race([checked.reading, isLate])) === 'late')
          return this.#tooLate(checked)
      }
      checked.reading = this.#read(checked, checkpoint).finally(() => (checked.reading = undefined))
      // Nobody may wait for it any more when it fails.
      checked.reading.catch(() => undefined)
      const verdict = await Promise.race([checked.reading, isLate])
      return verdict === 'late' ? this.#tooLate(checked) : verdict
    } finally {
      late.abort()
    }
  }

  /** Reads no more, and closes what is open. */
  async close(): Promise<void> {
    this.#ends.abort()
    for (const opening of this.#logs.values()) {
      const checked = await opening
      await checked.reading
      await checked.maps.close()
    }
  }

  #tooLate({ maps }: CheckedLog): MapVerdict {
    return unknown(`its map is still being computed: ${maps.covers} entries so far`)
  }

  async #open(log: KnownLog, url: string): Promise<CheckedLog> {
    const opening = this.#logs.get(log.id) ?? this.#openNew(log, url)
    this.#logs.set(log.id, opening)
    const checked = await opening.catch((error: unknown) => {
      this.#logs.delete(log.id)
      throw error
    })
    if (checked.url !== url) Object.assign(checked, { url, source: this.#sourceOf(log, url) })
    return checked
  }

  async #openNew(log: KnownLog, url: string): Promise<CheckedLog> {
    const folder = path.join(this.#options.dir, log.id)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const maps = await MapWatch.open(folder, log.origin)
    return { maps, url, source: this.#sourceOf(log, url), reading: undefined }
  }

  #sourceOf({ vkey }: KnownLog, url: string): LogSource {
    return findLogSource(url, vkey, this.#ends.signal)
  }

  async #read(checked: CheckedLog, checkpoint: Checkpoint): Promise<MapVerdict> {
    try {
      const { maps, source } = checked
      // The source finds by its checkpoint where the log is.
      await source.checkpoint()
      return await followMap(maps, source, checkpoint, this.#options.nowMs())
    } catch (error) {
      const isTheirs = [SourceError, LogAlarm, LogError].some((kind) => error instanceof kind)
      if (!isTheirs) throw error
      return unknown(`its entries cannot be read: ${(error as Error).message}`)
    }
  }
}

function unknown(message: string): MapVerdict {
  return { type: 'unknown', message }
}
