import { ActorError } from '#actors/kernel/actor_error.ts'
import type { Agent } from '#actors/values/agent.ts'
import { CodedError } from '#log/tlog/errors.ts'

/**
 * An event as a rule decides it: past tense `type`, the facts in `data`. `data` must be plain JSON
 * and never changes once committed, but for what an erasure removes; `schema` numbers its shape so
 * that old rows can be upcast.
 */
export type NewEvent = {
  readonly type: string
  readonly schema: number
  readonly by: Agent
  /**
   * The client's name for the request (with its owner before it) and its body's SHA-256 in hex;
   * `batch` is what the requests of one import, or of one bulk request, have in common; `bulk` says
   * that histories tell them as one thing.
   */
  readonly idempotency?: {
    readonly key: string
    readonly body_hash: string
    readonly batch?: string
    readonly bulk?: true
  }
  readonly data: unknown
}

/** An event of one type, as the room of its stream declares it: all are of their first shape. */
export type EventOf<Type extends string, Data> = NewEvent & {
  readonly type: Type
  readonly schema: 1
  readonly data: Data
}

/**
 * An event as the journal holds it. `position` is its place in the journal (from 0, no gaps),
 * `seq` its place in its stream (from 1, no gaps), `previous` the position of the stream's event
 * before it (-1 for the first), `leafIndex` the index of its first log entry (-1 if it proves
 * nothing), `entryCount` how many entries it has.
 */
export type JournalEvent = NewEvent & {
  readonly position: number
  readonly stream: string
  readonly seq: number
  readonly previous: number
  readonly at: string
  readonly leafIndex: number
  readonly entryCount: number
}

/**
 * One change of one stream, committed whole or refused whole. `expectedSeq` is the `seq` of the
 * stream's newest event (0: the stream must not exist). `at` is `YYYY-MM-DDThh:mm:ss.sssZ` and may
 * not lie before the newest committed event. `unique` are keys of view rows that must not exist
 * yet; the events' own views write them. A row of the value `replaces` has had its time: it is
 * replaced, and does not count. `entries` are log entries: all belong to the first event.
 */
export type Proposal = {
  readonly stream: string
  readonly expectedSeq: number
  readonly at: string
  readonly events: readonly NewEvent[]
  readonly unique: readonly string[]
  readonly replaces?: string
  readonly entries: readonly Uint8Array[]
}

/**
 * The proposal is durable, integrated and covered by a signed checkpoint of `treeSize`. Its first
 * entry, if it has one, is the leaf `leafIndex`.
 */
export type Committed = {
  readonly type: 'committed'
  readonly events: readonly JournalEvent[]
  readonly leafIndex: number
  readonly treeSize: number
}

/**
 * Why a proposal was not committed; nothing of it was written. `stale`: the stream has moved on;
 * `late`: `at` lies before the newest event, or too long ago, and `earliest` is the first time that
 * does not; `taken`: a unique row exists, `holder` is its value.
 */
export type ProposalRefused =
  | { readonly type: 'stale'; readonly seq: number }
  | { readonly type: 'late'; readonly earliest: string }
  | { readonly type: 'taken'; readonly key: string; readonly holder: string }

/**
 * Follows the journal. `published` tells it what was committed, and how many events there are now,
 * before anybody is answered who asked for that: it returns at once, and reads nothing. `close`
 * ends what it does of its own after what it is at.
 */
export type Follower = {
  published(newest: readonly JournalEvent[], events: number): void
  close?(): Promise<void>
}

/**
 * Every way in which a journal that several nodes share fails. `malformed_batch`: a message that is
 * none; `journal_gap`: a batch does not follow what is here; `journal_forked`: the same batch leads
 * to something else here, or what is here is not in the journal; `journal_rolled_back`: the journal
 * is shorter than what is here, or is another one; `journal_shared`: a store is one of several, and
 * was opened as if it were the only one; `unknown_event`: a newer program has written an event.
 */
export type JournalErrorCode =
  | 'malformed_batch'
  | 'journal_gap'
  | 'journal_forked'
  | 'journal_rolled_back'
  | 'journal_shared'
  | 'unknown_event'

/**
 * A fault of the journal. It ends the node: nothing is signed after it, and nothing is mended by
 * itself. `message` says what was found and what to do.
 */
export class JournalError extends CodedError<JournalErrorCode> {
  override readonly name: string = 'JournalError'
}

/** What who proposes at a node that does not lead is told: nothing was written. */
export function notLeading(): ActorError {
  return new ActorError('stopped', 'this node does not lead')
}

/** What is told of a proposal that may have become part of the journal. */
export function unknownOutcome(): ActorError {
  return new ActorError('lost', 'it is not known whether this was written')
}
