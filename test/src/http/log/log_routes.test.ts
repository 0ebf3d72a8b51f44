import { gunzipSync } from 'node:zlib'
import test from 'ava'

import { decodeEntryBundle } from '#log/tlog/tile.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { openNote } from '#log/tlog/note.ts'
import { checkConsistency, checkInclusion } from '#log/tlog/proof.ts'
import { send } from '#test/src/_raw.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

// More than one full tile, so that there are full and partial ones.
const works = 300

let registry: TestRegistry
let port: number

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  const headers = { 'x-api-key': await registry.createKey(['works:write']) }
  const payload = { works: Array.from({ length: works }, () => goodWork) }
  for (const part of [payload, { works: [goodWork] }]) {
    const url = '/v1/works/bulk?allow_duplicate=true'
    await registry.server.inject({ method: 'POST', url, headers, payload: part })
  }
  port = await registry.listen()
})

test.after.always(() => registry.close())

const treeSize = works + 1

function get(url: string, headers: Record<string, string> = {}) {
  return registry.server.inject({ url, headers })
}

test('the checkpoint is the newest signed head, and must be asked for again', async (t) => {
  const reply = await get('/log/checkpoint')
  t.is(reply.statusCode, 200)
  t.is(reply.body, registry.environments.live.log.head().checkpoint)
  t.is(reply.body.split('\n')[1], String(treeSize))
  t.is(reply.headers['content-type'], 'text/plain; charset=utf-8')
  t.is(reply.headers['cache-control'], 'no-cache')
  t.is(reply.headers['access-control-allow-origin'], '*')
})

