import { ActorError } from '#actors/kernel/actor_error.ts'
import { answer } from '#actors/kernel/answer.ts'
import { ask, type Ref, referTo, type Reply } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'

/** What a thread is asked that reads a store of another one. */
type ScansMessage = { readonly type: 'await_scans'; readonly reply: Reply<void> }

/**
 * Lets the thread that owns a store, which both call by one name, wait until the scans of this one
 * have ended that are under way: before that, what was replaced is not removed from the disk.
 */
export function offerScans(remote: Remote, store: string, ended: () => Promise<void>): void {
  const name = offeredName(store)
  const ref = referTo(name, ({ reply }: ScansMessage) => {
    return answer(reply, ended(), 'the scans of a store failed')
  })
  remote.offer(name, () => ref)
}

/** Resolves when the scans have ended that the other sides have under way now. */
export async function othersScansEnded(
  remotes: Iterable<Remote>,
  store: string,
  askTimeoutMs: number,
): Promise<void> {
  await Promise.all(
    [...remotes].map((remote) => scansEnded(remote.at(offeredName(store), ''), askTimeoutMs)),
  )
}

async function scansEnded(scans: Ref<ScansMessage>, askTimeoutMs: number): Promise<void> {
  for (;;) {
    try {
      return await ask(scans, { type: 'await_scans' }, askTimeoutMs)
    } catch (error) {
      // A scan lasts as long as its reader takes; those of a side that has ended, ended with it.
      const code = error instanceof ActorError ? error.code : undefined
      if (code === 'lost' || code === 'stopped') return
      if (code !== 'timeout') throw error
    }
  }
}

function offeredName(store: string): string {
  return `${store} scans`
}
