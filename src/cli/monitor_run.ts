import { receiptKeyId } from '#actors/works/receipts/statement.ts'
import { onEndSignal } from '#src/cli/closing.ts'
import { failUnusable, print, UnusableError } from '#src/cli/program.ts'
import { CountBar } from '#src/cli/progress.ts'
import type { SmallAddress } from '#src/cli/start/listeners.ts'
import type { MonitorTime } from '#src/cli/start/monitor_service.ts'
import { adviceOf } from '#src/tlog_tools/monitor/alarm.ts'
import {
  Monitor,
  type MonitorRound,
  type MonitorSettings,
  runRounds,
} from '#src/tlog_tools/monitor/monitor.ts'
import { lockStateFolder } from '#src/tlog_tools/monitor/monitor_state.ts'
import type { Channel } from '#src/tlog_tools/monitor/outbox.ts'
import type { Followed, FollowedRotation, RoundOutcome } from '#src/tlog_tools/monitor/round.ts'

type Printed = { readonly json: boolean }

/** Prints what a round found, a line for each thing. */
function printRound(round: MonitorRound, atMs: number, options: Printed): void {
  const at = new Date(atMs).toISOString()
  const { outcome } = round
  if (outcome.type !== 'alarm') {
    const { treeSize, ...rest } = { treeSize: undefined, ...outcome }
    print(options, { at, ...rest, tree_size: treeSize }, `${at} ${describe(outcome)}`)
  }
  for (const { place, alarm, evidence } of round.alarms) {
    const { type, kind, message } = alarm
    const advice = adviceOf(kind)
    const said = `${at} ALARM ${kind}: ${message}`
    const text = `${said}\n  what to do: ${advice}\n  evidence: ${evidence}`
    print(options, { at, type, kind, place, message, advice, evidence }, text)
  }
  printFailures(round, at, options)
}

/** Prints what a service has to say of a round beside its reports: what is new, and failures. */
function printServedRound(round: MonitorRound, atMs: number): void {
  const at = new Date(atMs).toISOString()
  const { outcome } = round
  const options = { json: true }
  if (outcome.type === 'started' || outcome.type === 'advanced') {
    const { treeSize, ...rest } = outcome
    print(options, { at, ...rest, tree_size: treeSize }, '')
  }
  if (outcome.type === 'unreachable') print(options, { at, ...outcome }, '')
  printFailures(round, at, options)
}

function printFailures(round: MonitorRound, at: string, options: Printed): void {
  for (const { place, message } of round.failures) {
    // Of the log itself it was told already.
    if (place === 'log') continue
    print(options, { at, type: 'not_checked', place, message }, `${at} not checked: ${message}`)
  }
  for (const { channel, message } of round.undelivered) {
    const text = `${at} not told by ${channel}: ${message}`
    print(options, { at, type: 'undelivered', channel, message }, text)
  }
  const { left = 0, isMore = false } = round.watch ?? {}
  if (isMore) {
    const text = `${at} ${left} entries are still to be looked through`
    print(options, { at, type: 'watch_goes_on', left }, text)
  }
}

/** Prints reports as they go out; `alarms`: also those that a round prints by itself otherwise. */
export function lineChannel(options: Printed, { alarms }: { readonly alarms: boolean }): Channel {
  return {
    name: 'line',
    async send(report) {
      if (report.type === 'alarm' && !alarms) return
      const { at, type, message, proof } = report
      const more = proof === undefined ? '' : `\n  proof: ${proof}`
      print(options, report, `${at} ${type}: ${message}${more}`)
    },
  }
}

/** Prints that the log has led to another receipt key. */
export function printRotation(rotation: FollowedRotation, options: Printed): void {
  const { leafIndex: leaf_index, oldPublicKey, newPublicKey, timestamp } = rotation
  const [old_public_key, new_public_key] = [oldPublicKey, newPublicKey]
  const ids = [oldPublicKey, newPublicKey].map(receiptKeyId)
  const at = new Date().toISOString()
  const when = `at ${timestamp}, entry ${leaf_index}`
  const text = `${at} receipt key ${ids[0]} was replaced by ${ids[1]} ${when}`
  const fields = { leaf_index, timestamp, old_public_key, new_public_key }
  print(options, { at, type: 'key_rotated', ...fields }, text)
}

function describe(outcome: Exclude<RoundOutcome, { type: 'alarm' }>): string {
  switch (outcome.type) {
    case 'started':
      return `first look: ${outcome.treeSize} entries; this head is taken on trust`
    case 'advanced':
      return `the log grew from ${outcome.from} to ${outcome.treeSize} entries, and only grew`
    case 'unchanged':
      return `nothing new: ${outcome.treeSize} entries`
    case 'unreachable':
      return `not reached: ${outcome.message}`
  }
}

