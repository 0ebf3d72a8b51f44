import type { ExecutionContext } from 'ava'

import { entriesOf } from '#test/src/discovery/feeds/_atom.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { readXml, texts } from '#test/src/_xml.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

type Item = Readonly<Record<string, unknown>>

const test = testWith(async () => {
  const registry = await serveRegistry()
  registry.search.live.start()
  const scopes = ['works:read', 'works:write', 'search:read']
  return { registry, key: await registry.key({ scopes }) }
})

type Context = Opened<typeof test>

const erratum = { kind: 'erratum', direction: 'of_this', doi: '10.5555/mice.e1' }
const retraction = {
  kind: 'retraction',
  direction: 'of_this',
  doi: '10.5555/mice.r1',
  date: '2026-03-01',
  by: 'A Press',
}

async function read({ context }: ExecutionContext<Context>, path: string) {
  const { key, registry } = context
  return registry.call(path, path.startsWith('/v1/') ? { key } : {})
}

async function search(t: ExecutionContext<Context>, query: string): Promise<Item> {
  await caughtUp(t.context.registry.search.live)
  const answer = await read(t, `/v1/search/works?${query}`)
  t.is(answer.status, 200, answer.body)
  return answer.json()
}

/** A work that got a correction in its first version, and a retraction in its second one. */
async function retracted({ context }: ExecutionContext<Context>, title: string): Promise<string> {
  const { key, registry } = context
  const work = { work_title: title, update_notices: [erratum] }
  const { ark_identifier: ark } = await mint(registry, key, work)
  const body = { update_notices: [erratum, retraction] }
  const answer = await registry.call(`/v1/works/${ark}`, { method: 'PUT', key, body })
  if (answer.status !== 200) throw new Error(answer.body)
  return ark
}

