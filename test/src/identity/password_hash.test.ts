import { randomBytes } from 'node:crypto'
import test from 'ava'

import { PasswordHasher, passwordCost } from '#src/identity/password_hash.ts'
import { testPasswordCost } from '#test/src/_accounts.ts'

const secret = Buffer.alloc(32, 1)

function hasherOf(changes: { secret?: Uint8Array; cost?: typeof passwordCost } = {}) {
  return new PasswordHasher({ secret, random: randomBytes, cost: testPasswordCost, ...changes })
}

test('a hash is a PHC string with its own salt, verified by its own cost', async (t) => {
  const hasher = hasherOf()
  const hash = await hasher.hash('sentence')
  t.regex(hash, /^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  t.not(await hasher.hash('sentence'), hash)
  t.true(await hasher.verify('sentence', hash))
  t.false(await hasher.verify('sentences', hash))
  t.false(await hasher.verify('', hash))
  t.true(await hasherOf({ cost: { memory: 16, passes: 2 } }).verify('sentence', hash))
  t.false(await hasherOf({ secret: Buffer.alloc(32, 2) }).verify('sentence', hash))
})

test('a hash of the usual cost takes what OWASP asks for, and more', async (t) => {
  t.true(passwordCost.memory >= 19_456 && passwordCost.passes >= 2)
  const hasher = new PasswordHasher({ secret, random: randomBytes })
  const hash = await hasher.hash('sentence')
  t.regex(hash, /^\$argon2id\$v=19\$m=65536,t=2,p=1\$/)
  t.true(await hasher.verify('sentence', hash))
  t.false(hasher.isOutdated(hash))
  t.true(hasherOf().isOutdated(hash))
})

test('no password is right where there is none, and it takes a hash to say so', async (t) => {
  const cost = { memory: 8_192, passes: 2 }
  const hasher = hasherOf({ cost })
  await hasher.warmUp()
  const hash = await hasher.hash('sentence')
  const known = await elapsed(() => hasher.verify('wrong', hash))
  const unknown = await elapsed(() => hasher.verify('wrong', null))
  // A refusal without a hash would take no time at all.
  t.true(unknown > known / 4 && known > unknown / 4, `${unknown} ms and ${known} ms`)
})

test('beyond those that wait, more are turned away, and all others are answered', async (t) => {
  const hasher = hasherOf()
  await hasher.warmUp()
  const hash = await hasher.hash('sentence')
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => hasher.verify('sentence', hash)),
  )
  const turnedAway = outcomes.filter(({ status }) => status === 'rejected')
  t.is(turnedAway.length, 100 - 4 - 64)
  t.like(turnedAway[0], {
    reason: {
      code: 'unavailable',
      message: 'Too many people are signing in at this moment; try again after a few seconds',
      extra: { retry_after: 5 },
    },
  })
  t.true(await hasher.verify('sentence', hash))
})

async function elapsed(job: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await job()
  return performance.now() - start
}
