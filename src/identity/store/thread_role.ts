import type { Remote } from '#actors/kernel/remote.ts'

/**
 * Whether a thread runs what it opens, or joins what another thread of the process runs: then what
 * is done once for all threads, such as to remove what has expired, is left to the owner, to which
 * there is a connection.
 */
export type ThreadRole =
  | { readonly type: 'runs' }
  | { readonly type: 'joins'; readonly owner: Remote }
