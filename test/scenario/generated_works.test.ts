import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import {
  newDataDir,
  runArklog,
  runJson,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { forEachOf, request } from '#test/scenario/_request.ts'
import { readLog } from '#test/scenario/_tlog_client.ts'
import { type CreationBody, generateWorks } from '#test/vectors/_generated_works.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

const worksCount = 500

test('generated works of every type and script are imported, proven and audited', async (t) => {
  const dataDir = await newDataDir(t)
  const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  const works = generateWorks(2, worksCount)
  await fs.mkdir(dataDir)
  await importAll(t, settings, path.join(dataDir, 'works.jsonl'), works)

  const server = await startServer(t, settings)
  const keys = path.join(dataDir, 'svc-keys.json')
  const { body: keyList } = await request<KeyList>(server, '/.well-known/svc-keys.json')
  await fs.writeFile(keys, JSON.stringify(keyList))
  const log = await readLog(`${server.started.local_url}/log`, keyList.log.vkey)
  const arks = log.entries.map((entry) => (JSON.parse(entry.toString()) as Receipt).ark)
  const receipts = await readReceipts(t, server, new Set(arks), works, JSON.stringify(keyList))
  t.is((await server.end('SIGTERM')).code, 0)

  await verifyOffline(t, path.join(dataDir, 'receipts.jsonl'), receipts, keys)
  const root = log.rootHash.toString('hex')
  for (const { chain_proof: proof } of receipts) t.is(proof.merkle_root, root)
  const audit = await runArklog(t, ['audit', '--json'], settings)
  t.is(audit.code, 0, audit.stdout)
  const [live] = audit.stdout.split('\n').map((line) => JSON.parse(line || 'null') as Audit)
  t.like(live, { store: 'live', tree_size: worksCount, root_hash: root, problems: [] })
})

type KeyList = { readonly log: { readonly vkey: string } }
type Audit = { readonly store: string; readonly tree_size: number; readonly root_hash: string }
type Receipt = { readonly ark: string; readonly chain_proof: { readonly merkle_root: string } }
type Resolved = { readonly metadata: { readonly work_title: string }; readonly receipt: Receipt }

async function importAll(
  t: ExecutionContext,
  settings: Settings,
  file: string,
  works: readonly CreationBody[],
): Promise<void> {
  await fs.writeFile(file, works.map((work) => `${JSON.stringify(work)}\n`).join(''))
  type Report = { readonly registered: number; readonly failures: readonly unknown[] }
  const report = await runJson<Report>(t, ['import', file, '--new'], settings)
  t.deepEqual(report.failures, [])
  t.is(report.registered, worksCount)
}

/** Reads every work back: its metadata is what was asked for, and its receipt proves it. */
async function readReceipts(
  t: ExecutionContext,
  server: Server,
  arks: ReadonlySet<string>,
  works: readonly CreationBody[],
  keyList: string,
): Promise<Receipt[]> {
  const { live } = await parseKeyList(keyList)
  const wanted = new Map(works.map(storedForm))
  const receipts: Receipt[] = []
  await forEachOf(arks, async (ark) => {
    const { status, body } = await request<Resolved>(server, `/api/v1/resolve/${ark}`)
    t.is(status, 200)
    const { metadata, receipt } = body
    t.deepEqual(metadata as unknown, wanted.get(metadata.work_title))
    wanted.delete(metadata.work_title)
    const { valid, steps } = await verifyReceipt(receipt, live, { metadata })
    t.true(valid, JSON.stringify(steps))
    receipts.push(receipt)
  })
  t.is(receipts.length, worksCount)
  t.is(wanted.size, 0, 'every work was registered once')
  return receipts
}

function storedForm(work: CreationBody): [title: string, metadata: unknown] {
  const check = checkNewWork(work)
  if (check.type === 'invalid') throw new Error(JSON.stringify(check.faults))
  return [check.metadata.work_title, check.metadata]
}

async function verifyOffline(
  t: ExecutionContext,
  file: string,
  receipts: readonly Receipt[],
  keys: string,
): Promise<void> {
  await fs.writeFile(file, receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''))
  const { code, stdout } = await runArklog(t, ['verify', file, '--keys', keys, '--json'], {})
  t.is(code, 0)
  const verdicts = stdout.trimEnd().split('\n')
  t.is(verdicts.length, worksCount)
  for (const verdict of verdicts) t.true((JSON.parse(verdict) as { valid: boolean }).valid, verdict)
}
