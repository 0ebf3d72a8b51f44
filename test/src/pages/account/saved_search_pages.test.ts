import test, { type ExecutionContext } from 'ava'

import { NewsWatch } from '#src/delivery/mail/newsroom.ts'
import { countNew } from '#src/use_cases/record_search.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { TestClock } from '#test/src/identity/_identity.ts'

const path = '/auth/account/searches'
const weekMs = 7 * 86_400_000

/** What looks for news in the saved searches of a registry, at a time. */
function watchOf(t: ExecutionContext, registry: ServedRegistry, nowMs: number): NewsWatch {
  const source = { service: registry.search.live, searcher: { caller: 'test' } }
  const watch = new NewsWatch({
    audit: registry.oauth.audit,
    isMade: () => false,
    keys: registry.keys,
    organizations: { list: () => Promise.resolve([]) },
    holdings: registry.environments.live.holdings,
    searches: {
      saved: registry.accounts.savedSearches,
      countNew: (asked, span) => countNew(source, asked, span),
    },
    clock: new TestClock(new Date(nowMs).toISOString()),
    report: (fault) => t.fail(String(fault)),
  })
  t.teardown(() => watch.close())
  return watch
}

test('a person saves searches, sees what is new in them, and is told once a week', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  registry.search.live.start()
  const key = await registry.key({ scopes: ['works:write'] })
  const whales = { work_type: 'article', authors: 'Ada Pen' }
  const work = { ...whales, work_title: 'Whales', work_url: 'https://x.example/1' }
  const { created_at: at } = await mint(registry, key, work)
  await caughtUp(registry.search.live)
  const ada = new JarBrowser(registry.port, registry.baseUrl)
  const ppid = await ada.signUp({
    name: 'Ada',
    email: 'ada@example.org',
    password: 'a long enough sentence',
  })
  const { savedSearches } = registry.accounts

  const found = await ada.get('/search?q=whales&type=article&sort=newest')
  const [, offer = ''] = /href="(\/auth\/account\/searches[^"]*)"/.exec(found.body) ?? []
  const offered = await ada.get(offer.replaceAll('&#61;', '='))
  t.is(offered.status, 200, offered.body)
  t.regex(offered.body, /whales · type: article/)
  const query = 'q=whales&type=article'
  await ada.postThen(path, { query })
  t.deepEqual(
    savedSearches.list(ppid).map((one) => one.query),
    [query],
  )

  // What is new is what was registered since; a search that is seen has nothing new.
  await savedSearches.save(ppid, { query, new_since: '2020-01-01T00:00:00.000Z' })
  t.regex((await ada.get(path)).body, /created_from[^"]*"[^>]*>New works: 1</)
  await ada.postThen(path, { query })
  const [seen] = savedSearches.list(ppid)
  t.true((seen?.new_since ?? '') > '2020')

  // The mail of a week: once, whoever looks, for what was registered before its end.
  await savedSearches.save(ppid, { query, new_since: '2020-01-01T00:00:00.000Z' })
  // One that is refused, for what it looks for is not known any more, holds up no other.
  const refused = 'year=soon'
  await savedSearches.save(ppid, { query: refused, new_since: '2020-01-01T00:00:00.000Z' })
  t.regex((await ada.get(path)).body, /This search no longer works/)
  const watch = watchOf(t, registry, Date.parse(at) + weekMs)
  const owner = { type: 'person', id: ppid } as const
  await watch.look()
  await watch.look()
  const told = await registry.oauth.audit.read(owner, { limit: 100 })
  const [news, ...more] = told.filter(({ action }) => action === 'searches_found')
  t.is(news?.works_count, 1)
  t.deepEqual(more, [])

  for (const wrong of ['', 'sort=newest', 'year=soon']) {
    t.is((await ada.get(`${path}?${new URLSearchParams({ save: wrong })}`)).status, 400, wrong)
  }
  for (let nth = 0; nth < 25; nth += 1) {
    await savedSearches.save(ppid, { query: `q=a${nth}`, new_since: seen?.new_since ?? '' })
  }
  t.is(savedSearches.list(ppid).length, 20)
  await savedSearches.forget(ppid)
  t.deepEqual(savedSearches.list(ppid), [])
})

