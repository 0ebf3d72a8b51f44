import { operator } from '#src/identity/store/owner_text.ts'
import { formatNames, formats } from '#src/discovery/formats/format_table.ts'
import { type Answer, mint } from '#test/src/_served_registry.ts'
import { type SharedRegistry, testShared } from '#test/src/_shared_registry.ts'

const test = testShared()

function get(
  { call }: SharedRegistry,
  path: string,
  ...headers: [string, string][]
): Promise<Answer> {
  return call(path, { headers })
}

/** What a work must have for every format to take it. */
const fitForAll = {
  existing_doi: '10.5555/notes',
  published_date: '1843',
  access: { right: 'open' },
}

for (const name of formatNames) {
  test(`${name} is the same by Accept, by the address and as a citation`, async (t) => {
    const { ark_identifier: ark } = await mint(t.context, t.context.writer, fitForAll)
    const byAddress = await get(t.context, `/${ark}?format=${name}`)
    t.is(byAddress.status, 200)
    const [mediaType] = formats[name].mediaTypes
    t.true(String(byAddress.headers['content-type']).startsWith(`${mediaType};`))
    t.regex(String(byAddress.headers['content-type']), /; charset=utf-8$/)
    // Formats of reference managers are no text, JSON or XML by their type, and not compressed.
    const isCoded = /^text\/|json|xml/.test(mediaType)
    t.is(byAddress.headers.vary, isCoded ? 'Accept, Accept-Encoding' : 'Accept')
    t.true(String(byAddress.headers.link).includes('; rel="describes"'))
    t.true(byAddress.body.includes('Notes by the translator'))
    const replies = formats[name].mediaTypes.map((type) => {
      return get(t.context, `/${ark}`, ['Accept', `${type}, text/html;q=0.5`])
    })
    const cited = get(t.context, `/api/v1/works/${ark}/citation?format=${name}`)
    const accepted = get(t.context, `/api/v1/works/${ark}/citation`, ['Accept', mediaType])
    for (const other of await Promise.all([...replies, cited, accepted])) {
      t.is(other.body, byAddress.body)
      t.is(other.headers.etag, byAddress.headers.etag)
    }
    const held = await get(
      t.context,
      `/${ark}`,
      ['Accept', mediaType],
      ['If-None-Match', String(byAddress.headers.etag)],
    )
    t.is(held.status, 304)
    const head = await t.context.call(`/${ark}?format=${name}`, { method: 'HEAD' })
    t.is(head.status, 200)
    t.is(head.headers.etag, byAddress.headers.etag)
    t.is(head.body, '')
  })
}

test('an export has the name of a file, a citation to be read has none', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const name = ark.replace(/[:/]+/g, '-')
  const file = await get(t.context, `/${ark}?format=bibtex`)
  t.is(file.headers['content-disposition'], `attachment; filename="${name}.bib"`)
  const version = await get(t.context, `/${ark}/v1?format=ris`)
  t.is(version.headers['content-disposition'], `attachment; filename="${name}-v1.ris"`)
  t.true(version.body.includes(`UR  - https://registry.example/${ark}/v1\r\n`))
  for (const other of [
    await get(t.context, `/${ark}?format=citation`),
    await get(t.context, `/${ark}`, ['Accept', 'application/x-bibtex']),
  ]) {
    t.is(other.headers['content-disposition'], undefined)
  }
})

test('a version is described as it was', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  await call(`/v1/works/${ark}`, { method: 'PUT', key, body: { work_title: 'Second title' } })
  t.true((await get(t.context, `/${ark}/v1?format=ris`)).body.includes('Notes by the translator'))
  t.true((await get(t.context, `/${ark}/v2?format=ris`)).body.includes('Second title'))
  t.true((await get(t.context, `/${ark}?format=ris`)).body.includes('Second title'))
})

test('who registered a work is its publisher, whoever has changed it since', async (t) => {
  const { call, writer, adminCodes } = t.context
  const { ark_identifier: ark } = await mint(t.context, writer)
  const scopes = ['admin:*', 'works:write']
  const key = await t.context.key({ owner: operator, scopes, ip_allow: ['127.0.0.1'] })
  const headers = [['X-Admin-Code', (await adminCodes.issue()).code]] as const
  const body = { work_title: 'Corrected' }
  const changed = await call(`/v1/works/${ark}`, { method: 'PUT', key, headers, body })
  t.is(changed.status, 200, changed.body)
  const { body: citation } = await get(t.context, `/${ark}?format=csl`)
  t.like(JSON.parse(citation), { title: 'Corrected', publisher: 'Demo Press' })
})

