// Three nodes share an identity store over three NATS servers.

import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import { elapsedMs, monotoneClock } from '#actors/values/clock.ts'
import type { SharedStream } from '#actors/journal/shared_stream.ts'
import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import { connectEngine } from '#src/cluster/engine.ts'
import { openJournalStream } from '#src/cluster/streams.ts'
import { KeyStore } from '#src/identity/keys/key_store.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { type IdentityStore, putRow } from '#src/identity/store/identity_rows.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { testSharedIdentity } from '#test/contracts/shared_identity.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import { natsCredentials, type NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { diskOf, type IdentityNode, IdentityNodes } from '#test/src/identity/_identity_nodes.ts'
import { until } from '#test/_until.ts'

let streams = 0

/** A node's way to a stream, over the one server that is named, at first. */
async function reach(
  t: ExecutionContext,
  servers: NatsServers,
  { name, server }: { readonly name: string; readonly server: number },
): Promise<SharedStream> {
  const [user = '', pass = ''] = natsCredentials.node.split(':')
  const url = parseClusterUrl(servers.urls[server] ?? '')
  const credentials = { user, pass }
  const connection = await connectEngine({ ...engineOptions(servers), url, credentials })
  t.teardown(() => connection.close())
  return openJournalStream({ connection, name, patience: testPatience })
}

/** Three nodes, each of which is at a server of its own. */
async function openThree(t: ExecutionContext, servers: NatsServers, contactMs = 30_000) {
  const name = `ID${(streams += 1)}`
  const nodes = await IdentityNodes.begin(t)
  const at = (server: number) => reach(t, servers, { name, server })
  const all = [
    await nodes.add(await at(0), { contactMs }),
    await nodes.add(await at(1), { contactMs }),
    await nodes.add(await at(2), { contactMs }),
  ] as const
  return { nodes, all, at }
}

function openKeys(store: IdentityStore): KeyStore {
  // A node that is cut off notes no uses.
  const report = (): void => undefined
  return new KeyStore({ store, clock: monotoneClock(Date.now, ''), random: randomBytes, report })
}

const origin = { ip: '192.0.2.7', userAgent: 'test' }

/** What becomes of a key at a node. */
function outcomeAt(keys: KeyStore, key: string): string {
  try {
    return keys.authenticate(key, origin).type
  } catch (error) {
    if (error instanceof IdentityError) return error.code
    throw error
  }
}

function createKey(keys: KeyStore) {
  const owner = { type: 'organization', id: 'demo', name: 'Demo' } as const
  const rest = { environment: 'live', label: '', ipAllow: [], hours: 24 } as const
  return keys.create({ owner, scopes: ['works:read'], ...rest }, operator)
}

/** Revokes a key; false while the servers choose another leader. */
async function revokes(keys: KeyStore, id: string): Promise<boolean> {
  try {
    return (await keys.revoke(id, operator)).type === 'revoked'
  } catch (error) {
    if (error instanceof IdentityError) return false
    throw error
  }
}

/** Writes rows at a node until `end`, and yields the key of each one that is acknowledged. */
async function* writtenRows({ store }: IdentityNode, name: string, end: AbortSignal) {
  for (let n = 0; !end.aborted; n += 1) {
    const key = `row/${name}/${n}`
    try {
      await store.inTurn(() => store.commit([putRow(key, n)]))
      yield key
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error
    }
  }
}

async function compareDisks(
  t: ExecutionContext,
  nodes: IdentityNodes,
  all: readonly IdentityNode[],
): Promise<void> {
  for (const node of all) await node.caughtUp()
  t.deepEqual(
    all.flatMap(({ stopped }) => stopped),
    [],
  )
  for (const node of all) await nodes.close(node)
  const [one, ...others] = await Promise.all(all.map(diskOf))
  for (const other of others) t.deepEqual(other, one)
}

