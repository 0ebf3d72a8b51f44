// Of several nodes one delivers at a time, and one that was replaced unaware writes nothing.

import { once } from 'node:events'

import test, { type ExecutionContext } from 'ava'

import { webhookPermissions } from '#src/use_cases/webhook_service.ts'
import { Audience } from '#src/delivery/webhooks/audience.ts'
import { Deliverer } from '#src/delivery/webhooks/deliverer.ts'
import { until } from '#test/_until.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'

/** A node that delivers while it believes that it is to; `hold` stops it at its next message. */
function startNode(t: ExecutionContext, registry: TestRegistry, name: string) {
  const { webhooks: endpoints, environments } = registry
  const sent: string[] = []
  let isDue = true
  let held: Promise<void> | undefined
  let terms = 0
  const deliverer = new Deliverer({
    environment: environments.live,
    deliveryTurn: { isDue: () => isDue, drawTerm: () => `${name}${(terms += 1)}` },
    endpoints,
    suspensions: registry.suspensions,
    audience: new Audience(endpoints, webhookPermissions(registry, environments.live)),
    poster: {
      async post({ body }, signal) {
        const { data } = JSON.parse(body) as { data: { ark: string } }
        sent.push(data.ark)
        await Promise.race([held, once(signal, 'abort')])
        if (signal.aborted) return { type: 'aborted' }
        return { type: 'answered', status: 204, text: '' }
      },
      close: async () => undefined,
    },
    baseUrl,
    logUrl: `${baseUrl}/log`,
    tellFailure: () => undefined,
    nowMs: () => registry.time.nowMs,
    random: () => 0.5,
    report: (error) => t.fail(String(error)),
  })
  t.teardown(() => deliverer.close())
  return {
    sent,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    depose: () => (isDue = false),
    close: () => deliverer.close(),
  }
}

test('a node that wakes up when another one delivers sets nothing back', async (t) => {
  const registry = await openRegistry()
  t.teardown(() => registry.close())
  const authorization = `Bearer ${await registry.createKey(['works:write'])}`
  const { webhooks, environments } = registry
  const mint = async (work_title: string): Promise<string> => {
    const payload = { ...goodWork, work_title }
    const headers = { authorization }
    const reply = await registry.server.inject({
      method: 'POST',
      url: '/v1/works',
      headers,
      payload,
    })
    if (reply.statusCode !== 201) throw new Error(reply.body)
    return reply.json<{ ark_identifier: string }>().ark_identifier
  }
  const url = 'https://reader.example/'
  const { events } = environments.live.records
  const made = await webhooks.create({ organization: 'press' }, { url }, events)
  const progress = () => webhooks.deliveries.progress(made?.endpoint.id ?? '')
  const isWritten = (tries: number) => () => progress()?.deliveries.next === tries + 1

  const first = startNode(t, registry, 'first')
  const one = await mint('One')
  await until('the first message is written down', isWritten(1))
  const wake = first.hold()
  const two = await mint('Two')
  await until('the first node stands still while it sends', () => first.sent.length === 2)

  const second = startNode(t, registry, 'second')
  const three = await mint('Three')
  await until('the other one has gone on', isWritten(3))
  t.deepEqual(first.sent, [one, two])
  t.deepEqual(second.sent, [two, three])

  const written = progress()
  first.depose()
  wake()
  await first.close()
  t.deepEqual(progress(), written)
  t.deepEqual(first.sent, [one, two], 'it sends nothing more')
  await second.close()

  const third = startNode(t, registry, 'third')
  const four = await mint('Four')
  await until('a third one goes on where the second one was', isWritten(4))
  t.deepEqual(third.sent, [four])
})
