import test, { type ExecutionContext } from 'ava'

import { until } from '#test/_until.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'
import { type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { openPage } from '#test/src/pages/_reader.ts'

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
  const places = { geo_locations: [{ place: 'London' }], chapter_number: '3' }
  const { ark } = await makeVersions(registry, [
    { description: 'It weaves <i>algebraical</i> patterns.', funding, ...places },
    { work_title: 'Notes' },
  ])
  const landing = await openPage(registry, `/${ark}`)
  t.true(landing.read.includes(`/versions?ark=${encodeURIComponent(ark)}&from=1&to=2"`))
  for (const query of ['from=1&to=2', 'from=2&to=1']) {
    const { status, read } = await openPage(registry, `/versions?ark=${ark}&${query}`)
    t.is(status, 200)
    t.regex(read, /It weaves <ins><i><\/ins>algebraical<ins><\/i><\/ins> patterns\./)
    t.regex(read, /Funding<\/dt>[^]*<ins>Royal Society, 7<\/ins>/)
    t.regex(read, /Places<\/dt>[^]*<ins>London<\/ins>/)
    t.regex(read, /Chapter number<\/dt>/)
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
  t.regex(read, /too long to compare here/)
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
  t.is((await open(`ark=${ark}&from=1&to=2`)).status, 200)
})

/** A work of three versions whose first has a statement about its content, made after the third. */
async function makeLateContent(t: ExecutionContext) {
  const opened = Promise.withResolvers<void>()
  const server = await serve(t, (_request, response) => response.end('content'))
  const settings = { FETCH_ALLOW: server.hostPort }
  const registry = await serveRegistry(settings, { checksContent: opened.promise })
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const body = { ...work, work_url: `${server.url}/1` }
  const made = await registry.call('/v1/works', { method: 'POST', key, body })
  const { ark_identifier: ark } = made.json() as { ark_identifier: string }
  for (const version of [2, 3]) {
    const change = { work_url: `${server.url}/${version}` }
    await registry.call(`/v1/works/${ark}`, { method: 'PUT', key, body: change })
  }
  const list = (await registry.call(`/v1/works/${ark}/versions`, { key })).json()
  const times = (list['versions'] as { created_at: string }[]).map((one) => one.created_at)
  opened.resolve()
  const receipt = async () => (await registry.call(`/api/v1/receipts/${ark}/v1`)).json()
  await until('the content of version 1 is stated', async () => {
    return (await receipt())['statement'] === 'content'
  })
  return { registry, ark, times, receipt: await receipt() }
}

test('every page dates a version by its registration, not by what was stated since', async (t) => {
  const { registry, ark, times, receipt } = await makeLateContent(t)
  const [first = '', , third = ''] = times
  const stated = String(receipt['timestamp'])
  t.true(first < third && third < stated, 'the content of version 1 was read after version 3 came')
  const shown = async (path: string) => {
    const { read } = await openPage(registry, path)
    return [...read.matchAll(/([\w ]+) <time datetime="([^"]+)"/g)].map(([, words, at]) => [
      words?.trim(),
      at,
    ])
  }
  const compared = await openPage(registry, `/versions?ark=${ark}&from=1&to=3`)
  t.regex(compared.read, new RegExp(`Version 1</dt>.*?registered on <time datetime="${first}"`))
  t.regex(compared.read, new RegExp(`Version 3</dt>.*?registered on <time datetime="${third}"`))
  t.false(compared.read.includes(stated))
  const landing = await shown(`/${ark}/v1`)
  t.deepEqual(
    landing.filter(([, at]) => at === stated),
    [['and that its content was confirmed on', stated]],
  )
  t.is(landing.find(([words]) => words === 'registered on')?.[1], first)
  const form = new FormData()
  form.append('receipt', JSON.stringify(receipt))
  const address = `http://127.0.0.1:${registry.port}/verify-receipt`
  const verdict = await (await fetch(address, { method: 'POST', body: form })).text()
  t.regex(
    verdict,
    new RegExp(`Registered</dt><dd><time dir="ltr">${first.slice(0, 10)}</time> \\(UTC\\)`),
  )
  t.regex(verdict, new RegExp(`Content confirmed</dt><dd><time datetime="${stated}"`))
})

test('what machines read dates a version by its registration', async (t) => {
  const { registry, ark, times } = await makeLateContent(t)
  for (const [index, at] of times.entries()) {
    const path = `/${ark}/v${index + 1}`
    const { registered_at } = (await registry.call(`/v1/resolve${path}`)).json()
    t.is(registered_at, at, path)
    const described = (await registry.call(`${path}?format=jsonld`)).json()
    t.is(described.dateModified, index === 0 ? undefined : at, path)
    t.like(described.sdPublisher, { name: 'Arklog' }, 'whoever runs the registry describes it')
    const { dates } = (await registry.call(`${path}?format=datacite-json`)).json()
    const updated = (dates as { date: string; dateType: string }[]).find(
      ({ dateType }) => dateType === 'Updated',
    )
    t.is(updated?.date, index === 0 ? undefined : at, path)
  }
})
