import type { Follower } from '#actors/journal/journal.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { ask, type Ref, tell } from '#actors/kernel/kernel.ts'
import type { LiveMap } from '#log/store/live_map.ts'
import type { LogReader, SignedHead } from '#log/store/log_reader.ts'
import {
  type Cosigned,
  type CosignedHead,
  cosignedRows,
  type WitnessMark,
} from '#log/store/witnessed_history.ts'

/** What whoever collects the cosignatures of a registry's log works with. */
export type Witnessing = {
  readonly log: LogReader
  /**
   * The checkpoint that witnesses are to sign: the newest or, where the log has a map, the newest
   * that ends with a map leaf. Undefined as long as there is none.
   */
  head(): SignedHead | undefined
  /** Whether this node is the one to collect cosignatures, among those that run the registry. */
  isDue(): boolean
  /** No entry that is committed now has a later time: milliseconds since 1970. */
  datedMs(): number
  /** Tells a follower of every commit from now on, and closes it with the registry. */
  follow(follower: Follower): void
  /**
   * Keeps what is known of cosignatures, with the next batch that is written, and then shows it.
   * `added` is a checkpoint that has reached the quorum, the newest of `next.count`. Errors:
   * ActorError, if it is not known to be written; then nothing is shown.
   */
  keep(next: Cosigned, added: CosignedHead | undefined): Promise<void>
  /** Shows what is known now; a restart may forget it. */
  show(next: Cosigned): void
  /** Ends the registry, which writes nothing any more: the message says why and what to do. */
  stop(error: Error): void
}

/** What `witnessingOf` needs of a registry. */
export type WitnessingParts = {
  readonly log: LogReader
  readonly map: Pick<LiveMap, 'newestSize'> | undefined
  readonly sequencer: Ref<SequencerMessage>
  readonly followers: Follower[]
  readonly askTimeoutMs: number
  readonly isDue: () => boolean
  readonly datedMs: () => number
  /** Hears what witnesses have signed last: some of it just now. */
  readonly hear: (marks: readonly WitnessMark[]) => void
  /** Shows it on this thread and to all others that serve the registry. */
  readonly show: (next: Cosigned) => void
}

/** The side of a registry that a collector of cosignatures works at. */
export function witnessingOf(parts: WitnessingParts): Witnessing {
  const { log, map, sequencer, followers, askTimeoutMs, isDue, datedMs } = parts
  const show = (next: Cosigned) => {
    parts.hear(next.witnesses)
    parts.show(next)
  }
  return {
    log,
    head() {
      if (map === undefined) return log.head()
      const { newestSize: treeSize } = map
      const checkpoint = treeSize === undefined ? undefined : log.checkpointAt(treeSize)
      return treeSize === undefined || checkpoint === undefined
        ? undefined
        : { treeSize, checkpoint }
    },
    isDue,
    datedMs,
    follow: (follower) => void followers.push(follower),
    async keep(next, added) {
      const rows = cosignedRows(next, added)
      await ask(sequencer, { type: 'keep', rows }, askTimeoutMs)
      show(next)
    },
    show,
    stop: (error) => void tell(sequencer, { type: 'stop', error }),
  }
}
