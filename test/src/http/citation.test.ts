import test from 'ava'

import type { Metadata } from '#actors/metadata.ts'
import { citationOf } from '#src/http/citation.ts'
import { baseUrl, goodWork, openRegistry } from '#test/src/http/_registry.ts'

const ark = 'ark:/12345/k2bcd'
const url = 'https://registry.example/ark:/12345/k2bcd'
const least: Metadata = { work_title: 'T', work_type: 'article', authors: 'Ada Ox' }

test('what is not known is left out', (t) => {
  t.deepEqual(citationOf(least, ark, url), {
    id: ark,
    type: 'article-journal',
    title: 'T',
    author: [{ literal: 'Ada Ox' }],
    URL: url,
  })
})

test('fields come under the names of CSL, a date in as many parts as are known', (t) => {
  const citation = citationOf(
    {
      ...least,
      work_type: 'book_chapter',
      published_date: '1905-06',
      existing_doi: '10.1234/x',
      container_title: 'Annals',
      pages: '891-921',
      description: 'Abstract.',
    },
    ark,
    url,
  )
  t.like(citation, {
    type: 'chapter',
    issued: { 'date-parts': [[1905, 6]] },
    DOI: '10.1234/x',
    'container-title': 'Annals',
    page: '891-921',
    abstract: 'Abstract.',
  })
})

test('names come in their parts where these are known', (t) => {
  const authors = 'Ox, Ada; The Group; Pen, Bo; van der Berg'
  const author_details = [{ name: 'x' }, { name: 'x' }, { family: 'Penn', given: 'B.' }]
  t.deepEqual(citationOf({ ...least, authors, author_details }, ark, url).author, [
    { family: 'Ox', given: 'Ada' },
    { literal: 'The Group' },
    { family: 'Penn', given: 'B.' },
    { literal: 'van der Berg' },
  ])
})

test('a work is cited without a key, and with one under /v1', async (t) => {
  const { server, createKey, close } = await openRegistry()
  t.teardown(close)
  const headers = { 'x-api-key': await createKey(['works:write', 'works:read']) }
  const options = { method: 'POST', url: '/v1/works', headers, payload: goodWork } as const
  const { ark_identifier } = (await server.inject(options)).json()
  const reply = await server.inject(`/api/v1/works/${ark_identifier}/citation`)
  t.is(reply.statusCode, 200)
  t.is(reply.headers['content-type'], 'application/vnd.citationstyles.csl+json; charset=utf-8')
  t.is(reply.headers['access-control-allow-origin'], '*')
  t.like(reply.json(), {
    id: ark_identifier,
    title: goodWork.work_title,
    URL: `${baseUrl}/${ark_identifier}`,
  })
  const path = `/v1/works/${ark_identifier}`
  t.is((await server.inject(`${path}/citation`)).statusCode, 401)
  t.is((await server.inject({ url: `${path}/citation`, headers })).statusCode, 200)
  await server.inject({
    method: 'POST',
    url: `${path}/withdraw`,
    headers,
    payload: { reason: 'test' },
  })
  const gone = await server.inject(`/api/v1/works/${ark_identifier}/citation`)
  t.is(gone.statusCode, 410)
  t.is(gone.json().error, 'gone')
})
