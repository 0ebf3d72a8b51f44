import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'

import { noteVerifier } from '#log/ed25519.ts'
import { CountBar } from '#src/cli/import_bar.ts'
import { readKeyFile } from '#src/cli/key_file.ts'
import { addCommand, failUnusable, print, UnusableError } from '#src/cli/program.ts'
import { keepEvidence } from '#src/monitor/evidence.ts'
import { findLogSource } from '#src/monitor/found_source.ts'
import { isHttpAddress } from '#src/monitor/log_source.ts'
import type { FollowedRotation } from '#src/monitor/key_watch.ts'
import { receiptKeyIdOf } from '#src/verify/key_chain.ts'
import { type Followed, type RoundOutcome, runRound } from '#src/monitor/round.ts'

type MonitorOptions = {
  readonly keys?: string
  readonly vkey?: string
  readonly sandbox: boolean
  readonly state: string
  readonly once: boolean
  readonly interval: number
  readonly staleAfter: number
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

const notes = `
The log is at https://registry.example/log, for example; given https://registry.example, its place
is looked up in /.well-known/svc-keys.json. The keys to trust are only those given here;
with a key file the rotations of its receipt keys are followed too, and a forged one is an alarm.
Exit code: 0 all is well; 1 there was an alarm; 2 the log could not be checked.`

/** Adds `monitor`, which follows a log and proves that it only ever grew. */
export function defineMonitor(program: Command): void {
  addCommand(program, 'monitor', 'follow a log; alarm if it forks, rolls back or stands still')
    .argument('<url>', 'address of the log, or of the registry that has it', parseUrl)
    .option('--keys <file>', 'the registry’s /.well-known/svc-keys.json, saved earlier')
    .option('--vkey <vkey>', 'the log’s verifier key, instead of a key file')
    .option('--sandbox', 'take the key of the sandbox’s log from the key file', false)
    .requiredOption('--state <folder>', 'where the newest head and evidence are kept')
    .option('--once', 'look once, then end', false)
    .option('--interval <seconds>', 'time between looks', parseSeconds, 60)
    .option('--stale-after <seconds>', 'alarm if no newer head is seen', parseSeconds, 86_400)
    .addHelpText('after', notes)
    .action(monitor)
}

function parseUrl(text: string): string {
  if (isHttpAddress(text)) return text
  throw new InvalidArgumentError('It must be an http or https address.')
}

function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of seconds from 1.')
}

async function monitor(url: string, options: MonitorOptions): Promise<void> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    const { vkey, receiptKeys } = await chooseKeys(options)
    const log = {
      ...(receiptKeys && { receiptKeys }),
      onRotation: (rotation: FollowedRotation) => reportRotation(rotation, options),
      source: findLogSource(url, vkey, stop.signal),
      vkey,
      verifier: noteVerifier(vkey),
      folder: options.state,
      staleAfterMs: options.staleAfter * 1_000,
    }
    await followLog(log, options, stop.signal)
  } catch (error) {
    if (error instanceof AlarmError) throw error
    failUnusable(error, options.json)
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/** The log's key and, of a key file, the receipt keys from which rotations are followed. */
async function chooseKeys({
  keys,
  vkey,
  sandbox,
}: MonitorOptions): Promise<{ readonly vkey: string; readonly receiptKeys?: readonly string[] }> {
  if (keys !== undefined && vkey === undefined) {
    const trusted = await readKeyFile(keys, sandbox)
    const receiptKeys = trusted.receiptKeys.map(({ publicKey }) => publicKey)
    return { vkey: trusted.vkey, receiptKeys }
  }
  if (keys === undefined && vkey !== undefined) return { vkey }
  throw new UnusableError('give either --keys or --vkey: a log must be known by its key')
}

async function followLog(
  log: Omit<Followed, 'onProgress'>,
  options: MonitorOptions,
  signal: AbortSignal,
): Promise<void> {
  const bar = new CountBar()
  const onProgress = (checked: number, size: number) => bar.show('entries', checked, size)
  let alarms = 0
  while (!signal.aborted) {
    const atMs = Date.now()
    const outcome = await runRound({ ...log, onProgress }, atMs).finally(() => bar.stop())
    // The signal ends requests in flight, which would look like an unreachable log.
    if (signal.aborted) break
    if (outcome.type === 'alarm') alarms += 1
    await report(outcome, log.folder, atMs, options)
    if (options.once && outcome.type === 'unreachable') throw new UnusableError(outcome.message)
    if (options.once) break
    await sleep(options.interval * 1_000, undefined, { signal }).catch(() => undefined)
  }
  if (alarms > 0) throw new AlarmError(alarms)
}

async function report(
  outcome: RoundOutcome,
  folder: string,
  atMs: number,
  options: MonitorOptions,
): Promise<void> {
  const at = new Date(atMs).toISOString()
  if (outcome.type !== 'alarm') {
    const { treeSize, ...rest } = { treeSize: undefined, ...outcome }
    print(options, { at, ...rest, tree_size: treeSize }, `${at} ${describe(outcome)}`)
    return
  }
  const { type, kind, message } = outcome
  const evidence = await keepEvidence(folder, outcome, atMs)
  const text = `${at} ALARM ${kind}: ${message}\n  evidence: ${evidence}`
  print(options, { at, type, kind, message, evidence }, text)
}

function reportRotation(rotation: FollowedRotation, options: MonitorOptions): void {
  const { leafIndex: leaf_index, oldPublicKey, newPublicKey, timestamp } = rotation
  const [old_public_key, new_public_key] = [oldPublicKey, newPublicKey]
  const ids = [oldPublicKey, newPublicKey].map(receiptKeyIdOf)
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
