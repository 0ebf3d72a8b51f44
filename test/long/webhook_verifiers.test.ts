// Real deliveries, verified by code of others: standardwebhooks from npm and from PyPI, and the
// asymmetric signature by cryptography (PyPI).

import { spawnSync } from 'node:child_process'
import path from 'node:path'

import test, { type ExecutionContext } from 'ava'
import { Webhook } from 'standardwebhooks'

import { formatPublicKey } from '#src/delivery/webhooks/sender.ts'
import { untilCame } from '#test/_until.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { goodWork, openRegistry } from '#test/src/_registry.ts'
import { serveWhole } from '#test/src/delivery/fetch/_servers.ts'
import { deliver } from '#test/src/delivery/webhooks/_subscriber.ts'

const deliveriesCount = countOf({ few: 50, full: 1_000 })
const { WEBHOOK_PYTHON: python = 'python3' } = process.env
const verifier = path.join(import.meta.dirname, '../foreign/webhook_verifier.py')
const modules = 'import standardwebhooks, cryptography'
const hasPython = spawnSync(python, ['-c', modules], { stdio: 'ignore' }).status === 0

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

type Delivered = {
  readonly headers: Readonly<Record<(typeof signed)[number], string>>
  readonly body: string
}

/** So many deliveries of one webhook, as they came, with what verifies them. */
async function deliveries(t: ExecutionContext) {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(() => registry.close())
  const arrived: Delivered[] = []
  const { hostPort, url } = await serveWhole(t, (body, request, response) => {
    const headers = Object.fromEntries(signed.map((name) => [name, request.headers[name]]))
    arrived.push({ headers: headers as Delivered['headers'], body })
    response.writeHead(204).end()
  })
  const { webhooks } = registry
  const made = await webhooks.create({ organization: 'press' }, { url }, 0)
  const [id, secret] = [made?.endpoint.id ?? '', made?.secret ?? '']
  deliver(t, registry, { allow: [hostPort] })
  const authorization = `Bearer ${await registry.createKey(['works:write'])}`
  for (let index = 0; index < deliveriesCount; index += 1) {
    const payload = { ...goodWork, work_title: `Of the order of thing ${index}` }
    const call = { method: 'POST', url: '/api/v1/works', headers: { authorization }, payload }
    const answer = await registry.server.inject(call as never)
    if (answer.statusCode !== 201) throw new Error(answer.body)
  }
  await untilCame('all has come', deliveriesCount, () => arrived.length, { pauseMs: 10 })
  const public_key = formatPublicKey(webhooks.signingKey(id))
  return { deliveries: arrived.slice(0, deliveriesCount), secret, public_key }
}

test('standardwebhooks (npm) takes every delivery, and none that was changed', async (t) => {
  const given = await deliveries(t)
  const webhook = new Webhook(given.secret)
  for (const [index, { headers, body }] of given.deliveries.entries()) {
    t.deepEqual(webhook.verify(body, headers), JSON.parse(body))
    const at = (index * 7_919) % body.length
    const other = body.slice(0, at) + (body[at] === 'x' ? 'y' : 'x') + body.slice(at + 1)
    t.throws(() => webhook.verify(other, headers), { message: /No matching signature found/ })
    const id = `${headers['webhook-id']}1`
    t.throws(() => webhook.verify(body, { ...headers, 'webhook-id': id }))
  }
  t.is(given.deliveries.length, deliveriesCount)
})

const ofPython = 'standardwebhooks and cryptography (PyPI) take every delivery, and none changed'
if (!hasPython) test.skip(`${ofPython}: skipped: they are not installed`, () => undefined)
else {
  test(ofPython, async (t) => {
    const given = await deliveries(t)
    const input = JSON.stringify(given)
    const { status, stdout, stderr } = spawnSync(python, [verifier], { input })
    t.is(status, 0, String(stderr))
    const mutated = 4 * deliveriesCount
    const all = { accepted: deliveriesCount, mutated, refused: mutated }
    t.deepEqual(JSON.parse(String(stdout)), { symmetric: all, asymmetric: all })
  })
}
