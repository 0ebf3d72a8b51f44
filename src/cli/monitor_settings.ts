import { readFile } from 'node:fs/promises'

import { checkpointVerifiers } from '#log/tlog/cosigned_checkpoint.ts'
import { cosignatureVerifier } from '#log/tlog/cosignature.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { LogError } from '#log/base/errors.ts'
import { isForLog, parsePolicy, policyWarnings } from '#log/tlog/policy.ts'
import { parseTrustedKeys } from '#src/client/verify/trusted_keys.js'
import { UnusableError, warn } from '#src/cli/program.ts'
import {
  commandChannel,
  parseWebhookSecret,
  webhookChannel,
} from '#src/tlog_tools/monitor/alarm_channels.ts'
import type { MonitorSettings } from '#src/tlog_tools/monitor/monitor.ts'
import type { Channel } from '#src/tlog_tools/monitor/outbox.ts'
import { mirrorAt, peerAt, type Vantage } from '#src/tlog_tools/monitor/vantage.ts'
import { registryOf, type Watch } from '#src/tlog_tools/monitor/watch.ts'

/** The options that say who is told of alarms. */
export type AlarmChannels = {
  readonly alarmCommand?: readonly [string, ...string[]]
  readonly alarmWebhook?: string
  readonly webhookSecret?: string
}

/** The options of `monitor` that say what is looked at, and who is told. */
export type MonitorDemands = AlarmChannels & {
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
  throw new UnusableError('give either --keys or --vkey: a log must be known by its key')
}

/**
 * The quorum that a policy demands of the log of a key; of what counts as missing it warns. Throws
 * UnusableError, and LogError for a key that cannot be used.
 */
export async function readQuorum(
  { policy: file, cosignedWithin }: Pick<MonitorDemands, 'policy' | 'cosignedWithin'>,
  vkey: string,
): Promise<MonitorSettings['quorum']> {
  if (file === undefined) return undefined
  const verifier = noteVerifier(vkey)
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
export function vantagesOf({ vantage, peer }: MonitorDemands, signal: AbortSignal): Vantage[] {
  const mirrors = [...new Set(vantage)].map((url) => mirrorAt(url, signal))
  const peers = [...new Set(peer)].map((place) => peerAt(place, signal))
  const all = [...mirrors, ...peers]
  if (all.length <= vantagesMax) return all
  throw new UnusableError(`there may be ${vantagesMax} vantage points at most, not ${all.length}`)
}

/** What is watched for, in the log at `url`; undefined if nothing is. */
export function watchOf(
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
    throw new UnusableError(`${file} must hold a secret: whsec_ and the base64 of 24 to 64 bytes`)
  }
  return [...command, webhookChannel({ url, key, nowMs: Date.now })]
}
