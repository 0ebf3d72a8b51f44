// Each thread of a server keeps replies ready. Whatever the order in which works are written and
// read over the connections of all threads, a read that begins after a write was acknowledged sees
// it.

import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'

import { type Connection, openConnections } from '#test/scenario/_connection.ts'
import {
  newDataDir,
  newWork,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import type { Request } from '#test/scenario/_request.ts'
import { newTestPerson, organizationKey } from '#test/scenario/_sandbox_world.ts'

/** Enough that each of three threads has some, as good as always. */
const connectionsOpen = 12

/** What is done to a work, and through which connection. */
type Step = { readonly write: 'update' | 'claim' | 'withdraw'; readonly through: number }

/** What becomes of one work: who mints it, and what follows, one after another. */
type Life = { readonly mint: number; readonly steps: readonly Step[] }

/** What has been acknowledged of a work: each field only grows. */
type Acknowledged = { version: number; isClaimed: boolean; isWithdrawn: boolean }

/** A work that is read while it is written. */
type Followed = { readonly ark: string; readonly known: Acknowledged }

type World = {
  readonly server: Server
  readonly connections: readonly Connection[]
  readonly key: string
  readonly ppid: string
  readonly personKey: string
}

const through = fc.nat(connectionsOpen - 1)
const write = fc.oneof(
  { weight: 6, arbitrary: fc.constant('update' as const) },
  { weight: 2, arbitrary: fc.constant('claim' as const) },
  { weight: 1, arbitrary: fc.constant('withdraw' as const) },
)
const life: fc.Arbitrary<Life> = fc.record({
  mint: through,
  steps: fc.array(fc.record({ write, through }), { maxLength: 8 }),
})

const author = 'Tess Tester'

async function openWorld(t: ExecutionContext): Promise<World> {
  const settings: Settings = {
    DATA_DIR: await newDataDir(t),
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    EDGE_THREADS: '3',
  }
  const server = await startServer(t, settings)
  const key = await organizationKey(t, settings, 'sandbox')
  const { ppid, keys } = await newTestPerson(t, server, key, { name: author })
  const connections = openConnections(t, server, connectionsOpen)
  return { server, connections, key, ppid, personKey: keys[0]?.key ?? '' }
}

async function send<T>(
  { connections }: World,
  nth: number,
  path: string,
  request: Request,
): Promise<T> {
  const connection = connections[nth]
  if (connection === undefined) throw new Error(`there is no connection ${nth}`)
  const { status, body } = await connection.send(path, request)
  if (status !== 200 && status !== 201) throw new Error(`${path}: ${status} ${body}`)
  return JSON.parse(body) as T
}

/** Fails if a read that begins now does not see what has been acknowledged. */
async function read(
  connection: Connection,
  { ppid }: World,
  { ark, known }: Followed,
): Promise<void> {
  const { version, isClaimed, isWithdrawn } = known
  const { status, body } = await connection.send(`/api/v1/resolve/${ark}`)
  const told = `${ark}: ${status} ${body}, where version ${version} was acknowledged`
  if (status === 410) return
  if (status !== 200 || isWithdrawn) throw new Error(`${told}, withdrawn: ${isWithdrawn}`)
  const seen = Number(/Version (\d+)\./.exec(body)?.[1])
  if (!(seen >= version)) throw new Error(told)
  if (isClaimed && !body.includes(ppid)) throw new Error(`${told}, claimed`)
}

/** The publisher says who the author is, and this one agrees to it. */
async function claim(world: World, ark: string, nth: number): Promise<void> {
  const { key, ppid, personKey } = world
  const body = { ark_identifier: ark, author_position: 1 }
  type Claim = { readonly claim_id: string }
  const { claim_id: id } = await send<Claim>(world, nth, `/v1/people/${ppid}/claim`, { key, body })
  const agreement = { key: personKey, method: 'PUT', body: { step: 'confirm' } }
  await send(world, nth, `/v1/claims/${id}`, agreement)
}

/** Lives the life of a work, while each connection reads it over and over. */
async function live(world: World, { mint, steps }: Life): Promise<void> {
  const { connections, key } = world
  const named = (version: number) => ({
    ...newWork(`Version ${version}.`),
    authors: author,
  })
  const minting = '/v1/works?allow_duplicate=true'
  const body = named(1)
  type Minted = { readonly ark_identifier: string }
  const { ark_identifier: ark } = await send<Minted>(world, mint, minting, { key, body })
  const known: Acknowledged = { version: 1, isClaimed: false, isWithdrawn: false }
  let isLiving = true
  const readers = connections.map(async (connection) => {
    while (isLiving) await read(connection, world, { ark, known })
  })
  const writer = async () => {
    for (const step of steps) {
      if (known.isWithdrawn) return
      if (step.write === 'claim') {
        if (known.isClaimed) continue
        await claim(world, ark, step.through)
        known.isClaimed = true
      } else if (step.write === 'update') {
        const change = { method: 'PUT', key, body: named(known.version + 1) }
        await send(world, step.through, `/v1/works/${ark}`, change)
        known.version += 1
      } else {
        const withdrawal = { key, body: { reason: 'test' } }
        await send(world, step.through, `/v1/works/${ark}/withdraw`, withdrawal)
        known.isWithdrawn = true
      }
      await Promise.all(connections.map((connection) => read(connection, world, { ark, known })))
    }
  }
  const written = writer().finally(() => (isLiving = false))
  await Promise.all([written, ...readers])
}

test.serial(
  'a read that begins after a write was acknowledged sees it, on each thread',
  async (t) => {
    t.timeout(600_000)
    const world = await openWorld(t)
    const property = fc.asyncProperty(
      fc.array(life, { minLength: 1, maxLength: 3 }),
      async (lives) => {
        await Promise.all(lives.map((each) => live(world, each)))
      },
    )
    await t.notThrowsAsync(
      fc.assert(property, { numRuns: 25, endOnFailure: true, includeErrorInReport: true }),
    )
    t.is((await world.server.end('SIGTERM')).code, 0)
  },
)
