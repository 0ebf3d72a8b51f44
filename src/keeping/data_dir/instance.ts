import fs from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'

import { parseJson } from '#actors/values/serialization.ts'
import { replaceFile, unlessMissing } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/**
 * A log as it was when its data directory was first used; none of it may change later. The receipt
 * key is the first one: the log itself announces those that follow it.
 */
const pinnedLogSchema = Type.Object(
  {
    origin: Type.String(),
    log_public_key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    receipt_public_key: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  },
  { additionalProperties: false },
)

const everyInstance = {
  schema: Type.Literal(1),
  created_at: Type.String(),
  stores: Type.Union([Type.Literal('creating'), Type.Literal('created')]),
}

const logsInstanceSchema = Type.Object(
  {
    ...everyInstance,
    kind: Type.Union([Type.Literal('registry'), Type.Literal('log')]),
    logs: Type.Record(Type.String(), pinnedLogSchema),
  },
  { additionalProperties: false },
)

const witnessInstanceSchema = Type.Object(
  {
    ...everyInstance,
    kind: Type.Literal('witness'),
    name: Type.String(),
    public_key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    mldsa_public_key: Type.Optional(Type.String({ pattern: '^[0-9a-f]{2624}$' })),
    /** There for a witness that signs only what it has computed the map of. */
    checks_map: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
)

const instanceSchema = Type.Union([logsInstanceSchema, witnessInstanceSchema])

export type PinnedLog = Static<typeof pinnedLogSchema>

/** A registry or a bare log, with the origins and public keys it was started with. */
export type LogsInstance = Static<typeof logsInstanceSchema>

/** A witness, with the name and public key that it cosigns under. */
export type WitnessInstance = Static<typeof witnessInstanceSchema>

/**
 * What a data directory is. While `stores` is `creating` the first start is not over and stores may
 * be created; from `created` on, a store that is not there has been lost.
 */
export type Instance = Static<typeof instanceSchema>

/** The kinds of data directories as a sentence names them. */
export const instanceNames: Readonly<Record<Instance['kind'], string>> = {
  registry: 'a registry',
  log: 'a bare log',
  witness: 'a witness',
}

/** The file in the data directory that holds the instance as JSON. */
const instanceFileName = 'instance.json'

/** The instance of a data directory, undefined at its first start. StartError when unreadable. */
export async function readInstance(dataDir: string): Promise<Instance | undefined> {
  const file = path.join(dataDir, instanceFileName)
  const text = await fs.readFile(file, 'utf8').catch(unlessMissing)
  if (text === undefined) return undefined
  const instance = parseJson(text)
  if (Check(instanceSchema, instance)) return instance
  throw new StartError(
    'instance_malformed',
    `${file} is not the instance file of this version of Arklog. Restore it from a backup; ` +
      'it holds the names and public keys of what is in this data directory.',
  )
}

/** Whether a value is the instance of a registry or a bare log, as it is written. */
export function isLogsInstance(value: unknown): value is LogsInstance {
  return Check(logsInstanceSchema, value)
}

/** Writes the instance so that after a crash there is the old file or the new one, whole. */
export async function writeInstance(dataDir: string, instance: Instance): Promise<void> {
  const file = path.join(dataDir, instanceFileName)
  await replaceFile(file, `${JSON.stringify(instance, undefined, 2)}\n`)
}

/** Refuses a data directory without an instance file in which there are `stores` all the same. */
export async function refuseOrphanedStores(
  dataDir: string,
  stores: readonly string[],
): Promise<void> {
  const names = new Set(await fs.readdir(dataDir))
  const orphans = stores.filter((store) => names.has(store))
  if (orphans.length === 0) return
  throw new StartError(
    'instance_missing',
    `${dataDir} holds ${orphans.join(', ')} but no ${instanceFileName}. Restore that file from a ` +
      'backup, or set DATA_DIR to an empty folder to start over.',
  )
}

/** The file that says that the node of a data directory has left its cluster, and when. */
const leftName = 'left'

/** Notes that a node has left its cluster, at a time as `formatTimestamp` writes it. */
export async function markLeft(dataDir: string, at: string): Promise<void> {
  await replaceFile(path.join(dataDir, leftName), `${at}\n`)
}

/**
 * Refuses the data directory of a node that has left its cluster: started alone, it would go on
 * with the same log as the others, and sign a second history of it. StartError `cluster_left`.
 */
export async function refuseLeft(dataDir: string): Promise<void> {
  const at = await fs.readFile(path.join(dataDir, leftName), 'utf8').catch(unlessMissing)
  if (at === undefined) return
  throw new StartError(
    'cluster_left',
    `The node of ${dataDir} left its cluster at ${at.trim()}, and the others have gone on ` +
      `without it. ${leavingAdvice}`,
  )
}

/** What to do with the folder of a node that has left. */
export const leavingAdvice =
  'Remove the folder, and that of its keys, which are those of the whole cluster; to run a node ' +
  'here again, let it join with an empty folder ("arklog cluster join").'
