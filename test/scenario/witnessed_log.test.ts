// A registry in its own process, with edge threads, and witnesses that are reached over HTTP.

import { cp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { checkpointVerifiers, openCosigned, openWitnessed } from '#log/tlog/cosigned_checkpoint.ts'
import { cosignatureVerifier } from '#log/tlog/cosignature.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { parsePolicy } from '#log/tlog/policy.ts'
import { checkTlogProof } from '#log/tlog/tlog_proof.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { until, untilGiven } from '#test/_until.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { unknownVkey } from '#test/log/_witnesses.ts'
import { readLog } from '#test/scenario/_tlog_client.ts'
import { serveWitness } from '#test/src/tlog_tools/witness/_served_witness.ts'
import { type NamedWitness, policyOf } from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

type ChainProof = { readonly tree_size: number; readonly leaf_index: number; checkpoint: string }
type Receipt = { readonly receipt_id: string; readonly chain_proof: ChainProof }

/** A registry that was started once, without witnesses, and stopped again. */
async function begin(t: ExecutionContext) {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const keys = await getText(server, '/.well-known/svc-keys.json')
  const { live, sandbox } = await parseKeyList(keys)
  await server.end('SIGTERM')
  if (sandbox === undefined) throw new Error('a registry has a sandbox')
  return { settings, key: firstKey(server), keys, logs: [live, sandbox] as const }
}

type Begun = Awaited<ReturnType<typeof begin>>

/** Two witnesses that know both logs, and the file of the policy that demands both. */
async function haveWitnessed(t: ExecutionContext, { settings, logs }: Begun) {
  const witnesses: NamedWitness[] = []
  for (const name of ['w1', 'w2']) {
    const { client, admin } = await serveWitness(t, { WITNESS_NAME: `witness.example/${name}` })
    for (const { origin, vkey } of logs) await admin.call('/logs/add', { origin, vkey })
    witnesses.push({ name, vkey: client.vkey, url: client.url })
  }
  // Of a witness whose key is of an unknown type the registry only says that it counts as missing.
  const ml = `witness ml ${unknownVkey('ml.example')} https://ml.example\n`
  const policy = [...logs.map(({ vkey }) => `log ${vkey}\n`), ml, policyOf('all', witnesses)].join(
    '',
  )
  const file = path.join(path.dirname(settings.DATA_DIR), 'policy')
  await writeFile(file, policy)
  return { policy, file }
}

async function getText({ started }: Server, target: string): Promise<string> {
  const response = await fetch(`${started.local_url}${target}`)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${target} answered ${response.status}: ${text}`)
  return text
}

async function mint(server: Server, key: string, title: string): Promise<string> {
  const options = { key, body: newWork(title) }
  const { status, body } = await call<{ ark_identifier: string }>(server, '/v1/works', options)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.ark_identifier
}

/** The receipt of a work, once its checkpoint carries cosignatures. */
function witnessedReceipt(server: Server, ark: string): Promise<Receipt> {
  const read = async () => {
    const receipt = JSON.parse(await getText(server, `/api/v1/receipts/${ark}/v1`)) as Receipt
    return receipt.chain_proof.checkpoint.includes('witness.example') ? receipt : undefined
  }
  return untilGiven('the receipt is witnessed', read, { pauseMs: 20 })
}

/** Waits until both witnesses have cosigned so many entries. */
function untilWitnessed(server: Server, entries: number): Promise<void> {
  type Seen = { readonly witnesses: readonly { readonly tree_size: number | null }[] }
  const isSo = async () => {
    const { body } = await call<Seen>(server, '/v1/log/witnesses')
    return body.witnesses.filter(({ tree_size: size }) => (size ?? 0) >= entries).length === 2
  }
  return until(`${entries} entries are witnessed`, isSo, { pauseMs: 20 })
}

test('what is registered is witnessed on every thread, and strangers can demand it', async (t) => {
  const begun = await begin(t)
  const { policy, file } = await haveWitnessed(t, begun)
  const settings = { ...begun.settings, WITNESS_POLICY: file, EDGE_THREADS: '3' }
  const server = await startServer(t, settings)
  const unknown = /^WITNESS_POLICY: witness ml has a key of an unknown type 0x05; it counts as miss/
  t.is(server.started.warnings.filter((text) => unknown.test(text)).length, 1)
  const ark = await mint(server, begun.key, 'One')
  const receipt = await witnessedReceipt(server, ark)
  await mint(server, begun.key, 'Two')
  const witnesses = checkpointVerifiers(
    noteVerifier(begun.logs[0].vkey),
    parsePolicy(policy),
    cosignatureVerifier,
  )
  t.is(openWitnessed(receipt.chain_proof.checkpoint, witnesses).signed.length, 2)

  // Every connection may reach another thread.
  for (let number = 0; number < 12; number += 1) {
    const headers = { connection: 'close' }
    const at = `${server.started.local_url}/api/v1/receipts/${ark}/v1`
    t.deepEqual(await (await fetch(at, { headers })).json(), receipt)
  }
  const resolved = JSON.parse(await getText(server, `/v1/resolve/${ark}`)) as { receipt: Receipt }
  t.deepEqual(resolved.receipt.chain_proof, receipt.chain_proof)

  const ofQuorum = openWitnessed(await getText(server, '/log/checkpoint/witnessed'), witnesses)
  const newest = openCosigned(await getText(server, '/log/checkpoint'), witnesses)
  t.true(ofQuorum.checkpoint.treeSize <= newest.checkpoint.treeSize)
  const { tlog_proof: proof } = JSON.parse(await getText(server, `/api/v1/proofs/${ark}/v1`))
  const log = await readLog(`${server.started.local_url}/log`, begun.logs[0].vkey)
  const trusted = { origin: begun.logs[0].origin, verifiers: [witnesses.log] }
  const proven = checkTlogProof(proof, leafHash(log.entries[0] ?? Buffer.of()), trusted)
  t.is(proven.treeSize, receipt.chain_proof.tree_size)

  const { body: told } = await call<{
    witnesses: { name: string; tree_size: number | null }[]
    quorum: string
  }>(server, '/v1/log/witnesses')
  t.is(told.quorum, '2 of (w1, w2)')
  for (const { name, tree_size: size } of told.witnesses) {
    if (name === 'ml') t.is(size, null)
    else t.true((size ?? 0) >= 1, name)
  }
  const body = { receipt_id: receipt.receipt_id, content_hash: `sha256:${'0'.repeat(64)}` }
  t.like((await call(server, '/api/v1/receipts/verify', { body })).body, { witnessed: true })

  const sandbox = await call(server, '/sandbox/v1/log/witnesses')
  t.like(sandbox.body, { quorum: '2 of (w1, w2)', witnessed: null, tree_size: 0 })
  t.is((await call(server, '/sandbox/log/checkpoint/witnessed')).status, 404)
  await server.end('SIGTERM')
  await demandOffline(t, begun, { receipt, file })
})

async function demandOffline(
  t: ExecutionContext,
  { settings, keys }: Begun,
  { receipt, file }: { readonly receipt: Receipt; readonly file: string },
): Promise<void> {
  const at = (name: string) => path.join(path.dirname(settings.DATA_DIR), name)
  await writeFile(at('keys.json'), keys)
  await writeFile(at('receipt.json'), JSON.stringify(receipt))
  const args = ['verify', at('receipt.json'), '--keys', at('keys.json'), '--policy', file]
  const { code, stdout } = await runArklog(t, args, {})
  t.is(code, 0, stdout)
  t.regex(
    stdout,
    /done +witnesses +the policy demands 2 of \(w1, w2\): signed by w1 at 20.*, w2 at/,
  )
}

test('a data directory that was set back is refused by start and commands alike', async (t) => {
  const begun = await begin(t)
  const { file } = await haveWitnessed(t, begun)
  const settings: Settings = { ...begun.settings, WITNESS_POLICY: file }
  const { DATA_DIR: dataDir } = begun.settings
  const first = await startServer(t, settings)
  await mint(first, begun.key, 'One')
  // A statement and a map leaf.
  await untilWitnessed(first, 2)
  await first.end('SIGTERM')
  await cp(dataDir, `${dataDir}.copy`, { recursive: true, preserveTimestamps: true })
  const second = await startServer(t, settings)
  await mint(second, begun.key, 'Two')
  await untilWitnessed(second, 4)
  await second.end('SIGTERM')
  await rm(dataDir, { recursive: true })
  await cp(`${dataDir}.copy`, dataDir, { recursive: true, preserveTimestamps: true })
  for (const args of [['serve'], ['receipt-key', 'rotate']]) {
    const { code, stderr } = await runArklog(t, args, settings)
    t.is(code, 1, stderr)
    t.regex(
      stderr,
      /(?:w\d shows|the file \S+ holds) a checkpoint of 4 entries, .*, but the store holds 2: /,
    )
    t.regex(stderr, /put the newest copy of it in its place/)
  }
})

test('a policy that cannot be used stops the start with its line', async (t) => {
  const { settings } = await begin(t)
  const file = path.join(path.dirname(settings.DATA_DIR), 'policy')
  await writeFile(file, '# ours\nquorum all-of-them\n')
  const { code, stderr } = await runArklog(t, ['serve'], { ...settings, WITNESS_POLICY: file })
  t.is(code, 1)
  t.regex(
    stderr,
    /which is not a policy of witnesses: line 2: "all-of-them" is no witness or group/,
  )
})
