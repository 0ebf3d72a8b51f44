// Nodes count together over three NATS servers.

import { randomBytes } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ExecutionContext } from 'ava'
import test from 'ava'

import { openCountStream } from '#src/cluster/streams.ts'
import { connectEngine } from '#src/cluster/engine.ts'
import { SharedUsage, type SharedUsageEvent } from '#src/operations/usage/shared_usage.ts'
import { UsageRows } from '#src/operations/usage/usage_rows.ts'
import { until } from '#test/_until.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import { type NatsServers, natsCredentials } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import {
  everything,
  press,
  resolutionsIn,
  resolutionsOf,
  usageFile,
  workSubject,
} from '#test/src/operations/usage/_usage_rows.ts'

const day = 20_000
const range = [day, day] as const

async function connected(
  t: ExecutionContext,
  servers: NatsServers,
  account: 'node' | 'operator' = 'node',
): Promise<NatsConnection> {
  const [user = '', pass = ''] = natsCredentials[account].split(':')
  const connection = await connectEngine({ ...engineOptions(servers), credentials: { user, pass } })
  t.teardown(() => connection.close())
  return connection
}

/** A node that counts over a stream, in a file of its own or in one that is there. */
async function openNode(
  t: ExecutionContext,
  connection: NatsConnection,
  { name, file }: { readonly name: string; readonly file?: string },
) {
  const place = file ?? (await usageFile(t))
  const rows = new UsageRows(place, day)
  const reader = rows.reader()
  const events: SharedUsageEvent[] = []
  const usage = new SharedUsage(rows.shared(), {
    open: () => openCountStream({ connection, name, patience: testPatience }),
    life: randomBytes(8).toString('hex'),
    report: (event) => events.push(event),
  })
  // A server may not know yet of a stream that was just made: then it is tried again.
  const told = () => events.map(({ type }) => type).filter((type) => type !== 'usage_failed')
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await usage.close()
    rows.close()
  }
  t.teardown(close)
  const sum = () => resolutionsIn(reader, 'days', everything, range)[0]?.[1] ?? 0
  return { usage, rows, reader, file: place, events, told, close, sum }
}

/** Says something over a stream beside what nodes say. */
async function publish(connection: NatsConnection, name: string, bytes: Uint8Array): Promise<void> {
  const stream = await openCountStream({ connection, name, patience: testPatience })
  const end = AbortSignal.timeout(60_000)
  await until('it is said', () => stream.publish(bytes, 'said by the test', end))
}

let streams = 0

function streamName(): string {
  streams += 1
  return `counts-${streams}`
}

async function tellLater(t: ExecutionContext, servers: NatsServers): Promise<void> {
  const name = streamName()
  const other = await openNode(t, await connected(t, servers), { name })
  const cut = await connected(t, servers)
  await cut.close()
  const away = await openNode(t, cut, { name })
  for (let batch = 0; batch < 3; batch += 1) away.usage.send(resolutionsOf(day, ['1/a'], 7))
  await away.close()
  t.is(away.usage.waiting, 3)
  const kept = new UsageRows(away.file, day)
  const messages = kept.shared().outgoing()
  kept.close()
  // Somebody who was killed right after it was told tells it again, beyond the engine's memory.
  const connection = await connected(t, servers)
  await publish(connection, name, messages[0]?.bytes ?? new Uint8Array())
  const again = await openNode(t, connection, { name, file: away.file })
  for (const { sum } of [again, other]) await until('all was counted', () => sum() === 21)
  await until('nothing waits', () => again.usage.waiting === 0)
  again.usage.send(resolutionsOf(day, ['1/a']))
  for (const { sum } of [again, other]) await until('it is as it was', () => sum() === 22)
  t.deepEqual([...again.told(), ...other.told()], [])
}

async function passOver(t: ExecutionContext, servers: NatsServers): Promise<void> {
  const name = streamName()
  const connection = await connected(t, servers)
  const node = await openNode(t, connection, { name })
  node.usage.send(resolutionsOf(day, ['1/a'], 10))
  await until('the first one is counted', () => node.sum() === 10)
  await publish(connection, name, Buffer.from('{"format":2}'))
  node.usage.send(resolutionsOf(day, ['1/a']))
  await until('the next one is counted', () => node.sum() === 11)
  t.deepEqual(node.told(), ['usage_malformed'])
  const unfit = streamName()
  const manager = await jetstreamManager(connection, { timeout: 60_000 })
  await manager.streams.add({ name: unfit, subjects: [`arklog.counts.${unfit}`] })
  const wary = await openNode(t, connection, { name: unfit })
  await until('that is told', () => wary.events.length > 0)
  const [event] = wary.events
  t.is(event?.type, 'usage_failed')
  const { error } = event as Extract<SharedUsageEvent, { type: 'usage_failed' }>
  t.regex((error as Error).message, /num_replicas is 1, not 3 or more/)
}

