import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'

import { LogError } from '#log/tlog/errors.ts'
import { cosignatureVerifier, logVerifier } from '#log/tlog/cosignature.ts'
import { checkpointVerifiers } from '#log/tlog/cosigned_checkpoint.ts'
import { isForLog, parsePolicy, policyWarnings } from '#log/tlog/policy.ts'
import {
  lineChannel,
  type MonitorRun,
  printRotation,
  runMonitor,
  type RunParts,
} from '#src/cli/monitor_run.ts'
import { addCommand, UnusableError, warn } from '#src/cli/program.ts'
import { parseTrustedKeys } from '#src/client/verify/trusted_keys.js'
import type { SmallAddress } from '#src/cli/start/listeners.ts'
import {
  commandChannel,
  parseCommand,
  parseWebhookSecret,
  webhookChannel,
  type Channel,
} from '#src/tlog_tools/monitor/outbox.ts'
import { findLogSource, isHttpAddress } from '#src/tlog_tools/monitor/log_source.ts'
import type { MonitorSettings } from '#src/tlog_tools/monitor/monitor.ts'
import { mirrorAt, peerAt, type Vantage } from '#src/tlog_tools/monitor/vantage.ts'
import { parseWatch, registryOf, type Watch } from '#src/tlog_tools/monitor/watch.ts'

/** Adds the options that say which key of a log is trusted (`MonitorKeys`). */
export function addKeyOptions(command: Command): Command {
  return command
    .option('--keys <file>', 'the registry’s /.well-known/svc-keys.json, saved earlier')
    .option('--vkey <vkey>', 'the log’s verifier key, instead of a key file')
    .option('--origin <origin>', 'first line of its checkpoints, if it is not the key’s name')
    .option('--sandbox', 'take the key of the sandbox’s log from the key file', false)
}

/** Adds the options that say how often a log is looked at, and what is late. */
export function addRoundOptions(command: Command): Command {
  return command
    .option('--interval <seconds>', 'time between checks', parseSeconds, 60)
    .option(
      '--map-within <seconds>',
      'alarm if entries wait longer for a map leaf',
      parseSeconds,
      7_200,
    )
    .option('--stale-after <seconds>', 'alarm if there is no newer tree head', parseSeconds, 86_400)
}

/** Adds the options that say who is told of alarms, and whether a service ends then. */
export function addAlarmOptions(command: Command): Command {
  return command
    .option('--exit-on-alarm', 'exit at the first alarm, with exit code 1', false)
    .option('--alarm-command <words>', 'a program that gets each report as JSON', parseWords)
    .option('--alarm-webhook <url>', 'an address to which each report is posted', parseUrl)
    .option('--webhook-secret <file>', 'signs what is posted (Standard Webhooks)')
}

/** Reads an http or https address. Throws InvalidArgumentError, as the others do. */
export function parseUrl(text: string): string {
  if (isHttpAddress(text)) return text
  throw new InvalidArgumentError('It must be an http or https address.')
}

/** Reads a time in whole seconds. */
export function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of seconds, 1 or more.')
}

