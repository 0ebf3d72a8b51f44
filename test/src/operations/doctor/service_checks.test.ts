import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { generateKey } from '#log/tlog/ed25519.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { ownerOf } from '#src/keeping/backup/backup_owner.ts'
import { FolderTarget } from '#src/keeping/backup/backup_target.ts'
import { manifestFile } from '#src/keeping/backup/manifest.ts'
import { runChecks } from '#src/operations/doctor/finding.ts'
import { backupCheck, serviceChecks } from '#src/operations/doctor/checks.ts'
import { backUp, ownRegistry, rowsOf } from '#test/src/keeping/backup/_backed_up.ts'
import { claimFiles } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { unknownVkey } from '#test/log/_witnesses.ts'
import { answering, nobody } from '#test/src/operations/doctor/_answering.ts'
import { policyOf, serveWitnesses } from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

type ServiceConfig = Parameters<typeof serviceChecks>[0]

const nothing: ServiceConfig = { SEARCH: false, SIGN_UP: 'off', DATA_DIR: '/nonexistent' }

async function look(config: Partial<ServiceConfig>, mail = async () => undefined as void) {
  const findings = await runChecks(serviceChecks({ ...nothing, ...config }, mail))
  return findings.map(({ check, state, message }) => ({ is: `${check} ${state}`, message }))
}

const stateOf = (findings: Awaited<ReturnType<typeof look>>, nth: number) => findings[nth]?.is

async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-doctor-'))
  t.teardown(() => fs.rm(folder, { recursive: true }))
  return folder
}

test('what is not set up is not missed, but mail where people sign up', async (t) => {
  const none = await look({})
  t.deepEqual(
    none.map(({ is }) => is),
    ['mail unused', 'search unused', 'witnesses unused'],
  )
  t.is(stateOf(await look({ SIGN_UP: 'open' }), 0), 'mail warning')
  t.is(stateOf(await look({ SEARCH: true }), 1), 'search good')
})

test('a mail server is asked whether it takes mail', async (t) => {
  const url = 'smtp://user:secret@mail.example:25'
  t.is(stateOf(await look({ SMTP_URL: url }), 0), 'mail good')
  const [refused] = await look({ SMTP_URL: url }, () => Promise.reject(new Error('535 no')))
  t.is(refused?.is, 'mail bad')
  t.regex(refused?.message ?? '', /mail\.example:25 takes no mail \(535 no\)/)
  t.false(refused?.message.includes('secret'))
})

test('a search server is well if it says so', async (t) => {
  const on = { SEARCH: true }
  t.is(stateOf(await look({ ...on, SEARCH_URL: await answering(t, 200) }), 1), 'search good')
  t.is(stateOf(await look({ ...on, SEARCH_URL: await answering(t, 503) }), 1), 'search bad')
  t.is(stateOf(await look({ ...on, SEARCH_URL: nobody }), 1), 'search bad')
})

test('each witness is asked, and a file that is no policy is told', async (t) => {
  const file = path.join(await newFolder(t), 'policy')
  const { publicKey } = generateKey()
  const log = {
    origin: 'registry.example/log',
    vkey: formatVkey('registry.example/log', ed25519Type, publicKey),
  }
  const [here, other] = await serveWitnesses(t, 2, log)
  if (here === undefined || other === undefined) throw new Error('two witnesses are served')
  await fs.writeFile(file, policyOf(1, [here, { ...other, url: nobody }]))
  const asked = (await look({ WITNESS_POLICY: file })).slice(2)
  t.deepEqual(
    asked.map(({ is }) => is),
    ['witnesses good', 'witnesses warning'],
  )
  t.regex(asked[1]?.message ?? '', /^w2 does not answer/)
  const folder = await newFolder(t)
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
  const told = (await look({ WITNESS_POLICY: file, DATA_DIR: folder })).slice(2)
  t.deepEqual(told, [
    { is: 'witnesses good', message: 'w1 answers.' },
    {
      is: 'witnesses warning',
      message: 'witness ml has a key of an unknown type 0x06; it counts as missing.',
    },
    {
      is: 'witnesses warning',
      message:
        `w1 is set aside since it contradicts the log: it says so (${at}; all that it has said ` +
        `is in ${claims}). Ask its operator; if you have restored an older copy of the data, ` +
        'stop the registry.',
    },
  ])
  await fs.writeFile(file, 'quorum nobody\n')
  t.is(stateOf(await look({ WITNESS_POLICY: file }), 2), 'witnesses bad')
})

test('the newest backup of the registry is held to its age, and others are told', async (t) => {
  const target = new FolderTarget(await newFolder(t))
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
    /20260103T050000\.000Z\.json is not taken for a backup: is damaged/,
  )
  t.is((await check(25)).at(-1)?.state, 'bad')
})

test('backups are looked at where there is a registry that made them', async (t) => {
  const target = new FolderTarget(await newFolder(t))
  for (const [policy, state] of [
    [{ target: undefined, owner: undefined }, 'unused'],
    [{ target, owner: undefined }, 'bad'],
  ] as const) {
    const [found] = await runChecks([backupCheck({ ...policy, hoursMax: 1 }, Date.now)])
    t.is(found?.state, state)
  }
})
