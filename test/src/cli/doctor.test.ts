import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { ClockFault, ClockStatus } from '#actors/journal/clock_guard.ts'
import { ed25519Keys } from '#log/tlog/ed25519.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import {
  endpointHealth,
  farBehindMin,
  openEndpointStore,
} from '#src/delivery/webhooks/endpoint_store.ts'
import { ownerOf } from '#src/keeping/backup/backup_owner.ts'
import { FolderTarget } from '#src/keeping/backup/backup_target.ts'
import { manifestFile } from '#src/keeping/backup/manifest.ts'
import { writeInstance } from '#src/keeping/data_dir/instance.ts'
import {
  backupCheck,
  clockCheck,
  clusterCheck,
  type Disk,
  folderChecks,
  runChecks,
  serviceChecks,
  webhookCheck,
} from '#src/cli/doctor.ts'
import { claimFiles } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { freePort } from '#test/_free_port.ts'
import { unknownVkey } from '#test/log/_witnesses.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { backUp, ownRegistry, rowsOf } from '#test/src/keeping/backup/_backed_up.ts'
import { answering, nobody } from '#test/src/cli/_answering.ts'
import { policyOf, serveWitnesses } from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

async function newDisk(t: ExecutionContext): Promise<Disk> {
  const folder = await makeTempDir(t)
  const dataDir = path.join(folder, 'data')
  return { dataDir, keysDir: path.join(dataDir, 'keys'), reserveBytes: 1 }
}

async function withRegistry(t: ExecutionContext): Promise<Disk> {
  const disk = await newDisk(t)
  await fs.mkdir(disk.keysDir, { recursive: true, mode: 0o700 })
  await fs.chmod(disk.dataDir, 0o700)
  const created_at = '2026-01-01T00:00:00.000Z'
  const logs = { live: { origin: 'registry.example/log', log_public_key: 'ab'.repeat(32) } }
  const kind = 'registry'
  await writeInstance(disk.dataDir, { schema: 1, kind, created_at, stores: 'created', logs })
  await fs.writeFile(path.join(disk.keysDir, 'live-log.pem'), 'secret', { mode: 0o600 })
  return disk
}

/** What is found, as `check state`, and all that is said. */
async function lookAtFolders(disk: Disk) {
  const findings = await runChecks(folderChecks(disk))
  return {
    states: findings.map(({ check, state }) => `${check} ${state}`),
    said: findings.map(({ message }) => message).join('\n'),
  }
}

test('a registry that is as it should be is well', async (t) => {
  const { states } = await lookAtFolders(await withRegistry(t))
  t.deepEqual(states, ['data good', 'keys good', 'disk good'])
})

test('a folder that is not there yet is told, and nothing is made', async (t) => {
  const disk = await newDisk(t)
  const { states, said } = await lookAtFolders(disk)
  t.deepEqual(states, ['data warning', 'keys warning', 'disk good'])
  t.regex(said, /its disk is not mounted/)
  await t.throwsAsync(fs.stat(disk.dataDir), { code: 'ENOENT' })
})

test('what others can read, and a full disk are told', async (t) => {
  const disk = await withRegistry(t)
  await fs.chmod(path.join(disk.keysDir, 'live-log.pem'), 0o640)
  await fs.chmod(disk.dataDir, 0o750)
  const { states, said } = await lookAtFolders({ ...disk, reserveBytes: Number.MAX_SAFE_INTEGER })
  t.deepEqual(states, ['data warning', 'keys bad', 'disk bad'])
  t.regex(said, /chmod -R go-rwx/)
  t.regex(said, /chmod 600 .*live-log\.pem/)
  t.regex(said, /nothing can be registered/)
})

test('a disk that will soon be full is told before', async (t) => {
  const disk = await withRegistry(t)
  const { bavail, bsize } = await fs.statfs(disk.dataDir)
  const { states } = await lookAtFolders({
    ...disk,
    reserveBytes: Math.floor((bavail * bsize) / 4),
  })
  t.true(states.includes('disk warning'))
})

