import { fork } from 'node:child_process'
import { once } from 'node:events'
import test, { type ExecutionContext } from 'ava'
import type { ActorError } from '#actors/kernel/actor_error.ts'
import { ask } from '#actors/kernel/kernel.ts'
import { Remote, type Transport } from '#actors/kernel/remote.ts'
import { connectEngine } from '#src/cluster/engine.ts'
import type { NodeLinks } from '#src/cluster/node_links.ts'
import { until } from '#test/_until.ts'
import { neverMs } from '#test/actors/kernel/_counter.ts'
import type { RegisterMessage } from '#test/actors/kernel/_register.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import { linkedNode, untilHeard } from '#test/src/cluster/_linked_registers.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

/** One end of a link, as it is seen from there. */
type End = { readonly texts: string[]; readonly ended: Promise<void> }

function watch(transport: Transport): End {
  const texts: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  transport.listen({ received: (given) => void texts.push(...given), ended: () => resolve() })
  return { texts, ended: promise }
}

/** Two nodes, of which `a` can dial `b`; what `b` takes is seen. */
async function twoNodes(t: ExecutionContext, servers: NatsServers, title: string) {
  const taken: End[] = []
  const names = { a: `${title}-a`, b: `${title}-b` }
  const a = await linkedNode(t, servers, { node: names.a })
  const b = await linkedNode(t, servers, {
    node: names.b,
    acceptedMax: 2,
    accept: (transport) => void taken.push(watch(transport)),
  })
  await a.reach(names.b)
  return { names, a: a.links, b: b.links, reach: a.reach, taken }
}

