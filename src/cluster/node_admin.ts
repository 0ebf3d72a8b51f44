import type { NewInvitation } from '#src/cluster/invitations.ts'

/** What an operator has a node of a cluster do. */
export type NodeAdmin = {
  /** Lets somebody who has the token join. ClusterErrors: `invitations_exhausted`. */
  invite(): NewInvitation
  /**
   * Leaves the cluster for good: another node leads, the folder is marked, and the process ends.
   * ClusterErrors `node_last`, `node_unconnected`.
   */
  leave(): Promise<LeftCluster>
}

/** Who has left, and the nodes that go on. */
export type LeftCluster = { readonly node: string; readonly others: readonly string[] }