test('the folder of something else is no registry', async (t) => {
  const disk = await withRegistry(t)
  const file = path.join(disk.dataDir, 'instance.json')
  const instance = JSON.parse(await fs.readFile(file, 'utf8')) as object
  await fs.writeFile(file, JSON.stringify({ ...instance, kind: 'log' }))
  t.true((await lookAtFolders(disk)).states.includes('data bad'))
  await fs.writeFile(file, 'nonsense')
  t.true((await lookAtFolders(disk)).states.includes('data bad'))
})

const right: ClockStatus = { logAheadMs: 0 }
const wallMs = Date.UTC(2026, 10, 21)
const fault: ClockFault = { type: 'behind', by: 'last', wallMs, knownMs: wallMs + 86_400_000 }

async function lookAtClock(running: readonly ClockStatus[] | undefined, kept?: ClockFault) {
  const check = clockCheck({ running: async () => running, kept: () => kept })
  const [finding] = await runChecks([check])
  return finding
}

test('a registry that runs says how its clock is', async (t) => {
  t.like(await lookAtClock([right, right], fault), { check: 'clock', state: 'good' })
  const problem = 'This machine’s clock is wrong.'
  t.like(await lookAtClock([right, { ...right, problem }]), { state: 'bad', message: problem })
  t.like(await lookAtClock([right, { logAheadMs: 86_400_000 }]), {
    state: 'warning',
    message:
      'The newest entry of the log is 86400 s ahead of it, and an operator has accepted that: ' +
      '"arklog clock status" tells until when all is dated with that time.',
  })
})

test('without one, what it kept speaks of the clock', async (t) => {
  t.like(await lookAtClock(undefined), { state: 'good' })
  const found = await lookAtClock(undefined, fault)
  t.is(found?.state, 'bad')
  t.regex(found?.message ?? '', /1 day before .*, the newest time that the registry knows/)
})

type ServiceConfig = Parameters<typeof serviceChecks>[0]

const nothing: ServiceConfig = { SEARCH: false, SIGN_UP: 'off', DATA_DIR: '/nonexistent' }

async function lookAtServices(
  config: Partial<ServiceConfig>,
  mail = async () => undefined as void,
) {
  const findings = await runChecks(serviceChecks({ ...nothing, ...config }, mail))
  return findings.map(({ check, state, message }) => ({ is: `${check} ${state}`, message }))
}

const stateOf = (findings: Awaited<ReturnType<typeof lookAtServices>>, nth: number) =>
  findings[nth]?.is

test('what is not set up is not missed, but mail where people sign up', async (t) => {
  const none = await lookAtServices({})
  t.deepEqual(
    none.map(({ is }) => is),
    ['mail unused', 'search unused', 'witnesses unused'],
  )
  t.is(stateOf(await lookAtServices({ SIGN_UP: 'open' }), 0), 'mail warning')
  t.is(stateOf(await lookAtServices({ SEARCH: true }), 1), 'search good')
})

test('a mail server is asked whether it takes mail', async (t) => {
  const url = 'smtp://user:secret@mail.example:25'
  t.is(stateOf(await lookAtServices({ SMTP_URL: url }), 0), 'mail good')
  const [refused] = await lookAtServices({ SMTP_URL: url }, () =>
    Promise.reject(new Error('535 no')),
  )
  t.is(refused?.is, 'mail bad')
  t.regex(refused?.message ?? '', /mail\.example:25 does not accept mail \(535 no\)/)
  t.false(refused?.message.includes('secret'))
})

test('a search server is well if it says so', async (t) => {
  const on = { SEARCH: true }
  t.is(
    stateOf(await lookAtServices({ ...on, SEARCH_URL: await answering(t, 200) }), 1),
    'search good',
  )
  t.is(
    stateOf(await lookAtServices({ ...on, SEARCH_URL: await answering(t, 503) }), 1),
    'search bad',
  )
  t.is(stateOf(await lookAtServices({ ...on, SEARCH_URL: nobody }), 1), 'search bad')
})

