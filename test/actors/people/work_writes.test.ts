import test from 'ava'

import type { Environment } from '#actors/registry/environment.ts'
import { admin, arkOf, demo, makeRegistry, register } from '#test/actors/_environment.ts'
import { ada, bob, createPerson, onPages, publisherFor, writesOf } from '#test/actors/_person.ts'
import { auditClosed } from '#test/actors/_world.ts'

const self = onPages(ada)
const publisher = publisherFor(ada)

/** A work that the publisher has registered for the researcher, and changed. */
async function updatedWork(environment: Environment): Promise<string> {
  const ark = arkOf(await register(environment, 'One', { by: publisher }))
  const patch = { work_title: 'Two', keywords: 'new' }
  await environment.works.update({ ark, patch, by: publisher })
  return ark
}

test('a person sees what becomes of works that were registered for them', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const { people, works } = environment
  for (const ppid of [ada, bob]) await createPerson(environment, ppid)
  const key = { ...self, via: 'api_key', key_id: 'k' } as const
  const own = arkOf(await register(environment, 'Own', { by: key }))
  const ark = await updatedWork(environment)
  await works.addVersion({ ark, patch: { volume: '1' }, by: demo })
  await works.update({ ark: own, patch: { volume: '1' }, by: self })
  await works.update({ ark: own, patch: { volume: '2' }, by: key })
  await works.erase({ ark: own, reason: 'legal', withdraws: true, by: admin })
  await works.withdraw({ ark, reason: 'other', by: demo })
  await register(environment, 'Of nobody')
  const writes = await writesOf(environment, ada)
  t.deepEqual(
    writes.map(({ type, ark: work, version, by, undoable }) => [
      type,
      work,
      version,
      by.id,
      undoable,
    ]),
    [
      ['WorkWithdrawn', ark, undefined, 'demo', false],
      ['WorkErased', own, undefined, 'operator', false],
      ['WorkWithdrawn', own, undefined, 'operator', false],
      ['WorkVersioned', own, 3, ada, true],
      ['WorkVersioned', ark, 3, 'demo', false],
      ['WorkVersioned', ark, 2, 'demo', true],
      ['WorkRegistered', ark, 1, 'demo', true],
      ['WorkRegistered', own, 1, ada, true],
    ],
  )
  const ofOthers = writes.filter(({ by }) => by.on_behalf_of === undefined && by.id !== ada)
  t.is(ofOthers.length, 4)
  for (const { position } of ofOthers) {
    const answer = await people.undo({ ppid: ada, position, by: self })
    t.deepEqual(answer, { type: 'not_undoable' })
  }
  t.deepEqual(await writesOf(environment, bob), [])
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('who has deleted their account is written nothing for', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  await createPerson(environment, ada)
  const ark = await updatedWork(environment)
  await environment.people.erase({ ppid: ada, by: self })
  const before = [...registry.disk.keys()].filter((key) => key.startsWith('write/'))
  await environment.works.update({ ark, patch: { volume: '1' }, by: demo })
  const after = [...registry.disk.keys()].filter((key) => key.startsWith('write/'))
  t.deepEqual(after, before)
  await environment.close()
})
