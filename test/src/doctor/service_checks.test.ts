import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { generateKey } from '#log/ed25519.ts'
import { ed25519Type, formatVkey } from '#log/note.ts'
import { FolderTarget } from '#src/backup/folder_target.ts'
import { manifestFile } from '#src/backup/manifest.ts'
import { runChecks } from '#src/doctor/finding.ts'
import { backupCheck, serviceChecks } from '#src/doctor/service_checks.ts'
import { answering, nobody } from '#test/src/doctor/_answering.ts'
import { policyOf, serveWitnesses } from '#test/src/witnessing/_witnessed_registry.ts'

type ServiceConfig = Parameters<typeof serviceChecks>[0]

const nothing: ServiceConfig = { SEARCH: false, SIGN_UP: 'off' }

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
  await fs.writeFile(file, 'quorum nobody\n')
  t.is(stateOf(await look({ WITNESS_POLICY: file }), 2), 'witnesses bad')
})

test('the newest backup is held to its age', async (t) => {
  const target = new FolderTarget(await newFolder(t))
  const nowMs = Date.UTC(2026, 0, 3, 6)
  const check = async (hoursMax: number) => {
    const [found] = await runChecks([backupCheck({ target, hoursMax }, () => nowMs)])
    return found
  }
  t.is((await check(26))?.state, 'bad')
  await target.write(manifestFile('20251230T000000.000Z'), Buffer.from('{}'))
  await target.write(manifestFile('20260102T030405.006Z'), Buffer.from('{}'))
  t.deepEqual(await check(27), {
    check: 'backup',
    state: 'good',
    message: 'The newest backup, 20260102T030405.006Z, is 26 hours old.',
  })
  t.is((await check(25))?.state, 'bad')
  const [none] = await runChecks([backupCheck({ target: undefined, hoursMax: 1 }, () => nowMs)])
  t.is(none?.state, 'unused')
})
