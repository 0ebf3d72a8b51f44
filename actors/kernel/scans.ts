import { ActorError } from '#actors/kernel/actor_error.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerService, remoteService, type Service } from '#actors/kernel/service.ts'

type ScanCalls = { awaitScans(): Promise<void> }

/** What a thread does for another one whose store it reads, which both call by one name. */
function scanService(store: string, ms: number): Service<ScanCalls> {
  return { name: `${store} scans`, calls: { awaitScans: ms } }
}

/**
 * Lets the thread that owns a store wait until the scans of this one have ended that are under way:
 * before that, what was replaced is not removed from the disk.
 */
export function offerScans(remote: Remote, store: string, ended: () => Promise<void>): void {
  offerService(remote, scanService(store, 0), { awaitScans: ended })
}

/** Resolves when the scans have ended that the other sides have under way now. */
export async function othersScansEnded(
  remotes: Iterable<Remote>,
  store: string,
  askTimeoutMs: number,
): Promise<void> {
  const service = scanService(store, askTimeoutMs)
  const scans = Array.from(remotes, (remote) => remoteService(remote, service))
  await Promise.all(scans.map((scan) => untilEnded(scan)))
}

async function untilEnded(scans: ScanCalls): Promise<void> {
  for (;;) {
    try {
      return await scans.awaitScans()
    } catch (error) {
      // A scan lasts as long as its reader takes; those of a side that has ended, ended with it.
      const code = error instanceof ActorError ? error.code : undefined
      if (code === 'lost' || code === 'stopped') return
      if (code !== 'timeout') throw error
    }
  }
}
