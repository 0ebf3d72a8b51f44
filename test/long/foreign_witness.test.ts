// Witnesses of somebody else cosign our log while it grows, are killed and started again, where
// they are in the PATH: litewitness of filippo.io/torchwood, with the tools of OpenSSH, and
// omniwitness of github.com/transparency-dev/witness, with keys of both types.

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { openWitnessed } from '#log/tlog/cosigned_checkpoint.ts'
import { ed25519Keys } from '#log/tlog/ed25519.ts'
import { encodeBase64 } from '#log/tlog/encoding.ts'
import { mldsaKeys } from '#log/tlog/mldsa.ts'
import { cosignatureType, ed25519Type, formatVkey, mldsaType } from '#log/tlog/note.ts'
import { until } from '#test/_until.ts'
import { register } from '#test/actors/_environment.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import {
  makeWitnessed,
  type NamedWitness,
  policyOf,
  serveWitnesses,
  witnessed,
  type WitnessedRegistry,
} from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'
import { freePort } from '#test/_free_port.ts'

const run = promisify(execFile)

/** A program that can be killed and started again: a witness for each of its keys. */
type Stranger = { readonly witnesses: readonly NamedWitness[]; start(): Promise<ChildProcess> }

type Opening = (t: ExecutionContext, registry: WitnessedRegistry) => Promise<Stranger>

/** Starts a program that answers at an address from then on. */
async function serve(
  t: ExecutionContext,
  [command = '', ...args]: readonly string[],
  url: string,
): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  await until(`${command} listens`, () => answers(url))
  return child
}

const openLitewitness: Opening = async (t, { options: { origin }, vkey: logKey }) => {
  const dir = await makeTempDir(t)
  const at = (name: string) => path.join(dir, name)
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('key')])
  const agent = spawn('ssh-agent', ['-D', '-a', at('agent')], { stdio: 'ignore' })
  t.teardown(() => agent.kill())
  const env = { ...process.env, SSH_AUTH_SOCK: at('agent') }
  const add = () => run('ssh-add', ['-q', at('key')], { env })
  await until('the agent has the key', () => add().then(...([() => true, () => false] as const)))
  const { stdout: printed } = await run('ssh-keygen', ['-lf', at('key.pub')])
  const fingerprint = printed.split(' ')[1] ?? ''
  await run('witnessctl', ['add-log', '-db', at('db'), '-origin', origin])
  await run('witnessctl', ['add-key', '-db', at('db'), '-origin', origin, '-key', logKey])
  const [, encoded = ''] = (await readFile(at('key.pub'), 'utf8')).split(' ')
  const publicKey = Buffer.from(encoded, 'base64').subarray(-32)
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  const name = 'lite.example/w'
  const args = ['-db', at('db'), '-name', name, '-key', fingerprint, '-ssh-agent', at('agent')]
  const command = ['litewitness', ...args, '-listen', listen]
  const vkey = formatVkey(name, cosignatureType, publicKey)
  return { witnesses: [{ name: 'lite', vkey, url }], start: () => serve(t, command, url) }
}

const openOmniwitness: Opening = async (t, { options: { origin }, vkey: logKey }) => {
  const dir = await makeTempDir(t)
  const at = (name: string) => path.join(dir, name)
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  const name = 'omni.example/w'
  const seed = Buffer.alloc(32, 7)
  const args = ['-db_file', at('db'), '-listen', listen, '-metrics_listen', '127.0.0.1:0']
  const types = [
    ['omni', cosignatureType, ed25519Type, ed25519Keys],
    ['omni-pq', mldsaType, mldsaType, mldsaKeys],
  ] as const
  const made = types.map(async ([alias, type, privateType, keys]) => {
    const text = encodeBase64(Buffer.concat([Buffer.of(privateType), seed]))
    await writeFile(at(alias), `PRIVATE+KEY+${name}+00000000+${text}`)
    args.push('-private_key_path', at(alias))
    return { name: alias, vkey: formatVkey(name, type, keys.fromSeed(seed).publicKey), url }
  })
  const config = { Logs: [{ Origin: origin, PublicKey: logKey, URL: 'http://log.invalid/' }] }
  // JSON is YAML.
  await writeFile(at('logs.yaml'), JSON.stringify(config))
  const witnesses = await Promise.all(made)
  const command = ['omniwitness', ...args, '-additional_logs', at('logs.yaml')]
  return { witnesses, start: () => serve(t, command, url) }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer()
    return true
  } catch {
    return false
  }
}

async function growBeside(t: ExecutionContext, open: Opening): Promise<void> {
  const map = { intervalMs: 100, isWitnessed: true }
  const registry = await makeWitnessed(t, Date.now, { map })
  const stranger = await open(t, registry)
  let child = await stranger.start()
  const own = await serveWitnesses(t, 1, { ...registry.options, vkey: registry.vkey })
  const all = [...stranger.witnesses, ...own]
  const policy = policyOf('all', all)
  const { environment, collector } = await registry.start(policy)
  const grow = async (works: number) => {
    const titles = Array.from(
      { length: works },
      (_, at) => `${environment.log.head().treeSize} ${at}`,
    )
    await Promise.all(titles.map((name) => register(environment, name)))
  }
  for (let round = 0; round < 40; round += 1) {
    if (round === 15) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    if (round === 20) {
      await until('it is missed', () => collector.links[0]?.facts.problem !== undefined)
      child = await stranger.start()
    }
    await grow(25)
    const size = environment.log.head().treeSize
    if (round < 15 || round > 20) await witnessed(environment, size)
  }
  const { log } = environment
  const verifiers = registry.verifiers(policy)
  for (const leafIndex of [0, 1, 24, 374, 375, 500, 999]) {
    const { signed } = openWitnessed(log.provingHead(leafIndex).checkpoint, verifiers)
    t.deepEqual(signed.map(({ name }) => name).toSorted(), all.map(({ name }) => name).toSorted())
  }
  t.true((collector.links[0]?.facts.failures ?? 0) > 0)
  t.deepEqual(registry.fatal, [])
}

const openSsh = ['witnessctl', 'ssh-agent', 'ssh-add', 'ssh-keygen']

for (const [program, tools, open] of [
  ['litewitness', openSsh, openLitewitness],
  ['omniwitness', [], openOmniwitness],
] as const) {
  const title = `${program} cosigns our log, with map leaves, and goes on after it was killed`
  const all = [program, ...tools]
  const missing = all.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length === 0) test.serial(title, (t) => growBeside(t, open))
  else test.skip(`${title} (skipped: ${missing.join(', ')} are not installed)`, () => undefined)
}
