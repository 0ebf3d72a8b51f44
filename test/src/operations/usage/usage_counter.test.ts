import { randomBytes } from 'node:crypto'
import test from 'ava'

import { type Use, useKinds } from '#src/edge/uses.ts'
import {
  addressUsesMax,
  createClickMemory,
  DoubleClicks,
  UsageCounter,
} from '#src/operations/usage/usage.ts'

const dayMs = 86_400_000
const browser = (number: number) =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:${number}.0) Firefox/${number}.0`

function use(ark: string, kind: Use['kind'] = 'resolutions'): Use {
  return { environment: 'live', ark, kind, organization: undefined }
}

/** Counts uses at a time that a test moves on; `sums` are those of each work, by kind. */
function counting() {
  const time = { nowMs: 20_000 * dayMs + 3_600_000 }
  const sums: Record<string, number[]> = {}
  const counter = new UsageCounter({
    clicks: new DoubleClicks(createClickMemory(), randomBytes),
    nowMs: () => time.nowMs,
    add({ ark }, counts) {
      const before = sums[ark] ?? useKinds.map(() => 0)
      sums[ark] = before.map((count, at) => count + (counts[at] ?? 0))
    },
  })
  return { time, sums, count: counter.count }
}

test('an address adds so many uses of a work on a day, whatever it calls itself', (t) => {
  const { time, sums, count } = counting()
  for (let number = 0; number < 300; number += 1) {
    count('192.0.2.7', browser(number), [use('1/a')])
    time.nowMs += 60_000
  }
  t.deepEqual(sums, { '1/a': [addressUsesMax, 0, 0, 0] })
  count('192.0.2.8', browser(1), [use('1/a')])
  count('192.0.2.7', browser(1), [use('1/a', 'landings'), use('1/b')])
  t.deepEqual(sums, { '1/a': [addressUsesMax + 1, 1, 0, 0], '1/b': [1, 0, 0, 0] })
  time.nowMs += dayMs
  count('192.0.2.7', browser(1), [use('1/a')])
  t.is(sums['1/a']?.[0], addressUsesMax + 2)
})

test('a class behind one address is counted whole, and double clicks take nothing', (t) => {
  const { time, sums, count } = counting()
  for (let second = 0; second < 20; second += 1) {
    for (let reader = 0; reader < addressUsesMax; reader += 1) {
      count('192.0.2.7', browser(reader), [use('1/a')])
    }
    time.nowMs += 1_000
  }
  t.deepEqual(sums, { '1/a': [addressUsesMax, 0, 0, 0] })
})

test('an IPv6 address is counted with all of its /64', (t) => {
  const { time, sums, count } = counting()
  for (let number = 0; number < 300; number += 1) {
    count(`2001:db8::${number.toString(16)}`, browser(number), [use('1/a')])
    time.nowMs += 1_000
  }
  t.deepEqual(sums, { '1/a': [addressUsesMax, 0, 0, 0] })
  count('2001:db8:0:1::1', browser(1), [use('1/a')])
  t.is(sums['1/a']?.[0], addressUsesMax + 1)
})

test('robots are left out as they are, but for harvests', (t) => {
  const { sums, count } = counting()
  count('192.0.2.7', 'curl/8.5.0', [use('1/a'), use('1/a', 'harvests')])
  count('192.0.2.8', 'Googlebot/2.1', [use('1/a')])
  t.deepEqual(sums, { '1/a': [0, 0, 0, 1] })
})
