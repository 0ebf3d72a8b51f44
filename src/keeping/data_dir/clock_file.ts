import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

import type { KeptClock } from '#actors/journal/clock_guard.ts'
import { formatTimestamp } from '#actors/values/clock.ts'

/** The file that says when the clock was right last, in a data directory. */
function clockPath(dataDir: string): string {
  return path.join(dataDir, 'clock.json')
}

const timestamp = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })

const clockFile = Type.Object({
  /** When the clock was right, and for how long the machine had run by then, in milliseconds. */
  right_at: timestamp,
  uptime_ms: Type.Number({ minimum: 0 }),
  /** Which start of the machine that was; empty where it is not known. */
  boot_id: Type.String(),
  /** Whether an operator has said that it was right, since that start. */
  accepted: Type.Boolean(),
  /** Of each log, the newest time that an operator has gone on with although it was ahead. */
  accepted_logs: Type.Record(Type.String(), timestamp),
})

/** What a data directory has of its clock; undefined if it has nothing that can be read. */
export function readKeptClock(dataDir: string): KeptClock | undefined {
  let found: unknown
  try {
    found = JSON.parse(readFileSync(clockPath(dataDir), 'utf8'))
  } catch {
    return undefined
  }
  if (!Value.Check(clockFile, found)) return undefined
  const { right_at, uptime_ms, boot_id, accepted, accepted_logs } = found
  return {
    wallMs: Date.parse(right_at),
    uptimeMs: uptime_ms,
    bootId: boot_id,
    isAccepted: accepted,
    acceptedLogs: Object.fromEntries(
      Object.entries(accepted_logs).map(([name, at]) => [name, Date.parse(at)]),
    ),
  }
}

/** Keeps it, whole or not at all. It need not survive a loss of power: then an older one does. */
export function writeKeptClock(dataDir: string, kept: KeptClock): void {
  const logs = Object.entries(kept.acceptedLogs)
  const file: Static<typeof clockFile> = {
    right_at: formatTimestamp(kept.wallMs),
    uptime_ms: kept.uptimeMs,
    boot_id: kept.bootId,
    accepted: kept.isAccepted,
    accepted_logs: Object.fromEntries(logs.map(([name, ms]) => [name, formatTimestamp(ms)])),
  }
  const draft = `${clockPath(dataDir)}.new`
  writeFileSync(draft, `${JSON.stringify(file)}\n`, { mode: 0o600 })
  renameSync(draft, clockPath(dataDir))
}

/**
 * The time that the file system of a data directory gives to a new file, in milliseconds since
 * 1970: of a network share, that is another clock. Undefined if no file can be made.
 */
export function fileSystemMs(dataDir: string): number | undefined {
  const file = path.join(dataDir, 'clock.probe')
  try {
    writeFileSync(file, '', { mode: 0o600 })
    const { mtimeMs } = statSync(file)
    rmSync(file)
    return mtimeMs
  } catch {
    return undefined
  }
}
