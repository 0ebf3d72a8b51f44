import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

import {
  type ClockBounds,
  type ClockFault,
  ClockGuard,
  formatClockFault,
  type KeptClock,
  type MachineTime,
} from '#actors/journal/clock_guard.ts'
import type { Environments } from '#actors/registry/environment.ts'
import { elapsedMs, formatTimestamp } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** This program did not exist before: a clock that is earlier is wrong. */
const madeMs = Date.UTC(2026, 0, 1)

/** How often the clock is looked at while nobody writes. */
const lookMs = 5_000

/** How far clocks may be apart, by the configuration. */
function clockBounds(
  config: Pick<Config, 'CLOCK_STEP_MS' | 'CLOCK_GAP_MS' | 'CLOCK_BEHIND_MS'>,
): ClockBounds {
  const { CLOCK_STEP_MS: stepMs, CLOCK_GAP_MS: gapMs, CLOCK_BEHIND_MS: behindMs } = config
  return { stepMs, gapMs, behindMs }
}

/** What this machine says of time. `fileMs` is asked where the file system is to tell as well. */
function machineTime(fileMs: MachineTime['fileMs']): MachineTime {
  // The time of `process.hrtime` does not go on while the machine sleeps, and this one does.
  const uptimeMs = () => os.uptime() * 1_000
  return { systemMs: Date.now, elapsedMs, uptimeMs, bootId: bootId(), fileMs }
}

/** Which start of the machine this is; '' where that is not known. */
function bootId(): string {
  try {
    // Where this is mounted, it tells how long a container has run, and not its machine.
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    if (mounts.includes(' /proc/uptime ')) return ''
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * The guard of the clock of a registry, which keeps what it knows in `dataDir`. It reads and writes
 * nothing before the clock is first asked for.
 */
export function openClock(config: Config, dataDir: string, logger: Logger): ClockGuard {
  return new ClockGuard({
    machine: machineTime(() => fileSystemMs(dataDir)),
    bounds: clockBounds(config),
    madeMs,
    recall: () => readKeptClock(dataDir),
    keep(kept) {
      try {
        writeKeptClock(dataDir, kept)
      } catch (err) {
        logger.warn({ err }, 'the time when the clock was right could not be saved')
      }
    },
    report(fault, log) {
      const of = log === undefined ? {} : { environment: log }
      if (fault === undefined) logger.warn(of, 'the clock is right again: writing continues')
      else logger.error({ ...of, clock: fault.type }, formatClockFault(fault))
    },
    accepted(fault) {
      const found = formatClockFault(fault)
      logger.warn({ found }, 'an operator has accepted the clock')
    },
  })
}

/** What speaks against the clock by what is kept in `dataDir`; nothing is written. */
export function judgeKeptClock(config: Config, dataDir: string): ClockFault | undefined {
  const guard = new ClockGuard({
    machine: machineTime(() => undefined),
    bounds: clockBounds(config),
    madeMs,
    recall: () => readKeptClock(dataDir),
    keep: () => undefined,
    report: () => undefined,
    accepted: () => undefined,
  })
  return guard.fault
}

/** Looks at the clock while nobody writes, until `opened` ends; then notes that it was right. */
export function watchClock(guard: ClockGuard, opened: AsyncDisposableStack): void {
  const looking = setInterval(() => guard.look(), lookMs).unref()
  opened.defer(() => {
    clearInterval(looking)
    guard.note()
  })
}

/** The time at which a registry begins. StartError `clock_wrong`: none begins by a wrong clock. */
export function soundStartMs(guard: ClockGuard): number {
  const { fault } = guard
  if (fault === undefined) return guard.nowMs()
  throw new StartError(
    'clock_wrong',
    `${formatClockFault(fault)} No registry is created until then.`,
  )
}

/** What is wrong with the clock of the environments: a sentence or some for each cause. */
export function clockProblems(environments: Environments): readonly string[] {
  const all = Object.values(environments).flatMap((one) => one.clock.status().problem ?? [])
  return [...new Set(all)]
}

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
function readKeptClock(dataDir: string): KeptClock | undefined {
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
function writeKeptClock(dataDir: string, kept: KeptClock): void {
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
function fileSystemMs(dataDir: string): number | undefined {
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
