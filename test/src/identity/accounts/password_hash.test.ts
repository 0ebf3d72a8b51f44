import { argon2Sync, randomBytes } from 'node:crypto'
import test from 'ava'

import {
  PasswordHasher,
  type PasswordHasherOptions,
  passwordCost,
} from '#src/identity/accounts/password_hash.ts'
import { NamedTurns } from '#src/identity/store/identity_store.ts'
import { testPasswordCost } from '#test/src/_accounts.ts'

const secret = Buffer.alloc(32, 1)
const store = new NamedTurns()
const here = '192.0.2.1'

function hasherOf(changes: Partial<PasswordHasherOptions> = {}) {
  const cost = testPasswordCost
  const options = { store, secret, random: randomBytes, cost, runningMax: 2 }
  return new PasswordHasher({ ...options, ...changes })
}

test('a hash is a PHC string with its own salt, verified by its own cost', async (t) => {
  const hasher = hasherOf()
  const hash = await hasher.hash('sentence', here)
  t.regex(hash, /^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  t.not(await hasher.hash('sentence', here), hash)
  t.true(await hasher.verify('sentence', hash, here))
  t.false(await hasher.verify('sentences', hash, here))
  t.false(await hasher.verify('', hash, here))
  t.true(await hasherOf({ cost: { memory: 16, passes: 2 } }).verify('sentence', hash, here))
  t.false(await hasherOf({ secret: Buffer.alloc(32, 2) }).verify('sentence', hash, here))
})

test('a hash of the usual cost takes what OWASP asks for, and more', async (t) => {
  t.true(passwordCost.memory >= 19_456 && passwordCost.passes >= 2)
  const hasher = new PasswordHasher({ store, secret, random: randomBytes, runningMax: 1 })
  const hash = await hasher.hash('sentence', here)
  t.regex(hash, /^\$argon2id\$v=19\$m=65536,t=2,p=1\$/)
  t.true(await hasher.verify('sentence', hash, here))
  t.false(hasher.isOutdated(hash))
  t.true(hasherOf().isOutdated(hash))
})

test('no password is right where there is none, which takes a hash of the same cost', async (t) => {
  const made: unknown[] = []
  const counted = {
    async inTurnAt<T>(_name: string, task: () => Promise<T>) {
      const tag = await task()
      made.push(tag)
      return tag
    },
  }
  const cost = { memory: 64, passes: 3 }
  const random = (bytes: number) => Buffer.alloc(bytes, 7)
  const hasher = hasherOf({ store: counted, random, cost })
  t.false(await hasher.verify('wrong', null, here))
  t.deepEqual(made, [
    argon2Sync('argon2id', {
      message: 'wrong',
      nonce: random(16),
      ...cost,
      parallelism: 1,
      tagLength: 32,
      secret,
    }),
  ])
})

test('places take turns, and one that asks for too much is turned away by itself', async (t) => {
  const hasher = hasherOf({ runningMax: 1 })
  const hash = await hasher.hash('sentence', here)
  const order: string[] = []
  const verify = async (from: string) => {
    const isRight = await hasher.verify('sentence', hash, from)
    order.push(from)
    return isRight
  }
  const greedy = Promise.allSettled(Array.from({ length: 20 }, () => verify('greedy')))
  t.true(await verify(here), 'who comes last, from elsewhere')
  t.deepEqual(order, ['greedy', here])
  const turnedAway = (await greedy).filter(({ status }) => status === 'rejected')
  t.is(turnedAway.length, 20 - 1 - 16)
  t.like(turnedAway[0], { reason: { code: 'queue_full_for_caller' } })
})

test('beyond those that wait, more are turned away, and all others are answered', async (t) => {
  const hasher = hasherOf()
  const hash = await hasher.hash('sentence', here)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) => hasher.verify('sentence', hash, `192.0.2.${n}`)),
  )
  const turnedAway = outcomes.filter(({ status }) => status === 'rejected')
  t.is(turnedAway.length, 100 - 2 - 64)
  t.like(turnedAway[0], { reason: { code: 'queue_full' } })
  t.true(await hasher.verify('sentence', hash, here))
})

test('the hashers of two threads make no more at a time than one may', async (t) => {
  const turns = new NamedTurns()
  const running = new Map<string, number>()
  let most = 0
  const counted = {
    inTurnAt: <T>(name: string, task: () => Promise<T>) =>
      turns.inTurnAt(name, async () => {
        running.set(name, 1)
        most = Math.max(most, running.size)
        const made = await task()
        running.delete(name)
        return made
      }),
  }
  const hashers = [hasherOf({ store: counted }), hasherOf({ store: counted })] as const
  const hashes = await Promise.all(
    Array.from({ length: 40 }, (_, n) => hashers[n % 2 === 0 ? 0 : 1].hash('a', `192.0.2.${n}`)),
  )
  t.is(most, 2)
  for (const hash of hashes) t.true(await hashers[0].verify('a', hash, here))
})
