import test from 'ava'

import { readCsv } from '#src/discovery/citation_files/csv_file.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'

test('a row keeps what a program for tables has made of it, and tells of each', async (t) => {
  const registry = await serveRegistry({})
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const stored = {
    work_title: '007',
    volume: '1.50',
    issue: '1-2',
    pages: '1e5',
    published_date: '2019-03',
    container_title: 'Zeitschrift für Moos',
    publisher_name: 'A Press',
  }
  const { ark_identifier: ark } = await mint(registry, key, stored)
  const table =
    'ark,title,volume,issue,pages,published_date,container_title,publisher\n' +
    `${ark},7,1.5,01/02/2026,100000,Mar-19,Zeitschrift fÃ¼r Moos,Another Press\n`
  const [row] = readCsv(table, 10).entries
  const update = () =>
    registry.admin.call('/works/import', {
      owner: 'org:demo',
      arks: [row?.ark ?? ''],
      works: [row?.body],
    })
  const { results } = await update()
  t.like(results[0], {
    status: 200,
    changes: [{ field: 'publisher_name', before: 'A Press', after: 'Another Press' }],
  })
  const kept = results[0]?.['kept'] as readonly { field: string; message: string }[]
  t.deepEqual(kept.map(({ field }) => field).toSorted(), [
    'container_title',
    'issue',
    'pages',
    'published_date',
    'volume',
    'work_title',
  ])
  t.regex(kept.map(({ message }) => message).join(' '), /work_title stays “007”: programs for/)
  const work = (await registry.call(`/v1/works/${ark}`, { key })).json()
  t.like(work, { ...stored, publisher_name: 'Another Press' })
  t.like((await update()).results[0], { status: 200, unchanged: true })
})

test('a row of our own export changes nothing, however its names are written', async (t) => {
  const registry = await serveRegistry({})
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const { ark_identifier: ark } = await mint(registry, key, {
    authors: 'Ann Alpha; Müller, Jr., Bob; Roe, Jane',
  })
  const { body: table } = await registry.call(`/v1/works/${ark}/citation?format=csv`, { key })
  t.regex(table, /Bob Müller Jr\./)
  const [row] = readCsv(table, 10).entries
  const { results } = await registry.admin.call('/works/import', {
    owner: 'org:demo',
    arks: [row?.ark ?? ''],
    works: [row?.body],
  })
  t.like(results[0], { status: 200, unchanged: true })
})
