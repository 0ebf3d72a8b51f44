import { setTimeout as sleep } from 'node:timers/promises'

import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { LeaseEntry, LeaseStore, LeaseValue } from '#src/cluster/lease.ts'
import { isPassing } from '#src/cluster/passing_fault.ts'

/** What it takes to see who holds a name. */
export type NameHolderOptions = {
  readonly store: Pick<LeaseStore, 'ttlMs' | 'read'>
  /** The name of a node, as `isNodeName` has it. */
  readonly node: string
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** What is to be done where a process that runs has the name: sentences. */
  readonly advice: string
}

/** Below which key each node has the lease on its name. */
export const nameFolder = 'node'

// Of the time after which the store lets go of a name. Whoever runs has renewed it twice by then.
const looksOfAnEnd = 40
const waitShare = 3

/**
 * Renewals by which a process shows that it runs. One that was killed may have had one on its way.
 */
const renewalsOfTheLiving = 2

/**
 * Resolves when nobody holds the name of a node. One that was killed renews it no more, and it is
 * free when its lease has ended; a process that is seen to renew it runs: ClusterError
 * `node_name_taken`. What a passing fault of the engine hides is looked at again.
 */
export async function awaitFreeName(options: NameHolderOptions): Promise<void> {
  const { store, node, elapsedMs, advice } = options
  const endMs = elapsedMs() + store.ttlMs * waitShare
  let seen: LeaseEntry | undefined
  let renewals = 0
  for (;;) {
    const entry = await readHolder(options, endMs)
    if (entry === undefined) return
    if (seen !== undefined && entry.revision !== seen.revision) renewals += 1
    seen = entry
    if (renewals >= renewalsOfTheLiving || elapsedMs() >= endMs) {
      throw nameTaken(`${describeHolder(node, entry.value)} runs already`, advice)
    }
    await sleep(store.ttlMs / looksOfAnEnd)
  }
}

async function readHolder(
  { store, node, elapsedMs }: NameHolderOptions,
  endMs: number,
): Promise<LeaseEntry | undefined> {
  for (;;) {
    try {
      return await store.read(`${nameFolder}.${node}`)
    } catch (error) {
      if (!isPassing(error) || elapsedMs() >= endMs) throw error
    }
    await sleep(store.ttlMs / looksOfAnEnd)
  }
}

/** A node, and where it runs, as far as it has said. */
export function describeHolder(node: string, { host }: LeaseValue): string {
  return `Node ${node} of this cluster${typeof host === 'string' ? ` (on host ${host})` : ''}`
}

/** Why a name cannot be had, and what to do. */
export function nameTaken(found: string, advice: string): ClusterError {
  return new ClusterError('node_name_taken', `${found}. ${advice}`)
}