test('each witness is asked, and a file that is no policy is told', async (t) => {
  const file = path.join(await makeTempDir(t), 'policy')
  const { publicKey } = ed25519Keys.generate()
  const log = {
    origin: 'registry.example/log',
    vkey: formatVkey('registry.example/log', ed25519Type, publicKey),
  }
  const [here, other] = await serveWitnesses(t, 2, log)
  if (here === undefined || other === undefined) throw new Error('two witnesses are served')
  await fs.writeFile(file, policyOf(1, [here, { ...other, url: nobody }]))
  const asked = (await lookAtServices({ WITNESS_POLICY: file })).slice(2)
  t.deepEqual(
    asked.map(({ is }) => is),
    ['witnesses good', 'witnesses warning'],
  )
  t.regex(asked[1]?.message ?? '', /^w2 does not answer/)
  const folder = await makeTempDir(t)
  const { claims } = claimFiles(folder, 'sandbox')
  const at = '2026-03-04T05:06:07.000Z'
  const accuser = { url: 'https://a', claims: [{ at, said: 'it says so' }] }
  const accusers = [
    { ...accuser, name: 'w1', vkey: here.vkey, set_aside: true },
    { ...accuser, name: 'w2', vkey: other.vkey, set_aside: false },
    { ...accuser, name: 'w9', vkey: 'of another policy', set_aside: true },
  ]
  await fs.writeFile(claims, JSON.stringify({ accusers }))
  const unknown = `witness ml ${unknownVkey('ml.example')} https://ml.example\n`
  await fs.writeFile(file, unknown + policyOf(1, [here]))
  const told = (await lookAtServices({ WITNESS_POLICY: file, DATA_DIR: folder })).slice(2)
  t.deepEqual(told, [
    { is: 'witnesses good', message: 'w1 answers.' },
    {
      is: 'witnesses warning',
      message: 'witness ml has a key of an unknown type 0x05; it counts as missing.',
    },
    {
      is: 'witnesses warning',
      message:
        `w1 is set aside because it contradicts the log: it says so (${at}; all its claims ` +
        `are in ${claims}). Ask its operator. If you have restored an older copy of the data, ` +
        'stop the registry.',
    },
  ])
  await fs.writeFile(file, 'quorum nobody\n')
  t.is(stateOf(await lookAtServices({ WITNESS_POLICY: file }), 2), 'witnesses bad')
})

test('the newest backup of the registry is held to its age, and others are told', async (t) => {
  const target = new FolderTarget(await makeTempDir(t))
  const owner = ownerOf(ownRegistry.head)
  const nowMs = Date.UTC(2026, 0, 3, 6)
  const check = (hoursMax: number) =>
    runChecks([backupCheck({ target, owner, hoursMax }, () => nowMs)])
  t.is((await check(26))[0]?.state, 'bad')
  await backUp(rowsOf(10), { target, nowMs: Date.UTC(2025, 11, 30) })
  await backUp(rowsOf(10), { target, nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6) })
  const newest = {
    check: 'backup',
    state: 'good',
    message: 'The newest backup, 20260102T030405.006Z, is 26 hours old.',
  }
  t.deepEqual(await check(27), [newest])
  t.is((await check(25))[0]?.state, 'bad')
  // Others have put it there, or a clock was wrong: neither is a backup of this night.
  await target.write(manifestFile('20260103T050000.000Z'), Buffer.from('{}'))
  await backUp(rowsOf(10), { target, nowMs: Date.UTC(2029, 0, 1) })
  const found = await check(27)
  t.deepEqual(found.at(-1), newest)
  t.deepEqual(
    found.map(({ state }) => state),
    ['warning', 'warning', 'good'],
  )
  t.regex(
    found[0]?.message ?? '',
    /20260103T050000\.000Z\.json is not an authentic backup: it is damaged/,
  )
  t.is((await check(25)).at(-1)?.state, 'bad')
})

