import { hash } from 'node:crypto'

import { noteVerifier } from '#log/tlog/ed25519.ts'
import type { Verifier } from '#log/tlog/note.ts'

/** A log that the witness cosigns, as its operator has told it. */
export type WitnessedLog = {
  /** The first line of its checkpoints. */
  readonly origin: string
  /** Its Ed25519 key (signature type 0x01), whose name is mostly, and need not be, its origin. */
  readonly vkey: string
  /** New checkpoints a minute at most; null if what is set for all logs holds. */
  readonly rate: number | null
}

/** A log with what verifies its checkpoints. */
export type KnownLog = WitnessedLog & { readonly id: string; readonly verifier: Verifier }

/** What a log is found by: SHA-256 of its origin in lower-case hex (C2SP tlog-witness). */
export function logId(origin: string): string {
  return hash('sha256', origin)
}

/** A log that can be verified. A vkey that is no Ed25519 key of a log is `malformed_vkey`. */
export function knowLog({ origin, vkey, rate }: WitnessedLog): KnownLog {
  return { origin, vkey, rate, id: logId(origin), verifier: noteVerifier(vkey) }
}
