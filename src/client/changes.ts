import { ArklogError } from '#src/client/verify/evidence_error.js'
import type { CallOptions, Transport } from '#src/client/transport.ts'
import type { Change, ChangePage } from '#src/client/types.ts'

export type FollowOptions = CallOptions & {
  /** The `seq` of the last change that you have; by default 0, the beginning. */
  readonly after?: number
  /** Changes of one call; by default 500, 1,000 at most. */
  readonly limit?: number
  /** Whether to go on waiting for news once all is read. */
  readonly live?: boolean
}

const limitDefault = 500

/** How long one call waits for news, and how much longer an answer may take. */
const waitSeconds = 25
const answerMs = 15_000

/** The feed of all changes of works and organizations, in the order of the registry's journal. */
export class Changes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Follows the changes: to the newest one, or with `live` until `signal` is aborted or the loop is
   * left. Keep the `seq` of the last change that you have dealt with, to go on after it.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Change> {
    const { after = 0, limit = limitDefault, live = false, ...call } = options
    for (let at = after; ; ) {
      const wait = live ? waitSeconds : 0
      const page = await this.#transport.send<ChangePage>({
        method: 'GET',
        path: '/v1/changes',
        query: { after: at, limit, wait },
        limit: 'changes',
        timeoutMs: waitSeconds * 1_000 + answerMs,
        ...call,
      })
      if (page.end < at) {
        const message = `The feed ends at ${page.end}, before ${at}: the registry has lost changes`
        throw new ArklogError('rolled_back', message)
      }
      yield* page.changes
      if (page.changes.length === 0 && !live) return
      at = page.next
    }
  }
}
