import test from 'ava'
import { authorsOf, claim, linkOrcid, orcid, say, twoAuthors } from '#test/actors/claims/_claim.ts'
import { arkOf, demo, metadataOf, openRegistry, register } from '#test/actors/_environment.ts'
import { ada, bob, createPerson, onPages } from '#test/actors/_person.ts'

test('verified claims are shown beside their authors, of those who show theirs', async (t) => {
  const environment = await openRegistry(t)
  const { people } = environment
  await createPerson(environment, ada)
  await createPerson(environment, bob, { name: 'Ada Lovelace' })
  await linkOrcid(environment)
  const ark = arkOf(await register(environment, metadataOf('Shown', twoAuthors)))
  const read = async () => (await authorsOf(environment, ark)).map(({ claims }) => claims)
  const etag = async () => {
    const answer = await environment.catalogue.resolve(ark, ark)
    return answer.type === 'found' ? answer.etag : undefined
  }
  for (let times = 0; times < 3; times += 1) t.deepEqual(await read(), [[], []])
  const etags = [await etag()]
  await claim(environment, ark)
  const shown = { ppid: ada, orcid, status: 'verified', basis: 'orcid' }
  for (let times = 0; times < 3; times += 1) t.deepEqual(await read(), [[], [shown]])
  etags.push(await etag())
  await claim(environment, ark, { ppid: bob, author_position: 1 })
  t.deepEqual(await read(), [[], [shown]])
  await say(environment, ark, 'confirm', { ppid: bob, by: demo })
  const named = { ppid: bob, status: 'verified', basis: 'registrant' }
  for (let times = 0; times < 3; times += 1) t.deepEqual(await read(), [[named], [shown]])
  etags.push(await etag())
  const by = onPages(ada)
  await people.update({ ppid: ada, body: { visibility: { orcid: 'private' } }, by })
  t.deepEqual(await read(), [[named], [{ ppid: ada, status: 'verified', basis: 'orcid' }]])
  await people.update({ ppid: ada, body: { visibility: { claims: 'trusted' } }, by })
  for (let times = 0; times < 3; times += 1) t.deepEqual(await read(), [[named], []])
  await people.erase({ ppid: bob, by: onPages(bob) })
  t.deepEqual(await read(), [[], []])
  t.is(new Set(etags).size, 3, 'what is shown has another tag')
  t.is(await etag(), etags[0])
})