overServers((servers) => {
  test('all nodes show the sum of all, and each batch counts once on each', async (t) => {
    const name = streamName()
    const nodes = await Promise.all(
      [0, 1, 2].map(async () => openNode(t, await connected(t, servers()), { name })),
    )
    for (const [at, { usage }] of nodes.entries()) {
      for (let batch = 0; batch < 5; batch += 1) usage.send(resolutionsOf(day, ['1/a'], 10 ** at))
      usage.send(resolutionsOf(day, [`1/only-${at}`]))
    }
    for (const { sum, reader, told } of nodes) {
      await until('all was counted', () => sum() === 5 * 111 + 3)
      t.deepEqual(resolutionsIn(reader, 'days', workSubject('1/a'), range), [[day, 555]])
      t.deepEqual(resolutionsIn(reader, 'days', workSubject('1/only-2'), range), [[day, 1]])
      t.deepEqual(resolutionsIn(reader, 'days', press, range), [[day, 558]])
      t.deepEqual(told(), [])
    }
  })

  test('a node that was away catches up, and goes on where it was', async (t) => {
    const name = streamName()
    const [a, b] = [
      await openNode(t, await connected(t, servers()), { name }),
      await openNode(t, await connected(t, servers()), { name }),
    ]
    a.usage.send(resolutionsOf(day, ['1/a']))
    await until('b has it', () => b.sum() === 1)
    await b.close()
    for (let batch = 0; batch < 3; batch += 1) a.usage.send(resolutionsOf(day, ['1/a'], 10))
    await until('a has it', () => a.sum() === 31)
    const again = await openNode(t, await connected(t, servers()), { name, file: b.file })
    await until('b has what it missed', () => again.sum() === 31)
    t.deepEqual(again.told(), [])
    t.is(again.usage.position, 4)
  })

  test('what could not be told is told after the next start, and counts once', (t) =>
    tellLater(t, servers()))

  test('a stream that was made anew stops nobody: it goes on, and that is told', async (t) => {
    const name = streamName()
    const first = await openNode(t, await connected(t, servers()), { name })
    first.usage.send(resolutionsOf(day, ['1/a'], 5))
    first.usage.send(resolutionsOf(day, ['1/a'], 5))
    await until('it is counted', () => first.sum() === 10)
    await first.close()
    const operator = await connected(t, servers(), 'operator')
    const manager = await jetstreamManager(operator, { timeout: 60_000 })
    await manager.streams.delete(name)
    const again = await openNode(t, await connected(t, servers()), { name, file: first.file })
    again.usage.send(resolutionsOf(day, ['1/a'], 100))
    await until('it goes on', () => again.sum() === 110)
    t.deepEqual(again.told(), ['usage_stream_changed'])
    t.is(again.usage.position, 1)
  })

  test('what nobody can read is passed over, and an unfit stream is not used', (t) =>
    passOver(t, servers()))
})

test('what waits without contact is bounded, and the oldest is dropped and told', async (t) => {
  const rows = new UsageRows(await usageFile(t), day)
  const events: SharedUsageEvent[] = []
  const usage = new SharedUsage(rows.shared(), {
    open: () => Promise.reject(new Error('there is no engine')),
    life: 'life',
    report: (event) => events.push(event),
  })
  for (let batch = 0; batch < 300; batch += 1) {
    usage.send({ day, works: [['live', '1/a', null, [batch, 1, 0, 0]]] })
  }
  t.is(usage.waiting, 256)
  // The first 44 told of 0 to 43 resolutions, and a landing each.
  t.is(usage.lost, (43 * 44) / 2 + 44)
  await usage.close()
  t.deepEqual(new Set(events.map(({ type }) => type)), new Set(['usage_dropped', 'usage_failed']))
  t.is(rows.shared().outgoing()[0]?.id, 'life-45')
  rows.close()
})
