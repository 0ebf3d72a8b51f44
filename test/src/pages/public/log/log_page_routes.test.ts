import type { ExecutionContext } from 'ava'

import { leafHash } from '#log/tlog/hash.ts'
import { mint, type ServedRegistry, serveRegistry, work } from '#test/src/_served_registry.ts'
import { openPage } from '#test/src/pages/_reader.ts'
import { testWith } from '#test/src/_shared_registry.ts'

const worksMade = 12

const test = testWith(async () => {
  const registry = await serveRegistry()
  const key = await registry.key({ scopes: ['works:write'] })
  const arks: string[] = []
  for (let number = 1; number <= worksMade; number += 1) {
    const made = await mint(registry, key, { ...work, work_title: `Work ${number}` })
    arks.push(made.ark_identifier)
  }
  return { registry, arks, key }
})

/** Where a search in the log leads to. */
async function find(t: ExecutionContext<{ registry: ServedRegistry }>, q: string, base = '') {
  const query = new URLSearchParams({ q }).toString()
  const { status, headers, read } = await openPage(t.context.registry, `${base}/log?${query}`)
  return { status, location: headers.location, read }
}

test.serial('people are shown the log, and programs what they were told before', async (t) => {
  const { registry } = t.context
  const { log, vkey, origin } = registry.environments.live
  const page = await openPage(registry, '/log')
  t.is(page.status, 200)
  t.is(page.headers['content-type'], 'text/html; charset=utf-8')
  t.regex(String(page.headers.vary), /Accept/)
  for (const said of [vkey, origin, log.head().checkpoint]) t.true(page.read.includes(said), said)
  t.true(page.read.includes(Buffer.from(log.head().rootHash).toString('hex')))
  t.true(page.read.includes(`<a href="/log/entries/${worksMade - 1}">`))
  const paths = ['', '/entries', '/entries/0', '/checkpoints', '/compare?old=1&new=2']
  for (const path of paths.flatMap((one) => [`/log${one}`, `/sandbox/log${one}`])) {
    for (const accept of ['application/json', '*/*']) {
      const reply = await openPage(registry, path, accept)
      t.is(reply.status, 404, path)
      t.like(reply.json(), { error: 'not_found' })
      t.is(reply.json()['message'], 'There is nothing at this address')
    }
  }
  for (const accept of ['text/html', '*/*']) {
    const checkpoint = await openPage(registry, '/log/checkpoint', accept)
    t.is(checkpoint.body, log.head().checkpoint)
  }
})

test.serial('an entry is shown with its bytes, its words and its path', async (t) => {
  const { registry, arks } = t.context
  const { log } = registry.environments.live
  const { status, read } = await openPage(registry, '/log/entries/5')
  t.is(status, 200)
  const entry = Buffer.from(log.entry(5)).toString('utf8')
  t.true(read.includes(`>${entry}</code>`))
  t.regex(read, /<title>Entry 5 · /)
  t.regex(read, /<h1[^>]*>Entry 5</)
  for (const [, index, text] of read.matchAll(/href="\/log\/entries\/(\d+)"[^>]*>([^<]*)</g)) {
    t.is(text, `Entry ${index}`)
  }
  t.true(read.includes(`<a href="/${arks[5]}" data-member="ark">${arks[5]}</a>`))
  t.true(read.includes(Buffer.from(leafHash(log.entry(5))).toString('hex')))
  const shown = [...read.matchAll(/data-hash>([0-9a-f]{64})</g)].map(([, hash]) => hash)
  const proof = log.inclusion(5).map((hash) => Buffer.from(hash).toString('hex'))
  t.deepEqual(shown, proof)
  t.true(read.includes(log.head().checkpoint))
})

test.serial('the sides and the sizes on a path are those of the tree', async (t) => {
  const { read } = await openPage(t.context.registry, '/log/entries/9')
  const said = [...read.matchAll(/On the (\w+), the hash of (.+):</g)]
  t.deepEqual(
    said.map(([, side, entries]) => `${entries} ${side}`),
    ['entry 8 left', 'entries 10–11 right', 'entries 0–7 left'],
  )
})

test.serial('an entry is found by number, hash, receipt and ARK', async (t) => {
  const { registry, arks } = t.context
  const hash = Buffer.from(leafHash(registry.environments.live.log.entry(3)))
  const { receipt_id: receipt } = JSON.parse(
    Buffer.from(registry.environments.live.log.entry(3)).toString('utf8'),
  ) as { receipt_id: string }
  const names = [
    '3',
    ' 3 ',
    hash.toString('hex'),
    hash.toString('hex').toUpperCase(),
    `sha256:${hash.toString('hex')}`,
    hash.toString('base64'),
    hash.toString('base64url'),
    receipt,
    arks[3] ?? '',
    `${arks[3]}/v1`,
    `https://registry.example/${arks[3]}`,
  ]
  for (const name of names) {
    const { status, location } = await find(t, name)
    t.is(status, 303, name)
    t.is(location, '/log/entries/3', name)
  }
})

