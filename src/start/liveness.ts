import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, referTo, type Reply } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'

type LivenessMessage = { readonly type: 'describe_life'; readonly reply: Reply<void> }

const name = 'liveness'

/** How often a thread is asked for a sign of life, and how often in a row it may give none. */
const askedEveryMs = 10_000
const missedMax = 3

/** Gives the other side of a connection signs of life. */
export function offerLiveness(remote: Remote): void {
  const ref = referTo(name, ({ reply }: LivenessMessage) => {
    reply.resolve()
    return true
  })
  remote.offer(name, () => ref)
}

/**
 * Watches the other side of a connection until it ends; calls `hangs` if it gives no sign of life
 * for half a minute. A thread that never comes to its next message holds up all who wait for what
 * it has, such as a turn of a store, and only its end frees that.
 */
export function watchLiveness(
  remote: Remote,
  hangs: () => void,
  everyMs: number = askedEveryMs,
): void {
  const watched = remote.at<LivenessMessage>(name, '')
  let missed = 0
  // A process that was stopped for long finds one time-out when it goes on, and not several.
  const look = async (): Promise<void> => {
    try {
      await ask(watched, { type: 'describe_life' }, everyMs)
      missed = 0
    } catch (error) {
      if (!(error instanceof ActorError) || error.code !== 'timeout') return
      missed += 1
      if (missed === missedMax) hangs()
    }
  }
  let isLooking = false
  const looking = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => (isLooking = false))
  }, everyMs)
  looking.unref()
  void remote.ended.then(() => clearInterval(looking))
}
