import test from 'ava'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** Owns what all tests of a file share. It ends after the last of them, the newest first. */
export function fileOwner(): Owner {
  const endings: (() => unknown)[] = []
  test.after.always(async () => {
    for (const end of endings.toReversed()) await end()
  })
  return { teardown: (end) => void endings.push(end) }
}
