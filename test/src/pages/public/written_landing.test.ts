import { type Answer, mint } from '#test/src/_served_registry.ts'
import { type SharedRegistry, testShared } from '#test/src/_shared_registry.ts'

const test = testShared()

function getPage({ call }: SharedRegistry, path: string): Promise<Answer> {
  return call(path, { headers: [['Accept', 'text/html']] })
}

/** Where the links of a page lead on its own host, each once. */
function pathsIn(body: string): readonly string[] {
  const paths = [...body.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) =>
    path.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code))),
  )
  return [...new Set(paths)]
}

test('the head says what the page is, to crawlers of all kinds', async (t) => {
  const changes = { keywords: 'one, two', existing_doi: '10.5555/12345678' }
  const { ark_identifier: ark } = await mint(t.context, t.context.writer, changes)
  const { body } = await getPage(t.context, `/${ark}`)
  const url = `https://registry.example/${ark}`
  t.true(body.includes(`<link rel="canonical" href="${url}">`))
  t.true(body.includes(`<link rel="cite-as" href="${url}">`))
  t.regex(
    body,
    /<link rel="describedby" type="application\/ld\+json" href="[^"]*format&#61;jsonld">/,
  )
  t.true(body.includes(`href="/feeds/works/${ark}.atom"`))
  const [, data = ''] = /<script type="application\/ld\+json">([^<]*)</.exec(body) ?? []
  t.like(JSON.parse(data), { '@id': url, name: 'Notes by the translator' })
  t.regex(body, /id="citation-apa" dir="auto">Lovelace, A\., &#38; Menabrea, L\. \(n\.d\.\)/)
})

test('the page of a version that was asked for by its number names that version', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const { body } = await getPage(t.context, `/${ark}/v1`)
  t.true(body.includes(`<link rel="canonical" href="https://registry.example/${ark}/v1">`))
  t.true(body.includes(`href="/${ark}/v1?format&#61;bibtex"`))
})

test('every link of a page to its own host leads to something', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key, { keywords: 'one & two' })
  await call(`/v1/works/${ark}`, { method: 'PUT', key, body: { work_title: 'Another title' } })
  for (const page of [`/${ark}`, `/${ark}/v1`]) {
    const paths = pathsIn((await getPage(t.context, page)).body)
    t.true(paths.length > 30, `${paths.length} links`)
    for (const path of paths) {
      const { status } = await getPage(t.context, path)
      t.true([200, 302].includes(status), `${path} of ${page}: ${status}`)
    }
  }
})

test('the page of a withdrawn work leads on to all that is still there', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'test' } })
  for (const path of pathsIn((await getPage(t.context, `/${ark}`)).body)) {
    // To programs alone the work is gone: all else of it is still there.
    const isRecord = path === `/${ark}?format=json` || path.startsWith('/api/v1/resolve/')
    const expected = isRecord && !path.endsWith('/history') ? 410 : 200
    const { status } = await getPage(t.context, path)
    t.true(status === expected || status === 302, `${path}: ${status}`)
  }
})