/** How a monitor runs: once, or again and again, and whether it is a service then. */
export type MonitorRun = {
  /** The state folder. */
  readonly state: string
  readonly once: boolean
  /** Seconds between looks. */
  readonly interval: number
  readonly listen?: SmallAddress
  readonly exitOnAlarm: boolean
  readonly json: boolean
}

/** What the settings of a monitor are made with. `opened` ends with the run. */
export type RunParts = Pick<Followed, 'onProgress'> & {
  readonly signal: AbortSignal
  readonly opened: DisposableStack
}

/** The log gave reason for alarms; what proves them has been kept. */
class AlarmError extends Error {
  readonly code = 'log_alarm'

  constructor(alarms: number) {
    super(alarms === 1 ? 'there was an alarm' : `there were ${alarms} alarms`)
    this.name = 'AlarmError'
  }
}

/** How long a round may go on once the service is to end. */
const graceMs = 20_000

/** Without a look at the log for so many intervals, and ten minutes, a service is not well. */
const unlookedIntervals = 5
const unlookedMinMs = 600_000

/**
 * Runs a monitor until it has looked once, or is told to end, and prints what it found. Throws
 * AlarmError; what could not be looked at ends the command with exit code 2.
 */
export async function runMonitor(
  options: MonitorRun,
  settingsOf: (parts: RunParts) => Promise<MonitorSettings>,
): Promise<void> {
  // The first ends the pauses between rounds, the second the requests of the round.
  const [stop, end] = [new AbortController(), new AbortController()]
  const onSignal = () => {
    stop.abort()
    if (options.listen === undefined) end.abort()
    else setTimeout(() => end.abort(), graceMs).unref()
  }
  try {
    using opened = new DisposableStack()
    opened.use(onEndSignal(onSignal))
    const bar = new CountBar()
    let progressMs = 0
    const onProgress = (checked: number, size: number) => {
      progressMs = Date.now()
      if (options.listen === undefined) bar.show('entries', checked, size)
    }
    await lockStateFolder(options.state, opened)
    const settings = await settingsOf({ signal: end.signal, onProgress, opened })
    await using closed = new AsyncDisposableStack()
    const watching = await Monitor.open(settings)
    closed.defer(() => watching.close())
    if (options.listen === undefined) await follow(watching, options, { stop, end, bar })
    else await serve(watching, options.listen, options, { stop, progressMs: () => progressMs })
  } catch (error) {
    if (error instanceof AlarmError) throw error
    failUnusable(error, options.json)
  }
}

type Following = {
  readonly stop: AbortController
  readonly end: AbortController
  readonly bar: CountBar
}

/** Looks once, or until told to stop, and prints what each round found. */
async function follow(
  watching: Monitor,
  options: MonitorRun,
  { stop, end, bar }: Following,
): Promise<void> {
  let alarms = 0
  const unread: string[] = []
  const onRound = (round: MonitorRound, atMs: number) => {
    bar.stop()
    // The signal ends requests in flight, which would look like an unreachable log.
    if (end.signal.aborted) return
    alarms += round.alarms.length
    if (options.once) unread.push(...round.failures.map(({ message }) => message))
    printRound(round, atMs, options)
    if (options.once && !round.watch?.isMore) stop.abort()
  }
  await runRounds(watching, paceOf(options, stop.signal), onRound)
  if (alarms > 0) throw new AlarmError(alarms)
  const [message] = unread
  if (message !== undefined) throw new UnusableError(message)
}

/** Runs until it is told to end, or until an alarm if that is wished. */
async function serve(
  watching: Monitor,
  address: SmallAddress,
  options: MonitorRun,
  { stop, progressMs }: Pick<Following, 'stop'> & Pick<MonitorTime, 'progressMs'>,
): Promise<void> {
  const { serveMonitor } = await import('#src/cli/start/monitor_service.ts')
  const unlookedMs = Math.max(unlookedMinMs, unlookedIntervals * options.interval * 1_000)
  const service = await serveMonitor(watching, address, { unlookedMs, progressMs, nowMs: Date.now })
  print({ json: true }, { at: new Date().toISOString(), type: 'listening', url: service.url }, '')
  let alarms = 0
  try {
    await runRounds(watching, paceOf(options, stop.signal), (round, atMs) => {
      service.noteRound(round, atMs)
      printServedRound(round, atMs)
      if (!options.exitOnAlarm || round.alarms.length === 0) return
      alarms = round.alarms.length
      stop.abort()
    })
  } finally {
    service.close()
  }
  if (alarms > 0) throw new AlarmError(alarms)
}

function paceOf({ interval }: MonitorRun, stop: AbortSignal) {
  return { intervalMs: interval * 1_000, stop, random: Math.random, nowMs: Date.now }
}
