import test from 'ava'

import { RecentTimes } from '#src/identity/store/last_uses.ts'

test('a time counts until it is over, and what is over is forgotten', (t) => {
  const times = new RecentTimes(100)
  t.false(times.has('a', 0))
  times.set('a', 0)
  times.set('b', 50)
  t.true(times.has('a', 99))
  t.false(times.has('a', 100))
  times.set('a', 120)
  t.true(times.has('b', 149))
  for (let nth = 0; nth < 1_000; nth += 1) times.set(`other ${nth}`, 200 + nth)
  t.is(times.size, 100)
  t.false(times.has('b', 1_199))
  times.delete('other 999')
  t.false(times.has('other 999', 1_199))
})
