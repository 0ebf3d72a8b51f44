import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { ExecutionContext } from 'ava'

const main = new URL('../../src/main.ts', import.meta.url).pathname

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
  readonly first_key: { readonly key: string; readonly expires_at: string } | null
  readonly first_curl: string | null
  readonly warnings: readonly string[]
}

/** A server that is ready. `end` sends a signal and waits for the end of the process. */
export type Server = {
  readonly started: Started
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  end(signal: NodeJS.Signals): Promise<Ended>
}

/** Settings of a process: nothing of the environment in which the tests run but its PATH. */
export type Settings = Readonly<Record<string, string>>

/** An empty data directory that is removed after the test. */
export async function newDataDir(t: ExecutionContext): Promise<string> {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  t.teardown(() => fs.rm(dir, { recursive: true, force: true }))
  return path.join(dir, 'data')
}

/** Starts the program; the test kills it if it is still there at its end. */
function launch(t: ExecutionContext, args: readonly string[], settings: Settings): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', PORT: '0', ...settings }
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

async function watch(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout, stderr }
}

/** Runs a command of the program to its end. */
export async function runArklog(
  t: ExecutionContext,
  args: readonly string[],
  settings: Settings,
): Promise<Ended> {
  return watch(launch(t, args, settings))
}

/** Starts a server and waits until it says that it is ready; throws with its words if it ends. */
export async function startServer(
  t: ExecutionContext,
  settings: Settings,
  args: readonly string[] = [],
): Promise<Server> {
  const child = launch(t, ['serve', '--json', ...args], settings)
  const ended = watch(child)
  const ready = firstLine(child).then((line) => JSON.parse(line) as Started)
  const early = ended.then(({ stderr }) => {
    throw new Error(`the server ended before it was ready:\n${stderr}`)
  })
  const started = await Promise.race([ready, early])
  return {
    started,
    child,
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no standard output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return line
}