test('a retraction is told with every version of the work, whatever is read', async (t) => {
  const ark = await retracted(t, 'On the mice of Providence')
  for (const path of [ark, `${ark}/v1`, `${ark}/v2`]) {
    const { notices } = (await read(t, `/api/v1/resolve/${path}`)).json()
    t.deepEqual(notices, [retraction, erratum], path)
    const page = await read(t, `/${path}`)
    t.regex(page.body, /<title>Retracted: On the mice/, path)
    t.regex(page.body, /flash-error" role="note"><p><strong>This work was retracted/, path)
    t.regex(page.body, /name="citation_title" content="RETRACTED: On the mice/, path)
    t.true(page.body.includes('"creativeWorkStatus":"Retracted on 2026-03-01 by A Press.'), path)
    const bibtex = await read(t, `/${path}?format=bibtex`)
    t.regex(bibtex.body, /title = \{.*RETRACTED.*mice/, path)
    const datacite = await read(t, `/${path}?format=datacite-xml`)
    t.regex(datacite.body, /2026-03-01<\/date>/, path)
  }
  const marked = await retracted(t, 'RETRACTED: On the mice')
  t.regex((await read(t, `/${marked}`)).body, /<title>RETRACTED: On the mice/)
  const { metadata } = (await read(t, `/api/v1/resolve/${ark}/v1`)).json() as { metadata: Item }
  t.deepEqual(metadata['update_notices'], [erratum])
})

test('a work without notices says nothing of them', async (t) => {
  const { key, registry } = t.context
  const { ark_identifier: ark } = await mint(registry, key, { work_title: 'On trusted mice' })
  t.false('notices' in (await read(t, `/api/v1/resolve/${ark}`)).json())
  t.notRegex((await read(t, `/${ark}`)).body, /flash-error|RETRACTED/)
})

test('harvesters, feeds and the list of changes tell of a retraction', async (t) => {
  const ark = await retracted(t, 'On harvested mice')
  const oai = await read(t, `/api/v1/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=${ark}`)
  t.regex(oai.body, /<dc:title>RETRACTED: On harvested mice/)
  t.regex(oai.body, /<dc:description>Retracted on 2026-03-01 by A Press\. Notice: https:\/\/doi/)
  const { changes } = (await read(t, '/v1/changes?order=newest&limit=20')).json() as {
    changes: Item[]
  }
  const own = changes.filter((change) => change['ark'] === ark)
  t.deepEqual(
    own.map(({ type, notice }) => [type, notice]),
    [
      ['work.versioned', 'retraction'],
      ['work.registered', 'erratum'],
    ],
  )
  const feed = readXml((await read(t, '/feeds/works.atom')).body)
  const entry = entriesOf(feed).find((one) => texts(one, 'id').some((id) => id.endsWith(ark)))
  t.deepEqual(entry && texts(entry, 'title'), ['RETRACTED: On harvested mice'])
  t.regex(
    entry ? (texts(entry, 'summary')[0] ?? '') : '',
    /^This work was retracted on 2026-03-01 by A Press\. Notice: https:/,
  )
})

test('works are found and counted by the gravest notice on them', async (t) => {
  const { key, registry } = t.context
  const ark = await retracted(t, 'On searched voles')
  const corrected = { work_title: 'On corrected voles', update_notices: [erratum] }
  await mint(registry, key, corrected)
  const { ark_identifier: gone } = await mint(registry, key, { work_title: 'On withdrawn voles' })
  const body = { reason: 'retraction' }
  await registry.call(`/v1/works/${gone}/withdraw`, { method: 'POST', key, body })
  const all = await search(t, 'q=voles&facets=notice')
  t.deepEqual(all['facets'], {
    notice: [
      { value: 'retraction', count: 2 },
      { value: 'erratum', count: 1 },
    ],
  })
  const found = await search(t, 'q=voles&notice=retraction,removal')
  const arks = (found['results'] as Item[]).map(({ ark_identifier }) => ark_identifier)
  t.deepEqual(arks, [gone, ark])
  const page = await read(t, '/search?q=voles&notice=retraction')
  t.regex(page.body, /<span class="badge badge-bad">Retracted<\/span>/)
  const wrong = await read(t, '/v1/search/works?notice=fraud')
  t.is(wrong.status, 400)
})

test('retractions have a feed, and a file with all of them', async (t) => {
  const { key, registry } = t.context
  const ark = await retracted(t, 'On listed mice')
  const { ark_identifier: gone } = await mint(registry, key, { work_title: 'On ended mice' })
  const body = { reason: 'retraction' }
  await registry.call(`/v1/works/${gone}/withdraw`, { method: 'POST', key, body })
  await mint(registry, key, { work_title: 'On mended mice', update_notices: [erratum] })
  const undated = {
    work_title: 'On undated mice',
    update_notices: [{ kind: 'retraction', direction: 'of_this' }],
  }
  const { ark_identifier: both } = await mint(registry, key, undated)
  await registry.call(`/v1/works/${both}/withdraw`, { method: 'POST', key, body })
  await caughtUp(registry.search.live)
  const feed = readXml((await read(t, '/feeds/retractions.atom')).body)
  const titles = entriesOf(feed).flatMap((entry) => texts(entry, 'title'))
  t.deepEqual(
    titles.filter((title) => /listed|ended mice/.test(title)),
    ['RETRACTED: On ended mice', 'RETRACTED: On listed mice'],
  )
  const file = await read(t, '/data/retractions.csv')
  t.is(file.headers['content-type'], 'text/csv; charset=utf-8')
  const [header, ...rows] = file.body.trimEnd().split('\r\n')
  t.regex(header ?? '', /^\ufeff?ark,url,doi,title,authors,kind,date,by,notice,reason,status$/)
  const own = rows.filter((row) => row.includes(ark) || row.includes(gone))
  t.is(own.length, 2)
  t.regex(own[0] ?? '', /On ended mice,.*,retraction,\d{4}-\d\d-\d\d,,,,withdrawn$/)
  t.regex(own[1] ?? '', /retraction,2026-03-01,A Press,https:\/\/doi\.org\/\S+,,registered$/)
  // A withdrawal dates the notice that gives no date.
  const [dated, ...further] = rows.filter((row) => row.includes(both))
  t.regex(dated ?? '', /On undated mice,.*,retraction,\d{4}-\d\d-\d\d,,,,withdrawn$/)
  t.is(further.length, 0)
  t.notRegex(file.body, /mended/)
})
