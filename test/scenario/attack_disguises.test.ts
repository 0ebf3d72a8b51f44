// Attacks by other spellings of one thing: addresses and names that should be counted once, paths
// that lead elsewhere, private hosts that answers should not tell, files that others could read.

import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { serveContent } from '#test/scenario/_content_server.ts'
import { judgeAddresses } from '#test/scenario/_fetch_verdicts.ts'
import {
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { shareServer } from '#test/scenario/_shared_server.ts'
import { send } from '#test/src/_raw.ts'

const quiet = { LOG_LEVEL: 'warn', FETCH_CONTENT: 'off' }

function portOf(server: Server): number {
  return Number(new URL(server.started.local_url).port)
}

const readsMax = 20
const tokensMax = 12
const counting = shareServer({
  ...quiet,
  LIMIT_PUBLIC_READ: String(readsMax),
  LIMIT_TOKEN: String(tokensMax),
  TRUST_PROXY: '127.0.0.1',
})

test('a client behind a proxy is counted once, however its address is written', async (t) => {
  const { server } = counting()
  const call = async (forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded }
    const reply = await fetch(`${server.started.local_url}/openapi.json`, { headers })
    await reply.arrayBuffer()
    return reply.status
  }
  const ports = Array.from({ length: readsMax }, (_, nth) => `203.0.113.7:${40_000 + nth}`)
  for (const forwarded of ports) t.is(await call(forwarded), 200, forwarded)
  const disguises = [
    '203.0.113.7',
    '203.0.113.007',
    '"203.0.113.7"',
    '"203.0.113.7:9"',
    '::ffff:203.0.113.7',
    '[::ffff:cb00:7107]:443',
    '198.51.100.1, 203.0.113.7:1',
    'unknown, 203.0.113.7',
    '203.0.113.7:1, 127.0.0.1:9',
    '203.0.113.7:2, ::ffff:127.0.0.1',
  ]
  for (const forwarded of disguises) t.is(await call(forwarded), 429, forwarded)
  t.is(await call('203.0.113.8'), 200, 'a neighbour has calls of its own')

  const six = Array.from(
    { length: readsMax },
    (_, nth) => `[2001:db8:0:7::${nth}%eth${nth}]:${nth}`,
  )
  for (const forwarded of six) t.is(await call(forwarded), 200, forwarded)
  t.is(await call('2001:0DB8:0000:0007:ffff::1'), 429, 'a /64 is one client')

  const garbage = Array.from({ length: readsMax + 1 }, (_, nth) => `evil-${nth}`)
  const statuses: number[] = []
  for (const forwarded of garbage) statuses.push(await call(forwarded))
  t.is(statuses.at(-1), 429, 'what is no address is not a new client each time')
})

test('an application is counted once, however its name is written', async (t) => {
  const { server, settings } = counting()
  const callback = 'https://app.example/callback'
  type Created = { readonly application: { readonly client_id: string } }
  const args = ['application', 'create', 'Journal', '--redirect', callback]
  const { application } = await runJson<Created>(t, args, settings)
  const { client_id: id } = application
  const escaped = (count: number) =>
    [...id].map((c, at) => (at < count ? `%${c.charCodeAt(0).toString(16)}` : c)).join('')
  const grant = 'grant_type=refresh_token&refresh_token=x'
  const ask = async (headers: Record<string, string>, body: string) => {
    const url = `${server.started.local_url}/api/v1/oauth/token`
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body })).status
  }
  const basic = (name: string) => `Basic ${Buffer.from(`${name}:guess`).toString('base64')}`
  // At once: the minute of this limit is not to end before the last one is counted.
  const counted = Array.from({ length: tokensMax }, (_, nth) =>
    nth % 2 === 0
      ? ask({}, `${grant}&client_id=${escaped(nth)}`)
      : ask({ authorization: basic(escaped(nth)) }, grant),
  )
  t.false((await Promise.all(counted)).includes(429))
  t.is(await ask({ authorization: basic(id) }, grant), 429)
  t.is(await ask({ authorization: basic(escaped(id.length)) }, grant), 429)
  const json = { 'content-type': 'application/json' }
  const unicode = [...id].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')
  t.is(await ask(json, `{"client_id":"${unicode}"}`), 429)
  const unknown = Array.from({ length: tokensMax + 1 }, (_, nth) =>
    ask({}, `${grant}&client_id=nobody${nth}`),
  )
  const refused = (await Promise.all(unknown)).filter((status) => status === 429)
  t.true(refused.length > 0, 'a name that nobody has begins no count of its own')
})

