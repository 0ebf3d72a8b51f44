import { personKeys } from '#test/actors/people/_seal.ts'

/** What people are sealed with in tests of several threads: the same in each. */
export function sharedSeal() {
  return personKeys((count) => Buffer.alloc(count, 7))
}
