import test from 'ava'

import { openPage } from '#test/src/pages/_reader.ts'
import { mint, serveRegistry, work } from '#test/src/_served_registry.ts'

test('readers see an organization with its works, withdrawn ones marked', async (t) => {
  const registry = await serveRegistry()
  t.teardown(registry.close)
  const { call, environments } = registry
  const open = (path: string) => openPage(registry, path)
  t.regex((await open('/publishers/demo')).body, /This publisher has not registered any works yet/)
  const writer = await registry.key({ scopes: ['works:write'] })
  const minted = []
  for (let number = 1; number <= 22; number += 1) {
    minted.push(await mint(registry, writer, { ...work, work_title: `Part <${number}>` }))
  }
  const [oldest, withdrawn] = minted.map(({ ark_identifier: ark }) => ark)
  const body = { reason: 'test' }
  await call(`/v1/works/${withdrawn}/withdraw`, { method: 'POST', key: writer, body })

  const first = await open('/publishers/demo')
  t.is(first.status, 200)
  t.regex(first.read, /<h1>Demo Press<\/h1>/)
  t.regex(first.read, /21 works registered here/)
  t.true(first.read.includes('Part <22>'))
  t.regex(String(first.headers['link']), /organizations\/demo>; rel="alternate"/)
  t.is(first.read.match(/<li class="result">/g)?.length, 20)
  const older = /href="(\/publishers\/demo\?before=\d+)"/.exec(first.read)?.[1]
  const last = await open(older ?? '')
  t.true(last.read.includes(`href="/${oldest}"`))
  t.true(last.read.includes(`href="/${withdrawn}"`))
  t.true(last.read.includes('<span class="badge badge-bad">Withdrawn</span>'))
  t.regex(last.read, /name="robots" content="noindex/)

  t.is(environments.live.holdings.counts({ type: 'organization', id: 'demo' }).works_count, 21)
  t.is((await open('/publishers/nobody')).status, 404)
  t.is((await open('/publishers/demo?before=x')).status, 400)
})
