import test from 'ava'

import { registrySource } from '#src/discovery/oai/record_source.ts'
import { makeRegistry, register } from '#test/actors/_environment.ts'
import { type OpenSource, testRecordSource } from '#test/contracts/record_source.ts'

const open: OpenSource = async (t) => {
  let nowMs = Date.parse('2026-01-01T00:00:00.000Z')
  const made = await makeRegistry(t, { systemMs: () => nowMs })
  const registry = await made.open()
  t.teardown(() => registry.close())
  return {
    source: registrySource(registry),
    registry,
    advance: (ms) => {
      nowMs += ms
    },
    nowSeconds: () => Math.floor(nowMs / 1_000),
    settled: () => Promise.resolve(),
  }
}

testRecordSource(test, open)

test('a registry has told everything up to now, whatever has happened', async (t) => {
  const { source, registry, advance, nowSeconds } = await open(t)
  t.is(source.earliest, 0)
  t.deepEqual(await source.settle(nowSeconds()), { at: nowSeconds(), until: nowSeconds() })
  await register(registry, 'One')
  advance(59_000)
  t.deepEqual(await source.settle(nowSeconds()), { at: nowSeconds(), until: nowSeconds() })
  // Who asks has another clock: what is still to come, nobody can promise.
  const ahead = await source.settle(nowSeconds() + 100)
  t.deepEqual(ahead, { at: nowSeconds(), until: nowSeconds() })
})

test('of a machine whose clock is set back, lists have what came before', async (t) => {
  const { source, registry, advance, nowSeconds } = await open(t)
  await register(registry, 'One')
  const newest = nowSeconds()
  advance(-3_600_000)
  t.deepEqual(await source.settle(nowSeconds()), { at: newest - 3_600, until: newest })
})

test('what is being written when a reply is asked for is in it, or has a later time', async (t) => {
  const { source, registry, advance, nowSeconds } = await open(t)
  advance(999)
  const writes = ['One', 'Two', 'Three'].map((title) => register(registry, title))
  advance(1)
  const now = nowSeconds()
  const { at } = await source.settle(now)
  t.is(at, now)
  const page = { limit: 10, bytesEnough: 1_000_000 }
  const before = { from: 0, until: at - 1 }
  const told = await source.records(before, page)
  await Promise.all(writes)
  t.deepEqual(await source.records(before, page), told)
  t.is((await source.records({ from: 0, until: at }, page)).records.length, 3)
})
