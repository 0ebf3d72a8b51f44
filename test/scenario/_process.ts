import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { ExecutionContext } from 'ava'

import { freePort } from '#test/_free_port.ts'
import { CommandHost } from '#test/scenario/_command_host.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const root = new URL('../..', import.meta.url).pathname
const main = path.join(root, 'src/main.ts')

const { PATH = '', EDGE_THREADS, FEW_THREADS } = process.env

/** How a process ended, and all it wrote. */
export type Ended = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** What `serve --json` prints once it is ready. */
export type Started = {
  readonly base_url: string
  readonly local_url: string
  readonly data_dir: string
  readonly origin: string
  readonly vkey: string
  readonly first_key: { readonly key: string; readonly expires_at: string } | null
  readonly setup_url: string | null
  readonly first_curl: string | null
  readonly warnings: readonly string[]
}

/** A server that is ready. */
export type Server = Running & { readonly started: Started }

// Nothing of the environment in which the tests run but its PATH, and the number of edge threads if
// it says one: so the same tests are run with each number. With `FEW_THREADS=1` there are none
// unless a test says so, for a thread costs a start as much as a process. The compiled modules are
// kept for the next process: the tests start many. No content is fetched unless a test says so:
// works link to hosts of the world outside. No search and no end is cut short for what else the
// machine has to do.
// The allocator is set as it is in the Dockerfile and in the service of systemd.
const baseEnvironment = {
  PATH,
  ...(FEW_THREADS === '1' && { EDGE_THREADS: '0' }),
  ...(EDGE_THREADS !== undefined && { EDGE_THREADS }),
  HOST: '127.0.0.1',
  PORT: '0',
  FETCH_CONTENT: 'off',
  SEARCH_QUERY_MS: '60000',
  SHUTDOWN_GRACE_MS: '30000',
  MALLOC_ARENA_MAX: '2',
  NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'arklog-compile-cache'),
}

/** Settings of a process: nothing of the environment in which the tests run but its PATH. */
export type Settings = Readonly<Record<string, string>>

/**
 * The setting for one life of a registry that has many: by turns one edge thread, none, and three,
 * unless the tests are run with a number of them.
 */
export function edgeThreadsOf(life: number): Settings {
  return { EDGE_THREADS: EDGE_THREADS ?? ['1', '0', '3'][life % 3] ?? '' }
}

/** An empty data directory that is removed after the test. */
export async function newDataDir(t: Owner): Promise<string> {
  return path.join(await makeTempDir(t), 'data')
}

/** A process of the program. */
export type Spawned = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /**
   * Sends a signal and waits for the end of the process. One that a signal does not end is killed,
   * and that fails with what it wrote.
   */
  end(signal: NodeJS.Signals): Promise<Ended>
}

/**
 * Starts the program; it is killed at the end of the test if it is still there. `prefix` is a
 * program that becomes it, with its arguments, as one that starts it in a namespace.
 */
export function spawnArklog(
  t: Owner,
  args: readonly string[],
  settings: Settings,
  prefix: readonly string[] = [],
): Spawned {
  const env = { ...baseEnvironment, ...settings }
  const [program = '', ...words] = [...prefix, process.execPath, main, ...args]
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(async () => {
    // Its folder is removed after this: nothing is to be written there by then.
    if (child.kill('SIGKILL')) await once(child, 'exit')
  })
  return watched(child)
}

function watched(child: ChildProcess): Spawned {
  const ended = watch(child)
  return {
    child,
    ended,
    end(signal) {
      child.kill(signal)
      return endOf(child, ended, signal)
    },
  }
}

/** For how long a process may end that was told to: far longer than its own bound. */
const endMsMax = 180_000

async function endOf(
  child: ChildProcess,
  ended: Promise<Ended>,
  signal: NodeJS.Signals,
): Promise<Ended> {
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, endMsMax)
  const end = await ended
  clearTimeout(late)
  if (!isLate) return end
  throw new Error(`the process did not end within ${endMsMax} ms of ${signal}:\n${end.stderr}`)
}

