import { type Answer, mint, serveRegistry } from '#test/src/_served_registry.ts'
import { type SharedRegistry, testShared } from '#test/src/_shared_registry.ts'

const test = testShared()

function get({ call }: SharedRegistry, path: string, accept?: string): Promise<Answer> {
  return call(path, { headers: accept === undefined ? [] : [['Accept', accept]] })
}

test('whoever names no media type gets the page, with its typed links', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  for (const accept of [undefined, '*/*', 'image/webp,*/*;q=0.8']) {
    const answer = await get(t.context, `/${ark}`, accept)
    t.is(answer.status, 200)
    t.is(answer.headers['content-type'], 'text/html; charset=utf-8')
    t.true(answer.body.includes('<meta name="citation_title" content="Notes by the translator">'))
    t.regex(String(answer.headers.vary), /^Accept,/)
    t.is(answer.headers['access-control-allow-origin'], '*')
    t.regex(
      String(answer.headers.link),
      new RegExp(`<https://registry.example/${ark}>; rel="cite-as"`),
    )
  }
})

test('?content leads to the content, and so does its media type once that was read', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  for (const path of [`/${ark}?content`, `/${ark}/v1?content`]) {
    const answer = await get(t.context, path, 'text/html')
    t.is(answer.status, 302, path)
    t.is(answer.headers.location, 'https://example.org/notes')
    t.regex(String(answer.headers.link), /rel="cite-as"/)
  }
  t.is((await get(t.context, `/${ark}`, 'application/pdf')).status, 406)
})

test('HEAD of an ARK has the typed links of its page if nothing else is asked for', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  for (const headers of [[], [['Accept', '*/*']]] as const) {
    const answer = await t.context.call(`/${ark}`, { method: 'HEAD', headers })
    t.is(answer.status, 200)
    t.regex(String(answer.headers.link), /rel="item"/)
    t.is(answer.headers['content-length'], undefined)
    const { headers: ofPage } = await get(t.context, `/${ark}`, 'text/html')
    for (const name of [
      'link',
      'content-type',
      'content-security-policy',
      'cache-control',
      'vary',
    ]) {
      t.is(answer.headers[name], ofPage[name], name)
    }
  }
  t.is((await t.context.call(`/${ark}/part`, { method: 'HEAD' })).status, 302)
})

test('ARKs are found in every spelling', async (t) => {
  const { ark_identifier: ark, created_at } = await mint(t.context, t.context.writer)
  const bare = ark.slice('ark:/'.length)
  const [naan, name] = bare.split('/')
  const day = created_at.slice(0, 10).split('-').reverse().join('')
  const spellings = [`ark:${bare}`, `ARK:/${bare}`, `Ark:${bare}`, `ark:/${naan}/${day}/${name}`]
  for (const spelling of [...spellings, encodeURIComponent(ark), `ark:%2F${naan}/${name}`]) {
    t.is((await get(t.context, `/${spelling}?content`)).status, 302, spelling)
  }
})

test('a work without an address of its own leads to its DOI', async (t) => {
  const changes = { work_url: undefined, existing_doi: '10.5555/12345678' }
  const { ark_identifier: ark } = await mint(t.context, t.context.writer, changes)
  const answer = await get(t.context, `/${ark}?content`)
  t.is(answer.headers.location, 'https://doi.org/10.5555/12345678')
})

test('a version redirects to the object it had', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  const body = { work_url: 'https://example.org/second' }
  await call(`/v1/works/${ark}`, { method: 'PUT', key, body })
  t.is((await get(t.context, `/${ark}/v1?content`)).headers.location, 'https://example.org/notes')
  t.is((await get(t.context, `/${ark}/v2?content`)).headers.location, 'https://example.org/second')
  t.is((await get(t.context, `/${ark}?content`)).headers.location, 'https://example.org/second')
  const missing = await get(t.context, `/${ark}/v3`)
  t.is(missing.status, 404)
  t.is(missing.json()['message'], `The work ${ark} has no version 3`)
})

