import test from 'ava'

import { idempotencyOf } from '#actors/journal/idempotency.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { guardOf } from '#test/actors/_clock.ts'
import { unavailable } from '#test/actors/_content.ts'
import { arkOf, bodyOf, demo, register, registration } from '#test/actors/_environment.ts'
import { openSharedNodes, type SharedNode } from '#test/actors/registry/_shared_nodes.ts'
import { until } from '#test/_until.ts'

/** What a node answers about a work; undefined if it does not know it. */
async function workAt({ catalogue }: Environment, ark: string): Promise<unknown> {
  const found = await catalogue.resolve(ark, ark)
  return found.type === 'not_found' ? undefined : bodyOf(found)
}

function update({ works }: Environment, ark: string, work_title: string, more = {}) {
  return works.update({ ark, patch: { work_title }, by: demo, ...more })
}

/** The rows of a node but for those that are of each store alone. */
function sharedRows({ disk }: SharedNode): ReadonlyMap<string, Uint8Array> {
  return new Map([...disk].filter(([key]) => !key.startsWith('purge/')))
}

test('a work registered at any node is there at once, and soon at the others', async (t) => {
  const { nodes, agree } = await openSharedNodes(t)
  const arks: string[] = []
  for (const { name, environment } of nodes) {
    const ark = arkOf(await register(environment, `At ${name}`))
    t.true(JSON.stringify(await workAt(environment, ark)).includes(`At ${name}`))
    arks.push(ark)
  }
  await agree()
  for (const { environment } of nodes) {
    for (const ark of arks) t.truthy(await workAt(environment, ark))
    t.is(environment.log.head().treeSize, 3)
  }
  const [a, b, c] = nodes
  t.deepEqual(sharedRows(b), sharedRows(a))
  t.deepEqual(sharedRows(c), sharedRows(a))
})

test('changes of one work at all nodes follow each other, and none is lost', async (t) => {
  const { nodes } = await openSharedNodes(t)
  const [{ environment: a }] = nodes
  const ark = arkOf(await register(a, 'First'))
  const changes = Array.from({ length: 12 }, (_, n) => {
    const node = nodes[n % 3] ?? nodes[0]
    return update(node.environment, ark, `Title ${n}`)
  })
  const answers = await Promise.all(changes)
  t.deepEqual(new Set(answers.map(({ type }) => type)), new Set(['changed']))
  const versions = answers.map((answer) => ('change' in answer ? answer.change.version : 0))
  t.deepEqual(
    versions.toSorted((one, other) => one - other),
    Array.from({ length: 12 }, (_, n) => n + 2),
  )
})

test('nodes that change one work over and over do not wait in vain', async (t) => {
  const { nodes } = await openSharedNodes(t)
  const [{ environment: a }] = nodes
  const ark = arkOf(await register(a, 'First'))
  const writers = nodes.flatMap(({ name, environment }) =>
    Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; count < 10; count += 1) {
        const { type } = await update(environment, ark, `${name} ${writer} ${count}`)
        t.is(type, 'changed')
      }
    }),
  )
  await t.notThrowsAsync(Promise.all(writers))
})

test('a node refuses nothing because of what it does not know yet', async (t) => {
  const { nodes, agree } = await openSharedNodes(t)
  const [{ environment: a }, { environment: b }] = nodes
  const ark = arkOf(await register(a, 'First'))
  await agree()
  const second = await update(b, ark, 'Second')
  t.like(second, { type: 'changed', change: { version: 2 } })
  for (let version = 3; version < 13; version += 1) {
    const [here, there] = version % 2 === 0 ? [a, b] : [b, a]
    await update(here, ark, `Title ${version}`)
    const newest = await update(there, ark, `Title ${version}`)
    t.like(newest, { type: 'unchanged', change: { version } })
  }
  for (let nth = 0; nth < 20; nth += 1) {
    const made = arkOf(await register(a, `Made at a ${nth}`))
    t.like(await update(b, made, `Changed at b ${nth}`), { type: 'changed' })
  }
})

test('a named request that is sent to all nodes at once is carried out once', async (t) => {
  const { nodes } = await openSharedNodes(t)
  const idempotency = idempotencyOf('org:demo/one', { work_title: 'Once' })
  const answers = await Promise.all(
    nodes.map(({ environment }) =>
      environment.works.register(registration('Once', { idempotency })),
    ),
  )
  const works = answers.map((answer) => (answer.type === 'registered' ? answer : undefined))
  t.is(new Set(works.map((answer) => answer?.work.ark_identifier)).size, 1)
  t.is(works.filter((answer) => answer?.replayed === false).length, 1)
})

test('while the lead goes round, nothing that is asked for is lost or doubled', async (t) => {
  const { nodes, lead, agree } = await openSharedNodes(t)
  const registering = nodes.flatMap(({ name, environment }) =>
    Array.from({ length: 30 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n))
      return arkOf(await register(environment, `Work ${n} at ${name}`))
    }),
  )
  for (const node of [nodes[1], nodes[2], nodes[0], nodes[2]]) await lead(node)
  const arks = await Promise.all(registering)
  await agree()
  for (const { environment, stopped } of nodes) {
    t.is(environment.log.head().treeSize, arks.length)
    for (const ark of arks) t.truthy(await workAt(environment, ark))
    t.deepEqual(stopped, [])
  }
})

