import test from 'ava'

import { openCosigned, openWitnessed } from '#log/tlog/cosigned_checkpoint.ts'
import { checkInclusion } from '#log/tlog/proof.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { until } from '#test/_until.ts'
import { register } from '#test/actors/_environment.ts'
import { strangeWitness } from '#test/src/tlog_tools/cosigning/_strange_witness.ts'
import {
  makeWitnessed,
  policyOf,
  serveWitnesses,
  witnessed,
} from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

test('a mint is covered by a checkpoint that the quorum has signed, and stays so', async (t) => {
  const registry = await makeWitnessed(t)
  const witnesses = await serveWitnesses(t, 3, { ...registry.options, vkey: registry.vkey })
  const policy = policyOf(2, witnesses)
  const { environment, close } = await registry.start(policy)
  await register(environment, 'One')
  const first = await witnessed(environment, 1)
  const { log } = environment
  t.is(log.provingHead(0).checkpoint, first)
  t.true(openWitnessed(first, registry.verifiers(policy)).signed.length >= 2)
  for (const title of ['Two', 'Three', 'Four']) {
    await register(environment, title)
    await witnessed(environment, log.head().treeSize)
  }
  t.is(log.provingHead(0).checkpoint, first)
  const { treeSize, rootHash } = log.provingHead(3)
  const proof = log.inclusion(3, treeSize)
  checkInclusion({ leafHash: leafHash(log.entry(3)), leafIndex: 3, treeSize, proof, rootHash })
  await until('all have signed the newest', () => {
    const { checkpoint } = log.newestCheckpoint()
    return openCosigned(checkpoint, registry.verifiers(policy)).signed.length === 3
  })
  await close()
  const again = await registry.start(policy)
  t.is(again.environment.log.provingHead(0).checkpoint, first)
  t.is(again.environment.log.cosigned().witnesses.length, 3)
})

test('slow and dead witnesses hold up neither writers nor the quorum of the others', async (t) => {
  const registry = await makeWitnessed(t)
  const good = await serveWitnesses(t, 2, { ...registry.options, vkey: registry.vkey })
  const { promise: forEver, resolve: end } = Promise.withResolvers<void>()
  t.teardown(end)
  const slow = await strangeWitness(t, 3, async () => {
    await forEver
    return [500, '']
  })
  const dead = { ...(await strangeWitness(t, 4, () => [500, ''])), url: 'http://127.0.0.1:1' }
  const policy = policyOf(2, [...good, slow, dead])
  const { environment, collector } = await registry.start(policy)
  for (let number = 1; number <= 4; number += 1) {
    await register(environment, `Work ${number}`)
    await witnessed(environment, number)
  }
  await until('the slow and the dead one were asked too', () => {
    return slow.seen.length > 0 && collector.links[3]?.facts.problem !== undefined
  })
  t.is(slow.seen.length, 1)
  const facts = collector.links.map((link) => link.facts)
  t.regex(facts[3]?.problem ?? '', /^it cannot be reached: /)
  t.is(facts[3]?.mark, undefined)
  t.true((facts[3]?.failures ?? 0) >= 1)
  t.is(facts[0]?.failures, 0)
  t.true(registry.logged.some((line) => line.includes('a witness has not cosigned')))
})

test('an answer that is no cosignature of the checkpoint counts for nothing', async (t) => {
  const registry = await makeWitnessed(t)
  const older: string[] = []
  const replaying = await strangeWitness(t, 1, ({ text }, { line }) => {
    older.push(line(text))
    return older[0] ?? ''
  })
  const [stolen] = [await strangeWitness(t, 2, ({ text }, { line }) => line(text))]
  const ofAnother = await strangeWitness(t, 3, ({ text }, { line }) =>
    line(text.replace('registry.example', 'other.example')),
  )
  const policy = policyOf(2, [replaying, stolen, ofAnother])
  const { environment, collector } = await registry.start(policy)
  await register(environment, 'One')
  await witnessed(environment, 1)
  await register(environment, 'Two')
  await until('the others have answered', () =>
    collector.links.every(({ facts }) => facts.mark?.treeSize === 2 || facts.problem !== undefined),
  )
  // With the key of one witness alone, who has stolen it reaches no quorum of two.
  t.is(environment.log.cosigned().witnessed?.treeSize, 1)
  const reasons = collector.links.map(({ facts }) => facts.problem)
  t.is(
    reasons[0],
    'what it answers is no cosignature of the checkpoint: the signature of w1.example is wrong',
  )
  t.is(reasons[1], undefined)
  t.is(
    reasons[2],
    'what it answers is no cosignature of the checkpoint: the signature of w3.example is wrong',
  )
  const { signed } = openCosigned(
    environment.log.newestCheckpoint().checkpoint,
    registry.verifiers(policy),
  )
  t.deepEqual(
    signed.map(({ name }) => name),
    ['w2'],
  )
})

