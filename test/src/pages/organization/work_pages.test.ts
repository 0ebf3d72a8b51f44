import type { ExecutionContext } from 'ava'

import { JarBrowser } from '#test/src/_jar_browser.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { type ExportFormat, WorkExporter } from '#src/use_cases/work_export.ts'
import { admin } from '#test/src/pages/_members.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

const path = '/auth/organizations/demo/works'
const shelf = 60

const test = testWith(async () => {
  const registry = await serveRegistry({ RATE_LIMITS: 'off' })
  registry.search.live.start()
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  let month = ''
  const register = async (fields: Record<string, unknown>) => {
    const minted = await mint(registry, key, fields)
    month = minted.created_at.slice(0, 7)
    return minted.ark_identifier.replace('ark:/', '')
  }
  const whales = await register({
    work_title: 'The <i>Measures</i> of Whales &amp; <sup>Other</sup> Fish',
    work_type: 'book',
    existing_doi: '10.1234/whale.7',
  })
  await register({ work_title: 'اردو میں ایک مقالہ', work_type: 'dataset' })
  await register({ work_title: 'L'.repeat(400), work_type: 'dataset' })
  const datasetMonth = month
  for (let number = 1; number <= shelf; number += 1) {
    await register({ work_title: `Shelf, part ${number}` })
  }
  const gone = await register({ work_title: 'Gone with the tide', work_type: 'book' })
  const { live } = registry.environments
  const by = { type: 'organization', id: 'demo', name: 'Demo Press', via: 'api_key' } as const
  await live.works.withdraw({ ark: gone, reason: 'retraction', by })
  const join = async (name: string, role: 'editor' | 'viewer') => {
    const browser = new JarBrowser(registry.port, registry.baseUrl)
    const email = `${name}@example.org`
    const ppid = await browser.signUp({ name, email, password: 'a long enough sentence' })
    await live.organizations.addMember({ slug: 'demo', ppid, role, by: admin })
    return browser
  }
  const browser = await join('Ed', 'editor')
  const viewer = await join('Vi', 'viewer')
  await caughtUp(registry.search.live)
  return { registry, browser, viewer, whales, datasetMonth, gone }
})

type Context = Opened<typeof test>

async function open(t: ExecutionContext<Context>, query = ''): Promise<string> {
  const { status, body } = await t.context.browser.get(path + query)
  t.is(status, 200)
  return body
}

function rows(body: string): number {
  return body.match(/name="work:/g)?.length ?? 0
}

/** Where the page leads on to. */
function nextOf(body: string): string {
  const [, href = ''] = /<a href="([^"]*)" rel="next"/.exec(body) ?? []
  const text = href.replaceAll('&#38;', '&').replaceAll('&#61;', '=')
  return text.slice(text.indexOf('?'))
}

test('all works are listed, withdrawn ones too, page by page', async (t) => {
  const first = await open(t)
  t.regex(first, new RegExp(`${shelf + 4} works\\.`))
  t.is(rows(first), 50)
  t.regex(first, /withdrawn/)
  const second = await open(t, nextOf(first))
  t.is(rows(second), shelf + 4 - 50)
  t.is(nextOf(second), '')
  t.is(rows(await open(t, '?sort=oldest')), 50)
})

test('titles are readable', async (t) => {
  const body = await open(t, '?sort=oldest')
  t.true(body.includes('The Measures of Whales &#38; Other Fish'))
  t.true(body.includes(`${'L'.repeat(160)}…`))
  t.false(body.includes('L'.repeat(161)))
  t.true(body.includes('dir="auto">اردو میں ایک مقالہ'))
})

test('works are found by title, DOI and ARK, and by what is asked of them', async (t) => {
  const { whales, datasetMonth } = t.context
  for (const q of ['whales measures', '10.1234/whale.7', `ark:/${whales}`]) {
    const body = await open(t, `?${new URLSearchParams({ q })}`)
    t.is(rows(body), 1, q)
    t.true(body.includes(`work:${whales}`))
  }
  t.is(rows(await open(t, '?type=book')), 2)
  t.is(rows(await open(t, '?type=book&state=registered')), 1)
  t.is(rows(await open(t, '?type=dataset&content=pending')), 2)
  t.is(rows(await open(t, '?type=dataset&content=failed')), 0)
  t.is(rows(await open(t, `?type=dataset&registered=${datasetMonth}`)), 2)
  t.is(rows(await open(t, '?type=dataset&registered=1999-12')), 0)
  t.regex(
    await open(t, '?registered=soon'),
    /not a year or month. Enter one such as 2026 or 2026-03/,
  )
  const found = await open(t, '?q=shelf&sort=title')
  t.regex(found, new RegExp(`${shelf} works\\.`))
  t.is(rows(found) + rows(await open(t, nextOf(found))), shelf)
  t.regex(await open(t, '?q=nothingatall'), /No works match/)
})

