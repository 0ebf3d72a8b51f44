import type { ClusterStatus } from '#src/cluster/node.ts'

/** One thing that must be right for the registry to do its work, and why it is not. */
export type Check = { readonly ok: boolean; readonly problem?: string } & Readonly<
  Record<string, unknown>
>

/** Whether a registry can do its work, and everything that this was found by. */
export type Readiness = {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, Check>>
  /** What a node of a cluster knows of itself and of the others. */
  readonly node?: ClusterStatus
}
