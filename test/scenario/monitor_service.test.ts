// A monitor in a process of its own that follows a real registry, and tells what is in its log.

import { readFile, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import test from 'ava'

import { leafHash } from '#log/hash.ts'
import { checkTlogProof } from '#log/tlog_proof.ts'
import type { Report } from '#src/monitor/report.ts'
import { parseKeyList } from '#src/verify/key_list.ts'
import { until } from '#test/_until.ts'
import {
  type Asserter,
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  type Server,
  spawnArklog,
  startArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

const orcid = '0000-0002-1825-0097'

/** A registry, the folder beside its data, and its keys as they were saved. */
async function begin(t: Asserter) {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  const server = await startServer(t, settings)
  const folder = path.dirname(settings.DATA_DIR)
  const keysFile = path.join(folder, 'keys.json')
  const keys = JSON.stringify((await request(server, '/.well-known/svc-keys.json')).body)
  await writeFile(keysFile, keys)
  const at = (name: string) => path.join(folder, name)
  const args = ['monitor', server.started.local_url, '--keys', keysFile, '--state', at('seen')]
  return { server, key: firstKey(server), at, args, keysFile, trusted: parseKeyList(keys).live }
}

async function mint(server: Server, key: string, title: string, more = {}): Promise<string> {
  const body = { ...newWork(title), ...more }
  const minted = await call<{ ark_identifier: string }>(server, '/v1/works', { key, body })
  if (minted.status !== 201) throw new Error(JSON.stringify(minted.body))
  return minted.body.ark_identifier
}

/** The address to which reports are posted, and those that came. */
async function receiveReports(t: Asserter) {
  const reports: Report[] = []
  const server = http.createServer((incoming, response) => {
    void text(incoming).then((body) => {
      reports.push(JSON.parse(body) as Report)
      response.writeHead(204).end()
    })
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { reports, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

test('a publisher is told of every statement in its name, with proofs for offline', async (t) => {
  const { server, key, at, args, keysFile, trusted } = await begin(t)
  await mint(server, key, 'Of a DOI', { existing_doi: '10.1234/ABC' })
  await mint(server, key, 'Of another DOI', { existing_doi: '10.12345/abc' })
  const person = { author_details: [{ name: 'Josiah Carberry', orcid }] }
  const named = await mint(server, key, 'Of a person', person)
  const watches = ['10.1234/', orcid, named].flatMap((name) => ['--watch', name])
  const once = [...args, ...watches, '--watch-from', '0', '--once', '--json']
  const { code, stdout, stderr } = await runArklog(t, once, {})
  t.is(code, 0, stderr)
  const lines = stdout.trim().split('\n')
  const told = lines.map((line) => JSON.parse(line) as Report).filter((r) => r.type === 'watched')
  t.deepEqual(
    told.map(({ leaf_index: index, kind, watches: by }) => [index, kind, by]),
    [
      [0, 'registered', ['10.1234/']],
      [2, 'registered', [`ark:/${named.replace(/^ark:\/?/, '')}`, orcid]],
    ],
  )
  for (const { proof = '', leaf_hash: hash } of told) {
    const entry = await readFile(proof.replace('.tlog-proof', '.entry'))
    t.is(Buffer.from(leafHash(entry)).toString('hex'), hash ?? '')
    const log = { origin: trusted.origin, verifiers: [trusted.logVerifier] }
    t.is(checkTlogProof(await readFile(proof, 'utf8'), leafHash(entry), log).treeSize, 3)
    const receipt = proof.replace('.tlog-proof', '.json')
    const verified = await runArklog(t, ['verify', receipt, '--keys', keysFile], {})
    t.is(verified.code, 0, verified.stdout)
  }
  // What was told is not told again; a watch that comes later begins with what is new.
  const later = [...args, ...watches, '--watch', 'org:demo', '--once', '--json']
  t.notRegex((await runArklog(t, later, {})).stdout, /"watched"/)
  const withdrawn = await request(server, `/v1/works/${named}`, {
    key,
    method: 'DELETE',
    body: { reason: 'author_request' },
  })
  t.is(withdrawn.status, 200, JSON.stringify(withdrawn.body))
  const last = await runArklog(t, later, {})
  t.regex(last.stdout, /"type":"watched".*"kind":"tombstoned"/, last.stdout + last.stderr)
  t.true((await readFile(at('seen/watches.json'), 'utf8')).includes('org:demo'))
})

test('a service tells how it does, and ends with 0 when it is told to', async (t) => {
  const { server, key, args } = await begin(t)
  await mint(server, key, 'One')
  const service = [...args, '--listen', '127.0.0.1:0', '--interval', '1']
  const running = await startArklog(t, service, {})
  const { url } = JSON.parse(running.line) as { url: string }
  const get = async (at: string) => {
    const response = await fetch(`${url}${at}`)
    return { status: response.status, body: await response.text() }
  }
  await until('the log was seen', async () => (await get('/checkpoint')).status === 200)
  t.deepEqual(await get('/healthz'), { status: 200, body: '{"status":"ok","reasons":[]}\n' })
  t.regex((await get('/metrics')).body, /^arklog_monitor_tree_size 1$/m)
  t.is((await get('/elsewhere')).status, 404)
  t.is((await fetch(`${url}/healthz`, { method: 'POST' })).status, 405)
  const second = await runArklog(t, service, {})
  t.is(second.code, 2)
  t.regex(second.stderr, /another monitor uses .*: stop that one, or give this one another --state/)
  // A monitor elsewhere compares itself with this one.
  const peer = [...args.slice(0, -1), `${args.at(-1)}-2`, '--peer', url, '--once', '--json']
  const compared = await runArklog(t, peer, {})
  t.is(compared.code, 0, compared.stdout)
  t.notRegex(compared.stdout, /not_checked/)
  const { code, stderr } = await running.end('SIGTERM')
  t.is(code, 0, stderr)
})

test('a monitor that is killed at any moment tells each statement at least once', async (t) => {
  t.timeout(300_000)
  const { server, key, args } = await begin(t)
  const { reports, url } = await receiveReports(t)
  const random = seededRandom(20_260_304)
  const watch = ['--watch', 'org:demo', '--watch-from', '0', '--alarm-webhook', url]
  const service = [...args, '--interval', '1', '--listen', '127.0.0.1:0', ...watch]
  const lives = 6
  let minted = 0
  for (let life = 0; life < lives; life += 1) {
    const { child, end } = spawnArklog(t, service, {})
    const lines = createInterface(child.stdout ?? process.stdin)
    // It is killed while it starts, while it looks, or while it tells.
    const wanted = Math.floor(random() * 12)
    const killed = new Promise<void>((resolve) => {
      let seen = 0
      lines.on('line', () => (seen += 1) > wanted && resolve())
    })
    for (let count = 0; count < 10; count += 1) await mint(server, key, `Work ${(minted += 1)}`)
    await killed
    await end('SIGKILL')
  }
  const { end } = spawnArklog(t, service, {})
  const indexes = () => new Set(reports.map(({ leaf_index: index }) => index))
  await until('all was told', () => indexes().size === minted, { pauseMs: 50 })
  const { code, stderr } = await end('SIGTERM')
  t.is(code, 0, stderr)
  t.deepEqual(
    [...indexes()].toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: minted }, (_, index) => index),
  )
  // At most one report in flight may come twice for each kill, as the same one.
  t.true(reports.length <= minted + lives, `${reports.length} of ${minted}`)
  t.is(new Set(reports.map(({ id }) => id)).size, minted)
})