test('any other suffix, and a query, are passed on to the object', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  for (const accept of [undefined, 'text/html', 'application/pdf']) {
    const answer = await get(t.context, `/${ark}/doc-8/chap7.pdf?page=2`, accept)
    t.is(answer.headers.location, 'https://example.org/notes/doc-8/chap7.pdf?page=2')
  }
})

test('a browser gets a page about the work', async (t) => {
  const changes = { work_title: '<script>alert(1)</script> & "Notes"' }
  const { ark_identifier: ark } = await mint(t.context, t.context.writer, changes)
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const page = await get(t.context, `/${ark}`, accept)
  t.is(page.status, 200)
  t.is(page.headers['content-type'], 'text/html; charset=utf-8')
  t.regex(String(page.headers['content-security-policy']), /^default-src 'none'/)
  t.true(page.body.includes('&#60;script&#62;alert(1)&#60;/script&#62; &#38; &#34;Notes&#34;</h1>'))
  t.false(page.body.includes('<script>'))
  t.true(page.body.includes('<a class="button" href="https://example.org/notes" rel="noreferrer">'))
  t.regex(page.body, /Ada Lovelace<[^]+Luigi Menabrea</)
})

test('a program that names JSON gets what resolve answers', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  for (const answer of [
    await get(t.context, `/${ark}`, 'application/json'),
    await get(t.context, `/${ark}?json`),
  ]) {
    t.is(answer.status, 200)
    t.like(answer.json(), { ark, version: 1, metadata: { work_title: 'Notes by the translator' } })
  }
})

test('?info and ?? describe the work and the promise, ? the work alone', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer, {
    published_date: '1843-09',
  })
  const brief = await get(t.context, `/${ark}?`)
  t.is(brief.status, 200)
  t.is(brief.headers['content-type'], 'text/plain; charset=utf-8')
  t.is(brief.headers['thump-status'], '0.6 200 OK')
  const url = `https://registry.example/${ark}`
  t.true(String(brief.headers.link).startsWith(`<${url}>; rel="describes"; type="text/html"`))
  t.is(
    brief.body,
    [
      'erc:',
      'who: Ada Lovelace; Luigi Menabrea',
      'what: Notes by the translator',
      'when: 184309',
      `where: https://registry.example/${ark}`,
      '',
    ].join('\n'),
  )
  for (const answer of [
    await get(t.context, `/${ark}?info`),
    await get(t.context, `/${ark}??`),
    await get(t.context, `/${ark}`, 'text/plain'),
  ]) {
    t.true(answer.body.startsWith(brief.body))
    t.regex(answer.body, /\nerc-support:\nwho: Arklog\nwhat: Permanent: Dynamic Content:\n/)
  }
})

test('a media type there is none of is 406 with the list', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  for (const answer of [
    await get(t.context, `/${ark}`, 'application/vnd.crossref.unixref+xml'),
    await get(t.context, `/${ark}?format=unixref`),
  ]) {
    t.is(answer.status, 406)
    t.like(answer.json(), { error: 'not_acceptable' })
    const { available, formats } = answer.json() as Record<string, string[]>
    t.true(available?.includes('application/x-bibtex'))
    t.deepEqual(formats?.slice(0, 5), ['html', 'json', 'erc', 'csl', 'bibtex'])
  }
})