test('a style is asked for in the address or by its media type, else it is APA', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const path = `/api/v1/works/${ark}/citation`
  const asked: readonly (readonly [
    path: string,
    accept: string,
    style: string,
    locale?: string,
  ])[] = [
    [`${path}?format=citation&style=ieee`, '*/*', 'ieee'],
    [path, 'text/x-bibliography; style=mla; locale=en-US', 'mla'],
    [`${path}?style=vancouver`, 'text/x-bibliography; style=mla', 'vancouver'],
    [`${path}?locale=xx-XX`, 'text/x-bibliography', 'apa'],
    [`/${ark}`, 'text/x-bibliography; style="harvard"; q=0.9', 'harvard'],
    [`/${ark}?format=citation&style=modern-language-association`, '*/*', 'mla'],
    [`/${ark}?format=citation&locale=de`, '*/*', 'apa', 'de-DE'],
    [path, 'text/x-bibliography; style=ieee; locale=fr-FR', 'ieee', 'fr-FR'],
    [`${path}?locale=en-gb`, 'text/x-bibliography; locale=fr-FR', 'apa', 'en-GB'],
  ]
  for (const [address, accept, style, locale = 'en-US'] of asked) {
    const answer = await get(t.context, address, ['Accept', accept])
    const type = `text/x-bibliography; style=${style}; locale=${locale}; charset=utf-8`
    t.is(answer.headers['content-type'], type)
  }
})

test('CSL-JSON is what a citation is when nothing else is asked for', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const path = `/api/v1/works/${ark}/citation`
  for (const accept of ['*/*', 'application/json', 'text/html,*/*;q=0.1']) {
    const answer = await get(t.context, path, ['Accept', accept])
    const type = 'application/vnd.citationstyles.csl+json; charset=utf-8'
    t.is(answer.headers['content-type'], type, accept)
    t.is(answer.headers['access-control-allow-origin'], '*')
    t.like(answer.json(), { id: ark, URL: `https://registry.example/${ark}` })
  }
  const none = await get(t.context, path, ['Accept', 'image/png'])
  t.is(none.status, 406)
  t.is((await get(t.context, `${path}?format=png`)).status, 406)
  t.is((await get(t.context, `${path}?formats=ris`)).status, 400)
})

test('a citation under /v1 takes a key', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const path = `/v1/works/${ark}/citation`
  t.is((await get(t.context, path)).status, 401)
  const key = await t.context.key({ scopes: ['works:read'] })
  t.is((await t.context.call(path, { key })).status, 200)
})

test('a withdrawn work is cited in every format as that, without its content', async (t) => {
  const { call, writer: key } = t.context
  const changes = { ...fitForAll, work_url: 'https://example.org/secret' }
  const { ark_identifier: ark } = await mint(t.context, key, changes)
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'retraction' } })
  for (const name of formatNames) {
    const answer = await get(t.context, `/${ark}?format=${name}`)
    t.is(answer.status, 200)
    t.regex(answer.body, /RETRACTED\}*: \{*Notes\}* by the translator/, name)
    t.true(answer.body.includes('Lovelace'), name)
    t.true(answer.body.includes('1843'), name)
    t.false(answer.body.includes('secret'), name)
    t.is(typeof answer.headers.etag, 'string')
    t.true(answer.body.includes('retraction'), name)
  }
  const cited = await get(t.context, `/api/v1/works/${ark}/citation`)
  t.is(cited.status, 200)
  t.like(cited.json(), { id: ark, title: 'RETRACTED: Notes by the translator' })
})

test('links around a work are sets of their own', async (t) => {
  const { ark_identifier: ark } = await mint(t.context, t.context.writer)
  const json = await get(t.context, `/${ark}`, ['Accept', 'application/linkset+json'])
  t.is(json.headers['content-type'], 'application/linkset+json; charset=utf-8')
  const { linkset } = json.json() as { linkset: { describedby?: { type: string }[] }[] }
  const types = linkset[0]?.describedby?.map(({ type }) => type) ?? []
  t.true(types.includes('application/x-bibtex'))
  t.is((await get(t.context, `/${ark}?format=linkset`)).body, json.body)
  const text = await get(t.context, `/${ark}?format=links`)
  t.is(text.headers['content-type'], 'application/linkset; charset=utf-8')
})
