// Whatever one witness answers, it ends nothing, and costs no more than its own cosignatures.

import { readFile, stat, writeFile } from 'node:fs/promises'
import test, { type ExecutionContext } from 'ava'

import { openWitnessed } from '#log/tlog/cosigned_checkpoint.ts'
import { formatSignature } from '#log/tlog/note.ts'
import { parsePolicy, reachesQuorum } from '#log/tlog/policy.ts'
import { readAccusers } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { until } from '#test/_until.ts'
import { register } from '#test/actors/_environment.ts'
import {
  honestWitness,
  type StrangeAnswer,
  strangeWitness,
  type StrangeWitness,
  type Submitted,
} from '#test/src/tlog_tools/cosigning/_strange_witness.ts'
import {
  aheadMsMax,
  makeWitnessed,
  policyOf,
  witnessed,
} from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

/** Policies by their groups and quorum, with as many witnesses as they name. */
const policies: Readonly<Record<string, readonly [witnesses: number, rules: string]>> = {
  '1 of 1': [1, 'quorum w1'],
  '1 of 2': [2, 'group g any w1 w2\nquorum g'],
  '2 of 2': [2, 'group g all w1 w2\nquorum g'],
  '2 of 3': [3, 'group g 2 w1 w2 w3\nquorum g'],
  'w1 and one of two others': [3, 'group other any w2 w3\ngroup g all w1 other\nquorum g'],
}

type Rogue = {
  readonly answer: (submitted: Submitted, witness: StrangeWitness) => StrangeAnswer
  /** What is told of it; nothing is as long as it does not answer. */
  readonly problem?: RegExp
  /** What it shows as the last checkpoint of the log. */
  readonly shown?: string
}

const origin = 'registry.example/log'
const year2036 = Date.UTC(2036, 0, 1) / 1_000
const wrong = /^what it answers is no cosignature of the checkpoint: /