/** Reads where to listen: `127.0.0.1:9465`, `[::1]:9465`. */
export function parseListen(text: string): SmallAddress {
  const [, v6, host = v6, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  if (host !== undefined && Number(port) < 65_536) return { host, port: Number(port) }
  throw new InvalidArgumentError('It must be a host and a port, such as 127.0.0.1:9465.')
}

function parseWords(text: string): readonly [string, ...string[]] {
  const words = parseCommand(text)
  if (words !== undefined) return words
  throw new InvalidArgumentError('It must be a program and its arguments, or a JSON list of texts.')
}

/** The options that say who is told of alarms. */
export type AlarmChannels = {
  readonly alarmCommand?: readonly [string, ...string[]]
  readonly alarmWebhook?: string
  readonly webhookSecret?: string
}

/** The options of `monitor` that say what is looked at, and who is told. */
type MonitorDemands = AlarmChannels & {
  readonly policy?: string
  readonly cosignedWithin: number
  readonly vantage: readonly string[]
  readonly peer: readonly string[]
  readonly watch: readonly Watch[]
  readonly watchFrom?: number
  readonly registry?: string
}

/** The options of `monitor` that say which key is trusted. */
export type MonitorKeys = {
  readonly keys?: string
  readonly vkey?: string
  readonly origin?: string
  readonly sandbox: boolean
}

const vantagesMax = 32

/** The log's key and, of a key file, the receipt keys from which rotations are followed. */
export async function chooseKeys({
  keys,
  vkey,
  sandbox,
}: MonitorKeys): Promise<{ readonly vkey: string; readonly receiptKeys?: readonly string[] }> {
  if (keys !== undefined && vkey === undefined) {
    const environment = sandbox ? 'sandbox' : 'live'
    const trusted = await parseTrustedKeys(await readFile(keys, 'utf8'), environment)
    const receiptKeys = trusted.receiptKeys.map(({ publicKey }) => publicKey)
    return { vkey: trusted.vkey, receiptKeys }
  }
  if (keys === undefined && vkey !== undefined) return { vkey }
  throw new UnusableError('give either --keys or --vkey, because a key identifies the log')
}

/**
 * The quorum that a policy demands of the log of a key; of what counts as missing it warns. Throws
 * UnusableError, and LogError for a key that cannot be used.
 */
export async function readQuorum(
  {
    policy: file,
    cosignedWithin,
    origin,
  }: Pick<MonitorDemands, 'policy' | 'cosignedWithin'> & Pick<MonitorKeys, 'origin'>,
  vkey: string,
): Promise<MonitorSettings['quorum']> {
  if (file === undefined) return undefined
  const verifier = logVerifier(vkey, origin)
  try {
    const policy = parsePolicy(await readFile(file, 'utf8'))
    if (!isForLog(policy, vkey)) {
      throw new UnusableError(`${file} is for other logs: add the line \`log ${vkey}\``)
    }
    policyWarnings(policy).forEach(warn)
    const verifiers = checkpointVerifiers(verifier, policy, cosignatureVerifier)
    return { verifiers, withinMs: cosignedWithin * 1_000 }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    throw new UnusableError(`${file}: ${error.message}`)
  }
}

/** The vantage points, each known by its address or file. Throws UnusableError if too many. */
function vantagesOf({ vantage, peer }: MonitorDemands, signal: AbortSignal): Vantage[] {
  const mirrors = [...new Set(vantage)].map((url) => mirrorAt(url, signal))
  const peers = [...new Set(peer)].map((place) => peerAt(place, signal))
  const all = [...mirrors, ...peers]
  if (all.length <= vantagesMax) return all
  throw new UnusableError(`there can be at most ${vantagesMax} vantage points, not ${all.length}`)
}

/** What is watched for, in the log at `url`; undefined if nothing is. */
function watchOf(
  { watch: watches, watchFrom: from, registry }: MonitorDemands,
  url: string,
): MonitorSettings['watch'] {
  if (watches.length === 0) return undefined
  return { watches, from, registry: registryOf(registry ?? url) }
}

/** Who is told of reports beside the terminal. Throws UnusableError for a secret that is none. */
export async function channelsOf(demands: AlarmChannels): Promise<Channel[]> {
  const { alarmCommand, alarmWebhook: url, webhookSecret: file } = demands
  const command = alarmCommand === undefined ? [] : [commandChannel(alarmCommand)]
  if (url === undefined) return command
  const key = file === undefined ? undefined : parseWebhookSecret(await readFile(file, 'utf8'))
  if (file !== undefined && key === undefined) {
    throw new UnusableError(
      `${file} must contain a secret: whsec_ and the base64 of 24 to 64 bytes`,
    )
  }
  return [...command, webhookChannel({ url, key, nowMs: Date.now })]
}

type MonitorOptions = MonitorDemands &
  MonitorKeys &
  MonitorRun & { readonly staleAfter: number; readonly mapWithin: number }

const watchesMax = 1_000

const notes = `
Give the address of the log, such as https://registry.example/log, or of the registry, such as
https://registry.example: its /.well-known/svc-keys.json names the log. Only keys that you give
are trusted. With a key file, rotations of receipt keys are followed too, and a forged one is an
alarm.

With --listen it runs as a service, with /healthz, /metrics and /checkpoint at that address. It
reports each alarm once when it begins and once when it ends. After SIGTERM it finishes its round.

You can watch for an organization (org:demo), a DOI or a prefix of DOIs (10.1234/), an ORCID iD or
an ARK. Proofs are written to the folder watched in the state folder.

Exit code: 0 no problem, or a service was told to stop; 1 there was an alarm; 2 the log could not
be checked. See docs/monitoring.md.`

/** Adds `monitor`, which follows a log and proves that it only ever grew. */
export function defineMonitor(program: Command): void {
  const command = addCommand(
    program,
    'monitor',
    'monitor a log: alarm if it forks, rolls back or stops growing',
  )
  command.argument('<url>', 'address of the log, or of the registry that has it', parseUrl)
  addKeyOptions(command)
    .requiredOption('--state <folder>', 'folder for the newest tree head and evidence')
    .option('--once', 'check once, then exit', false)
  addRoundOptions(command).option(
    '--listen <host:port>',
    'run as a service with health and metrics at this address',
    parseListen,
  )
  addAlarmOptions(addDemands(command)).addHelpText('after', notes).action(monitor)
}

function addDemands(command: Command): Command {
  return command
    .option('--policy <file>', 'witnesses and quorum that must have signed (C2SP tlog-policy)')
    .option('--cosigned-within <seconds>', 'maximum age of that', parseSeconds, 7_200)
    .option('--vantage <url>', 'another address that serves the same log; repeatable', addUrl, [])
    .option('--peer <place>', 'another monitor: its address or state.json; repeatable', add, [])
    .option('--watch <name>', 'report statements that name this; repeatable', addWatch, [])
    .option(
      '--watch-from <index>',
      'index at which a new watch starts: 0 is the first entry',
      parseIndex,
    )
    .option('--registry <url>', 'registry to read records from for watches', parseUrl)
}

function parseIndex(text: string): number {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the index of an entry, a whole number from 0.')
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

function monitor(url: string, options: MonitorOptions): Promise<void> {
  return runMonitor(options, (parts) => readSettings(url, options, parts))
}

async function readSettings(
  url: string,
  options: MonitorOptions,
  { signal, onProgress }: RunParts,
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
      verifier: logVerifier(vkey, options.origin),
      folder: options.state,
      staleAfterMs: options.staleAfter * 1_000,
    },
    ...(quorum && { quorum }),
    vantages: vantagesOf(options, signal),
    ...(watch && { watch }),
    map: { withinMs: options.mapWithin * 1_000, registry: registryOf(options.registry ?? url) },
    channels: [lineChannel(printed, { alarms: isService }), ...(await channelsOf(options))],
    signal,
  }
}
