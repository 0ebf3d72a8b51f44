import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { Level } from 'level'
import test, { type ExecutionContext } from 'ava'
import type { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, type Ref, referTo } from '#actors/kernel/kernel.ts'
import { Remote, threadTransport } from '#actors/kernel/remote.ts'
import {
  type Environment,
  environmentLimits,
  type EnvironmentOptions,
} from '#actors/registry/environment.ts'
import { openEnvironment } from '#actors/registry/open_environment.ts'
import { until } from '#test/_until.ts'
import { workStream } from '#actors/works/events.ts'
import { isDamage } from '#log/tlog/errors.ts'
import { makeRegistry } from '#test/actors/_environment.ts'
import { neverMs } from '#test/actors/kernel/_counter.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import type { JoinedThreadData } from '#test/actors/registry/_joined_thread.ts'
import { carryOut, type ServedMessage } from '#test/actors/registry/_served.ts'
import { sharedSeal } from '#test/actors/registry/_shared_seal.ts'
import { seededRandom } from '#test/bench/_works.ts'

type Shared = { readonly environment: Environment; readonly storeDir: string }

/** A registry on real files, run by this thread. */
async function openShared(
  t: ExecutionContext,
  { map }: Pick<EnvironmentOptions, 'map'> = {},
): Promise<Shared> {
  const { options } = await makeRegistry(t, { ...sharedSeal(), ...(map && { map }) })
  const storeDir = `${options.storeDir}/store`
  const environment = await openEnvironment({ ...options, storeDir })
  t.teardown(() => environment.close())
  return { environment, storeDir }
}

type Thread = {
  readonly worker: Worker
  readonly remote: Remote
  readonly served: Ref<ServedMessage>
}

/** A thread that serves it as well, until the end of the test. */
async function startThread(
  t: ExecutionContext,
  { environment, storeDir }: Shared,
): Promise<Thread> {
  const { name, naan, shoulder, origin, vkey } = environment
  const { port1, port2 } = new MessageChannel()
  const transport = threadTransport(port1)
  const remote = new Remote({ ...remoteLimits, name: 'the serving thread', transport })
  const share = environment.share(remote)
  const data: JoinedThreadData = {
    name,
    naan,
    shoulder,
    origin,
    vkey,
    share,
    storeDir,
    dated: false,
    baseUrl: 'https://registry.example',
    limits: environmentLimits,
    port: port2,
  }
  const worker = new Worker(new URL('./_joined_thread.ts', import.meta.url), {
    workerData: data,
    transferList: [port2, share.port],
  })
  t.teardown(async () => {
    remote.close()
    await worker.terminate()
  })
  await once(worker, 'message')
  return { worker, remote, served: remote.at('served', '') }
}

/** The thread that runs the registry, asked as those are that serve it. */
function here({ environment }: Shared): Ref<ServedMessage> {
  return referTo('served', (message: ServedMessage) => carryOut(environment, message))
}

const clients = 6
const stepsEach = 30

test('whichever thread is asked, it shows what any of them has acknowledged', async (t) => {
  const shared = await openShared(t)
  const threads = await Promise.all([1, 2, 3].map(() => startThread(t, shared)))
  const places = [here(shared), ...threads.map(({ served }) => served)]
  const random = seededRandom(12)
  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  // Titles are numbers. Each client changes works of its own, so that those of a work only grow.
  const acknowledged = new Map<string, number>()
  const show = async (ark: string) => {
    const known = acknowledged.get(ark) ?? 0
    const title = Number(await ask(anyOf(places), { type: 'resolve', ark }, neverMs))
    t.true(title >= known, `${ark} is ${title} after ${known}`)
  }
  const client = async () => {
    const own: string[] = []
    for (let step = 0; step < stepsEach; step += 1) {
      const dice = random()
      if (own.length === 0 || dice < 0.2) {
        const ark = await ask(anyOf(places), { type: 'register', title: '1' }, neverMs)
        acknowledged.set(ark, 1)
        own.push(ark)
      } else if (dice < 0.6) {
        const ark = anyOf(own)
        const next = (acknowledged.get(ark) ?? 0) + 1
        await ask(anyOf(places), { type: 'retitle', ark, title: String(next) }, neverMs)
        acknowledged.set(ark, next)
      }
      // More than once, so that replies are kept.
      const shown = anyOf([...acknowledged.keys()])
      for (let times = 0; times < 3; times += 1) await show(shown)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const [first, ...others] = await Promise.all(
    places.map((place) => ask(place, { type: 'describe' }, neverMs)),
  )
  t.true(first?.healthy)
  t.is(first?.queueDepth, acknowledged.size)
  for (const other of others) t.deepEqual(other, first)
})

test('a record that one thread has made can be read in another', async (t) => {
  const shared = await openShared(t)
  const { served } = await startThread(t, shared)
  t.is(await ask(served, { type: 'organize', slug: 'press' }, neverMs), 'created press')
  t.is(await ask(served, { type: 'organize', slug: 'press' }, neverMs), 'taken press')
  t.is(shared.environment.organizations.read('press')?.name, 'press')
})

test('each thread proves by the map what an ARK is', async (t) => {
  const shared = await openShared(t, { map: { intervalMs: 1, isWitnessed: false } })
  const { served } = await startThread(t, shared)
  const ark = await ask(served, { type: 'register', title: '1' }, neverMs)
  const provenBy = (place: Ref<ServedMessage>, name: string) =>
    ask(place, { type: 'prove', ark: name }, neverMs)
  await until('the map covers it', async () => {
    return (await provenBy(served, ark))?.startsWith('1 ') ?? false
  })
  for (const name of [ark, '12345/k2nothing']) {
    const proven = await provenBy(here(shared), name)
    t.true(proven?.startsWith('1 '))
    t.is(await provenBy(served, name), proven)
  }
})

test('damage that a thread meets is known where the registry runs', async (t) => {
  const shared = await openShared(t)
  const { served } = await startThread(t, shared)
  const ark = await ask(served, { type: 'register', title: '1' }, neverMs)
  const level = new Level(shared.storeDir, { multithreading: true })
  await level.put(workStream(ark), 'no row of ours')
  await level.close()
  const error = await t.throwsAsync(ask(served, { type: 'resolve', ark }, neverMs))
  t.true(isDamage(error))
  await until('the damage is known', () => shared.environment.status().damage.found === 1)
})

test('a thread that ends in the middle takes nothing with it', async (t) => {
  const shared = await openShared(t)
  const [one, other] = [await startThread(t, shared), await startThread(t, shared)]
  const ark = await ask(one.served, { type: 'register', title: '1' }, neverMs)
  const asked = Array.from({ length: 20 }, (_, index) =>
    ask(one.served, { type: 'register', title: String(index) }, neverMs).then(
      () => 'registered',
      (error: unknown) => (error as ActorError).code,
    ),
  )
  await one.worker.terminate()
  const ends = new Set(await Promise.all(asked))
  for (const end of ends) t.true(['registered', 'lost'].includes(end), end)
  t.is(await ask(other.served, { type: 'resolve', ark }, neverMs), '1')
  await ask(other.served, { type: 'retitle', ark, title: '2' }, neverMs)
  t.is(await ask(here(shared), { type: 'resolve', ark }, neverMs), '2')
  const third = await startThread(t, shared)
  t.is(await ask(third.served, { type: 'resolve', ark }, neverMs), '2')
})