test.serial('of a work with several statements all are listed', async (t) => {
  const { registry, key, arks } = t.context
  const ark = arks[0] ?? ''
  await registry.call(`/v1/works/${ark}/versions`, {
    method: 'POST',
    key,
    body: { work_title: 'A second version', version_note: 'More of it.' },
  })
  const { status, read } = await find(t, ark)
  t.is(status, 200)
  const listed = [...read.matchAll(/<a href="\/log\/entries\/(\d+)">/g)].map(([, index]) => index)
  t.deepEqual(listed, ['0', String(worksMade)])
  t.is((await find(t, `${ark}/v2`)).location, `/log/entries/${worksMade}`)
})

test.serial('what is not found is told in words, and never a fault', async (t) => {
  for (const [asked, status, said] of [
    ['99999', 404, /has no entry 99999 yet: its last one is entry \d+/],
    ['0005', 400, /0005 is not the number of an entry/],
    ['99999999999999999999', 400, /is not the number of an entry/],
    ['a'.repeat(64), 404, /No entry of this log has the hash a{64}/],
    ['rcpt_2026_01_01_aaaaaaaaaaaa', 404, /has issued no receipt rcpt_2026_01_01_/],
    ['rcpt_1', 400, /is not a complete receipt ID/],
    ['ark:/12345/k2none', 404, /has no work ark:\/12345\/k2none/],
    ['ark:!!', 400, /is not an ARK/],
    [`${t.context.arks[1]}/v77`, 404, /has no version 77\. Its newest one is version 1\./],
    [`${t.context.arks[1]}/chapter`, 404, /has no work/],
    [
      '<script>alert(1)</script>',
      400,
      /“<script>alert\(1\)<\/script>” is not the name of an entry/,
    ],
    ['x'.repeat(1_999), 400, /names no entry/],
    ['\0\u{d7ff}%', 400, /is not the name of an entry/],
  ] as const) {
    const found = await find(t, asked)
    t.is(found.status, status, asked)
    t.regex(found.read, said, asked)
  }
  const raw = await openPage(t.context.registry, '/log?q=%3Cscript%3E')
  t.false(raw.body.includes('<script>'))
})

test.serial('wrong addresses are pages for people, with their status', async (t) => {
  const { registry } = t.context
  for (const [path, status] of [
    ['/log/entries/99999', 404],
    ['/log/entries/-1', 400],
    ['/log/entries?before=soon', 400],
    ['/log?q=1&q=2', 400],
    ['/log?utm_source=mail', 200],
    ['/log/checkpoints?before=-1', 400],
    ['/log/compare?old=2&new=1', 400],
    ['/log/compare?old=0&new=1', 400],
    ['/log/compare?old=x&new=1', 400],
    ['/log/compare?old=1&new=99999', 404],
  ] as const) {
    const reply = await openPage(registry, path)
    t.is(reply.status, status, path)
    t.regex(String(reply.headers['content-type']), /^text\/html/, path)
  }
  const page = await openPage(registry, '/log/entries?before=3')
  t.is(page.status, 200)
  t.regex(page.read, /0 to 2, newest first/)
})

test.serial('checkpoints are listed, and any two compared', async (t) => {
  const { registry } = t.context
  const { log } = registry.environments.live
  const { treeSize } = log.head()
  const list = await openPage(registry, '/log/checkpoints')
  t.is(list.status, 200)
  t.true(list.read.includes(`<a href="/log/compare?old=1&new=${treeSize}">`))
  const page = await openPage(registry, `/log/compare?old=5&new=${treeSize}`)
  t.is(page.status, 200)
  t.true(page.read.includes(`>${log.checkpointAt(5)}</code>`))
  t.true(page.read.includes(`>${log.head().checkpoint}</code>`))
  const shown = [...page.read.matchAll(/data-hash>([0-9a-f]{64})</g)].map(([, hash]) => hash)
  const proof = log.consistency(5, treeSize).map((hash) => Buffer.from(hash).toString('hex'))
  t.deepEqual(shown, proof)
  t.is((await openPage(registry, '/log/compare')).status, 200)
  const far = await openPage(registry, '/log/compare?old=1&new=99999')
  t.true(far.read.includes(`<a href="/log/compare?old=1&new=${treeSize}">`))
})

test.serial('growth is drawn, and told in tables', async (t) => {
  const { registry } = t.context
  const { read } = await openPage(registry, '/log')
  t.regex(read, /<title id="entries-title">Entries in the log, over time<\/title>/)
  t.regex(read, /<path class="plot-line" d="M0 [\d.HV ]+"\/>/)
  t.regex(read, /<summary>The same as tables<\/summary>/)
  t.notRegex((await openPage(registry, '/sandbox/log')).read, /class="growth"/)
})

test.serial('the sandbox has the same pages of its own log', async (t) => {
  const { registry } = t.context
  const empty = await openPage(registry, '/sandbox/log')
  t.is(empty.status, 200)
  t.is(empty.headers['x-robots-tag'], 'noindex')
  t.true(empty.read.includes(registry.environments.sandbox.vkey))
  t.regex(empty.read, /No entries yet/)
  t.regex((await find(t, '1', '/sandbox')).read, /yet: it is empty/)
  t.regex((await openPage(registry, '/sandbox/log/entries')).read, /No entries yet/)
})

test.serial('the page of a work leads to its entry, and the first page to the log', async (t) => {
  const { registry, arks } = t.context
  const page = await openPage(registry, `/${arks[7]}`)
  t.true(page.read.includes('<a href="/log/entries/7">entry 7</a>'))
  t.true((await openPage(registry, '/')).read.includes('<a href="/log">'))
})
