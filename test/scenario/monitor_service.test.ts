// A monitor in a process of its own that follows a real registry, and tells what is in its log.

import { readFile } from 'node:fs/promises'
import test from 'ava'

import { noteVerifier } from '#log/tlog/ed25519.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { checkTlogProof } from '#log/tlog/tlog_proof.ts'
import type { Report } from '#src/tlog_tools/monitor/outbox.ts'
import { until } from '#test/_until.ts'
import { beginMonitored, mint, runMonitorKills } from '#test/scenario/_monitor_kills.ts'
import { newDataDir, runArklog, startArklog } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { filesOf, makeEntries, serveLog, vkey } from '#test/src/tlog_tools/monitor/_served_log.ts'

const orcid = '0000-0002-1825-0097'

test('a publisher is told of every statement in its name, with proofs for offline', async (t) => {
  const { server, key, at, args, keysFile, trusted } = await beginMonitored(t)
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
    const log = { origin: trusted.origin, verifiers: [noteVerifier(trusted.vkey)] }
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
  const { server, key, args } = await beginMonitored(t)
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
  t.timeout(600_000)
  await runMonitorKills(t, { lives: 6, seed: 20_260_304 })
})

test('a service that has proof of a fork says so until somebody has looked into it', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const other = await serveLog(t, makeEntries(300))
  const state = await newDataDir(t)
  const service = ['monitor', log.url, '--vkey', vkey, '--state', state, '--vantage', other.url]
  const pace = ['--interval', '1', '--listen', '127.0.0.1:0']
  const healthOf = async (line: string) => {
    const { url } = JSON.parse(line) as { url: string }
    const response = await fetch(`${url}/healthz`)
    return { status: response.status, body: await response.text() }
  }
  const first = await startArklog(t, [...service, ...pace], {})
  other.files = filesOf(makeEntries(310, ' of another history'))
  await until('it is seen', async () => (await healthOf(first.line)).status === 503)
  t.regex(
    (await healthOf(first.line)).body,
    /"kind":"split_view","message":"http.* another history/,
  )
  other.files = filesOf(makeEntries(300))
  const { code, stdout } = await first.end('SIGTERM')
  t.is(code, 0)
  t.is(stdout.match(/"type":"alarm"/g)?.length, 1)
  t.regex(stdout, /"advice":"Keep the evidence: whoever has both signed notes/)
  const second = await startArklog(t, [...service, ...pace], {})
  t.is((await healthOf(second.line)).status, 503)
  await second.end('SIGTERM')
  log.files = filesOf(makeEntries(200))
  const ended = await runArklog(t, [...service, ...pace, '--exit-on-alarm'], {})
  t.is(ended.code, 1)
  t.regex(ended.stdout, /"kind":"rollback"/)
})
