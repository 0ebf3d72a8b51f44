import { Type } from 'typebox'

import type {
  ServedEnvironment,
  EnvironmentName,
  ServedEnvironments,
} from '#actors/registry/environment.ts'
import { receiptKeyId, ReceiptWriter } from '#actors/works/receipts/statement.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import { parseKeyList, withPolicy } from '#src/client/verify/trusted_keys.js'
import type { TrustedKeys } from '#src/client/verify/types.ts'
import { signingTime } from '#src/use_cases/public_log.ts'

/** Describes one receipt key. */
export const receiptKeySchema = component('ReceiptKey', {
  key_id: Type.String(),
  public_key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  valid_from: time,
  valid_until: nullable(time, 'When the next key took over; null while it is in use.'),
  rotation: Type.Unknown({
    description: 'The logged statement that announces the key; null for the first one.',
  }),
})

const keysSchema = component('EnvironmentKeys', {
  log: component('LogKeys', {
    origin: Type.String(),
    vkey: Type.String(),
    mldsa_vkey: nullable(
      Type.String(),
      'The key by which it signs checkpoints with ML-DSA-44, too; null if it does not.',
    ),
    url: Type.String(),
    witness_policy: nullable(
      Type.String(),
      'Whose cosignatures checkpoints carry, as C2SP tlog-policy; null if none must.',
    ),
  }),
  receipt_keys: Type.Array(receiptKeySchema),
})

/** Describes all keys of the registry. */
export const publishedKeysSchema = component('PublishedKeys', {
  ...keysSchema.properties,
  sandbox: keysSchema,
})

/** The keys of one environment, as `/.well-known/svc-keys.json` spells them. */
export type PublishedKeys = {
  readonly log: {
    readonly origin: string
    readonly vkey: string
    readonly mldsa_vkey: string | null
    readonly url: string
    readonly witness_policy: string | null
  }
  readonly receipt_keys: readonly {
    readonly key_id: string
    /** 64 lower-case hex digits. */
    readonly public_key: string
    readonly valid_from: string
    /** When the next key took over; null while the key is in use. */
    readonly valid_until: string | null
    /** The statement of the log that announces the key, with its proof; null for the first key. */
    readonly rotation?: unknown
  }[]
}

/** All keys of the registry: `/.well-known/svc-keys.json`. `now` is a time as receipts spell it. */
export function publishedKeys(
  environments: ServedEnvironments,
  baseUrl: string,
  now: string,
): PublishedKeys & { readonly sandbox: PublishedKeys } {
  const { live, sandbox } = keysIn(environments, baseUrl, now)
  return {
    ...withRotations(live, environments.live),
    sandbox: withRotations(sandbox, environments.sandbox),
  }
}

function keysIn(environments: ServedEnvironments, baseUrl: string, now: string) {
  return {
    live: keysOf(environments.live, `${baseUrl}/log`, now),
    sandbox: keysOf(environments.sandbox, `${baseUrl}/sandbox/log`, now),
  }
}

function withRotations(
  keys: PublishedKeys,
  { log, receiptKeys }: ServedEnvironment,
): PublishedKeys {
  const writer = new ReceiptWriter(log)
  const rotations = receiptKeys
    .rotations()
    .map((leafIndex): unknown => JSON.parse(writer.proven(leafIndex).toString('utf8')))
  return {
    ...keys,
    receipt_keys: keys.receipt_keys.map((key, index) => {
      return { ...key, rotation: rotations[index - 1] ?? null }
    }),
  }
}

function keysOf(environment: ServedEnvironment, url: string, now: string): PublishedKeys {
  const { origin, vkey, mldsaVkey: mldsa_vkey = null, receiptKeys } = environment
  return {
    log: { origin, vkey, mldsa_vkey, url, witness_policy: policyOf(environment) },
    receipt_keys: receiptKeys.list().map(({ public_key, valid_from, valid_until }) => ({
      key_id: receiptKeyId(public_key),
      public_key,
      valid_from: valid_from ?? firstSignedAt(environment) ?? now,
      valid_until,
    })),
  }
}

// A policy that demands nobody says nothing of a checkpoint.
function policyOf({ log }: ServedEnvironment): string | null {
  const { policy } = log.cosigned()
  return policy === '' || policy.endsWith('quorum none\n') ? null : policy
}

/** When the oldest statement was signed; the first key is valid from then on. */
function firstSignedAt({ log }: ServedEnvironment): string | undefined {
  if (log.head().treeSize === 0) return undefined
  return signingTime(log, 0)
}

/** The published keys of an environment, and its witnesses, as a verifier trusts them. */
export async function trustedKeys(
  environments: ServedEnvironments,
  name: EnvironmentName,
  baseUrl: string,
  now: string,
): Promise<TrustedKeys> {
  const { live, sandbox } = keysIn(environments, baseUrl, now)
  const keys = await parseKeyList({ ...live, sandbox })
  const trusted = name === 'sandbox' ? (keys.sandbox ?? keys.live) : keys.live
  const policy = policyOf(environments[name])
  return policy === null ? trusted : withPolicy(trusted, policy)
}
