import path from 'node:path'
import type { Logger } from 'pino'

import { elapsedMs } from '#actors/values/clock.ts'
import {
  type EnvironmentName,
  type Environments,
  perEnvironment,
} from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/tlog/errors.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import type { OpenedLog } from '#src/keeping/data_dir/data_dir.ts'
import { type CosignatureCollector, LogWitnesses } from '#src/tlog_tools/cosigning/collector.ts'
import { claimFiles } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { chooseLogs, readPolicyFile } from '#src/tlog_tools/cosigning/policy_file.ts'

/** The witnesses of a registry's logs, of those that have some. */
export type WitnessesByLog = Readonly<Partial<Record<EnvironmentName, LogWitnesses>>>

/** Who collects cosignatures of a registry's logs. */
export type Collectors = Readonly<Partial<Record<EnvironmentName, CosignatureCollector>>>

/** How far a cosignature may be ahead of our clock. */
const aheadMsMax = 5 * 60_000

/**
 * The witnesses that WITNESS_POLICY names for the pinned logs of a registry, until `opened` ends.
 * Errors: StartError, if the policy cannot be used.
 */
export function openLogWitnesses(
  config: Pick<Config, 'WITNESS_POLICY' | 'WITNESS_INTERVAL_MS' | 'DATA_DIR'>,
  logs: ReadonlyMap<string, OpenedLog>,
  logger: Logger,
  opened: AsyncDisposableStack,
): WitnessesByLog {
  const { WITNESS_POLICY: file, WITNESS_INTERVAL_MS: intervalMs, DATA_DIR: dataDir } = config
  if (file === undefined) return {}
  const policy = readPolicyFile(file)
  const vkeys = perEnvironment((name) => vkeyOf(logs, name))
  const witnesses: Partial<Record<EnvironmentName, LogWitnesses>> = {}
  for (const environment of chooseLogs(file, policy, vkeys)) {
    const ofLog = new LogWitnesses({
      policy,
      vkey: vkeys[environment],
      files: claimFiles(path.resolve(dataDir), environment),
      intervalMs,
      aheadMsMax,
      nowMs: Date.now,
      elapsedMs,
      random: Math.random,
      logger: logger.child({ environment }),
    })
    opened.defer(() => ofLog.close())
    witnesses[environment] = ofLog
  }
  return witnesses
}

/** Begins to collect cosignatures of the logs that have witnesses; each ends with its registry. */
export function collectCosignatures(
  witnesses: WitnessesByLog,
  { live, sandbox }: Environments,
): Collectors {
  return {
    ...(witnesses.live && { live: witnesses.live.collect(live.witnessing) }),
    ...(witnesses.sandbox && { sandbox: witnesses.sandbox.collect(sandbox.witnessing) }),
  }
}

function vkeyOf(logs: ReadonlyMap<string, OpenedLog>, name: EnvironmentName): string {
  const log = logs.get(name)
  assert(log !== undefined, 'a registry pins the logs of both environments')
  return formatVkey(log.origin, ed25519Type, log.keys.log.publicKey)
}