test('tiles are served byte for byte, full and partial, for ever', async (t) => {
  const { log } = registry.environments.live
  const tiles = {
    '/log/tile/0/000': { level: 0, index: 0, width: 256 },
    '/log/tile/0/001.p/45': { level: 0, index: 1, width: 45 },
    '/log/tile/0/001.p/7': { level: 0, index: 1, width: 7 },
    '/log/tile/1/000.p/1': { level: 1, index: 0, width: 1 },
  }
  for (const [url, tile] of Object.entries(tiles)) {
    const reply = await get(url)
    t.is(reply.statusCode, 200, url)
    t.deepEqual(new Uint8Array(reply.rawPayload), new Uint8Array(log.tile(tile)))
    t.is(reply.headers['content-type'], 'application/octet-stream')
    t.is(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
    t.is(reply.headers['content-encoding'], undefined)
  }
})

test('entries come in bundles, compressed for those who take it', async (t) => {
  const plain = await get('/log/tile/entries/001.p/45')
  t.is(plain.headers['content-encoding'], undefined)
  t.is(plain.headers.vary, 'Accept-Encoding')
  const entries = decodeEntryBundle(new Uint8Array(plain.rawPayload), 45)
  t.deepEqual(
    new Uint8Array(entries[44] ?? []),
    new Uint8Array(registry.environments.live.log.entry(300)),
  )
  for (const accepted of ['gzip', 'br;q=0.1, gzip;q=0.5', '*;q=0, GZIP ; q=1.0']) {
    const zipped = await get('/log/tile/entries/001.p/45', { 'accept-encoding': accepted })
    t.is(zipped.headers['content-encoding'], 'gzip', accepted)
    t.deepEqual(gunzipSync(zipped.rawPayload), plain.rawPayload)
    t.is(zipped.headers['cache-control'], 'public, max-age=31536000, immutable')
  }
  for (const refused of ['gzip;q=0', 'gzip;q=0.000', 'zstd', 'xgzip']) {
    const reply = await get('/log/tile/entries/001.p/45', { 'accept-encoding': refused })
    t.is(reply.headers['content-encoding'], undefined, refused)
  }
})

test('what a client has is not sent again, in the coding that it has', async (t) => {
  const paths = ['/log/checkpoint', '/log/tile/0/000', '/log/tile/0/001.p/45']
  const bundles = ['/log/tile/entries/000', '/log/tile/entries/001.p/45']
  const tags = new Set<string>()
  for (const url of [...paths, ...bundles]) {
    const codings = bundles.includes(url) ? ['identity', 'br', 'gzip', 'deflate'] : ['identity']
    const known: string[] = []
    for (const coding of codings) {
      const sent = await get(url, { 'accept-encoding': coding })
      const etag = String(sent.headers.etag)
      t.regex(etag, /^"[\w-]{22}"$/, `${url} has a strong tag`)
      t.is((await get(url, { 'accept-encoding': coding })).headers.etag, etag)
      const headers = { 'accept-encoding': coding, 'if-none-match': `"other", ${etag}` }
      const again = await get(url, headers)
      t.is(again.statusCode, 304, `${url} in ${coding}`)
      t.is(again.body, '')
      t.is(again.headers.etag, etag)
      t.is(again.headers['cache-control'], sent.headers['cache-control'])
      t.is(again.headers.vary, sent.headers.vary)
      t.is(again.headers['content-encoding'], undefined)
      for (const other of known) {
        const unlike = await get(url, { 'accept-encoding': coding, 'if-none-match': other })
        t.is(unlike.statusCode, 200, `${url} in ${coding}`)
      }
      known.push(etag)
      tags.add(etag)
    }
  }
  t.is(tags.size, 11, 'all bytes that differ have tags that differ')
})

test('a log tells the key that its checkpoints verify with', async (t) => {
  const { live, sandbox } = registry.environments
  for (const [url, { log, origin, vkey }] of [
    ['/log', live],
    ['/sandbox/log', sandbox],
  ] as const) {
    const reply = await get(`${url}/vkey`)
    t.is(reply.statusCode, 200)
    t.is(reply.headers['content-type'], 'text/plain; charset=utf-8')
    t.is(reply.body, `${vkey}\n`)
    const note = openNote(log.head().checkpoint, [noteVerifier(reply.body.trim())])
    t.is(note.text.split('\n')[0], origin)
  }
  t.is((await get('/log/%76key')).statusCode, 404)
})

test('what is not there, or not spelled as it should be, is 404 and kept by nobody', async (t) => {
  const paths = [
    '/log/tile/0/001',
    '/log/tile/0/002.p/1',
    '/log/tile/0/001.p/46',
    '/log/tile/0/000.p/256',
    '/log/tile/0/000.p/0',
    '/log/tile/0/0',
    '/log/tile/00/000',
    '/log/tile/64/000',
    '/log/tile/0/x000/000',
    '/log/tile/entries/002',
    '/log/tile/0/%30%30%30',
    '/log/tile/0//000',
    '/log/tile/0/000/',
    '/lo%67/checkpoint',
    '/log/checkpoint/',
    '/log/',
  ]
  for (const path of paths) {
    // A client library would tidy some of these up.
    const reply = await send(port, [`GET ${path} HTTP/1.1`, 'Host: x'])
    t.is(reply.status, 404, path)
    t.is(JSON.parse(reply.body).error, 'not_found')
    t.is(reply.headers['cache-control'], 'no-store')
  }
})

const bytes = (hexes: string[]) => hexes.map((hex) => Buffer.from(hex, 'hex'))

test('inclusion is proved by leaf index and by entry hash, in any tree', async (t) => {
  const { log } = registry.environments.live
  const entryHash = Buffer.from(leafHash(log.entry(42))).toString('hex')
  for (const query of ['leaf_index=42', `entry_hash=${entryHash}`, 'leaf_index=42&tree_size=100']) {
    for (const family of ['/v1', '/api/v1']) {
      const reply = await get(`${family}/log/inclusion?${query}`)
      t.is(reply.statusCode, 200, reply.body)
      const proof = reply.json()
      t.is(proof.leaf_hash, entryHash)
      t.is(proof.tree_size, query.includes('tree_size=100') ? 100 : treeSize)
      t.is(proof.checkpoint === null, query.includes('tree_size=100'))
      const [rootHash, leaf, ...path] = bytes([
        proof.root_hash,
        proof.leaf_hash,
        ...proof.inclusion_proof,
      ])
      t.notThrows(() =>
        checkInclusion({
          leafHash: leaf as Buffer,
          leafIndex: proof.leaf_index,
          treeSize: proof.tree_size,
          proof: path,
          rootHash: rootHash as Buffer,
        }),
      )
    }
  }
})

test('consistency is proved between any two sizes', async (t) => {
  const reply = await get('/v1/log/consistency?from=7&to=299')
  const body = reply.json()
  const [fromRoot, toRoot, ...proof] = bytes([
    body.from_root,
    body.to_root,
    ...body.consistency_proof,
  ])
  t.notThrows(() =>
    checkConsistency({
      from: 7,
      to: 299,
      fromRoot: fromRoot as Buffer,
      toRoot: toRoot as Buffer,
      proof,
    }),
  )
  t.is((await get('/v1/log/consistency?from=7')).json().to, treeSize)
})

test('the history of checkpoints is told page by page', async (t) => {
  const all = (await get('/v1/log/checkpoints')).json()
  t.is(all.next, null)
  t.is(all.checkpoints.at(-1).tree_size, treeSize)
  t.is(all.checkpoints.at(-1).checkpoint, registry.environments.live.log.head().checkpoint)
  const first = (await get('/v1/log/checkpoints?limit=1')).json()
  t.deepEqual(first.checkpoints, all.checkpoints.slice(0, 1))
  const rest = (await get(`/v1/log/checkpoints?after=${first.next}`)).json()
  t.deepEqual([...first.checkpoints, ...rest.checkpoints], all.checkpoints)
})

test('what cannot be proved is refused', async (t) => {
  const refused = {
    inclusion: [400, 'Give either leaf_index or entry_hash'],
    [`inclusion?leaf_index=1&entry_hash=${'0'.repeat(64)}`]: [
      400,
      'Give either leaf_index or entry_hash',
    ],
    [`inclusion?entry_hash=${'0'.repeat(64)}`]: [404, 'The log has no entry with this hash'],
    consistency: [400, 'The query parameter from is missing'],
    'consistency?from=9&to=8': [400, 'from must not be larger than to'],
  } as const
  for (const [query, [status, message]] of Object.entries(refused)) {
    const reply = await get(`/v1/log/${query}`)
    t.is(reply.statusCode, status)
    t.is(reply.json().message, message)
  }
  for (const query of [
    'inclusion?leaf_index=301',
    'inclusion?leaf_index=9&tree_size=9',
    'consistency?from=1&to=302',
  ]) {
    t.is((await get(`/v1/log/${query}`)).statusCode, 404, query)
  }
})

test("the sandbox's log is another one", async (t) => {
  const checkpoint = await get('/sandbox/log/checkpoint')
  t.is(checkpoint.body.split('\n')[0], 'registry.example/sandbox/log')
  t.is((await get('/sandbox/log/tile/0/000')).statusCode, 404)
  const path = '/sandbox/v1/log/checkpoints'
  const links = { self: `https://registry.example${path}`, next: null }
  t.deepEqual((await get(path)).json(), { checkpoints: [], next: null, links })
})