async function watch(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout, stderr }
}

const host = new CommandHost()

/** Runs a command of the program to its end: in a process of its own while another one runs. */
export async function runArklog(
  t: Owner,
  args: readonly string[],
  settings: Settings,
): Promise<Ended> {
  if (host.isBusy) return spawnArklog(t, args, settings).ended
  let isUnderWay = true
  // By then the host may be at the command of another test.
  t.teardown(() => (isUnderWay ? host.interrupt() : undefined))
  const given = await host.run({ args, env: { ...baseEnvironment, ...settings } })
  isUnderWay = false
  return { ...given, signal: null }
}

/** Whoever ends what it has started, and holds what it does to be so. */
export type Asserter = Owner & Pick<ExecutionContext, 'is'>

/** Runs a command that must succeed and print one line of JSON; gives its value. */
export async function runJson<T>(
  t: Asserter,
  args: readonly string[],
  settings: Settings,
): Promise<T> {
  const { code, stdout, stderr } = await runArklog(t, [...args, '--json'], settings)
  t.is(code, 0, stderr)
  return JSON.parse(stdout) as T
}

/** A process that has printed its first line. */
export type Running = Spawned & { readonly line: string }

/** For how long a start may take, on a busy machine too; then it is killed, as one that hangs. */
const startMsMax = 180_000

/** Starts a command and waits for its first line; throws with its words if it ends before. */
export async function startArklog(
  t: Owner,
  args: readonly string[],
  settings: Settings,
  prefix: readonly string[] = [],
): Promise<Running> {
  return started(spawnArklog(t, args, settings, prefix))
}

/**
 * Has npm run a script of the package, with npm's own process and what comes of it in a group of
 * their own, and waits for its first line.
 */
export async function startNpm(
  t: Owner,
  args: readonly string[],
  settings: Settings,
): Promise<Running> {
  const env = { ...baseEnvironment, npm_config_update_notifier: 'false', ...settings }
  const child = spawn('npm', args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  t.teardown(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // Nothing of it is left.
    }
  })
  return started(watched(child))
}

async function started(spawned: Spawned): Promise<Running> {
  const early = spawned.ended.then(({ stderr }) => {
    throw new Error(`the process ended before it was ready:\n${stderr}`)
  })
  const late = setTimeout(() => spawned.child.kill('SIGKILL'), startMsMax)
  try {
    return { ...spawned, line: await Promise.race([firstLine(spawned.child), early]) }
  } finally {
    clearTimeout(late)
  }
}

/** Starts a server, on a port of its own, and waits until it says that it is ready. */
export async function startServer(
  t: Owner,
  settings: Settings,
  args: readonly string[] = [],
  prefix: readonly string[] = [],
): Promise<Server> {
  const all = { PORT: String(await freePort()), ...settings }
  const running = await startArklog(t, ['serve', '--json', ...args], all, prefix)
  return { ...running, started: JSON.parse(running.line) as Started }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no standard output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return line
}

/** A work that every registry accepts; `title` tells works apart. */
export function newWork(title: string): Record<string, string> {
  return {
    work_title: title,
    work_type: 'article',
    authors: 'Ada Lovelace',
    work_url: 'https://example.org/notes',
  }
}

/** Sends a JSON body, or nothing, and reads the JSON of the reply. */
export async function call<T = Record<string, unknown>>(
  server: Server,
  target: string,
  options: { readonly key?: string; readonly body?: unknown } = {},
): Promise<{ readonly status: number; readonly body: T }> {
  const { key, body } = options
  const response = await fetch(`${server.started.local_url}${target}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as T }
}

/** The key that a first start printed. */
export function firstKey(server: Server): string {
  const { first_key: key } = server.started
  if (key === null) throw new Error('this start printed no key')
  return key.key
}
