import path from 'node:path'
import type { ExecutionContext } from 'ava'

import { cosignatureVerifier, decodeCosignature } from '#log/tlog/cosignature.ts'
import { assert } from '#log/tlog/errors.ts'
import { ed25519Keys } from '#log/tlog/ed25519.ts'
import { mldsaKeys } from '#log/tlog/mldsa.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { openNote } from '#log/tlog/note.ts'
import type { Store } from '#log/store/store.ts'
import { WitnessStore } from '#src/tlog_tools/witness/witness_store.ts'
import {
  type SubmissionAnswer,
  Witness,
  type WitnessParts,
} from '#src/tlog_tools/witness/witness.ts'
import { cosignerVkeys, knowLog } from '#src/tlog_tools/witness/decision.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import type { WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const witnessName = 'witness.example/w1'
const witnessKey = ed25519Keys.fromSeed(Buffer.alloc(32, 3))
const mldsaKey = mldsaKeys.fromSeed(Buffer.alloc(32, 6))
const cosigner = { name: witnessName, key: witnessKey, mldsaKey }
const vkeys = cosignerVkeys(cosigner)

/** A witness on a store of its own, whose clocks stand still until they are set. */
export type OpenedWitness = {
  readonly witness: Witness
  readonly rows: WitnessStore
  readonly clock: { nowMs: number; elapsedMs: number }
  /** What the witness has said to be fatal. */
  readonly fatal: unknown[]
  submit(body: string | Uint8Array): Promise<SubmissionAnswer>
  addLog(log: WitnessedHistory): Promise<void>
  close(): Promise<void>
}

type Options = {
  readonly dir?: string
  readonly create?: boolean
  readonly rate?: WitnessParts['rate']
  readonly nowMs?: number
  /** What stands before the store, to fail. */
  readonly wrap?: (store: Store) => Store
}

/** Opens a witness; it is closed after the test, if it was not before. */
export async function openWitnessIn(
  t: ExecutionContext,
  { dir, create = true, rate = 'off', nowMs = 1_800_000_000_000, wrap = (a) => a }: Options = {},
): Promise<OpenedWitness> {
  const folder = dir ?? (await makeTempDir(t))
  const store = wrap(await openLevelStore(path.join(folder, 'witness'), { create }))
  const options = { guardFile: path.join(folder, 'guard'), vkeys, create }
  const rows = await WitnessStore.open(store, options).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const clock = { nowMs, elapsedMs: 0 }
  const fatal: unknown[] = []
  const witness = new Witness({
    store: rows,
    cosigner,
    rate,
    nowMs: () => clock.nowMs,
    elapsedMs: () => clock.elapsedMs,
    fatal: (error) => fatal.push(error),
  })
  const close = once(async () => {
    await witness.close()
    await store.close()
  })
  t.teardown(close)
  return {
    witness,
    rows,
    clock,
    fatal,
    submit: (body) => witness.submit(Buffer.from(body)),
    async addLog({ origin, vkey }) {
      await witness.addLog(knowLog({ origin, vkey, rate: null }))
    },
    close,
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** The time of the cosignatures in an answer, in POSIX seconds; throws unless all are right. */
export function cosignedAt(text: string, line: string, keys = 2): number {
  const { verified } = openNote(`${text}\n${line}`, vkeys.map(cosignatureVerifier))
  const times = new Set(verified.map(({ bytes }) => decodeCosignature(bytes).timestamp))
  assert(verified.length === keys && times.size === 1, 'the keys sign, and say one time')
  return [...times][0] ?? 0
}
