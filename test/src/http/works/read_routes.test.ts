import http from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import test from 'ava'

import { until } from '#test/_until.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let writer: Record<string, string>
let sandboxWriter: Record<string, string>

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  const asKey = (key: string) => ({ authorization: `Bearer ${key}` })
  writer = asKey(await registry.createKey(['works:write']))
  sandboxWriter = asKey(await registry.createKey(['works:write'], { environment: 'sandbox' }))
})

test.after.always(() => registry.close())

function post(url: string, payload: object, headers = writer) {
  return registry.server.inject({ method: 'POST', url, headers, payload })
}

const read = (text: string, more: object = {}) => post('/v1/works/read', { text, ...more })

const bibtex = `@article{heaps,
  author = {Gibbs, Josiah Willard},
  title = {On Heaps},
  url = {https://press.example/heaps},
  date = {1876},
  shelfmark = {Q 12},
}
@article{none, title = {Without an Author}, url = {https://press.example/none}}
`

test.serial(
  'what is read of an entry can be registered as it is, and the rest is noted',
  async (t) => {
    const reply = await read(bibtex)
    t.is(reply.statusCode, 200)
    const { format, entries, note_counts } = reply.json()
    t.is(format, 'bibtex')
    t.deepEqual(note_counts, { left_out: 1 })
    const [first, second] = entries
    t.like(first, { line: 1, key: 'heaps', faults: [] })
    t.like(first.work, { work_title: 'On Heaps', authors: 'Josiah Willard Gibbs' })
    t.deepEqual(
      first.notes.map(({ kind, field, line, is_loss }: Record<string, unknown>) => ({
        kind,
        field,
        line,
        is_loss,
      })),
      [{ kind: 'left_out', field: 'shelfmark', line: 6, is_loss: true }],
    )
    t.regex(first.notes[0].message, /^shelfmark is left out/)
    t.like(second, { line: 8, key: 'none' })
    t.like(second.faults, [{ field: 'author', code: 'required' }])
    const registered = await post('/v1/works/bulk', { works: [first.work] })
    t.is(registered.json().results[0].status, 201)
  },
)

const samples: Readonly<Record<string, string>> = {
  bibtex,
  ris: 'TY  - JOUR\nTI  - On Heaps\nAU  - Gibbs, J. W.\nUR  - https://press.example/r\nER  - \n',
  json: JSON.stringify([
    { type: 'article-journal', title: 'On Heaps', author: [{ literal: 'G' }] },
  ]),
  csv: 'title,authors,url\nOn Heaps,J. Gibbs;,https://press.example/c\n',
  xml:
    '<article><front><article-meta><title-group><article-title>On Heaps</article-title>' +
    '</title-group></article-meta></front></article>',
}

for (const [format, text] of Object.entries(samples)) {
  test.serial(`a file of ${format} is told by its text, below both prefixes`, async (t) => {
    for (const url of ['/v1/works/read', '/api/v1/works/read']) {
      const reply = await post(url, { text })
      t.is(reply.statusCode, 200)
      t.is(reply.json().format, format)
      t.is(reply.json().entries[0].work.work_title, 'On Heaps')
    }
  })
}

test.serial('columns of a table are named by whoever sends it', async (t) => {
  const text = 'Titel,Namen,Seite\nOn Heaps,J. Gibbs;,https://press.example/c\n'
  const columns = { Titel: 'work_title', Namen: 'authors', Seite: null }
  const reply = await read(text, { columns })
  t.deepEqual(reply.json().columns, [
    { name: 'Titel', holds: 'work_title' },
    { name: 'Namen', holds: 'authors' },
    { name: 'Seite', holds: null },
  ])
  t.is(reply.json().entries[0].work.work_title, 'On Heaps')
  const wrong = await read(text, { columns: { Titel: 'title_of_it' } })
  t.is(wrong.statusCode, 422)
})

test.serial('a row with an ARK tells what would be sent to the work', async (t) => {
  const { ark_identifier: ark } = (await post('/v1/works', goodWork)).json()
  const [entry] = (await read(`ark,title,type\n${ark},Of Order,book\n`)).json().entries
  t.like(entry, { ark, work: { work_title: 'Of Order', work_type: 'book' }, faults: [] })
})

test.serial('a key that may write reads a file, also in the sandbox', async (t) => {
  const reader = { authorization: `Bearer ${await registry.createKey(['works:read'])}` }
  t.is((await post('/v1/works/read', { text: bibtex }, reader)).statusCode, 403)
  t.is((await post('/v1/works/read', { text: bibtex }, {})).statusCode, 401)
  const sandbox = await post('/v1/works/read', { text: bibtex }, sandboxWriter)
  t.is(sandbox.statusCode, 200)
  t.is(sandbox.headers['x-svc-environment'], 'sandbox')
})

test.serial('what cannot be read is refused with what would be right', async (t) => {
  const entries = (count: number) => '@misc{a, title = {A}}\n'.repeat(count)
  const refused: readonly (readonly [body: object, status: number, says: RegExp])[] = [
    [{ text: 'Just words.' }, 422, /There is no entry of BibTeX/],
    [{ text: 'PMID- 1\nTI  - A\n' }, 422, /PubMed.*export it as RIS or BibTeX/],
    [{ text: entries(1_001) }, 413, /has 1001 entries: import 1000 at a time/],
    [{ text: ' '.repeat(8 * 1_048_576 + 1) }, 413, /more than 8 MiB/],
    [{}, 422, /text is required/],
    [{ text: '' }, 422, /text/],
    [{ text: 7 }, 422, /text must be string/],
    [{ text: bibtex, format: 'bibtex' }, 422, /format/],
  ]
  for (const [body, status, says] of refused) {
    const reply = await post('/v1/works/read', body)
    t.is(reply.statusCode, status, reply.body.slice(0, 300))
    t.regex(reply.body, says)
  }
  t.is((await read('x'.repeat(17 * 1_048_576))).statusCode, 413)
  const payload = bibtex
  const headers = { ...writer, 'content-type': 'application/x-bibtex' }
  const plain = { method: 'POST', url: '/v1/works/read', headers, payload } as const
  t.is((await registry.server.inject(plain)).statusCode, 415)
  t.is((await post('/v1/works/read?format=ris', { text: bibtex })).statusCode, 400)
})

test.serial('files of one key wait for each other, and too many are refused', async (t) => {
  const port = await registry.listen()
  const payload = JSON.stringify({ text: 'Just words.' })
  const headers = {
    ...writer,
    'content-type': 'application/json',
    'content-length': String(payload.length),
  }
  const replies: { readonly status: number; readonly body: string; readonly waits: unknown }[] = []
  const path = '/v1/works/read'
  // Whoever has its turn keeps it until its body has come: the others come before that.
  const requests = Array.from({ length: 20 }, () => {
    const sent = http.request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers,
      agent: false,
    })
    sent.once('response', (reply) => {
      const { statusCode: status = 0, headers: told } = reply
      void textOf(reply).then((body) => replies.push({ status, waits: told['retry-after'], body }))
    })
    // One that is refused may be cut off before its body has gone.
    sent.on('error', () => undefined)
    sent.write(payload.slice(0, 1))
    return sent
  })
  await until('three are refused', () => replies.length === 3)
  for (const { status, waits, body } of replies) {
    t.is(status, 429)
    t.like(JSON.parse(body), { error: 'rate_limit_exceeded' })
    t.truthy(waits)
  }
  for (const sent of requests) sent.end(payload.slice(1))
  await until('all are answered', () => replies.length === 20)
  for (const { status } of replies.slice(3)) t.is(status, 422)
})
