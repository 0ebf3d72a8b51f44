import test from 'ava'

import { dayMs } from '#src/operations/usage/usage_batch.ts'
import { UsageRows } from '#src/operations/usage/usage_rows.ts'
import { weekReader } from '#src/use_cases/usage_report.ts'
import { mint, serveRegistry, work } from '#test/src/_served_registry.ts'

test('what was used most in a week is looked for once, and told to each owner', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const other = { slug: 'other', name: 'Other Press' }
  await registry.admin.call('/organizations/create', { organization: other })
  const rows = new UsageRows(':memory:', 0)
  t.teardown(() => rows.close())
  const first = Math.floor(Date.parse('2026-01-05T00:00:00.000Z') / dayMs)
  const use = async (id: string, title: string, uses: number) => {
    const owner = { type: 'organization', id, name: id } as const
    const key = await registry.key({ owner, scopes: ['works:write'] })
    const { ark_identifier: shown } = await mint(registry, key, { ...work, work_title: title })
    const counts = [uses, 0, 0, 0]
    rows.add({ day: first + 6, works: [['live', shown.replace('ark:/', ''), id, counts]] })
  }
  await use('demo', 'Rarely', 2)
  await use('demo', 'Often', 5)
  await use('other', 'Elsewhere', 9)
  rows.add({ day: first + 7, works: [['live', '99999/s1later', 'demo', [99, 0, 0, 0]]] })
  const reader = rows.reader()
  const asked: string[] = []
  const read = weekReader({
    environment: registry.environments.live,
    keys: registry.keys,
    usage: {
      read: (...one) => reader.read(...one),
      mostUsed(environment, from, to, limit) {
        asked.push(`${environment} ${from - first} ${to - first}`)
        return reader.mostUsed(environment, from, to, limit)
      },
    },
    nowMs: () => (first + 8) * dayMs,
  })
  const { mostUsed, resolutions } = await read('demo', '2026-01-05')
  t.deepEqual(mostUsed, [
    { title: 'Often', uses: 5 },
    { title: 'Rarely', uses: 2 },
  ])
  t.is(resolutions, 7)
  t.deepEqual((await read('other', '2026-01-05')).mostUsed, [{ title: 'Elsewhere', uses: 9 }])
  t.deepEqual((await read('other', '2026-01-12')).mostUsed, [])
  t.deepEqual(asked, ['live 0 6', 'live 7 13'])
})
