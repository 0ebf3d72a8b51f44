import { type Command, InvalidArgumentError } from 'commander'

import { noteVerifier } from '#log/tlog/ed25519.ts'
import { lineChannel, printRotation } from '#src/cli/monitor_lines.ts'
import {
  addAlarmOptions,
  addKeyOptions,
  parseListen,
  parseSeconds,
  parseUrl,
} from '#src/cli/monitor_options.ts'
import { type MonitorRun, type RunParts, runMonitor } from '#src/cli/monitor_run.ts'
import {
  channelsOf,
  chooseKeys,
  type MonitorDemands,
  type MonitorKeys,
  readQuorum,
  vantagesOf,
  watchOf,
} from '#src/cli/monitor_settings.ts'
import { addCommand } from '#src/cli/program.ts'
import { findLogSource } from '#src/tlog_tools/monitor/log_source.ts'
import type { MonitorSettings } from '#src/tlog_tools/monitor/monitor.ts'
import { parseWatch, type Watch } from '#src/tlog_tools/monitor/watch.ts'

type MonitorOptions = MonitorDemands & MonitorKeys & MonitorRun & { readonly staleAfter: number }

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
  command.argument('<url>', 'address of the log, or of the registry that has it', parseUrl)
  addKeyOptions(command)
    .requiredOption('--state <folder>', 'where the newest head and evidence are kept')
    .option('--once', 'look once, then end', false)
    .option('--interval <seconds>', 'time between looks', parseSeconds, 60)
    .option('--stale-after <seconds>', 'alarm if no newer head is seen', parseSeconds, 86_400)
    .option('--listen <host:port>', 'run as a service, asked at this address', parseListen)
  addAlarmOptions(addDemands(command)).addHelpText('after', notes).action(monitor)
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
}

function parseIndex(text: string): number {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the index of an entry: a whole number from 0.')
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