const rogues: Readonly<Record<string, Rogue>> = {
  'a size far beyond the log': {
    answer: () => ({ size: 999_999_999 }),
    problem:
      /^it says that it has cosigned 999999999 entries, and the log has \d+, but shows no .* 404$/,
  },
  'such a size, and a checkpoint of nobody': {
    answer: () => ({ size: 999_999_999 }),
    shown: `${origin}\n999999999\n${'A'.repeat(43)}=\n\n\u2014 ${origin} AAAAAAAA\n`,
    problem: /and the log has \d+, but shows no checkpoint that the key of this log has signed \(/,
  },
  'the size that it is asked about': {
    answer: ({ treeSize }) => ({ size: treeSize }),
    problem: /^it (?:says that the log does not continue the \d+ |tells another size each time)/,
  },
  'a size, and then that nothing continues it': {
    answer: ({ old }) => (old === 1 ? [422, 'no'] : { size: 1 }),
    problem:
      /^it says that the log does not continue the 1 entries that it has cosigned, but shows/,
  },
  'no size': {
    answer: () => [409, 'eleven\n\u001b[31m', { 'content-type': 'text/x.tlog.size' }],
    problem: /^it answers 409: eleven \[31m$/,
  },
  'a signature that is wrong': {
    answer: ({ text }, { line }) => line(`${text} `),
    problem: wrong,
  },
  'a signature of somebody else': {
    answer: ({ text }, { vkey, line }) => {
      const keyName = vkey.slice(0, vkey.indexOf('+'))
      return line(text).replace(keyName, 'other.example')
    },
    problem: wrong,
  },
  'a key of an unknown type alone': {
    answer: () => formatSignature({ keyName: 'w', keyId: 1, bytes: Buffer.alloc(2_428) }),
    problem: wrong,
  },
  'a body without an end': {
    answer: () => (reply) => {
      const pour = () => {
        while (!reply.destroyed && reply.write('\u2014 w1.example AAAA\n'.repeat(500)));
      }
      reply.on('drain', pour)
      pour()
    },
    problem: /^it cannot be reached: /,
  },
  'not found': { answer: () => [404, ''], problem: /^it answers 404$/ },
  forbidden: { answer: () => [403, 'no'], problem: /^it answers 403: no$/ },
  'another address': {
    answer: () => [307, '', { location: 'http://127.0.0.1:1/' }],
    problem: /^it answers 307$/,
  },
  'a time of 2036': {
    answer: ({ text }, { line }) => line(text, year2036),
    problem:
      /^its cosignature is of 2036-01-01T00:00:00.000Z, and here it is 20\S+: a clock is wrong$/,
  },
  'a time beyond the calendar': {
    answer: ({ text }, { line }) => line(text, Number.MAX_SAFE_INTEGER),
    problem: /^its cosignature is of second 9007199254740991, and here it is /,
  },
  nothing: { answer: () => () => undefined },
}

/** Opens a registry beside a rogue witness at a place of a policy, once for each of its answers. */
async function attack(
  t: ExecutionContext,
  [count, rules]: readonly [number, string],
  place: number,
  where: string,
): Promise<void> {
  const registry = await makeWitnessed(t)
  let answer: Rogue['answer'] = () => [503, '']
  const witnesses = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      at === place
        ? strangeWitness(t, at + 1, (submitted, witness) => answer(submitted, witness))
        : honestWitness(t, at + 1),
    ),
  )
  const rogue = witnesses[place]
  if (rogue === undefined) throw new Error('a witness is rogue')
  const lines = witnesses.map(({ name, vkey, url }) => `witness ${name} ${vkey} ${url}\n`)
  const policy = `${lines.join('')}${rules}\n`
  const others = witnesses.filter((one) => one !== rogue).map(({ name }) => name)
  const isWithinReach = reachesQuorum(parsePolicy(policy), new Set(others))
  const unwatched = await registry.start('quorum none')
  for (const title of ['One', 'Two']) await register(unwatched.environment, title)
  await unwatched.close()
  for (const [kind, { problem, shown, ...next }] of Object.entries(rogues)) {
    const name = `${where}: ${kind}`
    answer = next.answer
    rogue.shown = shown
    rogue.seen.length = 0
    const { environment, collector, close } = await registry.start(policy)
    const facts = () => collector.links[place]?.facts
    await until(`${name}: it was asked`, () => rogue.seen.length > 0)
    if (problem !== undefined) {
      await until(`${name}: it has answered`, () => facts()?.problem !== undefined)
      t.regex(facts()?.problem ?? '', problem)
    }
    await register(environment, name)
    if (isWithinReach) {
      const note = await witnessed(environment, environment.log.head().treeSize)
      t.false(openWitnessed(note, registry.verifiers(policy)).missing.length === 0, name)
    } else t.is(environment.log.cosigned().witnessed, undefined, name)
    t.is(facts()?.mark, undefined, name)
    t.true(environment.status().healthy, name)
    await close()
  }
  const { environment } = await registry.start('quorum none')
  t.is(environment.log.head().treeSize, 2 + Object.keys(rogues).length)
  t.deepEqual(registry.fatal, [])
}

// At once: an answer that never ends is waited for in each place.
test('whatever a witness answers ends nothing, in each place of each policy', async (t) => {
  const places = Object.entries(policies).flatMap(([rules, policy]) =>
    Array.from({ length: policy[0] }, (_, place) =>
      attack(t, policy, place, `w${place + 1} in ${rules}`),
    ),
  )
  await Promise.all(places)
})

/** A registry of one entry, with a policy of one witness that is rogue as long as a test wants. */
async function besideRogue(t: ExecutionContext, answer: () => StrangeAnswer | undefined) {
  const registry = await makeWitnessed(t)
  const witness = await honestWitness(t, 1, answer)
  const policy = policyOf('all', [witness])
  const unwatched = await registry.start('quorum none')
  await register(unwatched.environment, 'One')
  await unwatched.close()
  return { registry, witness, policy }
}

