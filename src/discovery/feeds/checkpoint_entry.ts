import type { SignedHead } from '#log/store/log_reader.ts'
import type { AtomEntry } from '#src/discovery/feeds/atom.ts'

/**
 * A checkpoint of the log as an entry of a feed. `signedAt` is the time of the newest statement
 * that it covers, `baseUrl` has no slash at its end.
 */
export function checkpointEntry(
  { treeSize, checkpoint }: SignedHead,
  { signedAt, baseUrl }: { readonly signedAt: string; readonly baseUrl: string },
): AtomEntry {
  const history = `${baseUrl}/api/v1/log/checkpoints`
  return {
    id: `${baseUrl}/log/checkpoint#size-${treeSize}`,
    title: `Checkpoint of size ${treeSize}`,
    updated: signedAt,
    authors: [],
    links: [
      {
        rel: 'alternate',
        href: `${history}?after=${treeSize - 1}&limit=1`,
        type: 'application/json',
      },
    ],
    content: checkpoint,
  }
}