test('a cosignature that is older than the last one of its witness is not taken', async (t) => {
  const registry = await makeWitnessed(t)
  let time = Math.floor(Date.now() / 1_000) + 240
  const witness = await strangeWitness(t, 1, ({ text }, { line }) => line(text, time))
  const { environment, collector } = await registry.start(policyOf('all', [witness]))
  await register(environment, 'One')
  await witnessed(environment, 1)
  time -= 1
  await register(environment, 'Two')
  await until('it was answered', () => collector.links[0]?.facts.problem !== undefined)
  t.is(
    collector.links[0]?.facts.problem,
    `its time went back, from ${time + 1} to ${time}: is it an old cosignature?`,
  )
  t.is(environment.log.cosigned().witnessed?.treeSize, 1)
})

test('a witness that knows less or more than is remembered is told what it needs', async (t) => {
  const registry = await makeWitnessed(t)
  const witness = await strangeWitness(t, 1, ({ text, old, proof }, { line, seen }) => {
    // It has lost what it knew of 2 entries, and remembers 1.
    if (seen.length === 2) return { size: 1 }
    if (old === 1 && proof.length === 0) return [422, 'bad proof']
    return line(text)
  })
  const { environment } = await registry.start(policyOf('all', [witness]))
  for (const [number, title] of ['One', 'Two', 'Three'].entries()) {
    await register(environment, title)
    await witnessed(environment, number + 1)
  }
  t.deepEqual(
    witness.seen.map(({ old, treeSize }) => [old, treeSize]),
    [
      [0, 1],
      [1, 2],
      [1, 2],
      [2, 3],
    ],
  )
})

test('nothing is sent of an empty log, and nothing more than once in an interval', async (t) => {
  const registry = await makeWitnessed(t)
  const witness = await strangeWitness(t, 1, ({ text }, { line }) => line(text))
  const { environment } = await registry.start(policyOf('all', [witness]))
  t.is(witness.seen.length, 0)
  const startedMs = performance.now()
  for (let number = 1; number <= 60; number += 1) await register(environment, `Work ${number}`)
  await witnessed(environment, 60)
  const intervals = (performance.now() - startedMs) / 100
  t.true(witness.seen.length <= intervals + 2, `${witness.seen.length} in ${intervals}`)
  t.true(witness.seen.every(({ treeSize }) => treeSize > 0))
})

test('the tree of a quorum of slow witnesses is one that both are asked about', async (t) => {
  const registry = await makeWitnessed(t)
  const waiting: (() => void)[] = []
  const slow = (number: number) =>
    strangeWitness(t, number, async ({ text }, { line }) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return line(text)
    })
  const policy = policyOf('all', [await slow(1), await slow(2)])
  const { environment } = await registry.start(policy)
  await register(environment, 'One')
  await until('one is asked', () => waiting.length === 2)
  await register(environment, 'Two')
  await register(environment, 'Three')
  waiting[1]?.()
  await until('one has signed', () => environment.log.cosigned().witnesses.length === 1)
  waiting[0]?.()
  t.is(openWitnessed(await witnessed(environment, 1), registry.verifiers(policy)).signed.length, 2)
  await until('both are asked about the newest', () => waiting.length === 4)
  for (const resolve of waiting) resolve()
  await witnessed(environment, 3)
})
