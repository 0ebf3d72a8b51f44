import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { freePort } from '#test/_free_port.ts'
import { untilGiven } from '#test/_until.ts'
import type { Postgres } from '#test/bench/_postgres.ts'
import { createWork } from '#test/bench/_works.ts'
import type { LoadPlan } from '#test/bench/_wrk.ts'

const run = promisify(execFile)

/** Software of others that names things, as it runs; `pid` is the process of its server. */
export type Peer = {
  readonly pid: number
  /** What a round sends: requests that were made before it, `requests` of them at most. */
  plan(round: Round): Promise<LoadPlan>
  stop(): Promise<void>
}

type Round = { readonly number: number; readonly requests: number; readonly durationMs: number }

/** How software of others is installed in a folder, and started on a database of its own. */
export type PeerSoftware = {
  readonly name: string
  /** How often ours is to mint in the time of one of theirs. */
  readonly goal: number
  readonly start: (folder: string, postgres: Postgres) => Promise<Peer>
}

const connections = 64
const naan = 99_999

/** Requests are kept in a file of a round, each with its path. */
async function writePosts(folder: string, posts: readonly string[]): Promise<string> {
  const file = path.join(folder, 'posts')
  await writeFile(file, `${posts.join('\n')}\n`)
  return file
}

/** Starts a server of others, and waits until it answers, with whatever. */
async function serve(
  command: string,
  args: readonly string[],
  { cwd, env, port }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; port: number },
): Promise<Pick<Peer, 'pid' | 'stop'>> {
  const child: ChildProcess = spawn(command, args, { cwd, env, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const answers = () => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
  await untilGiven(`${command} answers`, answers, { pauseMs: 200 })
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const arkletSetUp = `
from arklet.ark.models import APIKey, Naan
naan = Naan.objects.create(naan=${naan}, name="n", description="d", url="https://example.org")
print("key", APIKey.objects.create_key(naan, "bench"))
`

/** The minter of the Internet Archive: Django on PostgreSQL, behind the usual server for it. */
const arklet: PeerSoftware = {
  name: 'arklet 0.2.3',
  goal: 45,
  async start(folder, postgres) {
    const bin = path.join(folder, 'bin')
    await run('python3', ['-m', 'venv', folder])
    const packages = ['arklet==0.2.3', 'psycopg[binary]==3.3.9', 'gunicorn==27.0.1']
    await run(path.join(bin, 'pip'), ['install', '--quiet', ...packages])
    const { port: postgresPort, user } = await postgres.createDatabase('arklet')
    const env = {
      ...process.env,
      DJANGO_SETTINGS_MODULE: 'arklet.entrypoints.settings',
      ARKLET_POSTGRES_PORT: String(postgresPort),
      ARKLET_POSTGRES_USER: user,
    }
    const django = (args: readonly string[]) =>
      run(path.join(bin, 'django-admin'), args, { cwd: folder, env })
    await django(['migrate'])
    const { stdout } = await django(['shell', '-v', '0', '-c', arkletSetUp])
    const key = /key (\S+)/.exec(stdout)?.[1] ?? ''
    const port = await freePort()
    const workers = String(2 * os.availableParallelism() + 1)
    const settings = ['-k', 'gthread', '--threads', '4', '--keep-alive', '75', '-w', workers]
    const args = ['arklet.entrypoints.wsgi', '-b', `127.0.0.1:${port}`, ...settings]
    const server = await serve(path.join(bin, 'gunicorn'), args, { cwd: folder, env, port })
    return {
      ...server,
      async plan({ number, requests, durationMs }) {
        const posts = Array.from({ length: requests }, (_, nth) => {
          const { work_url: url, ...about } = createWork(number * requests + nth)
          const metadata = JSON.stringify(about)
          return `/mint ${JSON.stringify({ naan, shoulder: '/b1', url, metadata })}`
        })
        const postsFile = await writePosts(folder, posts)
        const headers = { authorization: `Bearer ${key}` }
        return { type: 'post', port, connections, durationMs, headers, postsFile }
      },
    }
  },
}

/** What is used here of the packages of did:plc, which sign what a client sends. */
type PlcModules = {
  readonly Secp256k1Keypair: { create(): Promise<{ did(): string }> }
  createOp(operation: object): Promise<{ readonly op: object; readonly did: string }>
}

/** The directory of did:plc: Express on PostgreSQL. Its clients sign what it keeps. */
const plc: PeerSoftware = {
  name: 'did:plc directory 0.0.1',
  goal: 30,
  async start(folder, postgres) {
    const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--silent']
    await run('npm', [...install, '@did-plc/server@0.0.1'])
    const load = createRequire(path.join(folder, 'package.json'))
    const { createOp } = load('@did-plc/lib') as PlcModules
    const { Secp256k1Keypair } = load('@atproto/crypto') as PlcModules
    const { port: postgresPort, user } = await postgres.createDatabase('plc')
    const port = await freePort()
    const DATABASE_URL = `postgres://${user}@127.0.0.1:${postgresPort}/plc`
    const env = { ...process.env, DATABASE_URL, PORT: String(port), LOG_ENABLED: 'false' }
    const bin = path.join(folder, 'node_modules/@did-plc/server/dist/bin.js')
    const server = await serve(process.execPath, [bin], { cwd: folder, env, port })
    const signer = await Secp256k1Keypair.create()
    const key = { signingKey: signer.did(), rotationKeys: [signer.did()], signer }
    return {
      ...server,
      async plan({ number, requests, durationMs }) {
        const posts: string[] = []
        for (let nth = 0; nth < requests; nth += 1) {
          const handle = `w${number}-${nth}.example.org`
          const { op, did } = await createOp({ ...key, handle, pds: 'https://pds.example.org' })
          posts.push(`/${did} ${JSON.stringify(op)}`)
        }
        const postsFile = await writePosts(folder, posts)
        return { type: 'post', port, connections, durationMs, headers: {}, postsFile }
      },
    }
  },
}

export const peers: readonly PeerSoftware[] = [arklet, plc]

/** The folder of a peer's software, which is kept from run to run. */
export async function peerFolder({ name }: PeerSoftware): Promise<string> {
  const word = name.replaceAll(/[^\w.]+/g, '-')
  const folder = path.join(os.tmpdir(), 'arklog-bench-peers', word)
  await mkdir(folder, { recursive: true })
  return folder
}
