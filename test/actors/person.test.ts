import test from 'ava'
import { openRegistry } from '#test/actors/_environment.ts'
import {
  ada,
  createPerson,
  onPages,
  publisherFor,
  putItem,
  personOf,
  writesOf,
} from '#test/actors/_person.ts'

test('a person is made, described and found by their username', async (t) => {
  const environment = await openRegistry(t)
  const person = await createPerson(environment, ada, { username: 'ada-l', bio: 'Engines' })
  t.is(person.ppid, ada)
  t.is(person.profile.name, 'Ada')
  t.is(person.profile.visibility.email, 'private')
  t.deepEqual(environment.people.read(ada), person)
  t.is(environment.people.findByUsername('Ada-L'), ada)
  const by = publisherFor(ada)
  const item = await putItem(environment, by, { organization: 'Brown' })
  const changed = await environment.people.changeItem({
    ppid: ada,
    kind: 'affiliation',
    id: item.id,
    by,
    body: { role: 'Prof' },
  })
  t.is(changed.type, 'changed')
  const writes = await writesOf(environment, ada)
  t.log(writes)
  for (const w of writes)
    t.is(
      (await environment.people.undo({ ppid: ada, by: onPages(ada), position: w.position })).type,
      'undone',
    )
  t.deepEqual(personOf(environment, ada).items, [])
  t.log(await environment.people.export(ada))
})
