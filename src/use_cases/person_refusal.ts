import type {
  ChangeItemAnswer,
  MarkItemAnswer,
  PersonRefusal,
  PutItemAnswer,
  RemoveItemAnswer,
  TakenName,
  UndoAnswer,
} from '#actors/people/port.ts'
import { editedSince } from '#src/edge/record_sent_back.ts'
import { HttpError, invalidInput } from '#src/errors.ts'
import { noPerson, personGone } from '#src/use_cases/named_person.ts'

type Answer =
  | PutItemAnswer
  | ChangeItemAnswer
  | RemoveItemAnswer
  | MarkItemAnswer
  | UndoAnswer
  | PersonRefusal
  | TakenName

/** Why nothing of a person was changed. */
export type Refusal = Exclude<
  Answer,
  { type: 'put' | 'changed' | 'unchanged' | 'removed' | 'marked' | 'undone' | 'already_undone' }
>

/** The words of a refusal that depend on what was asked for. */
export type RefusalWords = {
  readonly forbidden: string
  readonly invalid: string
  /** Unless told, it is the person that there is not. */
  readonly notFound?: string
}

/** The HttpError that a refusal of a change of a person is. */
export function refusedPerson(refusal: Refusal, words: RefusalWords): HttpError {
  switch (refusal.type) {
    case 'not_found':
      return words.notFound === undefined ? noPerson() : new HttpError('not_found', words.notFound)
    case 'gone':
      return personGone(refusal.erased_at)
    case 'forbidden':
      return new HttpError('forbidden', words.forbidden)
    case 'invalid':
      return invalidInput(words.invalid, refusal.faults)
    case 'precondition_failed':
      return editedSince('The record', refusal)
    case 'not_source': {
      const message = `You are not the source: only ${refusal.source.name} changes this record`
      return new HttpError('forbidden', message)
    }
    case 'idempotency_mismatch': {
      const message = 'This Idempotency-Key was sent before with another body'
      return new HttpError('validation_failed', message)
    }
    case 'removed_since':
      return new HttpError('gone', 'What this request has written was removed since')
    case 'username_taken':
      return conflict('Somebody else has this username')
    case 'orcid_taken':
      return conflict('Somebody else has signed in with this ORCID iD')
    case 'too_many_items':
      return conflict(`A person can have at most ${refusal.max} records of a kind`)
    case 'duplicate_item':
      return conflict('You have already written a record that says the same', { id: refusal.id })
    case 'own_item':
      return conflict('This record is your own: change it, or delete it')
    case 'changed_since': {
      const extra = refusal.position < 0 ? {} : { position: refusal.position }
      return conflict('What this write has written was changed since', extra)
    }
    case 'not_undoable':
      return conflict('A write of this kind cannot be undone')
  }
}

function conflict(message: string, extra: Record<string, unknown> = {}): HttpError {
  return new HttpError('conflict', message, { extra })
}