test('one that contradicts the log is left alone for longer and longer', async (t) => {
  let isRogue = true
  const answer = () => (isRogue ? { size: 999_999_999 } : undefined)
  const { registry, witness, policy } = await besideRogue(t, answer)
  const { environment, collector, close } = await registry.start(policy)
  const facts = () => collector.links[0]?.facts
  await until('it is set aside', () => facts()?.isSetAside === true)
  t.false(collector.canReachQuorum)
  const failures = facts()?.failures ?? 0
  await register(environment, 'Two')
  // It rests for half a minute, a minute, two: nothing is random here.
  for (const [at, waitMs] of [30_000, 60_000, 120_000].entries()) {
    t.is(facts()?.failures, failures + at)
    registry.time.skippedMs += waitMs
    await until('it was asked again', () => facts()?.failures === failures + at + 1)
  }
  await until('all is kept', () => readAccusers(registry.files.claims)[0]?.claims.length === 4)
  const [kept] = readAccusers(registry.files.claims)
  t.like(kept, { name: 'w1', vkey: witness.vkey, url: witness.url, set_aside: true })
  t.regex(kept?.claims[0]?.said ?? '', /^it says that it has cosigned 999999999 entries, and the/)
  t.true(Number.isFinite(Date.parse(kept?.claims[0]?.at ?? '')))
  await close()

  isRogue = false
  const again = await registry.start(policy)
  await witnessed(again.environment, 2)
  t.false(again.collector.links[0]?.facts.isSetAside)
  t.true(again.collector.canReachQuorum)
  t.is(readAccusers(registry.files.claims)[0]?.set_aside, false)
  t.is(readAccusers(registry.files.claims)[0]?.claims.length, 4)
})

test('what is kept of claims is bounded, and a damaged file of it refuses no start', async (t) => {
  const answer = () => ({ size: 999_999_999 })
  const { registry, policy } = await besideRogue(t, answer)
  for (let start = 1; start <= 12; start += 1) await (await registry.start(policy)).close()
  t.is(readAccusers(registry.files.claims)[0]?.claims.length, 10)
  t.true((await stat(registry.files.claims)).size < 8_000)
  await writeFile(registry.files.claims, '{"accusers":[{"name":1}]}')
  await writeFile(registry.files.evidence, 'registry.example/log\n9\n')
  const { collector } = await registry.start(policy)
  t.true(collector.links[0]?.facts.isSetAside)
  t.is(readAccusers(registry.files.claims)[0]?.claims.length, 1)
  t.deepEqual(registry.fatal, [])
})

test('what was set aside stops the log as soon as it shows what the log has signed', async (t) => {
  const { registry, witness, policy } = await besideRogue(t, () => ({ size: 2 }))
  const { environment, collector } = await registry.start(policy)
  await until('it is set aside', () => collector.links[0]?.facts.isSetAside === true)
  // The same key, another history.
  const twin = await makeWitnessed(t)
  const other = await twin.start('quorum none')
  for (const title of ['Other', 'Further']) await register(other.environment, title)
  witness.shown = other.environment.log.head().checkpoint
  registry.time.skippedMs += 3_600_000
  await until('it has stopped', () => registry.fatal.length > 0)
  t.like(registry.fatal[0], { code: 'log_rolled_back' })
  t.regex(String(registry.fatal[0]), /^LogError: the witness w1 shows a checkpoint of 2 entries, /)
  t.is(await readFile(registry.files.evidence, 'utf8'), witness.shown)
  t.is(environment.log.cosigned().witnessed, undefined)
})

test('one of 2036 is not taken, nor blocks those that are ahead by five minutes', async (t) => {
  let timestamp = year2036
  const registry = await makeWitnessed(t)
  const witness = await strangeWitness(t, 1, ({ text }, { line }) => line(text, timestamp))
  const policy = policyOf('all', [witness])
  // As an earlier release has taken it.
  registry.time.nowMs = () => year2036 * 1_000
  const before = await registry.start(policy)
  await register(before.environment, 'One')
  await witnessed(before.environment, 1)
  t.is(before.collector.links[0]?.facts.mark?.timestamp, year2036)
  await before.close()

  registry.time.nowMs = Date.now
  const { environment, collector } = await registry.start(policy)
  await until('it is refused', () => collector.links[0]?.facts.problem !== undefined)
  t.is(collector.links[0]?.facts.mark, undefined)
  timestamp = Math.floor((Date.now() + aheadMsMax) / 1_000)
  registry.time.skippedMs += 3_600_000
  await register(environment, 'Two')
  await witnessed(environment, 2)
  t.is(collector.links[0]?.facts.mark?.timestamp, timestamp)
  t.deepEqual(registry.fatal, [])
})