test('a path with dot segments leads to no other, in any spelling', async (t) => {
  const settings = { ...quiet, RATE_LIMITS: 'off', DATA_DIR: await newDataDir(t) }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const { body } = await request(server, '/v1/works', { key, body: newWork('A paper') })
  const { ark_identifier: ark } = body as { ark_identifier: string }
  const roots = ['', '/v1/works', '/v1/work', '/api/v1/works', '/v1/resolve', '/api/v1/resolve']
  const names = [
    '..',
    '.',
    '%2e%2e',
    '.%2e',
    '%2E',
    '%2f..',
    '..%2f',
    '-.-',
    '%E2%80%90..',
    '..%0d',
  ]
  for (const start of [
    ...roots.map((root) => `${root}/ark:/12345`),
    `/${ark}`,
    `/v1/works/${ark}`,
  ]) {
    for (const name of [...names, '../x', '../../etc/passwd', 'x/..', 'x/%2e%2e/y']) {
      const asked = [`GET ${start}/${name} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`]
      const reply = await send(portOf(server), asked)
      t.is(reply.status, 400, `${start}/${name}`)
      t.is((JSON.parse(reply.body) as { error: string }).error, 'malformed_ark')
    }
  }
  const cutAddress = 'https://doi.org/10.5555/a#b'
  for (const existing_doi of ['10.5555/..', '10.5555/a/%2e%2e/b', cutAddress, '10.5555/a\\..']) {
    const work = { ...newWork(`At ${existing_doi}`), existing_doi }
    const refused = await request(server, '/v1/works', { key, body: work })
    t.is(refused.status, 422, existing_doi)
  }
  for (const work_title of ['\u200b', '\u2800', '\u3164\u3164', '\u00ad', 'Paid\u202eecnarF']) {
    const refused = await request(server, '/v1/works', { key, body: newWork(work_title) })
    t.is(refused.status, 422, JSON.stringify(work_title))
  }
  const formula = {
    ...newWork('＝HYPERLINK("https://evil.example")'),
    publisher_name: '\u200b＠SUM',
  }
  const created = await request(server, '/v1/works', { key, body: formula })
  const csv = `${server.started.local_url}/${String(created.body['ark_identifier'])}?format=csv`
  const row = await (await fetch(csv)).text()
  t.true(row.includes(`"'＝HYPERLINK(`), row)
  t.true(row.includes(`'\u200b＠SUM`), row)
  t.is((await server.end('SIGTERM')).code, 0)
})

test('whoever names a private host is told nothing of our network', async (t) => {
  const content = await serveContent(t, 1)
  const [hostPort = ''] = content.hostPorts
  const server = await startServer(t, {
    ...quiet,
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: hostPort,
    FETCH_HOST_INTERVAL_MS: '0',
    RATE_LIMITS: 'off',
    DATA_DIR: await newDataDir(t),
  })
  const key = firstKey(server)
  const hidden = [
    'http://10.1.2.3/',
    'http://[fd00::7]/',
    'http://169.254.169.254/latest/meta-data/',
  ]
  const named = hidden.map((url) => `http://${hostPort}/redirect/1?to=${encodeURIComponent(url)}`)
  const verdicts = await judgeAddresses(server, key, [...hidden, ...named])
  for (const [address, verdict] of verdicts) {
    t.like(
      verdict,
      {
        check: {
          reason: 'refused_address',
          message: 'the address is not fetched: the address of its host is not public',
        },
      },
      address,
    )
  }
  const found = await request<{ results: { ark_identifier: string }[] }>(
    server,
    '/v1/search/works?q=http',
    { key },
  )
  for (const { ark_identifier: ark } of found.body.results) {
    const headers = { accept: 'text/html' }
    const page = await (await fetch(`${server.started.local_url}/${ark}`, { headers })).text()
    t.notRegex(page, /is (?:private|loopback|linkLocal|uniqueLocal|reserved)|is in \d/)
    const verified = await request(server, `/v1/receipts/${ark}/v1/verify`, { key, body: {} })
    const told = JSON.stringify(verified.body)
    t.notRegex(told, /is (?:private|loopback|linkLocal|uniqueLocal)|10\.1\.2\.3|fd00|169\.254/)
  }
  const { code, stderr } = await server.end('SIGTERM')
  t.is(code, 0)
  t.true(
    stderr.includes('"host":"10.1.2.3","reason":"10.1.2.3 is private"'),
    'the operator is told',
  )
})

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function openFiles(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder, { recursive: true })
  const modes = await Promise.all(
    ['.', ...names].map(async (name) => {
      // While the registry runs, it may remove a file after it was listed.
      const stats = await fs.lstat(path.join(folder, name)).catch(ignoreMissing)
      return { name, mode: stats?.mode ?? 0 }
    }),
  )
  return modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ name }) => name)
}

test('nothing of a data directory is open to others, however it was made', async (t) => {
  const dataDir = await newDataDir(t)
  await fs.mkdir(dataDir, { mode: 0o755 })
  await fs.chmod(dataDir, 0o755)
  const settings = { ...quiet, RATE_LIMITS: 'off', DATA_DIR: dataDir }
  const first = await startServer(t, settings)
  t.true(first.started.warnings.some((text) => text.includes(`${dataDir} (0755)`)))
  await request(first, '/v1/works', { key: firstKey(first), body: newWork('A paper') })
  t.deepEqual(await openFiles(dataDir), [], 'while it runs')
  t.is((await first.end('SIGTERM')).code, 0)
  t.deepEqual(await openFiles(dataDir), [])

  // As a careless copy leaves it.
  const loose = [dataDir, ...['live', 'identity', 'keys'].map((name) => path.join(dataDir, name))]
  for (const folder of loose) await fs.chmod(folder, 0o755)
  for (const name of await fs.readdir(path.join(dataDir, 'live'))) {
    await fs.chmod(path.join(dataDir, 'live', name), 0o644)
  }
  const second = await startServer(t, settings)
  t.regex(
    second.started.warnings.join('\n'),
    /identity \(0755\), keys \(0755\), live \(0755\), .*\(0644\)/,
  )
  t.deepEqual(await openFiles(dataDir), [])
  t.is((await second.end('SIGTERM')).code, 0)

  const secret = path.join(dataDir, 'keys', 'live-receipt.pem')
  await fs.chmod(secret, 0o640)
  const refused = await runArklog(t, ['serve', '--json'], settings)
  t.is(refused.code, 1)
  t.is((JSON.parse(refused.stderr) as { error: string }).error, 'secret_exposed')
  t.is((await fs.lstat(secret)).mode & 0o777, 0o640, 'it is not hidden that it was open')
})
