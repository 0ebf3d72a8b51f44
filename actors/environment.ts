import type { Catalogue } from '#actors/catalogue.ts'
import type { Organizations } from '#actors/organizations.ts'
import type { Works } from '#actors/works.ts'
import type { LogReader } from '#log/log_reader.ts'

export type EnvironmentName = 'live' | 'sandbox'

/** How an environment is doing: what `/readyz`, the metrics and `status` commands report. */
export type EnvironmentStatus = {
  readonly healthy: boolean
  /** What is wrong, in a sentence; absent while healthy. */
  readonly problem?: string
  /** Events in the journal and leaves in the log. */
  readonly events: number
  readonly treeSize: number
  /** When the newest checkpoint was signed, in milliseconds since 1970. */
  readonly signedAtMs: number
  /** Proposals waiting for a commit, and actors alive. */
  readonly pooled: number
  readonly liveActors: number
}

/** One registry with its own store, log, keys and origin: `live` or `sandbox`. */
export type Environment = {
  readonly name: EnvironmentName
  readonly naan: string
  readonly shoulder: string
  readonly origin: string
  /** The log's verifier key, and the receipt key as 64 hex digits. */
  readonly vkey: string
  readonly receiptPublicKey: string
  readonly log: LogReader
  readonly works: Works
  readonly organizations: Organizations
  readonly catalogue: Catalogue
  status(): EnvironmentStatus
  /** Refuses new commands, finishes accepted ones, closes the store. */
  close(): Promise<void>
}