/** A process with registers, under a name of its own, until the end of the test. */
async function startRegisterProcess(t: ExecutionContext, servers: NatsServers, node: string) {
  const program = new URL('_register_process.ts', import.meta.url)
  const child = fork(program, [servers.url, node])
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

function asker(links: NodeLinks, node: string): Remote {
  return new Remote({ ...remoteLimits, name: node, transport: links.dial(node) })
}

overServers((servers) => {
  testTexts(servers)
  testLoss(servers)
  testEnds(servers)
})

type Servers = () => NatsServers

function testTexts(servers: Servers): void {
  test.serial('what is longer than a message of the engine arrives in several', async (t) => {
    const { a, names, taken } = await twoNodes(t, servers(), 'long')
    const link = a.dial(names.b)
    watch(link)
    const long = Array.from({ length: 12 }, (_, index) => `${index} ${'ü'.repeat(1_000_000)}`)
    const many = Array.from({ length: 10_000 }, (_, index) => String(index))
    const longest = 'x'.repeat(a.textCharactersMax)
    link.send([...long, ...many, longest])
    const sent = [...long, ...many, longest]
    await until('all has arrived', () => taken[0]?.texts.length === sent.length)
    t.true(taken[0]?.texts.every((text, index) => text === sent[index]))
    t.throws(() => link.send([`${longest}x`]), { message: /a text has \d+ characters at most/ })
  })

  test.serial('who dials a node that is not there hears of it at once', async (t) => {
    const { a } = await twoNodes(t, servers(), 'nobody')
    await t.notThrowsAsync(watch(a.dial('nobody-c')).ended)
  })

  test.serial('a node takes no more links than it may, until one has ended', async (t) => {
    const { a, names, taken } = await twoNodes(t, servers(), 'full')
    const [first, second] = [a.dial(names.b), a.dial(names.b)]
    watch(first)
    watch(second)
    await watch(a.dial(names.b)).ended
    t.is(taken.length, 2)
    first.close()
    await taken[0]?.ended
    const fourth = a.dial(names.b)
    watch(fourth)
    fourth.send(['hello'])
    await until('another link is taken', () => taken[2]?.texts[0] === 'hello')
  })

  test.serial('a node that leaves tells the others, and nobody else ends', async (t) => {
    const { a, b, names, reach, taken } = await twoNodes(t, servers(), 'leave')
    const { links: c } = await linkedNode(t, servers(), {
      node: 'leave-c',
      accept: (transport) => void watch(transport),
    })
    await reach('leave-c')
    const toB = watch(a.dial(names.b))
    const toC = watch(a.dial('leave-c'))
    await until('the link is taken', () => taken.length === 1)
    b.close()
    await Promise.all([toB.ended, taken[0]?.ended])
    t.is(await Promise.race([toC.ended, Promise.resolve('alive')]), 'alive')
    c.close()
    await toC.ended
  })
}

function testLoss(servers: Servers): void {
  test.serial('a link ends where a text is missing, or comes twice', async (t) => {
    const { a, names, taken } = await twoNodes(t, servers(), 'gap')
    const stranger = await connectEngine(engineOptions(servers(), 'stranger'))
    t.teardown(() => stranger.close())
    await untilHeard(stranger, 'stranger', names.b)
    for (const frame of ['texts 2 5\nthird', 'beat 7', 'texts 0 5\ntwice', 'open', 'nonsense']) {
      const before = taken.length
      const id = `id-${before}`
      const subject = `arklog.node.${names.b}.${names.a}.${id}`
      // A node that says what it likes, in the name of `a`.
      stranger.publish(subject, 'open')
      stranger.publish(subject, 'texts 0 5\nfirst')
      stranger.publish(subject, frame)
      await until('the link is taken', () => taken.length === before + 1)
      await taken[before]?.ended
      t.deepEqual(taken[before]?.texts, ['first'], frame)
    }
    a.close()
  })

  test.serial('a frame of a link that nobody knows is answered by its end', async (t) => {
    const { names } = await twoNodes(t, servers(), 'unknown')
    const stranger = await connectEngine(engineOptions(servers(), 'stranger'))
    t.teardown(() => stranger.close())
    await t.notThrowsAsync(untilHeard(stranger, 'c', names.b))
  })
}

function testEnds(servers: Servers): void {
  test.serial('the death of a process ends what was asked of it', async (t) => {
    const { links, reach } = await linkedNode(t, servers(), { node: 'kill-a' })
    const child = await startRegisterProcess(t, servers(), 'kill-b')
    await reach('kill-b')
    const remote = asker(links, 'kill-b')
    const ref = remote.at<RegisterMessage>('register', 'a')
    t.is(await ask(ref, { type: 'echo', value: 1 }, neverMs), 1)
    const held = t.throwsAsync<ActorError>(ask(ref, { type: 'hold' }, neverMs))
    child.kill('SIGKILL')
    t.is((await held).code, 'lost')
    await remote.ended
  })

  test.serial(
    'a process that stands still is taken for gone, and told when it wakes',
    async (t) => {
      const { links, reach } = await linkedNode(t, servers(), {
        node: 'still-a',
        // Of 50 ms: a process that only waits for the processor is silent for less.
        silentBeatsMax: 100,
      })
      const child = await startRegisterProcess(t, servers(), 'still-b')
      await reach('still-b')
      const remote = asker(links, 'still-b')
      const ref = remote.at<RegisterMessage>('register', 'a')
      t.is(await ask(ref, { type: 'echo', value: 1 }, neverMs), 1)
      child.kill('SIGSTOP')
      const held = await t.throwsAsync<ActorError>(ask(ref, { type: 'echo', value: 2 }, neverMs))
      t.is(held.code, 'lost')
      child.kill('SIGCONT')
      const again = asker(links, 'still-b').at<RegisterMessage>('register', 'a')
      t.is(await ask(again, { type: 'echo', value: 3 }, neverMs), 3)
    },
  )

  test.serial('servers that are killed lose no text unnoticed', async (t) => {
    const { a, names, taken } = await twoNodes(t, servers(), 'server')
    const link = a.dial(names.b)
    const end = watch(link)
    let hasEnded = false
    void end.ended.then(() => (hasEnded = true))
    await until('the link is taken', () => taken.length === 1)
    const sent: string[] = []
    const sending = setInterval(() => {
      const text = String(sent.length)
      sent.push(text)
      link.send([text])
    }, 5)
    t.teardown(() => clearInterval(sending))
    for (const index of [0, 1, 2]) await servers().restart(index, 'SIGKILL')
    clearInterval(sending)
    const isWhole = () => taken[0]?.texts.length === sent.length
    await until('all has arrived, or the link has ended', () => hasEnded || isWhole())
    t.deepEqual(taken[0]?.texts, sent.slice(0, taken[0]?.texts.length))
    const isTaken = () => taken.some(({ texts }) => texts.includes('again'))
    const dial = () => {
      const again = a.dial(names.b)
      watch(again)
      again.send(['again'])
      return isTaken()
    }
    await until('a link is taken again', dial, { pauseMs: 100 })
  })
}