test('a proposal whose answer is lost is made again, and committed once', async (t) => {
  let answers = 0
  const isLost = () => (answers += 1) % 3 !== 0
  const { nodes, agree } = await openSharedNodes(t, undefined, { isLost })
  const [{ environment: a }, { environment: b }] = nodes
  const works = await Promise.all(Array.from({ length: 20 }, (_, n) => register(b, `Work ${n}`)))
  const [first] = works
  if (first === undefined) throw new Error('twenty were registered')
  const ark = arkOf(first)
  for (let version = 2; version < 8; version += 1) {
    t.like(await update(b, ark, `Title ${version}`), { type: 'changed', change: { version } })
  }
  await agree()
  t.is(a.log.head().treeSize, works.length + 6)
})

test('what one node was told is settled, the next one that leads keeps to', async (t) => {
  const minuteMs = 60_000
  const { nodes, lead } = await openSharedNodes(t, (name) =>
    name === 'c' ? { systemMs: () => Date.now() + minuteMs } : {},
  )
  const [{ environment: a }, b, { environment: c }] = nodes
  const settledMs = await c.settle(Number.POSITIVE_INFINITY)
  await lead(b)
  const { created_at } = await register(a, 'After that')
  t.true(Date.parse(created_at) >= settledMs, created_at)
})

test('a node whose clock is an hour ahead dates nothing, and holds up nobody', async (t) => {
  const hourMs = 3_600_000
  const systemMs = () => Date.now() + hourMs
  const clock = guardOf(systemMs)
  const { nodes, lead } = await openSharedNodes(t, (name) =>
    name === 'b' ? { systemMs, clock } : {},
  )
  const [a, b, c] = nodes
  const ahead = { instanceOf: ActorError, code: 'clock_wrong' }
  for (const [leader, message] of [
    // It does not know yet that it is wrong: the node that leads does.
    [a, /^A change is dated .*set the clock of the node at which it was asked for$/],
    [c, /^This machine's clock says .*, 1 hour after .* by most of the other machines/],
  ] as const) {
    await lead(leader)
    const asked = { ...ahead, message }
    await t.throwsAsync(register(b.environment, 'A work', { allowRepeat: true }), asked)
    for (const { environment } of [a, c]) {
      const { created_at } = await register(environment, 'A work', { allowRepeat: true })
      t.true(Date.parse(created_at) < Date.now() + hourMs / 2, created_at)
    }
    for (const { name } of [a, c]) clock.hear(name, Date.now())
  }
  t.is(a.environment.log.head().treeSize, 4)
  t.regex(b.environment.clock.status().problem ?? '', /^This machine's clock says/)
})

test('a node whose clock jumps while it leads writes nothing, and the next one does', async (t) => {
  let offMs = 0
  const systemMs = () => Date.now() + offMs
  const machine = { elapsedMs: Date.now, uptimeMs: Date.now }
  const { nodes, lead } = await openSharedNodes(t, (name) =>
    name === 'a' ? { systemMs, clock: guardOf(systemMs, { machine }) } : {},
  )
  const [a, b, c] = nodes
  await register(a.environment, 'A work', { allowRepeat: true })
  offMs = 400 * 86_400_000
  const waiting = register(c.environment, 'A work', { allowRepeat: true })
  await t.throwsAsync(register(a.environment, 'Another work'), { code: 'clock_wrong' })
  await lead(b)
  const { created_at } = await waiting
  t.true(Date.parse(created_at) < Date.now() + 60_000, created_at)
})

test('content is checked by the node that leads, and by the next one', async (t) => {
  const fetched: string[] = []
  const { nodes, lead } = await openSharedNodes(t, (name) => ({
    fetchContent: async () => {
      fetched.push(name)
      return unavailable(404)
    },
  }))
  const [{ environment: a }, b] = nodes
  const checked = (ark: string) => a.fixity.read(ark)?.fixity_status !== 'pending'
  const first = arkOf(await register(b.environment, 'First'))
  await until('the first is checked', () => a.fixity.read(first) !== undefined && checked(first))
  t.deepEqual(new Set(fetched), new Set(['a']))
  await lead(b)
  fetched.length = 0
  const second = arkOf(await register(a, 'Second'))
  await until('the second is checked', () => checked(second))
  t.deepEqual(new Set(fetched), new Set(['b']))
})

test('who leads, and was replaced, knows of no work too little', async (t) => {
  const { nodes } = await openSharedNodes(t)
  const [a, b, c] = nodes
  b.environment.part?.member.lead()
  await until('two lead', () => a.leads() && b.leads())
  for (const asked of [a, c]) {
    const ark = arkOf(await register(b.environment, `Unheard of at ${asked.name}`))
    t.like(await update(asked.environment, ark, 'Another title'), { type: 'changed' })
  }
})

test('without a leader, who asks is told so', async (t) => {
  const { nodes } = await openSharedNodes(t, undefined, { leaderMsMax: 1 })
  const [{ environment }] = nodes
  environment.part?.member.follow(new AbortController().signal)
  await until('nobody leads', () => nodes.every((node) => !node.leads()))
  await t.throwsAsync(register(environment, 'Unheard'), {
    code: 'stopped',
    message: 'no node leads this registry at the moment',
  })
})
