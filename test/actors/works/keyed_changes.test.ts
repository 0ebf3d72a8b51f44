import test from 'ava'
import type { Environment } from '#actors/registry/environment.ts'
import { idempotencyOf } from '#actors/journal/idempotency.ts'
import { arkOf, demo, makeRegistry, openRegistry, register } from '#test/actors/_environment.ts'
import { auditClosed } from '#test/actors/_world.ts'

/** Every change of a work, under one name, with a body that makes it this one. */
const changes = {
  update: ({ works }: Environment, ark: string, body: string) =>
    works.update({ ...named(ark, body), patch: { description: body } }),
  'add version': ({ works }: Environment, ark: string, body: string) =>
    works.addVersion({ ...named(ark, body), patch: { description: body }, versionNote: 'Why.' }),
  withdraw: ({ works }: Environment, ark: string, body: string) =>
    works.withdraw({ ...named(ark, body), reason: 'test' }),
}

function named(ark: string, body: string) {
  return { ark, by: demo, idempotency: idempotencyOf('my name for it', body) }
}

for (const [name, change] of Object.entries(changes)) {
  test(`${name}: a request that is sent again after a restart is answered as before`, async (t) => {
    const registry = await makeRegistry(t)
    const environment = await registry.open()
    const ark = arkOf(await register(environment, 'Changed once'))
    const first = await change(environment, ark, 'New.')
    t.is(first.type, 'changed')
    const events = environment.status().events
    await environment.close()
    const reopened = await registry.open()
    t.teardown(() => reopened.close())
    t.deepEqual(await change(reopened, ark, 'New.'), { ...first, replayed: true } as typeof first)
    t.deepEqual(await change(reopened, ark, 'Other.'), { type: 'idempotency_mismatch' })
    t.is(reopened.status().events, events)
    t.deepEqual(await auditClosed(reopened, registry), [])
  })

  test(`${name}: a request that is sent twice at one time is carried out once`, async (t) => {
    const registry = await makeRegistry(t)
    const environment = await registry.open()
    t.teardown(() => environment.close())
    const ark = arkOf(await register(environment, 'Changed once'))
    const { events } = environment.status()
    const answers = await Promise.all([1, 2].map(() => change(environment, ark, 'New.')))
    const [first, second] = answers
    t.is(first?.type, 'changed')
    t.deepEqual(second, { ...first, replayed: true } as typeof second)
    t.is(environment.status().events, events + 1)
  })
}

test('what others did since is not undone by a request that is sent again', async (t) => {
  const environment = await openRegistry(t)
  const { works } = environment
  const ark = arkOf(await register(environment, 'Changed by two'))
  await changes.update(environment, ark, 'Mine.')
  await works.update({ ark, patch: { description: 'Theirs.' }, by: demo })
  t.like(await changes.update(environment, ark, 'Mine.'), {
    replayed: true,
    change: { version: 2 },
  })
  const state = environment.catalogue.state(ark)
  t.is(state?.version, 3)
})
