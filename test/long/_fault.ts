import type { HostedCluster } from '#test/long/_hosted_cluster.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** A fault that is there. */
export type Fault = {
  readonly what: string
  /** For how long it stands, where that is part of it; otherwise that is drawn. */
  readonly standsMs?: number
  /** Makes all whole again. */
  end(): Promise<void>
}

/** Where faults happen, whom they hit, and by which numbers in [0, 1) they are drawn. */
export type Faulty = {
  readonly t: Owner
  readonly cluster: HostedCluster
  readonly random: () => number
}

export type BeginFault = (faulty: Faulty) => Promise<Fault>

/** One of some things, as it is drawn. */
export function oneOf<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is one')
  return item
}
