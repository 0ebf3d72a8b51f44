import test from 'ava'

import { ed25519Keys, sign } from '#log/tlog/ed25519.ts'
import { SigningThread } from '#log/store/signing_thread.ts'

const message = (n: number) => Buffer.from(`message ${n}${'.'.repeat(n % 300)}`)

test('each message gets its own signature, the one that the key makes', async (t) => {
  const key = ed25519Keys.generate()
  const thread = new SigningThread(key)
  // More than one batch, and messages that come while a batch is being signed.
  const first = Array.from({ length: 1_500 }, (_, n) => thread.sign(message(n)))
  const empty = await thread.sign(new Uint8Array(0))
  const later = await Promise.all([thread.sign(message(1)), thread.sign(message(2))])
  for (const [n, signature] of (await Promise.all(first)).entries()) {
    t.is(Buffer.compare(signature, sign(message(n), key)), 0)
  }
  t.deepEqual(Buffer.from(empty), Buffer.from(sign(new Uint8Array(0), key)))
  t.deepEqual(
    later.map((signature) => Buffer.from(signature)),
    [1, 2].map((n) => Buffer.from(sign(message(n), key))),
  )
})

test('a key that cannot sign rejects everything that waits, and what comes later', async (t) => {
  const { publicKey } = ed25519Keys.generate()
  // The thread is sent something else than a private key, as no caller can by its types.
  const thread = new SigningThread({ privateKey: publicKey as never, publicKey })
  const [one, two] = await Promise.allSettled([thread.sign(message(1)), thread.sign(message(2))])
  t.is(one.status, 'rejected')
  t.is(two.status, 'rejected')
  await t.throwsAsync(thread.sign(message(3)), { message: 'the thread that signs has failed' })
})
