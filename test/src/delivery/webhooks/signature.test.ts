import { randomBytes } from 'node:crypto'

import test from 'ava'
import { Webhook } from 'standardwebhooks'

import { ed25519Keys, verify } from '#log/tlog/ed25519.ts'
import { formatPublicKey, newSecret, signedHeaders } from '#src/delivery/webhooks/sender.ts'

const messages = 1_000

function sign(index: number, secrets: readonly string[]) {
  const body = JSON.stringify({ type: 'work.created', data: { seq: index, title: `É ${index}` } })
  const timestamp = Math.floor(Date.now() / 1_000)
  const message = { id: `evt_${index}`, timestamp, body }
  return { body, headers: signedHeaders(message, secrets, ed25519Keys.generate()) }
}

/** Another one of the same length, at some place. */
function mutated(text: string, index: number): string {
  const at = index % text.length
  const other = text[at] === 'x' ? 'y' : 'x'
  return text.slice(0, at) + other + text.slice(at + 1)
}

test('a foreign verifier takes every message, with either secret of a rotation', (t) => {
  const secrets = [newSecret(randomBytes), newSecret(randomBytes)] as const
  for (let index = 0; index < messages; index += 1) {
    const { body, headers } = sign(index, secrets)
    const webhook = new Webhook(secrets[index % 2 === 0 ? 0 : 1])
    t.deepEqual(webhook.verify(body, headers), JSON.parse(body))
  }
})

test('a foreign verifier refuses what was changed, and what another secret has signed', (t) => {
  const secret = newSecret(randomBytes)
  const webhook = new Webhook(secret)
  for (let index = 0; index < messages; index += 1) {
    const { body, headers } = sign(index, [secret])
    t.throws(() => webhook.verify(mutated(body, index), headers))
    t.throws(() => webhook.verify(body, { ...headers, 'webhook-id': `evt_${index + 1}` }))
  }
  const { body, headers } = sign(1, [newSecret(randomBytes)])
  t.throws(() => webhook.verify(body, headers))
})

test('the asymmetric signature is of the same content, and the key is written as whpk_', (t) => {
  const key = ed25519Keys.generate()
  const message = { id: 'evt_1', timestamp: 1_700_000_000, body: '{"a":1}' }
  const { 'webhook-signature': signatures } = signedHeaders(message, [], key)
  const [, encoded = ''] = /^v1a,(\S+)$/.exec(signatures) ?? []
  const publicKey = Buffer.from(formatPublicKey(key).replace(/^whpk_/, ''), 'base64')
  const content = Buffer.from('evt_1.1700000000.{"a":1}')
  t.true(verify(content, Buffer.from(encoded, 'base64'), publicKey))
})
