import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { ed25519Keys } from '#log/tlog/ed25519.ts'
import {
  firstKey,
  newDataDir,
  newWork,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { until } from '#test/_until.ts'
import { request } from '#test/scenario/_request.ts'
import { policyOf, serveWitnesses } from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

// What a reader needs to follow the page; a system without them cannot run this test.
const tools = ['bash', 'curl', 'jq', 'openssl', 'python3', 'xxd']
const folders = (process.env['PATH'] ?? '').split(':')
const missing = tools.filter(
  (tool) => !folders.some((folder) => existsSync(path.join(folder, tool))),
)
const why = missing.length === 0 ? '' : ` (skipped, not installed: ${missing.join(', ')})`
const withTools = missing.length === 0 ? test.serial : test.serial.skip

const run = promisify(execFile)

/** Whether a block of commands, run in bash as it was pasted, ends without an error. */
async function runPasted(folder: string, commands: string): Promise<string> {
  const PATH = `${folder}:${process.env['PATH'] ?? ''}`
  try {
    const options = { cwd: folder, env: { PATH }, timeout: 300_000 }
    const { stdout } = await run('bash', ['--norc', '-e', '-c', commands], options)
    return `right: ${stdout.trim()}`
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return `wrong: ${stdout}${stderr}`
  }
}

/** The blocks of code of the page, as a reader copies them. */
async function codeBlocks(server: Server): Promise<ReadonlyMap<string, string>> {
  const reply = await fetch(`${server.started.local_url}/how-it-works`)
  const page = await reply.text()
  const blocks = page.matchAll(/<pre [^>]*aria-label="([^"]*)"[^>]*><code>(.*?)<\/code><\/pre>/gs)
  return new Map(
    [...blocks].map(([, label = '', code = '']) => [label, decodeEntities(code)] as const),
  )
}

function decodeEntities(code: string): string {
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
  return code.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (_, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(String(hex), 16))
    return signs[String(name)] ?? `&${String(name)};`
  })
}

const labels = {
  save: 'Commands that save the keys and a receipt, and check it',
  signature: 'Commands that check the signature of a receipt',
  checkpoint: 'Commands that check the signature of the checkpoint',
  inclusion: 'A Python program that checks the inclusion proof',
  witnesses: 'Commands that check the signatures of witnesses',
  map: 'Commands that ask for a proof of the map, and check the checkpoint in it',
  newest: 'A Python program that checks the proof of the map',
  monitor: 'The command that runs a monitor',
} as const

type Check = 'signature' | 'checkpoint' | 'inclusion' | 'witnesses'
const checks: readonly Check[] = ['signature', 'checkpoint', 'inclusion', 'witnesses']

/** Which of these checks the receipt in the folder passes. */
async function passedOf(
  wanted: readonly Check[],
  folder: string,
  blocks: ReadonlyMap<string, string>,
): Promise<Check[]> {
  const passed: Check[] = []
  for (const check of wanted) {
    const outcome = await runPasted(folder, blocks.get(labels[check]) ?? 'false')
    if (outcome.startsWith('right:')) passed.push(check)
  }
  return passed
}

/**
 * A registry with two witnesses, and works that were registered before and after a rotation of its
 * receipt key.
 */
async function openRotated(t: ExecutionContext) {
  const begun = { DATA_DIR: await newDataDir(t), ...quiet }
  const bare = await startServer(t, begun)
  const key = firstKey(bare)
  t.false((await codeBlocks(bare)).get(labels.witnesses) === undefined)
  const { vkey, origin } = bare.started
  await bare.end('SIGTERM')
  const witnesses = await serveWitnesses(t, 2, { origin, vkey })
  const WITNESS_POLICY = path.join(path.dirname(begun.DATA_DIR), 'policy')
  await fs.writeFile(WITNESS_POLICY, policyOf('all', witnesses))
  const settings = { ...begun, WITNESS_POLICY }
  const server = await startServer(t, settings)
  const mint = async (title: string) => {
    const { status, body } = await request(server, '/v1/works', { key, body: newWork(title) })
    t.is(status, 201)
    const ark = String(body['ark_identifier'])
    await until('it is witnessed', async () => {
      const reply = await request(server, `/api/v1/receipts/${ark}/v1`)
      return JSON.stringify(reply.body).includes('witness.example/w2')
    })
    return ark
  }
  const first = await mint('Before the rotation')
  await mint('Another one')
  await runJson(t, ['receipt-key', 'rotate'], settings)
  const last = await mint('After the rotation')
  const folder = path.join(path.dirname(settings.DATA_DIR), 'reader')
  await fs.mkdir(folder)
  const main = new URL('../../src/main.ts', import.meta.url).pathname
  const program = `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`
  await fs.writeFile(path.join(folder, 'arklog'), program, { mode: 0o755 })
  return { server, folder, first, last }
}

type Receipt = Record<string, unknown> & {
  signature: Record<string, string>
  chain_proof: Record<string, unknown> & { checkpoint: string; inclusion_proof: string[] }
}

const other = ed25519Keys.fromSeed(Buffer.alloc(32, 9))

