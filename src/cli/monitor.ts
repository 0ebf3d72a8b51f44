import { type Command, InvalidArgumentError } from 'commander'

import { noteVerifier } from '#log/ed25519.ts'
import { CountBar } from '#src/cli/import_bar.ts'
import { lineChannel, printRotation, printRound, printServedRound } from '#src/cli/monitor_lines.ts'
import {
  channelsOf,
  chooseKeys,
  type MonitorDemands,
  type MonitorKeys,
  readQuorum,
  vantagesOf,
  watchOf,
} from '#src/cli/monitor_settings.ts'
import { addCommand, failUnusable, print, UnusableError } from '#src/cli/program.ts'
import { parseCommand } from '#src/monitor/alarm_command.ts'
import { findLogSource } from '#src/monitor/found_source.ts'
import { isHttpAddress } from '#src/monitor/log_source.ts'
import { runRounds } from '#src/monitor/monitor_loop.ts'
import { Monitor, type MonitorRound, type MonitorSettings } from '#src/monitor/monitor.ts'
import type { Followed } from '#src/monitor/round.ts'
import { lockStateFolder } from '#src/monitor/state_lock.ts'
import { parseWatch, type Watch } from '#src/monitor/watch.ts'
import type { MonitorAddress, MonitorTime } from '#src/start/monitor_service.ts'

type MonitorOptions = MonitorDemands &
  MonitorKeys & {
    readonly state: string
    readonly once: boolean
    readonly interval: number
    readonly staleAfter: number
    readonly listen?: MonitorAddress
    readonly exitOnAlarm: boolean
    readonly json: boolean
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

const watchesMax = 1_000

const notes = `
The log is at https://registry.example/log, for example; given https://registry.example, its place
is looked up in /.well-known/svc-keys.json. The keys to trust are only those given here;
with a key file the rotations of its receipt keys are followed too, and a forged one is an alarm.
With --listen it is a service for months: /healthz, /metrics and /checkpoint are at that address,
each alarm is told once when it begins and once when it ends, and SIGTERM lets a round finish.
What is watched for is an organization (org:demo), a DOI or a prefix of DOIs (10.1234/), an ORCID iD
or an ARK; proofs are written into the folder watched of the state folder.
Exit code: 0 all is well, or a service was told to end; 1 there was an alarm; 2 the log could not be
checked. All of it is in docs/monitoring.md.`

/** Adds `monitor`, which follows a log and proves that it only ever grew. */
export function defineMonitor(program: Command): void {
  const command = addCommand(
    program,
    'monitor',
    'follow a log; alarm if it forks, rolls back or stands still',
  )
  command
    .argument('<url>', 'address of the log, or of the registry that has it', parseUrl)
    .option('--keys <file>', 'the registry’s /.well-known/svc-keys.json, saved earlier')
    .option('--vkey <vkey>', 'the log’s verifier key, instead of a key file')
    .option('--sandbox', 'take the key of the sandbox’s log from the key file', false)
    .requiredOption('--state <folder>', 'where the newest head and evidence are kept')
    .option('--once', 'look once, then end', false)
    .option('--interval <seconds>', 'time between looks', parseSeconds, 60)
    .option('--stale-after <seconds>', 'alarm if no newer head is seen', parseSeconds, 86_400)
    .option('--listen <host:port>', 'run as a service, asked at this address', parseListen)
    .option('--exit-on-alarm', 'end a service at its first alarm, with exit code 1', false)
  addDemands(command).addHelpText('after', notes).action(monitor)
}

function addDemands(command: Command): Command {
  return command
    .option('--policy <file>', 'whose witnesses must have signed (C2SP tlog-policy)')
    .option('--cosigned-within <seconds>', 'how old that may be', parseSeconds, 7_200)
    .option('--vantage <url>', 'where the same log is served, too; repeatable', addUrl, [])
    .option('--peer <place>', 'another monitor: its address or state.json; repeatable', add, [])
    .option('--watch <name>', 'report statements that name it; repeatable', addWatch, [])
    .option('--watch-from <index>', 'where a new watch begins: 0 is the first entry', parseIndex)
    .option('--registry <url>', 'whose records are read for watches', parseUrl)
    .option('--alarm-command <words>', 'a program that gets each report as JSON', parseWords)
    .option('--alarm-webhook <url>', 'an address to which each report is posted', parseUrl)
    .option('--webhook-secret <file>', 'signs what is posted (Standard Webhooks)')
}

function parseUrl(text: string): string {
  if (isHttpAddress(text)) return text
  throw new InvalidArgumentError('It must be an http or https address.')
}

function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of seconds from 1.')
}