test('a deposit of Crossref is there of a work with a DOI; of others 406 says why', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const refused = await get(t.context, `/${ark}?format=crossref-xml`)
  t.is(refused.status, 406)
  t.regex(String(refused.json()['message']), /it has no DOI/)
  const wished = 'application/vnd.crossref.deposit+xml'
  const alone = await get(t.context, `/${ark}`, wished)
  t.is(alone.status, 406)
  t.regex(String(alone.json()['message']), /it has no DOI/)
  for (const path of [`/${ark}`, `/api/v1/works/${ark}/citation`]) {
    const next = await get(t.context, path, `${wished}, application/x-bibtex;q=0.5`)
    t.is(next.status, 200, path)
    t.regex(next.body, /^@/)
    const none = await get(t.context, path, `${wished}, image/png`)
    t.regex(String(none.json()['message']), /it has no DOI/, path)
  }
  const json = await get(
    t.context,
    `/api/v1/works/${ark}/citation`,
    `${wished}, application/json;q=0.5`,
  )
  t.is(json.json()['type'], 'article-journal')
  const page = await get(t.context, `/${ark}`, 'text/html')
  t.notRegex(String(page.headers.link) + page.body, /crossref/i)
  const told = await get(t.context, `/${ark}?format=crossref-xml`, 'text/html')
  t.is(told.status, 406)
  t.regex(told.body, /<h1>This format is not available<\/h1>\n.*it has no DOI/)
  const { ark_identifier: named } = await mint(t.context, t.context.writer, {
    existing_doi: '10.1234/deposited',
  })
  const deposit = await get(t.context, `/${named}`, 'application/vnd.crossref.deposit+xml')
  t.is(deposit.status, 200)
  t.regex(deposit.body, /<depositor_name>Arklog<.*<doi>10\.1234\/deposited</s)
  const shown = await get(t.context, `/${named}`, 'text/html')
  t.regex(String(shown.headers.link), /format=crossref-xml>; rel="describedby"/)
  t.regex(shown.body, />Crossref deposit XML</)
})

test('of a withdrawn work its content is 410, for programs as JSON with the record', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key, { published_date: '1843' })
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'fraud' } })
  for (const path of [`/${ark}?content`, `/${ark}/v1?content`, `/${ark}/doc8`, `/${ark}?json`]) {
    const answer = await get(t.context, path)
    t.is(answer.status, 410, path)
    const metadata = { work_title: 'Notes by the translator', published_date: '1843' }
    t.like(answer.json(), { ark, reason: 'fraud', title: 'Notes by the translator', metadata })
  }
  for (const path of [`/${ark}?content`, `/${ark}/doc8`]) {
    const page = await get(t.context, path, 'text/html,*/*;q=0.8')
    t.is(page.status, 410, path)
    t.is(page.headers['content-type'], 'text/html; charset=utf-8')
    t.true(page.body.includes('because of fraud'))
  }
  const json = await get(t.context, `/${ark}`, 'application/json')
  t.is(json.status, 410)
})

test('a withdrawn work is described as before, marked, without its content', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'fraud' } })
  const erc = await get(t.context, `/${ark}?info`)
  t.is(erc.status, 200)
  t.is(erc.headers['thump-status'], '0.6 200 OK')
  t.regex(erc.body, /\nnote: withdrawn on \d{8} \(fraud\)\n/)
  const none = await get(t.context, '/ark:/12345/k2none?info')
  t.is(none.status, 404)
  t.is(none.headers['thump-status'], '0.6 404 Not Found')
  for (const path of [`/${ark}`, `/${ark}/v1`]) {
    const page = await get(t.context, path)
    t.is(page.status, 200)
    t.true(page.body.includes('This work was withdrawn'))
    t.true(page.body.includes('content="WITHDRAWN: Notes by the translator"'))
    t.false(page.body.includes('href="https://example.org/notes"'))
    t.notRegex(String(page.headers.link), /rel="item"/)
    t.is((await call(path, { method: 'HEAD' })).status, 200)
  }
})

function mistyped(ark: string): string {
  const at = ark.length - 3
  return ark.slice(0, at) + (ark[at] === 'x' ? 'z' : 'x') + ark.slice(at + 1)
}

test('a mistyped ARK is 404 and names the one that was meant', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const typo = mistyped(ark)
  const answer = await get(t.context, `/${typo}`)
  t.is(answer.status, 404)
  t.like(answer.json(), {
    message: `There is no work ${typo}; did you mean ${ark}?`,
    did_you_mean: ark,
  })
})

