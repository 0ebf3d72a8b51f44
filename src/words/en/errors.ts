import { messages } from '#src/words/message.ts'

/** The pages in place of one that cannot be shown. Keys of titles are codes of the API. */
export const errors = messages('errors', {
  not_found: 'Page not found',
  not_acceptable: 'This format is not available',
  forbidden: 'You cannot do this',
  suspended: 'This account is suspended',
  gone: 'This is no longer valid',
  conflict: 'This conflicts with the current state',
  rate_limit_exceeded: 'Too many attempts',
  withheld: 'This work is withheld',
  payload_too_large: 'This is too large',
  unavailable: 'The registry is busy',
  timeout: 'This took too long',
  clock_wrong: 'Changes are not possible right now',
  internal_error: 'Something went wrong',
  record_damaged: 'This record cannot be read',
  other: 'We could not understand this request',

  // What each of them means, and what to do, where the API’s own message is not for readers.
  nothingHere: 'There is nothing at this address. Check the address for typing mistakes.',
  tryLater: 'Please try again in a moment.',
  failed: 'This is our fault, and we have logged it. Please try again later.',
  noChanges:
    'The clock of the registry is wrong, so nothing can be changed. You can still read everything.',

  // After too many attempts.
  waitSeconds: `.input {$seconds :integer} .match $seconds
    one {{Try again in {$seconds} second.}}
    * {{Try again in {$seconds} seconds.}}`,
  waitMinutes: `.input {$minutes :integer} .match $minutes
    one {{Try again in {$minutes} minute.}}
    * {{Try again in {$minutes} minutes.}}`,
  report:
    'If this keeps happening, contact the operator of this registry. Quote error {$status} and request {$request}.',
  goTo: 'Go to {$ark}',
  searchInstead: 'Search the registry instead',
})
