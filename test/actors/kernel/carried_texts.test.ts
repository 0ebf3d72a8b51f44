import { MessageChannel } from 'node:worker_threads'
import test from 'ava'

import { ask, type Message, referTo, type Reply } from '#actors/kernel/kernel.ts'
import { Remote, SerializedValue, threadTransport, type Transport } from '#actors/kernel/remote.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'

type Tell = Message & {
  readonly type: 'tell'
  readonly serialized?: SerializedValue<object>
  readonly reply: Reply<{ readonly text: string | undefined; readonly value: object | undefined }>
}

/** Gives each text over in a visit of its own, as links do where a frame is full. */
function oneByOne(transport: Transport): Transport {
  return {
    ...transport,
    listen: ({ received, ended }) =>
      transport.listen({
        received: (texts) => {
          for (const text of texts) received([text])
        },
        ended,
      }),
  }
}

const whole = (transport: Transport): Transport => transport

for (const [name, arrives] of Object.entries({ 'in one visit': whole, 'one by one': oneByOne })) {
  test(`what messages carry belongs to them, where texts come ${name}`, async (t) => {
    const { port1, port2 } = new MessageChannel()
    const asking = new Remote({ ...remoteLimits, name: 'there', transport: threadTransport(port1) })
    const transport = arrives(threadTransport(port2))
    const answering = new Remote({ ...remoteLimits, name: 'here', transport })
    t.teardown(() => asking.close())
    answering.offer('telling', () =>
      referTo<Tell>('telling', ({ serialized, reply }) => {
        reply.resolve({ text: serialized?.text, value: serialized?.value })
        return true
      }),
    )
    // Between questions that carry nothing, and as many as several visits take.
    const texts = Array.from({ length: 100 }, (_, n) => (n % 3 === 0 ? undefined : `{ "n": ${n} }`))
    const answers = texts.map((text) => {
      const carried = text === undefined ? {} : { serialized: new SerializedValue(text) }
      return ask(asking.at<Tell>('telling', ''), { type: 'tell', ...carried }, 60_000)
    })
    const told = texts.map((text) =>
      text === undefined ? {} : { text, value: JSON.parse(text) as object },
    )
    t.deepEqual(await Promise.all(answers), told)
  })
}
