import test, { type ExecutionContext } from 'ava'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { newDataDir, runArklog, startServer } from '#test/scenario/_process.ts'
import { readLog } from '#test/scenario/_tlog_client.ts'

const worksCount = 300

/** Reads a log by itself, without a line of ours, and finds the receipts of some works in it. */
async function reread(t: ExecutionContext, url: string, arks: readonly string[]): Promise<void> {
  const keys = await getJson(`${url}/.well-known/svc-keys.json`)
  const { entries, treeSize, rootHash, tiles } = await readLog(`${url}/log`, keys.log.vkey)
  t.is(treeSize, worksCount)
  t.deepEqual(tiles, ['0/0', '0/1', '1/0'])
  const leafHashes = entries.map((entry) => sha256(Buffer.of(0), entry).toString('hex'))
  const trusted = (await parseKeyList(JSON.stringify(keys))).live
  for (const ark of arks.filter((_, index) => index % 15 === 0)) {
    const receipt = await getJson(`${url}/api/v1/receipts/${ark}/v1`)
    const { metadata } = await getJson(`${url}/v1/resolve/${ark}`)
    const { valid, steps } = await verifyReceipt(receipt, trusted, { metadata })
    t.true(valid, JSON.stringify(steps))
    t.is(receipt.chain_proof.merkle_root, rootHash.toString('hex'))
    const leafHash = leafHashes[receipt.chain_proof.leaf_index] ?? '?'
    t.true(steps.find(({ step }) => step === 'leaf_hash')?.reason.endsWith(leafHash))
  }
  const sandbox = await readLog(`${url}/sandbox/log`, keys.sandbox.log.vkey)
  t.is(sandbox.treeSize, 0)
}

test('a stranger re-reads the log, with the commands of ours and without', async (t) => {
  const dataDir = await newDataDir(t)
  const { started } = await startServer(t, { DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  const url = started.local_url
  const folder = path.dirname(dataDir)
  const [keysFile, receiptsFile] = [path.join(folder, 'keys.json'), path.join(folder, 'r.jsonl')]
  await writeFile(keysFile, JSON.stringify(await getJson(`${url}/.well-known/svc-keys.json`)))
  const follow = ['--keys', keysFile, '--state', path.join(folder, 'seen'), '--once', '--json']
  const monitor = (address: string) => runArklog(t, ['monitor', address, ...follow], {})
  t.like(JSON.parse((await monitor(`${url}/log`)).stdout), { type: 'started', tree_size: 0 })
  const arks = await mintWorks(url, started.first_key?.key ?? '')
  t.like(JSON.parse((await monitor(url)).stdout), { type: 'advanced', tree_size: worksCount })
  const wanted = arks.slice(0, 10).map((ark) => getJson(`${url}/api/v1/receipts/${ark}/v1`))
  const receipts = await Promise.all(wanted)
  await writeFile(receiptsFile, receipts.map((receipt) => JSON.stringify(receipt)).join('\n'))
  const proven = await runArklog(t, ['verify', receiptsFile, '--keys', keysFile], {})
  t.is(proven.code, 0, proven.stdout)
  t.regex(proven.stdout, /^10 of 10 are proven$/m)
  await reread(t, url, arks)
})

test('a bare log gives back the entries it was given, in their order', async (t) => {
  const dataDir = await newDataDir(t)
  const { started } = await startServer(t, { DATA_DIR: dataDir, RATE_LIMITS: 'off' }, [
    '--log-only',
  ])
  const entries = Array.from({ length: 260 }, (_, index) => `entry ${index}`)
  const added: string[] = []
  const add = async (body: string) => {
    const response = await fetch(`${started.local_url}/log/add`, { method: 'POST', body })
    added[Number(await response.text())] = body
  }
  await Promise.all(entries.map(add))
  const instance = JSON.parse(await readFile(path.join(dataDir, 'instance.json'), 'utf8'))
  const publicKey = Buffer.from(instance.logs.log.log_public_key, 'hex')
  const vkey = formatVkey(started.origin, ed25519Type, publicKey)
  const read = await readLog(`${started.local_url}/log`, vkey)
  t.deepEqual(read.entries.map(String), added)
  t.deepEqual(added.toSorted(), entries.toSorted())
})

async function mintWorks(url: string, key: string): Promise<string[]> {
  const works = Array.from({ length: worksCount }, (_, index) => ({
    work_title: `A work to be found again, number ${index}`,
    work_type: 'article',
    authors: 'Ada Ruiz, Wei Chen',
    work_url: `https://papers.example.org/${index}`,
  }))
  const response = await fetch(`${url}/v1/works/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ works }),
  })
  const { results } = (await response.json()) as { results: { ark_identifier: string }[] }
  return results.map((result) => result.ark_identifier)
}

// What a reply must hold is asserted by what the tests do with it.
type Reply = ReturnType<typeof JSON.parse>

async function getJson(url: string): Promise<Reply> {
  return (await fetch(url)).json()
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