/** Cuts one node's server off, has another node revoke a key, and looks who takes it. */
async function revokeWhileCutOff(t: ExecutionContext, servers: NatsServers): Promise<void> {
  const contactMs = 2_000
  const { nodes, all } = await openThree(t, servers, contactMs)
  const [a, b, c] = all.map(({ store }) => openKeys(store))
  if (a === undefined || b === undefined || c === undefined) throw new Error('there are three')
  const { key, record } = await createKey(a)
  await until('all take it', () => [a, b, c].every((own) => outcomeAt(own, key) === 'accepted'))
  await servers.signal(2, 'SIGSTOP')
  try {
    await until('the node refuses', () => outcomeAt(c, key) === 'identity_stale')
    await until('another node revokes it', () => revokes(a, record.id), { pauseMs: 200 })
    const knownMs = elapsedMs() + contactMs
    await until('nobody takes it once the bound is over', () => {
      const isOver = elapsedMs() > knownMs
      const outcomes = [a, b, c].map((own) => outcomeAt(own, key))
      if (isOver) t.false(outcomes.includes('accepted'), outcomes.join(' '))
      return isOver
    })
  } finally {
    await servers.signal(2, 'SIGCONT')
  }
  await until('all have contact, and refuse it', () => {
    const outcomes = [a, b, c].map((own) => outcomeAt(own, key))
    t.false(outcomes.includes('accepted'), outcomes.join(' '))
    return outcomes.every((outcome) => outcome === 'refused')
  })
  await compareDisks(t, nodes, all)
}

overServers((servers) => {
  testSharedIdentity(test, async (t) => (await openThree(t, servers())).all)

  test('a key that is revoked at one node is refused at all of them', async (t) => {
    const { nodes, all } = await openThree(t, servers())
    const keys = all.map(({ store }) => openKeys(store))
    for (const [nth, own] of keys.entries()) {
      const { key, record } = await createKey(own)
      await Promise.all(all.map((node) => node.caughtUp()))
      for (const other of keys) t.is(outcomeAt(other, key), 'accepted')
      const revoker = keys[(nth + 1) % keys.length]
      t.like(await revoker?.revoke(record.id, operator), { type: 'revoked' })
      await until('all refuse it', () => keys.every((other) => outcomeAt(other, key) === 'refused'))
    }
    await compareDisks(t, nodes, all)
  })

  test('a node that ends in the middle has all the others have when it is back', async (t) => {
    const { nodes, all, at } = await openThree(t, servers())
    const [a, b, c] = all
    let written = 0
    const write = async ({ store }: IdentityNode) => {
      const count = (written += 1)
      await store.inTurn(() => store.commit([putRow(`row/${count}`, count)]))
      await store.append([putRow(`note/${count}`, count)])
    }
    const writing = Promise.all(Array.from({ length: 20 }, (_, nth) => write(nth % 2 ? a : b)))
    await write(c)
    await nodes.close(c)
    await writing
    await write(a)
    const back = await nodes.again(c, await at(2))
    await write(back)
    const fresh = await nodes.add(await at(0))
    t.is((await Array.fromAsync(fresh.store.scan('row/'))).length, written)
    await compareDisks(t, nodes, [a, b, back, fresh])
  })

  test.serial('a node that is cut off refuses credentials, and comes back', (t) => {
    return revokeWhileCutOff(t, servers())
  })

  test.serial('what was acknowledged is there after any server was killed', async (t) => {
    const { nodes, all } = await openThree(t, servers())
    const acknowledged: string[] = []
    const over = new AbortController()
    const writing = Promise.all(
      all.map(async (node, nth) => {
        for await (const key of writtenRows(node, `${nth}`, over.signal)) acknowledged.push(key)
      }),
    )
    for (const server of [0, 1, 2]) {
      const before = acknowledged.length
      await until('some are written', () => acknowledged.length > before + 20)
      await servers().restart(server, 'SIGKILL')
      await servers().ready()
    }
    over.abort()
    await writing
    for (const node of all) await node.caughtUp()
    for (const { store } of all) {
      const lost = acknowledged.filter((key) => store.read(key) === undefined)
      t.deepEqual(lost, [])
    }
    await compareDisks(t, nodes, all)
  })
})
