import test from 'ava'

import { openRegistry } from '#test/src/_registry.ts'
import { serveRegistry } from '#test/src/_served_registry.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { openPage } from '#test/src/pages/_reader.ts'

test('publishers are listed by name, page by page', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  for (let number = 10; number < 65; number += 1) {
    const organization = { slug: `house-${number}`, name: `House ${number}` }
    await registry.admin.call('/organizations/create', { organization })
  }
  registry.search.live.start()
  await caughtUp(registry.search.live)
  const first = await openPage(registry, '/publishers?utm_source=x')
  t.is(first.status, 200)
  t.regex(first.read, /56 organizations/)
  const names = (body: string) => [...body.matchAll(/publishers\/([\w-]+)">/g)].map(([, n]) => n)
  t.deepEqual(names(first.body).slice(0, 2), ['demo', 'house-10'])
  t.is(names(first.body).length, 50)
  const next = /href="(\/publishers\?cursor=[^"]+)" rel="next"/.exec(first.read)?.[1] ?? ''
  const last = await openPage(registry, next)
  t.deepEqual(names(last.body).at(-1), 'house-64')
  t.regex(last.body, /noindex/)
  t.is((await openPage(registry, '/publishers?cursor=AAAA')).status, 400)
  const people = await openPage(registry, '/people')
  t.regex(people.read, /There are no people here yet/)
})

test('what is not there offers a search for the words of its address', async (t) => {
  const registry = await openRegistry()
  t.teardown(registry.close)
  const headers = { accept: 'text/html' }
  const url = '/papers/graph-neural%20networks/7?x=secret'
  const { statusCode, body } = await registry.server.inject({ url, headers })
  t.is(statusCode, 404)
  t.regex(body, /name="q" maxlength="1000"\s+value="papers graph neural networks"/)
  t.false(body.includes('secret'))
})
