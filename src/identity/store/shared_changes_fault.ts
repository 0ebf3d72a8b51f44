import { joinAdvice } from '#actors/journal/shared_stream.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'

const stopAdvice =
  'stop all nodes, keep their folders, and find out what happened to the NATS servers: keys that ' +
  'were revoked since would work again'

/** The stream is shorter than what is here, or another one. */
export function rolledBack(found: string): IdentityError {
  const message = `the identity stream was rolled back or made anew: ${found}; ${stopAdvice}`
  return new IdentityError('identity_rolled_back', message)
}

/** The next message is gone. */
export function gap(next: number, sequence: number): IdentityError {
  const found = `change ${next} of the identity stream is gone, and ${sequence} is the next one`
  return new IdentityError('identity_gap', `${found}; ${joinAdvice}`)
}

/** A part of a change that does not follow the part before it, which no node writes. */
export function unexpectedPart(sequence: number): IdentityError {
  const found = `message ${sequence} of the identity stream is a part of no change`
  return new IdentityError('identity_forked', `${found}; ${stopAdvice}`)
}

/** Rows that never were part of the stream, and are not those that it began with. */
export function foreignRows(): IdentityError {
  const found = 'the identity stream was begun with other accounts and keys than are in this folder'
  return new IdentityError('identity_forked', `${found}; ${joinAdvice}`)
}

/** Rows that were changed while their node was in no cluster. */
export function changedOutside(): IdentityError {
  const found = 'accounts or keys were changed here while CLUSTER_URL was not set'
  return new IdentityError('identity_forked', `${found}; ${joinAdvice}`)
}

/** Another node has changed something since this change was judged. */
export function superseded(): IdentityError {
  return new IdentityError('identity_outrun', 'another node has changed something first')
}

/** Nothing was written. */
export function contended(): IdentityError {
  return new IdentityError('identity_contended', 'too many changes of accounts and keys at a time')
}

/** It may have been written. */
export function undecided(): IdentityError {
  const message = 'the NATS servers did not tell in time what became of a change'
  return new IdentityError('identity_undecided', message)
}

/** What was revoked elsewhere is not known here. */
export function stale(): IdentityError {
  const message = 'this node has lost contact, and does not know what others have revoked since'
  return new IdentityError('identity_stale', message)
}