test('withdrawn works are looked through by themselves', async (t) => {
  const { gone } = t.context
  for (const query of ['', '&type=book', '&q=tide', `&q=ark:/${gone}`, '&sort=title']) {
    const body = await open(t, `?state=withdrawn${query}`)
    t.is(rows(body), 1, query)
    t.true(body.includes(`work:${gone}`))
  }
  t.is(rows(await open(t, '?state=withdrawn&q=whales')), 0)
  t.is(rows(await open(t, '?state=withdrawn&type=dataset')), 0)
})

test('what is found is exported, all of it', async (t) => {
  const { browser } = t.context
  const csv = await browser.get(`${path}/export/csv`)
  t.is(csv.status, 200)
  t.is(csv.headers['content-type'], 'text/csv; charset=utf-8')
  t.regex(String(csv.headers['content-disposition']), /filename="demo-works\.csv"/)
  t.is(csv.body.trim().split('\r\n').length, 1 + shelf + 4)
  t.regex(csv.body, /Gone with the tide/)
  const bibtex = await browser.get(`${path}/export/bibtex?q=shelf`)
  t.is(bibtex.body.match(/^@article/gm)?.length, shelf)
  t.is((await browser.get(`${path}/export/xls`)).status, 404)
})

test('what is ticked is exported or read again, and nothing of others', async (t) => {
  const { browser, viewer, whales } = t.context
  t.regex(await open(t, '?tick=all'), /name="work:[^>]*checked/)
  const csv = await browser.post(`${path}/selected`, { [`work:${whales}`]: 'on', action: 'csv' })
  t.is(csv.body.trim().split('\r\n').length, 2)
  const again = { [`work:${whales}`]: 'on', action: 'recheck', query: 'type=book' }
  const done = await browser.postThen(`${path}/selected`, again)
  t.regex(done.body, /We check the contents again/)
  const none = await browser.postThen(`${path}/selected`, { action: 'csv', 'work:12345/k2x': 'on' })
  t.regex(none.body, /Select the works first/)
  await viewer.get(path)
  t.is((await viewer.post(`${path}/selected`, again)).status, 403)
  t.false((await viewer.get(path)).body.includes('Check content again'))
})

test('a file that ends before its time says how to go on', async (t) => {
  const { environments, baseUrl } = t.context.registry
  let nowMs = 0
  const exporter = new WorkExporter({ environment: environments.live, baseUrl, nowMs: () => nowMs })
  const signal = new AbortController().signal
  const endOf = async (format: ExportFormat): Promise<string> => {
    nowMs = 0
    let text = ''
    const wanted = {
      format,
      name: 'works',
      // Each page takes a minute.
      page: async (cursor = '0') => {
        nowMs += 60_000
        return { arks: [t.context.whales], next: `${Number(cursor) + 1}` }
      },
      addressAt: (cursor: string) => `https://registry.example/rest?cursor=${cursor}`,
    }
    await exporter.run({ caller: 'ed', signal }, wanted, async ({ pieces }) => {
      for await (const piece of pieces) text += piece.toString('utf8')
    })
    return text
  }
  const end = '3 works; the file ends here because it took 120 seconds. The rest: '
  const rest = 'https://registry.example/rest?cursor=3'
  const lines = (await endOf('csv')).trimEnd().split('\r\n')
  t.is(lines.length, 5)
  const last = lines.at(-1) ?? ''
  t.true(last.startsWith(`# ${end}${rest}`))
  t.is(last.split(',').length, (lines[0] ?? '').split(',').length)
  t.true((await endOf('bibtex')).endsWith(`% ${end}${rest}\n`))
  t.regex(await endOf('ris'), /TI {2}- 3 works; [^]*\r\nUR {2}- https:\S+=3\r\nER {2}- \r\n$/)
  const items = JSON.parse(await endOf('csl')) as { title: string; URL: string }[]
  t.deepEqual([items.length, items[3]?.title, items[3]?.URL], [4, end + rest, rest])
  const records = (await endOf('jsonl')).trimEnd().split('\n')
  t.deepEqual(JSON.parse(records[3] ?? ''), { note: end + rest, rest })
})
