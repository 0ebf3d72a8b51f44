import type { StreamState } from '#src/cluster/engine.ts'

/** A node as another one sees it, or itself. */
export type NodeSeen = {
  readonly node: string
  readonly role: 'leader' | 'follower'
  /** How far it had come when it last renewed its name; null while that is not known. */
  readonly position: number | null
}

/**
 * A stream as it was when it was last looked at, and how many of its messages this node has carried
 * out where it counts them. Its figures are null, and no servers are named, while it was not looked
 * at yet.
 */
export type StreamSeen = Omit<StreamState, 'newest' | 'messages' | 'bytes'> & {
  readonly newest: number | null
  readonly messages: number | null
  readonly bytes: number | null
  readonly carried_out?: number
}

/** A node and the cluster as it sees it. */
export type ClusterStatus = {
  readonly node: string
  readonly role: 'leader' | 'follower'
  /** Events of the registry that are here, and leaves of its log. */
  readonly position: number
  readonly tree_size: number
  /** Whether it is in contact with the others, and knows what they have revoked. */
  readonly connected: boolean
  /** The name of the node that leads; null while that is not known. */
  readonly leader: string | null
  readonly nodes: readonly NodeSeen[]
  /** The streams that all nodes share, as they were when they were last looked at. */
  readonly streams: readonly StreamSeen[]
  /** What keeps this node from leading: a sentence each. */
  readonly impediments: readonly string[]
}
