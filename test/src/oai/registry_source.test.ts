import test from 'ava'

import { registrySource } from '#src/oai/registry_source.ts'
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

test('the horizon follows the clock at a distance while nothing happens', async (t) => {
  const { source, registry, advance, nowSeconds } = await open(t)
  await register(registry, 'One')
  const then = nowSeconds()
  advance(59_000)
  t.is(source.horizon(nowSeconds()), then)
  advance(3_600_000)
  t.is(source.horizon(nowSeconds()), nowSeconds() - 60)
})

test('a registry that has just begun is complete from the beginning of time', async (t) => {
  const { source, nowSeconds } = await open(t)
  t.is(source.earliest, 0)
  t.is(source.horizon(nowSeconds()), nowSeconds() - 60)
})
