import path from 'node:path'
import pino from 'pino'
import type { ExecutionContext } from 'ava'

import type { Environment, EnvironmentOptions } from '#actors/registry/environment.ts'
import { type CheckpointVerifiers, checkpointVerifiers } from '#log/tlog/cosigned_checkpoint.ts'
import { cosignatureVerifier } from '#log/tlog/cosignature.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { parsePolicy } from '#log/tlog/policy.ts'
import { type CosignatureCollector, LogWitnesses } from '#src/tlog_tools/cosigning/collector.ts'
import { claimFiles } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { until } from '#test/_until.ts'
import { makeRegistry, type TestRegistry } from '#test/actors/_environment.ts'
import { serveWitness } from '#test/src/tlog_tools/witness/_served_witness.ts'

/** A witness as a policy names it. */
export type NamedWitness = {
  readonly name: string
  readonly vkey: string
  readonly url: string
}

/** A registry in memory whose log can have witnesses. */
export type WitnessedRegistry = TestRegistry & {
  readonly vkey: string
  /** What was logged, as text. */
  readonly logged: string[]
  /** Where what witnesses say against the log is kept. */
  readonly files: ReturnType<typeof claimFiles>
  /** The time of day that it has, and how far its other clock was moved forward. */
  readonly time: { nowMs: () => number; skippedMs: number }
  /** What judges checkpoints by the policy that is used. */
  verifiers(policy: string): CheckpointVerifiers
  /** Opens it, compares its head with its witnesses, and collects cosignatures from then on. */
  start(policy: string): Promise<Started>
}

/** A registry that runs, with its collector; both are closed when the test ends. */
export type Started = {
  readonly environment: Environment
  readonly collector: CosignatureCollector
  close(): Promise<void>
}

/** Least time between two checkpoints that are sent in tests. */
const intervalMs = 100

/** How far a cosignature may be ahead of the clock in tests. */
export const aheadMsMax = 300_000

/**
 * Makes a registry in memory, whose clock is that of the machine unless it is told, and whose log
 * signs with Ed25519 alone and has no map unless it is told.
 */
export async function makeWitnessed(
  t: ExecutionContext,
  nowMs: () => number = Date.now,
  changes: Pick<Partial<EnvironmentOptions>, 'logMldsa' | 'map'> = {},
): Promise<WitnessedRegistry> {
  const logged: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
  let witnesses: LogWitnesses | undefined
  const registry = await makeRegistry(t, {
    compareHead: async (log) => witnesses?.compareHead(log),
    systemMs: nowMs,
    ...changes,
  })
  const { origin, logKey, headFile } = registry.options
  const files = claimFiles(path.dirname(headFile), 'live')
  const time: WitnessedRegistry['time'] = { nowMs, skippedMs: 0 }
  const vkey = formatVkey(origin, ed25519Type, logKey.publicKey)
  const verifiers = (policy: string) =>
    checkpointVerifiers(noteVerifier(vkey), parsePolicy(policy), cosignatureVerifier)
  return {
    ...registry,
    vkey,
    logged,
    files,
    time,
    verifiers,
    async start(policyText) {
      const policy = parsePolicy(policyText)
      const ofLog = new LogWitnesses({
        policy,
        vkey,
        intervalMs,
        files,
        aheadMsMax,
        nowMs: () => time.nowMs(),
        elapsedMs: () => performance.now() + time.skippedMs,
        random: () => 0,
        logger,
      })
      t.teardown(() => ofLog.close())
      witnesses = ofLog
      const environment = await registry.open()
      const collector = ofLog.collect(environment.witnessing)
      let closing: Promise<void> | undefined
      const close = () => (closing ??= environment.close())
      t.teardown(close)
      return { environment, collector, close }
    },
  }
}

/** Serves so many witnesses that know a log, `w1` and so on, until the test ends. */
export async function serveWitnesses(
  t: ExecutionContext,
  count: number,
  { origin, vkey }: { readonly origin: string; readonly vkey: string },
): Promise<NamedWitness[]> {
  const served = Array.from({ length: count }, async (_, index) => {
    const name = `w${index + 1}`
    const { client, admin } = await serveWitness(t, { WITNESS_NAME: `witness.example/${name}` })
    await admin.call('/logs/add', { origin, vkey })
    return { name, vkey: client.vkey, url: client.url }
  })
  return Promise.all(served)
}

/** A policy of which so many of these witnesses must sign. */
export function policyOf(threshold: number | 'all', witnesses: readonly NamedWitness[]): string {
  const lines = witnesses.map(({ name, vkey, url }) => `witness ${name} ${vkey} ${url}\n`)
  const names = witnesses.map(({ name }) => name).join(' ')
  return `${lines.join('')}group g ${threshold} ${names}\nquorum g\n`
}

/** Waits until a checkpoint of at least this size is witnessed, and gives it. */
export async function witnessed({ log }: Environment, treeSize: number): Promise<string> {
  const find = () => log.cosigned().witnessed
  await until(`${treeSize} entries are witnessed`, () => (find()?.treeSize ?? 0) >= treeSize, {
    pauseMs: 5,
  })
  return find()?.checkpoint ?? ''
}