test('backups are looked at where there is a registry that made them', async (t) => {
  const target = new FolderTarget(await makeTempDir(t))
  for (const [policy, state] of [
    [{ target: undefined, owner: undefined }, 'unused'],
    [{ target, owner: undefined }, 'bad'],
  ] as const) {
    const [found] = await runChecks([backupCheck({ ...policy, hoursMax: 1 }, Date.now)])
    t.is(found?.state, state)
  }
})

async function lookAtCluster(clusterUrl: string | undefined) {
  const findings = await runChecks([clusterCheck(clusterUrl)])
  return findings.map(({ state, message }) => `${state}: ${message}`)
}

test('the servers of the engine are reached, or it is told which are not', async (t) => {
  t.regex((await lookAtCluster(undefined))[0] ?? '', /^unused: CLUSTER_URL is not set/)
  const { hostPort } = await serve(t, (_request, response) => response.end())
  t.deepEqual(await lookAtCluster(`nats://${hostPort}`), [
    'good: All 1 NATS servers can be reached.',
  ])
  const silent = `127.0.0.1:${await freePort()}`
  const [some] = await lookAtCluster(`nats://${hostPort},nats://${silent}`)
  t.regex(some ?? '', new RegExp(`^warning: The NATS server ${silent} cannot be .*ECONNREFUSED`))
  t.regex(
    (await lookAtCluster(`nats://${silent}`))[0] ?? '',
    /^bad: .*nothing is written.*CLUSTER_URL/,
  )
  t.regex((await lookAtCluster('http://nats.example'))[0] ?? '', /^bad: CLUSTER_URL: .*Write nats:/)
})

const organization = 'press'

test('webhooks are counted by how they are, and what is ill of them is told', async (t) => {
  const { clock, open } = await identityFixture(t)
  const endpoints = await openEndpointStore({ store: await open(), clock, random: randomBytes })
  const make = async () => {
    const made = await endpoints.create({ organization }, { url: 'https://a.example' }, 0)
    return made?.endpoint.id ?? ''
  }
  const look = async () => {
    const live = endpointHealth(endpoints, farBehindMin)
    const findings = await runChecks([webhookCheck(async () => ({ live }))])
    return findings.map(({ state, message }) => `${state}: ${message}`)
  }
  t.deepEqual(await look(), ['unused: There are no webhooks.'])
  const [paused, failed, failing, behind] = [await make(), await make(), await make(), await make()]
  await endpoints.pause(paused)
  t.deepEqual(await look(), ['good: 4 webhooks, of which 1 are paused.'])
  await endpoints.giveUp(failed, 'it answered 410')
  const progress = {
    starts: 1,
    after: farBehindMin,
    isBehind: false,
    pings: 0,
    replays: 0,
    failures: 0,
    held: [],
    deliveries: { first: 1, next: 1 },
  }
  const kept = { deliveries: [], forgotten: [], sentRevocations: [] }
  const written = new Map([
    [failing, { progress: { ...progress, failures: 2 }, ...kept }],
    [behind, { progress: { ...progress, after: 0, isBehind: true }, ...kept }],
  ])
  await endpoints.deliveries.keep(written, () => true, { term: undefined })
  const counts = { total: 4, paused: 1, failed: 1, failing: 1, farBehind: 1 }
  t.deepEqual(endpointHealth(endpoints, farBehindMin), counts)
  const told = await look()
  t.is(told.length, 3)
  t.regex(told[0] ?? '', /^warning: 1 webhooks of live were stopped.*arklog webhook resume/)
  t.regex(told[1] ?? '', /^warning: 1 webhooks of live accept no messages/)
  t.regex(told[2] ?? '', /^warning: 1 webhooks of live lag far behind/)
})

test('without a server nothing is known of webhooks', async (t) => {
  const [found] = await runChecks([webhookCheck(async () => undefined)])
  t.is(found?.state, 'unused')
})
