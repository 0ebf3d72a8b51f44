import { asActorError } from '#actors/kernel/actor_error.ts'
import { ask, referTo, type Reply, tell } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { QueueError, type QueueErrorCode } from '#actors/kernel/fair_queue.ts'
import type { TurnQueue, TurnQueues } from '#src/edge/turns.ts'

/** How it ended that a thread asked for a turn. */
type Entered =
  | { readonly type: 'entered' }
  | { readonly type: 'refused'; readonly code: QueueErrorCode }

type TurnsMessage =
  | {
      readonly type: 'enter'
      readonly queue: keyof TurnQueues
      readonly caller: string
      /** The thread's own number for the turn. */
      readonly turn: number
      readonly reply: Reply<Entered>
    }
  | { readonly type: 'leave'; readonly turn: number }

const name = 'turns'

/** How long a turn is waited for. Clients leave, and with them what waits for them, long before. */
const enterMsMax = 600_000

/**
 * Lets the other side of a connection take turns with all that use these queues
 * (`remoteTurnQueues`). When that side ends, so do its turns.
 */
export function offerTurns(remote: Remote, queues: TurnQueues): void {
  const host = new TurnQueuesHost(queues)
  const ref = referTo(name, (message: TurnsMessage) => host.receive(message))
  remote.offer(name, () => ref)
  void remote.ended.then(() => host.close())
}

/** What one other side has of the queues: it owns the turns that it has, and that it waits for. */
class TurnQueuesHost {
  readonly #queues: TurnQueues
  readonly #turns = new Map<number, AbortController>()

  constructor(queues: TurnQueues) {
    this.#queues = queues
  }

  receive(message: TurnsMessage): true {
    if (message.type === 'enter') void this.#enter(message)
    else this.#turns.get(message.turn)?.abort()
    return true
  }

  close(): void {
    for (const turn of this.#turns.values()) turn.abort()
  }

  async #enter({ queue, caller, turn, reply }: Extract<TurnsMessage, { type: 'enter' }>) {
    const leaving = new AbortController()
    this.#turns.set(turn, leaving)
    const untilLeft = () =>
      new Promise<void>((resolve) => {
        leaving.signal.addEventListener('abort', () => resolve(), { once: true })
        reply.resolve({ type: 'entered' })
      })
    try {
      await this.#queues[queue].run(caller, untilLeft, leaving.signal)
    } catch (error) {
      if (error instanceof QueueError) reply.resolve({ type: 'refused', code: error.code })
      else reply.reject(asActorError(error, 'a turn could not be given'))
    } finally {
      this.#turns.delete(turn)
    }
  }
}

/** The queues of the other side of a connection. Errors: those of the queues; ActorError. */
export function remoteTurnQueues(remote: Remote): TurnQueues {
  const owner = remote.at<TurnsMessage>(name, '')
  let turns = 0
  const queueOf = (queue: keyof TurnQueues): TurnQueue => ({
    async run(caller, task, signal) {
      if (signal?.aborted === true) throw new QueueError('queue_left')
      turns += 1
      const turn = turns
      const leave = () => void tell(owner, { type: 'leave', turn })
      signal?.addEventListener('abort', leave, { once: true })
      try {
        const question = { type: 'enter', queue, caller, turn } as const
        const entered = await ask(owner, question, enterMsMax)
        if (entered.type === 'refused') throw new QueueError(entered.code)
        signal?.removeEventListener('abort', leave)
        return await task()
      } finally {
        leave()
      }
    },
  })
  return { heavy: queueOf('heavy'), longBodies: queueOf('longBodies') }
}
