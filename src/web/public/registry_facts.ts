import type { ListedWork } from '#src/api/listed_works.ts'

/** The newest works of the registry, and how many there are. */
export type NewestWorks = {
  readonly total: number
  /** Whether there are no more than `total`. */
  readonly isExact: boolean
  readonly works: readonly ListedWork[]
}

/** What the first page tells of the registry as it is now. */
export type RegistryFacts = {
  /** Statements in the log. */
  readonly treeSize: number
  /** 64 hex digits. */
  readonly rootHash: string
  /** The time of the newest statement, as receipts spell it; absent while there is none. */
  readonly signedAt?: string
  /** Absent when nothing can be searched. */
  readonly newest?: NewestWorks
}