/** What a forger changes in a receipt, and the checks that must see it. */
const forgeries: readonly [name: string, forge: (receipt: Receipt) => void, seen: Check[]][] = [
  [
    'another hash',
    (r) => (r['metadata_hash'] = `sha256:${'0'.repeat(64)}`),
    ['signature', 'inclusion'],
  ],
  [
    'another time',
    (r) => (r['timestamp'] = '2020-01-01T00:00:00.000Z'),
    ['signature', 'inclusion'],
  ],
  [
    'a key of its own',
    (r) => (r.signature['public_key'] = Buffer.from(other.publicKey).toString('hex')),
    ['signature', 'inclusion'],
  ],
  [
    'another signature',
    (r) => (r.signature['signature'] = '0'.repeat(128)),
    ['signature', 'inclusion'],
  ],
  ['another place', (r) => (r.chain_proof['leaf_index'] = 1), ['inclusion']],
  ['a shorter proof', (r) => r.chain_proof.inclusion_proof.pop(), ['inclusion']],
  ['a longer proof', (r) => r.chain_proof.inclusion_proof.push('0'.repeat(64)), ['inclusion']],
  [
    'a root that nobody has signed',
    (r) => {
      const root = Buffer.alloc(32, 7).toString('base64')
      r.chain_proof.checkpoint = r.chain_proof.checkpoint.replace(/^[0-9A-Za-z+/]{43}=$/m, root)
    },
    ['checkpoint', 'inclusion'],
  ],
  [
    'a checkpoint of another log',
    (r) => (r.chain_proof.checkpoint = r.chain_proof.checkpoint.replaceAll(/localhost|127/g, 'x')),
    ['checkpoint', 'inclusion'],
  ],
  [
    'a cosignature at another time',
    (r) => {
      const moved = (line: string) => {
        const blob = Buffer.from(line, 'base64')
        blob.writeUInt8(blob.readUInt8(11) ^ 1, 11)
        return blob.toString('base64')
      }
      const { checkpoint } = r.chain_proof
      r.chain_proof.checkpoint = checkpoint.replaceAll(/(?<=— witness\S+ )\S{100,110}$/gm, (line) =>
        moved(line),
      )
    },
    ['witnesses'],
  ],
  [
    'an older checkpoint than the statement names',
    (r) => {
      const line = /(?<=— arklog\/witnessed-before )\S+/
      const moved = (carried: string) => carried.replace(/^.{40}/, 'A'.repeat(40))
      r.chain_proof.checkpoint = r.chain_proof.checkpoint.replace(line, moved)
    },
    ['witnesses'],
  ],
  [
    'another tree of one entry',
    (r) => {
      r.chain_proof.inclusion_proof = []
      r.chain_proof['leaf_index'] = 0
      r.chain_proof['tree_size'] = 1
    },
    ['inclusion'],
  ],
]

/** That the commands about the map prove the receipt in the folder to be of the newest version. */
async function checkNewest(
  t: ExecutionContext,
  server: Server,
  { folder, ark, blocks }: { folder: string; ark: string; blocks: ReadonlyMap<string, string> },
): Promise<void> {
  await until('the map has the work', async () => {
    return (await request(server, `/v1/map/${ark}`)).body['state'] === 'registered'
  })
  t.regex(await runPasted(folder, blocks.get(labels.map) ?? 'false'), /^right: /)
  const newest = blocks.get(labels.newest) ?? 'false'
  t.is(await runPasted(folder, newest), 'right: version 1 is the newest')
  const file = path.join(folder, 'map.json')
  const answer = JSON.parse(await fs.readFile(file, 'utf8')) as { map_proof: { proof: string } }
  const proof = Buffer.from(answer.map_proof.proof, 'base64')
  proof.writeUInt8(proof.readUInt8(proof.length - 50) ^ 1, proof.length - 50)
  const map_proof = { ...answer.map_proof, proof: proof.toString('base64') }
  await fs.writeFile(file, JSON.stringify({ ...answer, map_proof }))
  t.is(await runPasted(folder, newest), 'wrong: NOT PROVEN\n')
}

withTools(`the commands of /how-it-works run as pasted${why}`, async (t) => {
  t.timeout(600_000)
  const { server, folder, first, last } = await openRotated(t)
  const blocks = await codeBlocks(server)
  const save = blocks.get(labels.save) ?? ''
  for (const [index, ark] of [first, last].entries()) {
    const pasted = save.replace(/ark:[^/]*\/[^ ]+\/v1/, `${ark}/v1`)
    const saved = await runPasted(folder, pasted)
    t.regex(saved, /^right: line 1: proven: /, ark)
    t.deepEqual(await passedOf(checks, folder, blocks), checks, `receipt ${index}`)
  }
  t.regex(await runPasted(folder, `${blocks.get(labels.monitor)} --once`), /^right: .* first look/s)
  await checkNewest(t, server, { folder, ark: last, blocks })
  const said = await runPasted(folder, blocks.get(labels.witnesses) ?? '')
  const at = String.raw`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`
  const both = (member: string) => `w1 signed ${member} at ${at}\nw2 signed ${member} at ${at}`
  t.regex(said, new RegExp(`^right: ${both('before')}\n${both('covers')}$`))
  const receipt = await fs.readFile(path.join(folder, 'receipt.json'), 'utf8')
  for (const [name, forge, seen] of forgeries) {
    const forged = JSON.parse(receipt) as Receipt
    forge(forged)
    await fs.writeFile(path.join(folder, 'receipt.json'), JSON.stringify(forged))
    t.deepEqual(await passedOf(seen, folder, blocks), [], name)
  }
  await server.end('SIGTERM')
})
