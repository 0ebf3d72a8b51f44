import { ActorError } from '#actors/kernel/actor_error.ts'
import { CodedError } from '#log/base/errors.ts'

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
