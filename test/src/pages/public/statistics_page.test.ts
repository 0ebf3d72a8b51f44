import type { ExecutionContext } from 'ava'

import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { openPage, type ReadPage } from '#test/src/pages/_reader.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

const test = testWith(async () => {
  const registry = await serveRegistry()
  registry.search.live.start()
  const writer = await registry.key({ scopes: ['works:write'] })
  for (let number = 0; number < 6; number += 1) {
    await mint(registry, writer, {
      work_title: `Fish, part ${number}`,
      published_date: `${1990 + number}`,
      work_type: number < 4 ? 'article' : 'book',
      ...(number < 3 && { publisher_name: 'Söder, "Sea" Press', description: 'Of fish.' }),
    })
  }
  await caughtUp(registry.search.live)
  return { registry }
})

type Context = Opened<typeof test>

function open(t: ExecutionContext<Context>, path: string): Promise<ReadPage> {
  return openPage(t.context.registry, path)
}

test('all works are shown in numbers, each with its table, and as files', async (t) => {
  const { status, read } = await open(t, '/statistics')
  t.is(status, 200)
  t.regex(read, /<dt>With an abstract<\/dt>\s*<dd>3 \(50\.0%\)<\/dd>/)
  t.regex(
    read,
    /<svg[^>]* role="img"\s+aria-label="Works, by year of publication from 1990 to 1995/,
  )
  t.regex(read, /href="\/search\?type=article"\s+rel="nofollow">Article<\/a>/)
  t.regex(read, /<rect width="160" [^>]*><\/svg>\s*66\.7%/, 'a bar is as long as the share')
  t.regex(read, /href="\/v1\/statistics\/works\?group_by=type&format=csv"/)
  t.true(Buffer.byteLength(read) < 30_000)
})

test('a search is shown in numbers, and leads back', async (t) => {
  const { read } = await open(t, '/statistics?q=fish&type=book')
  t.regex(read, /Works found by “fish” · Type: Book/)
  t.regex(read, /<dt>Works<\/dt>\s*<dd>2<\/dd>/)
  t.regex(read, /href="\/search\?q=fish&type=book"/)
  t.regex(read, /<meta name="robots" content="noindex, follow">/)
  t.is((await open(t, '/statistics?type=nothing')).status, 400)
  t.is((await open(t, '/statistics?in=people')).status, 404)
  t.regex((await open(t, '/statistics?q=nothingatall')).read, /<dt>Works<\/dt>\s*<dd>0<\/dd>/)
  t.regex((await open(t, '/search?q=fish')).read, /href="\/statistics\?q=fish"/)
})

test('programs count works without a key, by what they name', async (t) => {
  const { registry } = t.context
  const answer = await registry.call('/v1/statistics/works?group_by=publisher,type&type=article')
  t.is(answer.status, 200)
  const publisher = { value: 'soder sea press', name: 'Söder, "Sea" Press', count: 3 }
  t.deepEqual(answer.json(), {
    works: 4,
    groups: { publisher: [publisher], type: [{ value: 'article', count: 4 }] },
  })
  const csv = await registry.call('/v1/statistics/works?group_by=publisher&format=csv')
  t.is(csv.headers['content-type'], 'text/csv; charset=utf-8')
  t.is(csv.body, 'group,value,name,works\r\npublisher,soder sea press,"Söder, ""Sea"" Press",3\r\n')
  t.is((await registry.call('/v1/statistics/works?group_by=title')).status, 400)
  const all = (await registry.call('/api/v1/statistics/works')).json() as { groups: object }
  t.true(Object.keys(all.groups).includes('registered_in'))
})
