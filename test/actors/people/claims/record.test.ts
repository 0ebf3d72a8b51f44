import test from 'ava'
import {
  authorsOf,
  claim,
  linkOrcid,
  orcid,
  say,
  twoAuthors,
} from '#test/actors/people/claims/_claim.ts'
import { arkOf, demo, metadataOf, openRegistry, register } from '#test/actors/_environment.ts'
import { ada, bob, createPerson, onPages, publisherFor } from '#test/actors/_person.ts'

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
  const words = { status: 'verified', basis: 'orcid', confirmed_by: ['orcid', 'person'] }
  const shown = { ppid: ada, orcid, ...words }
  for (let times = 0; times < 3; times += 1) t.deepEqual(await read(), [[], [shown]])
  etags.push(await etag())
  await claim(environment, ark, { ppid: bob, author_position: 1 })
  t.deepEqual(await read(), [[], [shown]])
  await say(environment, ark, 'confirm', { ppid: bob, by: demo })
  const both = ['registrant', 'person']
  const named = { ppid: bob, status: 'verified', basis: 'registrant', confirmed_by: both }
  for (let times = 0; times < 3; times += 1) t.deepEqual(await read(), [[named], [shown]])
  etags.push(await etag())
  const by = onPages(ada)
  await people.update({ ppid: ada, body: { visibility: { orcid: 'private' } }, by })
  t.deepEqual(await read(), [[named], [{ ppid: ada, ...words }]])
  await people.update({ ppid: ada, body: { visibility: { claims: 'trusted' } }, by })
  for (let times = 0; times < 3; times += 1) t.deepEqual(await read(), [[named], []])
  await people.erase({ ppid: bob, by: onPages(bob) })
  t.deepEqual(await read(), [[], []])
  t.is(new Set(etags).size, 3, 'what is shown has another tag')
  t.is(await etag(), etags[0])
})

test('a claim tells on whose word it rests, of an application not as of its person', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada, { name: 'Ada Lovelace' })
  const work = (title: string) => metadataOf(title, { authors: 'Ada Lovelace' })
  const wordsOf = async (ark: string) => {
    const [author] = await authorsOf(environment, ark)
    const [first] = (author?.claims ?? []) as readonly { confirmed_by: unknown }[]
    return first?.confirmed_by
  }
  const publisher = publisherFor(ada)
  const given = arkOf(await register(environment, work('Given'), { by: publisher }))
  t.deepEqual(await wordsOf(given), ['registrant'])
  const own = arkOf(await register(environment, work('Own'), { by: onPages(ada) }))
  t.deepEqual(await wordsOf(own), ['person'])

  const asked = arkOf(await register(environment, work('Asked')))
  await claim(environment, asked, { by: publisher, author_position: 1 })
  await say(environment, asked, 'confirm', { by: demo })
  t.deepEqual(await wordsOf(asked), ['registrant'], 'an application has said so')
  const accepted = arkOf(await register(environment, work('Accepted')))
  await claim(environment, accepted, { by: demo, author_position: 1 })
  await say(environment, accepted, 'confirm')
  t.deepEqual(await wordsOf(accepted), ['registrant', 'person'])
})
