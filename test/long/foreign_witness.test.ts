// A witness of somebody else cosigns our log while it grows, is killed and started again:
// litewitness of filippo.io/torchwood, where it is in the PATH, with the tools of OpenSSH.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { openWitnessed } from '#log/tlog/cosigned_checkpoint.ts'
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
const tools = ['litewitness', 'witnessctl', 'ssh-agent', 'ssh-add', 'ssh-keygen']

const title =
  'litewitness cosigns our log, with map leaves, while it grows, and goes on after it was killed'
const found = await Promise.allSettled(tools.map((name) => run('which', [name])))
const missing = tools.filter((_, index) => found[index]?.status === 'rejected')

/** A litewitness that can be killed and started again. */
type Litewitness = NamedWitness & { kill(): Promise<void>; start(): Promise<void> }

async function openLitewitness(
  t: ExecutionContext,
  { options: { origin }, vkey }: WitnessedRegistry,
): Promise<Litewitness> {
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
  await run('witnessctl', ['add-key', '-db', at('db'), '-origin', origin, '-key', vkey])
  const listen = `127.0.0.1:${await freePort()}`
  const args = ['-db', at('db'), '-name', 'lite.example/w', '-key', fingerprint]
  const start = async () => {
    const more = ['-ssh-agent', at('agent'), '-listen', listen]
    const child = spawn('litewitness', [...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'] })
    t.teardown(() => child.kill('SIGKILL'))
    const own = await Promise.race([child.stdout, child.stderr].map(vkeyIn))
    await until('it listens', () => answers(`http://${listen}/`))
    return { child, own }
  }
  let running = await start()
  return {
    name: 'lite',
    vkey: running.own,
    url: `http://${listen}`,
    async kill() {
      running.child.kill('SIGKILL')
      await once(running.child, 'exit')
    },
    async start() {
      running = await start()
    },
  }
}

/** The verifier key that it prints at its start. */
async function vkeyIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const [vkey] = /lite\.example\/w\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+/.exec(line) ?? []
    if (vkey !== undefined) return vkey
  }
  return new Promise(() => undefined)
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer()
    return true
  } catch {
    return false
  }
}

async function growBesideIt(t: ExecutionContext): Promise<void> {
  const map = { intervalMs: 100, isWitnessed: true }
  const registry = await makeWitnessed(t, Date.now, { map })
  const lite = await openLitewitness(t, registry)
  const own = await serveWitnesses(t, 1, { ...registry.options, vkey: registry.vkey })
  const policy = policyOf('all', [lite, ...own])
  const { environment, collector } = await registry.start(policy)
  const grow = async (works: number) => {
    const titles = Array.from(
      { length: works },
      (_, at) => `${environment.log.head().treeSize} ${at}`,
    )
    await Promise.all(titles.map((name) => register(environment, name)))
  }
  for (let round = 0; round < 40; round += 1) {
    if (round === 15) await lite.kill()
    if (round === 20) {
      await until('it is missed', () => collector.links[0]?.facts.problem !== undefined)
      await lite.start()
    }
    await grow(25)
    const size = environment.log.head().treeSize
    if (round < 15 || round > 20) await witnessed(environment, size)
  }
  const { log } = environment
  const verifiers = registry.verifiers(policy)
  for (const leafIndex of [0, 1, 24, 374, 375, 500, 999]) {
    const { signed } = openWitnessed(log.provingHead(leafIndex).checkpoint, verifiers)
    t.deepEqual(signed.map(({ name }) => name).toSorted(), ['lite', 'w1'])
  }
  t.true((collector.links[0]?.facts.failures ?? 0) > 0)
  t.deepEqual(registry.fatal, [])
}

if (missing.length === 0) test(title, growBesideIt)
else test.skip(`${title} (skipped: ${missing.join(', ')} are not installed)`, growBesideIt)