test('works that are selected are shown by themselves, and saved as named lists', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  registry.search.live.start()
  const key = await registry.key({ scopes: ['works:write'] })
  const minted = ['Whales', 'Seals', 'Terns'].map((work_title) =>
    mint(registry, key, {
      work_type: 'article',
      authors: 'Ada Pen',
      work_title,
      work_url: `https://x.example/${work_title}`,
    }),
  )
  const [whales = '', seals = '', terns = ''] = (await Promise.all(minted)).map(
    ({ ark_identifier: ark }) => ark,
  )
  await caughtUp(registry.search.live)
  const ada = new JarBrowser(registry.port, registry.baseUrl)
  const ppid = await ada.signUp({
    name: 'Ada',
    email: 'ada@example.org',
    password: 'a long enough sentence',
  })
  const { savedSearches } = registry.accounts
  const queryOf = (...arks: string[]) => new URLSearchParams({ ark: arks.join(',') }).toString()
  const lists = () => savedSearches.list(ppid).map(({ name, query }) => [name, query])

  const found = await ada.get('/search?q=pen')
  for (const ark of [whales, seals, terns]) t.true(found.body.includes(`value="${ark}"`), ark)
  const both = `/search?${new URLSearchParams([
    ['ark', whales],
    ['ark', seals],
  ]).toString()}`
  const shown = await ada.get(both)
  t.regex(shown.body, />2 works</)
  t.true(shown.body.includes(whales) && shown.body.includes(seals) && !shown.body.includes(terns))
  const file = await ada.get(`/search/export?format=ris&${queryOf(terns, seals)}`)
  t.deepEqual(file.body.match(/^TI {2}- .*$/gm)?.toSorted(), ['TI  - Seals', 'TI  - Terns'])

  const [, offer = ''] = /href="(\/auth\/account\/searches[^"]*)"/.exec(shown.body) ?? []
  const asked = await ada.get(offer.replaceAll('&#61;', '=').replaceAll('&amp;', '&'))
  t.regex(asked.body, /Save as a list/)
  t.notRegex(asked.body, /name="into"/)
  await ada.postThen(path, { query: queryOf(whales, seals), name: ' Sea  mammals ' })
  t.deepEqual(lists(), [['Sea mammals', queryOf(whales, seals)]])

  const again = await ada.get(`${path}?${new URLSearchParams({ save: queryOf(terns) })}`)
  t.regex(again.body, /Add to Sea mammals/)
  const list = queryOf(whales, seals)
  await ada.postThen(path, { query: queryOf(terns), into: `add ${list}`, name: '' })
  t.deepEqual(lists(), [['Sea mammals', queryOf(whales, seals, terns)]])
  const longer = queryOf(whales, seals, terns)
  await ada.postThen(path, { query: queryOf(seals), into: `replace ${longer}`, name: 'Seals' })
  t.deepEqual(lists(), [['Seals', queryOf(seals)]])
  t.regex((await ada.get(path)).body, /Seals/)
  // The list had other works when the form was shown: it is chosen again, and nothing is lost.
  const late = await ada.postThen(path, { query: queryOf(terns), into: `add ${longer}`, name: '' })
  t.regex(late.body, /changed or removed in another window/)
  t.regex(late.body, /Add to Seals/)
  t.deepEqual(lists(), [['Seals', queryOf(seals)]])

  const many = Array.from({ length: 51 }, () => whales.slice(0, -1)).map((ark, nth) => ark + nth)
  const tooMany = await ada.get(`/search?${queryOf(...many)}`)
  t.is(tooMany.status, 400)
  t.regex(tooMany.body, /50 at most/)
  const tooLong = await ada.post(path, { query: queryOf(terns), name: 'n'.repeat(101) })
  t.is(tooLong.status, 400)
})
