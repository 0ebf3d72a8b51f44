import { onEndSignal } from '#src/cli/closing.ts'
import { CountBar } from '#src/cli/import_bar.ts'
import { printRound, printServedRound } from '#src/cli/monitor_lines.ts'
import { failUnusable, print, UnusableError } from '#src/cli/program.ts'
import {
  Monitor,
  type MonitorRound,
  type MonitorSettings,
  runRounds,
} from '#src/tlog_tools/monitor/monitor.ts'
import type { Followed } from '#src/tlog_tools/monitor/round.ts'
import { lockStateFolder } from '#src/tlog_tools/monitor/monitor_state.ts'
import type { MonitorTime } from '#src/start/monitor_service.ts'
import type { SmallAddress } from '#src/start/small_server.ts'

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
    const watching = await Monitor.open(settings)
    await (options.listen === undefined
      ? follow(watching, options, { stop, end, bar })
      : serve(watching, options.listen, options, { stop, progressMs: () => progressMs }))
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
  const { serveMonitor } = await import('#src/start/monitor_service.ts')
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
