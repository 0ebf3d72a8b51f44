import test from 'ava'

import { windowStore } from '#src/edge/window_store.ts'

const windowMs = 1_000

function open(clientsMax: number) {
  const clock = { nowMs: 0 }
  const Store = windowStore(() => clock.nowMs, clientsMax)
  const store = new Store({})
  const count = (key: string): number => {
    let counted = 0
    store.incr(key, (_error, result) => void (counted = result?.current ?? 0), windowMs, 1)
    return counted
  }
  return { clock, store, count }
}

test('a client is counted until its window ends', (t) => {
  const { clock, count } = open(10)
  t.is(count('a'), 1)
  clock.nowMs = 999
  t.is(count('a'), 2)
  clock.nowMs = 1_000
  t.is(count('a'), 1)
})

test('beyond the bound the oldest window is forgotten, and no other', (t) => {
  const { clock, count } = open(3)
  for (const [at, key] of ['a', 'b', 'c'].entries()) {
    clock.nowMs = at
    count(key)
  }
  count('d')
  t.is(count('b'), 2)
  t.is(count('c'), 2)
  t.is(count('a'), 1)
})

test('windows that have ended make room first', (t) => {
  const { clock, count } = open(3)
  count('a')
  clock.nowMs = 500
  count('b')
  count('c')
  clock.nowMs = 1_000
  count('d')
  t.is(count('b'), 2)
  t.is(count('c'), 2)
})

test('a child counts for itself', (t) => {
  const { store, count } = open(10)
  count('a')
  let counted = 0
  const child = store.child({} as never)
  child.incr('a', (_error, result) => void (counted = result?.current ?? 0), windowMs, 1)
  t.is(counted, 1)
})
