import test from 'ava'

import { fetchLarge } from '#test/src/delivery/fetch/_large_body.ts'

test('a body of 2 GB takes no more than 64 MB of memory', async (t) => {
  const { outcome, expected, grownBytes } = await fetchLarge(t, 20_000)
  t.like(outcome, { type: 'fetched', ...expected })
  t.true(grownBytes < 64_000_000, `${grownBytes} bytes`)
})