test('a browser gets a page with a link to the one that was meant', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const typo = mistyped(ark)
  const answer = await get(t.context, `/${typo}`, 'text/html')
  t.is(answer.status, 404)
  t.is(answer.headers['content-type'], 'text/html; charset=utf-8')
  t.true(answer.body.includes(`<a href="/${ark}">Go to ${ark}</a>`))
  const none = await get(t.context, '/ark:/12345/k2none', 'text/html')
  t.is(none.status, 404)
  t.false(none.body.includes('Go to'))
})

test('an ARK of another authority is redirected to the global resolver', async (t) => {
  for (const [path, location] of [
    ['/ark:/13030/xf93gt2q/c3?a=1', 'https://n2t.net/ark:13030/xf93gt2q/c3?a=1'],
    ['/ark:/13030/xf93gt2q?info', 'https://n2t.net/ark:13030/xf93gt2q?info'],
    ['/ark:/13030/xf93gt2q??', 'https://n2t.net/ark:13030/xf93gt2q??'],
    ['/ark:/13030/xf93gt2q?', 'https://n2t.net/ark:13030/xf93gt2q?'],
    ['/ark:13030', 'https://n2t.net/ark:13030'],
  ] as const) {
    const answer = await get(t.context, path)
    t.is(answer.status, 302)
    t.is(answer.headers.location, location)
  }
})

test('an ARK without a name tells about its NAAN', async (t) => {
  const url = 'https://registry.example/'
  for (const path of ['/ark:12345', '/ark:/12345/', '/ark:12345?info', '/ark:12345?']) {
    const erc = await get(t.context, path)
    t.is(erc.status, 200)
    t.is(erc.headers['thump-status'], '0.6 200 OK')
    t.true(
      erc.body.includes(`what: ARKs with the NAAN 12345\nwhen: (:unav)\nwhere: ${url}ark:12345`),
    )
    t.true(erc.body.includes(`where: ${url}policy\n`))
  }
  const known = { ark: 'ark:12345', environment: 'live', is_example: true, resolver: url }
  t.like((await get(t.context, '/ark:12345', 'application/json')).json(), known)
  const sandbox = await get(t.context, '/ark:99999?json')
  t.is(sandbox.headers['x-svc-environment'], 'sandbox')
  t.like(sandbox.json(), { naan: '99999', environment: 'sandbox', policy: `${url}policy` })
  const page = await get(t.context, '/ark:99999', 'text/html')
  t.is(page.headers['content-type'], 'text/html; charset=utf-8')
  t.true(page.body.includes('<h1>ARKs with the NAAN 99999</h1>'))
})

test('unless that is off: then it is 404', async (t) => {
  const registry = await serveRegistry({ N2T_REDIRECT: 'off' })
  const answer = await registry.call('/ark:/13030/xf93gt2q')
  await registry.close()
  t.is(answer.status, 404)
  t.is(answer.json()['message'], 'This registry does not resolve ARKs of the NAAN 13030')
})

test('a sandbox ARK is resolved without a key, and marked', async (t) => {
  const key = await t.context.key({ scopes: ['works:write'], environment: 'sandbox' })
  const { ark_identifier: ark } = await mint(t.context, key)
  const answer = await get(t.context, `/${ark}?content`)
  t.is(answer.status, 302)
  t.is(answer.headers['x-svc-environment'], 'sandbox')
  const erc = await get(t.context, `/${ark}?info`)
  t.regex(erc.body, /\nwhat: Not Guaranteed\n/)
})

test('a malformed ARK is 400, a path that is none 404, and another method 405', async (t) => {
  t.is((await get(t.context, '/ark:/12a45')).json()['error'], 'malformed_ark')
  t.is((await get(t.context, '/ark:/12345/../../etc/passwd')).status, 400)
  t.is((await get(t.context, '/arks/12345/x')).status, 404)
  t.is((await t.context.call('/ark:/12345/x', { method: 'POST' })).status, 405)
  t.is((await t.context.call('/ark:/12345/x', { method: 'HEAD' })).status, 404)
})
