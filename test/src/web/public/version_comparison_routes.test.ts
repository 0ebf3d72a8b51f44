import test from 'ava'

import { type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { openPage } from '#test/src/web/_reader.ts'

const work = {
  work_title: 'Notes on the Engine',
  work_type: 'article',
  authors: 'Ada Lovelace',
  work_url: 'https://example.org/notes',
  description: 'It weaves algebraical patterns.',
}

/** A work with a version for each change of it, and the key that has written them. */
async function makeVersions(registry: ServedRegistry, changes: readonly object[]) {
  const key = await registry.key({ scopes: ['works:write'] })
  const made = await registry.call('/v1/works', { method: 'POST', key, body: work })
  const { ark_identifier: ark } = JSON.parse(made.body) as { ark_identifier: string }
  for (const body of changes) await registry.call(`/v1/works/${ark}`, { method: 'PUT', key, body })
  return { ark, key }
}

test('two versions are compared word by word, the older one first', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const funding = [{ funder: 'Royal Society', award: '7' }]
  const { ark } = await makeVersions(registry, [
    { description: 'It weaves <i>algebraical</i> patterns.', funding },
    { work_title: 'Notes' },
  ])
  const landing = await openPage(registry, `/${ark}`)
  t.true(landing.read.includes(`/versions?ark=${encodeURIComponent(ark)}&from=1&to=2"`))
  for (const query of ['from=1&to=2', 'from=2&to=1']) {
    const { status, read } = await openPage(registry, `/versions?ark=${ark}&${query}`)
    t.is(status, 200)
    t.regex(read, /It weaves <ins><i><\/ins>algebraical<ins><\/i><\/ins> patterns\./)
    t.regex(read, /Funding<\/dt>[^]*<ins>Royal Society, 7<\/ins>/)
    t.regex(read, /4 other fields did not change/)
    t.false(read.includes('<del>'), 'nothing went')
  }
  const { read } = await openPage(registry, `/versions?ark=${ark}&from=1&to=1&utm_source=x`)
  t.regex(read, /is the same in both/)
})

test('a comparison that cannot be made says why', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const long = 'word '.repeat(3_000)
  const { ark, key } = await makeVersions(registry, [
    { description: long },
    { description: `x${long}` },
  ])
  const open = (query: string) => openPage(registry, `/versions?${query}`)
  const { read } = await open(`ark=${ark}&from=2&to=3`)
  t.regex(read, /Too long to be compared here/)
  for (const [query, status, words] of [
    ['', 400, /Say which work/],
    [`ark=${ark}&from=0&to=2`, 400, /from must be a whole number from 1/],
    ['ark=nothing&from=1&to=2', 400, /ark must be the ARK of a work/],
    [`ark=${ark}&from=1&to=9`, 404, /has no version 9/],
    ['ark=ark:/12345/k2none&from=1&to=2', 404, /k2none/],
  ] as const) {
    const page = await open(query)
    t.is(page.status, status, query)
    t.regex(page.read, words, query)
  }
  await registry.call(`/v1/works/${ark}/withdraw`, {
    method: 'POST',
    key,
    body: { reason: 'test' },
  })
  t.is((await open(`ark=${ark}&from=1&to=2`)).status, 410)
})