function parseIndex(text: string): number {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the index of an entry: a whole number from 0.')
}

function parseListen(text: string): MonitorAddress {
  const [, v6, host = v6, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  if (host !== undefined && Number(port) < 65_536) return { host, port: Number(port) }
  throw new InvalidArgumentError('It must be a host and a port, such as 127.0.0.1:9465.')
}

function parseWords(text: string): readonly [string, ...string[]] {
  const words = parseCommand(text)
  if (words !== undefined) return words
  throw new InvalidArgumentError('It must be words, or a JSON list of texts: a program first.')
}

function add(text: string, before: readonly string[]): readonly string[] {
  return [...before, text]
}

function addUrl(text: string, before: readonly string[]): readonly string[] {
  return [...before, parseUrl(text)]
}

function addWatch(text: string, before: readonly Watch[]): readonly Watch[] {
  const watch = parseWatch(text)
  if (watch === undefined) {
    throw new InvalidArgumentError('It must be org:demo, 10.1234/, a DOI, an ORCID iD or an ARK.')
  }
  if (before.length === watchesMax) throw new InvalidArgumentError(`At most ${watchesMax}.`)
  return before.some(({ name }) => name === watch.name) ? before : [...before, watch]
}

async function monitor(url: string, options: MonitorOptions): Promise<void> {
  // The first ends the pauses between rounds, the second the requests of the round.
  const [stop, end] = [new AbortController(), new AbortController()]
  const onSignal = () => {
    stop.abort()
    if (options.listen === undefined) end.abort()
    else setTimeout(() => end.abort(), graceMs).unref()
  }
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    using opened = new DisposableStack()
    const bar = new CountBar()
    let progressMs = 0
    const onProgress = (checked: number, size: number) => {
      progressMs = Date.now()
      if (options.listen === undefined) bar.show('entries', checked, size)
    }
    const settings = await readSettings(url, options, { signal: end.signal, onProgress })
    await lockStateFolder(options.state, opened)
    const watching = await Monitor.open(settings)
    await (options.listen === undefined
      ? follow(watching, options, { stop, end, bar })
      : serve(watching, options.listen, options, { stop, progressMs: () => progressMs }))
  } catch (error) {
    if (error instanceof AlarmError) throw error
    failUnusable(error, options.json)
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

async function readSettings(
  url: string,
  options: MonitorOptions,
  { signal, onProgress }: Pick<Followed, 'onProgress'> & { readonly signal: AbortSignal },
): Promise<MonitorSettings> {
  const { vkey, receiptKeys } = await chooseKeys(options)
  const isService = options.listen !== undefined
  const printed = { json: options.json || isService }
  const quorum = await readQuorum(options, vkey)
  const watch = watchOf(options, url)
  return {
    followed: {
      ...(receiptKeys && { receiptKeys }),
      onRotation: (rotation) => printRotation(rotation, printed),
      onProgress,
      source: findLogSource(url, vkey, signal),
      vkey,
      verifier: noteVerifier(vkey),
      folder: options.state,
      staleAfterMs: options.staleAfter * 1_000,
    },
    ...(quorum && { quorum }),
    vantages: vantagesOf(options, signal),
    ...(watch && { watch }),
    channels: [lineChannel(printed, { alarms: isService }), ...(await channelsOf(options))],
    signal,
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
  options: MonitorOptions,
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
  address: MonitorAddress,
  options: MonitorOptions,
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

function paceOf({ interval }: MonitorOptions, stop: AbortSignal) {
  return { intervalMs: interval * 1_000, stop, random: Math.random, nowMs: Date.now }
}
