import test from 'ava'

import { unavailable } from '#test/actors/_content.ts'
import { admin, arkOf, makeRegistry, register, tickSigner } from '#test/actors/_environment.ts'
import { SigningOrder } from '#actors/journal/proposing.ts'

test('what need not be signed does not overtake what is being signed', async (t) => {
  const { sign, publicKey } = tickSigner(2)
  const signing = Promise.withResolvers<void>()
  const signed = Promise.withResolvers<void>()
  let nowMs = Date.UTC(2026, 10, 21)
  let signatures = 0
  const registry = await makeRegistry(t, {
    systemMs: () => (nowMs += 1),
    fetchContent: async () => unavailable(404),
    receiptSigner: () => ({
      publicKey,
      async sign(message) {
        signatures += 1
        if (signatures === 2) {
          signing.resolve()
          await signed.promise
        }
        return sign(message)
      },
    }),
  })
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const { fixity } = environment
  const known = arkOf(await register(environment, 'Known'))
  while (fixity.read(known)?.fixity_status === 'pending') await nextTurn()
  const registering = register(environment, 'Being signed')
  await signing.promise
  const requested = fixity.recheck(known, admin)
  await nextTurn()
  signed.resolve()
  t.deepEqual(await requested, { type: 'queued' })
  await registering
  t.is(signatures, 2, 'it was decided and signed once')
})

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('a change goes through in its turn, and whatever becomes of those before it', async (t) => {
  const order = new SigningOrder()
  const first = Promise.withResolvers<string>()
  const ends: string[] = []
  const turns = [
    order.follow(first.promise).catch((error: unknown) => ends.push(String(error))),
    order.follow(Promise.resolve('second')).then((value) => ends.push(value)),
    order
      .follow(Promise.reject(new Error('third')))
      .catch((error: unknown) => ends.push(String(error))),
    order.follow(Promise.resolve('fourth')).then((value) => ends.push(value)),
  ]
  await new Promise((resolve) => setImmediate(resolve))
  t.deepEqual(ends, [])
  first.reject(new Error('first'))
  await Promise.all(turns)
  t.deepEqual(ends, ['Error: first', 'second', 'Error: third', 'fourth'])
})
