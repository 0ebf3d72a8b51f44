// One registry behind two servers: where it runs, and where it was joined. Both are in this thread,
// so that a request can be looked at in the very moment in which a write was acknowledged.

import fc from 'fast-check'
import test, { type ExecutionContext } from 'ava'

import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { joinEnvironment } from '#actors/registry/served_environment.ts'
import { openEnvironment } from '#actors/registry/open_environment.ts'
import { registerResolveRoutes } from '#src/http/arks/resolve_routes.ts'
import { arkOf, demo, makeRegistry, registration } from '#test/actors/_environment.ts'
import { connect } from '#test/actors/kernel/_connected.ts'
import { openEdge } from '#test/src/edge/_edge.ts'
import { send } from '#test/src/_raw.ts'

/** A server, the registry as it has it, and what is done before a request is looked at. */
type Place = {
  readonly environment: ServedEnvironment
  /** Resolves a work, once `first` is done; gives its title. */
  titleAfter(ark: string, first: () => Promise<void>): Promise<number>
}

const nothing = () => Promise.resolve()

async function openPlace(
  t: ExecutionContext,
  environment: ServedEnvironment,
  catchUp?: () => void,
): Promise<Place> {
  const edge = await openEdge(
    t,
    { RATE_LIMITS: false },
    (server, own) => {
      const environments = { live: environment, sandbox: { ...environment, naan: '99999' } }
      const suspensions = { first: () => undefined, contact: '' }
      registerResolveRoutes(server, { ...own, environments, suspensions })
    },
    catchUp && { catchUp },
  )
  const firsts = new Map<string, () => Promise<void>>()
  const { server: listener } = edge.server
  const listeners = listener.listeners('request')
  listener.removeAllListeners('request')
  listener.on('request', (request, response) => {
    const first = firsts.get(String(request.headers['x-step'])) ?? nothing
    void first().then(() => {
      for (const listen of listeners) listen.call(listener, request, response)
    })
  })
  const port = await edge.listen()
  let steps = 0
  return {
    environment,
    async titleAfter(ark, first) {
      steps += 1
      const step = String(steps)
      firsts.set(step, first)
      // The reply to one spelling is made past the framework, to the other by the route.
      const spelled = steps % 2 === 0 ? `ark:/${ark}` : encodeURIComponent(`ark:/${ark}`)
      const lines = [`GET /api/v1/resolve/${spelled} HTTP/1.1`]
      const reply = await send(port, [...lines, 'Host: x', `X-Step: ${step}`])
      const { metadata } = JSON.parse(reply.body) as { metadata: { work_title: string } }
      return Number(metadata.work_title)
    },
  }
}

/** The place where a registry runs, and one that has joined it. */
async function openPlaces(t: ExecutionContext): Promise<readonly [Place, Place]> {
  const { options } = await makeRegistry(t)
  const storeDir = `${options.storeDir}/store`
  const environment = await openEnvironment({ ...options, storeDir })
  t.teardown(() => environment.close())
  const { toJoined, toOwner: remote } = connect(t)
  const share = environment.share(toJoined)
  const { vkey } = environment
  const joined = await joinEnvironment({ ...options, storeDir, vkey, share, remote })
  t.teardown(() => joined.close())
  return [await openPlace(t, environment), await openPlace(t, joined, () => joined.catchUp())]
}

/** What one client does: changes a work of its own at one place, and then reads it at others. */
const change = fc.record({
  writes: fc.boolean(),
  atJoined: fc.boolean(),
  readsAt: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
})
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

const clients = fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 3 })

test('a read sees every write that was acknowledged before, at whichever server', async (t) => {
  const [owner, joined] = await openPlaces(t)
  const placeOf = (isJoined: boolean) => (isJoined ? joined : owner)
  const follow = async (changes: readonly Change[]) => {
    const { works } = owner.environment
    const made = await works.register(registration('0', { allowDuplicate: true }))
    if (made.type !== 'registered') throw new Error(`registering was ${made.type}`)
    const ark = arkOf(made.work)
    let title = 0
    for (const { writes, atJoined, readsAt } of changes) {
      const write = async () => {
        if (!writes) return
        const patch = { work_title: String(title + 1) }
        const answer = await placeOf(atJoined).environment.works.update({ ark, patch, by: demo })
        if (answer.type !== 'changed') throw new Error(`the update was ${answer.type}`)
        title += 1
      }
      const [first = true, ...others] = readsAt
      t.is(await placeOf(first).titleAfter(ark, write), title)
      for (const other of others) t.is(await placeOf(other).titleAfter(ark, nothing), title)
    }
  }
  const property = fc.asyncProperty(clients, async (all) => {
    await Promise.all(all.map(follow))
  })
  await fc.assert(property, { numRuns: 25 })
})

test('a reply that is kept is not sent once another thread has changed its work', async (t) => {
  const [owner, joined] = await openPlaces(t)
  const made = await owner.environment.works.register(registration('0'))
  if (made.type !== 'registered') throw new Error(`registering was ${made.type}`)
  const ark = arkOf(made.work)
  // The third is the reply that is kept.
  for (let times = 0; times < 3; times += 1) t.is(await joined.titleAfter(ark, nothing), 0)
  const write = async () => {
    await owner.environment.works.update({ ark, patch: { work_title: '1' }, by: demo })
  }
  t.is(await joined.titleAfter(ark, write), 1)
})
