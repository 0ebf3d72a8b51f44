import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { noteVerifier } from '#log/tlog/ed25519.ts'
import { mldsaSigner } from '#log/tlog/cosignature.ts'
import { mldsaKeys } from '#log/tlog/mldsa.ts'
import { formatVkey, mldsaType, openNote } from '#log/tlog/note.ts'
import { submissionBytesMax } from '#src/tlog_tools/witness/submission.ts'
import { logId } from '#src/tlog_tools/witness/decision.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { assertMethods, sendTo } from '#test/src/edge/_addresses.ts'
import { serveWitness } from '#test/src/tlog_tools/witness/_served_witness.ts'
import type { WitnessClient } from '#test/src/tlog_tools/witness/_witness_client.ts'
import { submissionOf, WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'
import { freePort } from '#test/_free_port.ts'

const log = new WitnessedHistory('log.example/a').branch(0, 30, 'a')
const stranger = new WitnessedHistory('log.example/b', { seed: 4 }).branch(0, 9, 'b')
const hash = Buffer.alloc(32, 5).toString('base64')
const lines = (count: number) => Array.from({ length: count }, () => hash)

type Asked = {
  readonly what: string
  readonly body: string
  readonly status: number
  /** The size that a 409 tells. */
  readonly size?: number
  /** The size that is cosigned then. */
  readonly cosigns?: number
}

/** Asks in turn, and holds that nothing is cosigned but what is said to be. */
async function ask(t: ExecutionContext, client: WitnessClient, rows: readonly Asked[]) {
  let size: number | undefined
  for (const { what, body, status, size: told, cosigns } of rows) {
    const reply = await client.submit(body)
    t.is(reply.status, status, `${what}: ${reply.body}`)
    if (told !== undefined) t.is(reply.body, `${told}\n`, what)
    if (cosigns !== undefined) client.holdCosigned(log.text(cosigns), reply.body)
    size = cosigns ?? size
    t.is((await client.latest(log.origin))?.treeSize, size, what)
  }
}

const wrongSigner = { ...log.signer, sign: () => new Uint8Array(64) }
const otherRoot = (size: number) => log.branch(0, size, 'other').checkpoint(size)

// What is asked before anything was cosigned, then on the way up. Real witnesses answer some of
// these otherwise: 200 to the wrong root of size 0, to a proof from size 0 and to `old 02`; 403 to
// an unknown origin; 500 to a long body; and a size 0 that was cosigned holds others up for ever.
const matrix: readonly Asked[] = [
  { what: 'an unknown origin', body: stranger.submission(0, 5), status: 404 },
  {
    what: 'no signature of the log',
    body: submissionOf(0, [], log.checkpoint(5, [stranger.signer])),
    status: 403,
  },
  {
    what: 'a wrong signature of the log',
    body: submissionOf(0, [], log.checkpoint(5, [wrongSigner])),
    status: 403,
  },
  {
    what: 'a right and a wrong signature of the log',
    body: submissionOf(0, [], log.checkpoint(5, [log.signer, wrongSigner])),
    status: 403,
  },
  { what: 'an old size before a first one', body: log.submission(3, 5), status: 409, size: 0 },
  {
    what: 'size 0 with another root',
    body: submissionOf(0, [], signedAs(log, 0, log.root(1))),
    status: 422,
  },
  { what: 'size 0 with a proof', body: submissionOf(0, lines(1), log.checkpoint(0)), status: 422 },
  { what: 'size 0', body: log.submission(0, 0), status: 200, cosigns: 0 },
  { what: 'size 0 again', body: log.submission(0, 0), status: 200, cosigns: 0 },
  {
    what: 'a proof from size 0',
    body: submissionOf(0, lines(1), log.checkpoint(5)),
    status: 422,
  },
  { what: 'a size after 0', body: log.submission(0, 5), status: 200, cosigns: 5 },
  { what: 'the same again', body: log.submission(5, 5), status: 200, cosigns: 5 },
  { what: 'a stale old size', body: log.submission(0, 8), status: 409, size: 5 },
  { what: 'an old size ahead', body: log.submission(7, 8), status: 409, size: 5 },
  { what: 'an old size above', body: submissionOf(9, [], log.checkpoint(8)), status: 400 },
  { what: 'no proof', body: submissionOf(5, [], log.checkpoint(8)), status: 422 },
  {
    what: 'a proof that is too long',
    body: submissionOf(5, [...log.proof(5, 8), hash], log.checkpoint(8)),
    status: 422,
  },
  { what: 'a wrong proof', body: submissionOf(5, lines(3), log.checkpoint(8)), status: 422 },
  { what: '63 lines', body: submissionOf(5, lines(63), log.checkpoint(8)), status: 422 },
  { what: '64 lines', body: submissionOf(5, lines(64), log.checkpoint(8)), status: 400 },
  { what: 'a zero before', body: log.submission(5, 8).replace('old 5', 'old 05'), status: 400 },
  { what: 'bytes behind', body: `${log.submission(5, 8)}x`, status: 400 },
  { what: 'a line feed behind', body: `${log.submission(5, 8)}\n`, status: 400 },
  { what: 'no body', body: '', status: 400 },
  { what: 'another root of a size', body: submissionOf(5, [], otherRoot(5)), status: 422 },
  {
    what: 'another history',
    body: submissionOf(5, log.proof(5, 8), otherRoot(8)),
    status: 422,
  },
  {
    what: 'an extension line that nobody signed',
    body: log.submission(5, 8).replace(/\n\n—/, '\nextension\n\n—'),
    status: 403,
  },
  {
    what: 'a body at its limit',
    body: 'x'.repeat(submissionBytesMax),
    status: 400,
  },
  { what: 'a body over its limit', body: 'x'.repeat(submissionBytesMax + 1), status: 413 },
  { what: 'what comes next', body: log.submission(5, 8), status: 200, cosigns: 8 },
  { what: 'a replay', body: log.submission(0, 5), status: 409, size: 8 },
]

function signedAs(of: WitnessedHistory, size: number, root: Uint8Array): string {
  const text = of.text(size, root)
  const bytes = of.signer.sign(Buffer.from(text))
  const blob = Buffer.alloc(4)
  blob.writeUInt32BE(of.signer.keyId)
  return `${text}\n— ${of.origin} ${Buffer.concat([blob, bytes]).toString('base64')}\n`
}

test('every deviation is answered with the status of the specification', async (t) => {
  const { client, addLog } = await serveWitness(t)
  await addLog(log)
  await ask(t, client, matrix)
})

test('a submission needs no type, and every address says which methods it takes', async (t) => {
  const { client, addLog } = await serveWitness(t)
  await addLog(log)
  for (const type of ['', 'application/json', 'text/plain', 'application/x-unheard-of']) {
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
    const body = Buffer.from(log.submission(0, 5))
    const url = `${client.url}/add-checkpoint`
    const { status } = await fetch(url, { method: 'POST', headers, body })
    t.true([200, 409].includes(status), type)
  }
  const send = sendTo(client.url)
  await assertMethods(t, send, '/add-checkpoint')
  for (const url of [`/${logId(log.origin)}/checkpoint`, '/vkey', '/healthz']) {
    t.is(await assertMethods(t, send, url), 200, url)
  }
})

test('the monitoring path has the last checkpoint, with both lines', async (t) => {
  t.is(
    logId('example.com/behind-the-sofa'),
    '5fd2dc0beb4ce54da5050cf6d5c75248b023abad441c3cecde3976fbe9da4fe4',
  )
  const { client, addLog } = await serveWitness(t)
  t.is(await client.latest(log.origin), undefined)
  await addLog(log)
  t.is(await client.latest(log.origin), undefined)
  const { body: line } = await client.submit(log.submission(0, 5))
  const latest = await client.latest(log.origin)
  t.is(latest?.note, log.checkpoint(5) + line)
  t.notThrows(() => openNote(latest?.note ?? '', [noteVerifier(log.vkey)]))
  t.is((await fetch(`${client.url}/${logId(log.origin).toUpperCase()}/checkpoint`)).status, 404)
  const vkey = await fetch(`${client.url}/vkey`)
  t.is(await vkey.text(), `${client.vkeys.join('\n')}\n`)
})

test('addresses and logs have their rates', async (t) => {
  const limits = { RATE_LIMITS: 'on', LIMIT_ADD_CHECKPOINT: '4', LIMIT_NEW_CHECKPOINTS: '1' }
  const { client, addLog } = await serveWitness(t, limits)
  await addLog(log)
  const reply = async (from: number) => client.submit(log.submission(from, from + 1))
  t.is((await reply(0)).status, 200)
  const late = await reply(1)
  t.is(late.status, 429)
  t.regex(late.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  t.regex(late.body, /new checkpoints of this minute/)
  t.is((await reply(0)).status, 409)
  t.is((await client.submit('')).status, 400)
  t.is((await client.submit('')).status, 429)
})

test('logs are added, listed and removed while it runs', async (t) => {
  const { client, admin } = await serveWitness(t)
  const { vkey, origin } = log
  t.is((await client.submit(log.submission(0, 5))).status, 404)
  const added = await admin.call('/logs/add', { vkey, rate: 7 })
  const id = logId(origin)
  t.deepEqual(added, { log: { id, origin, vkey, rate: 7, last: null }, outcome: 'added' })
  t.is((await client.submit(log.submission(0, 5))).status, 200)
  const { logs } = await admin.call('/logs/list', {})
  t.like(logs[0], { origin, rate: 7, last: { tree_size: 5 } })
  t.is((await admin.call('/logs/add', { vkey, rate: 7 })).outcome, 'unchanged')
  t.is((await admin.call('/logs/add', { vkey })).outcome, 'changed')
  const other = new WitnessedHistory(origin, { seed: 4 }).vkey
  await t.throwsAsync(admin.call('/logs/add', { vkey: other }), { code: 'conflict' })
  for (const wrong of ['', 'a', vkey.slice(0, -1), client.vkey]) {
    const error = {
      code: 'validation_failed',
      message: /A log is known by its Ed25519 or ML-DSA-44 key$/,
    }
    await t.throwsAsync(admin.call('/logs/add', { vkey: wrong }), error)
  }
  t.deepEqual(await admin.call('/logs/remove', { origin }), { origin })
  await t.throwsAsync(admin.call('/logs/remove', { origin }), { code: 'not_found' })
  t.is((await client.submit(log.submission(5, 6))).status, 404)
  t.is((await client.latest(origin))?.treeSize, 5, 'what was cosigned stays')
})

test('a witness of an earlier release gets its second key, and goes on where it was', async (t) => {
  const DATA_DIR = path.join(await makeTempDir(t), 'data')
  const first = await serveWitness(t, { DATA_DIR, WITNESS_MLDSA: 'off' })
  await first.addLog(log)
  t.is(first.client.vkeys.length, 1)
  const { body } = await first.client.submit(log.submission(0, 5))
  t.is(body.split('\n').length, 2)
  await first.close()

  const second = await serveWitness(t, { DATA_DIR })
  t.is(second.client.vkeys.length, 2)
  t.is(second.client.vkey, first.client.vkey)
  const { status, body: both } = await second.client.submit(log.submission(5, 8))
  t.is(status, 200)
  second.client.holdCosigned(log.text(8), both)
  await second.close()

  const third = await serveWitness(t, { DATA_DIR, WITNESS_MLDSA: 'off' })
  t.is((await third.client.latest(log.origin))?.treeSize, 8)
  t.is((await third.client.submit(log.submission(8, 9))).body.split('\n').length, 2)
})

test('a log that signs with ML-DSA-44 is witnessed', async (t) => {
  const key = mldsaKeys.fromSeed(Buffer.alloc(32, 9))
  const vkey = formatVkey(log.origin, mldsaType, key.publicKey)
  const { client, admin } = await serveWitness(t)
  await admin.call('/logs/add', { vkey })
  const submit = (timestamp: number) => {
    const note = log.checkpoint(5, [log.signer, mldsaSigner(log.origin, key, timestamp)])
    return client.submit(submissionOf(0, [], note))
  }
  t.is((await client.submit(log.submission(0, 5))).status, 403)
  const { status, body } = await submit(1_800_000_000)
  t.is(status, 200)
  client.holdCosigned(log.text(5), body)
})

test('metrics count answers, and tell how far each log was cosigned', async (t) => {
  const free = String(await freePort())
  const { client, addLog } = await serveWitness(t, { ADMIN_PORT: free })
  await addLog(log)
  await client.submit(log.submission(0, 5))
  await client.submit('')
  const metrics = await (await fetch(`http://127.0.0.1:${free}/metrics`)).text()
  for (const line of [
    'arklog_witness_submissions_total{answer="cosigned"} 1',
    'arklog_witness_submissions_total{answer="malformed"} 1',
    'arklog_witness_tree_size{origin="log.example/a"} 5',
    'arklog_witness_logs 1',
    'arklog_witness_commits 3',
  ]) {
    t.true(metrics.includes(`${line}\n`), line)
  }
})

test('the key is its owner’s alone, and a witness keeps its name and key for ever', async (t) => {
  const dataDir = path.join(await makeTempDir(t), 'data')
  const first = await serveWitness(t, { DATA_DIR: dataDir })
  const { vkey, vkeys } = first.client
  const keyFile = path.join(dataDir, 'keys', 'witness.pem')
  t.is((await fs.stat(keyFile)).mode & 0o777, 0o600)
  t.deepEqual(await first.admin.call('/key', {}), { name: 'witness.example/w1', vkey, vkeys })
  const held = { code: 'data_dir_held' }
  await t.throwsAsync(serveWitness(t, { DATA_DIR: dataDir }), held)
  await first.close()

  const again = await serveWitness(t, { DATA_DIR: dataDir, WITNESS_NAME: '' })
  t.deepEqual(again.client.vkeys, vkeys)
  await again.close()
  const renamed = { DATA_DIR: dataDir, WITNESS_NAME: 'witness.example/w2' }
  await t.throwsAsync(serveWitness(t, renamed), { code: 'instance_origin' })

  await fs.chmod(keyFile, 0o640)
  await t.throwsAsync(serveWitness(t, { DATA_DIR: dataDir }), { code: 'secret_exposed' })
  await fs.rm(keyFile)
  await t.throwsAsync(serveWitness(t, { DATA_DIR: dataDir }), { code: 'secret_missing' })
})

test('a witness begins with a name, in a folder of its own', async (t) => {
  const dataDir = path.join(await makeTempDir(t), 'data')
  const unnamed = { DATA_DIR: dataDir, WITNESS_NAME: '' }
  await t.throwsAsync(serveWitness(t, unnamed), { code: 'witness_unnamed' })
  await fs.mkdir(path.join(dataDir, 'witness'))
  await t.throwsAsync(serveWitness(t, { DATA_DIR: dataDir }), { code: 'instance_missing' })
  await fs.rmdir(path.join(dataDir, 'witness'))
  const pinned = { origin: 'a/log', log_public_key: '0'.repeat(64) }
  const instance = {
    schema: 1,
    kind: 'log',
    created_at: '',
    stores: 'created',
    logs: { a: pinned },
  }
  await fs.writeFile(path.join(dataDir, 'instance.json'), JSON.stringify(instance))
  await t.throwsAsync(serveWitness(t, { DATA_DIR: dataDir }), {
    code: 'instance_kind',
    message: `${dataDir} holds a bare log. Set DATA_DIR to another folder for the witness.`,
  })
})

test('a store that was lost is not begun anew', async (t) => {
  const { dataDir, close } = await serveWitness(t)
  await close()
  await fs.rm(path.join(dataDir, 'witness'), { recursive: true })
  await t.throwsAsync(serveWitness(t, { DATA_DIR: dataDir }), { code: 'store_missing' })
})
