import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/**
 * What the kernel counts of a process: CPU seconds, bytes written to disk, resident bytes, and
 * those of them that are no pages of mapped files: the kernel cannot drop them.
 */
export type ProcessCounters = {
  readonly cpuSeconds: number
  readonly writtenBytes: number
  readonly residentBytes: number
  readonly ownBytes: number
}

// The unit of /proc/<pid>/stat on Linux, whatever the kernel's own timer does.
const clockTicksPerSecond = 100

/** A thread of a process: what it does, by its name without a number, and CPU seconds. */
export type Thread = { readonly name: string; readonly cpuSeconds: number }

/** The threads of a process, by their numbers. */
export async function readThreads(pid: number): Promise<ReadonlyMap<string, Thread>> {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder)
  const seconds = threads.map(async (thread) => {
    // One that has just ended has no file any more, and is not the busiest.
    const stat = await readFile(`${folder}/${thread}/stat`, 'utf8').catch(() => '')
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const kind = name.replace(/ \d+$/, '')
    return [thread, { name: kind, cpuSeconds: cpuSecondsOf(stat) }] as const
  })
  return new Map(await Promise.all(seconds))
}

// The second field is the name in brackets; user and system time are the 14th and 15th.
function cpuSecondsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / clockTicksPerSecond
}

/** Reads the counters of a running process from /proc; the benches need Linux for this. */
export async function readCounters(pid: number): Promise<ProcessCounters> {
  const [stat, io, status] = await Promise.all(
    ['stat', 'io', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
  )
  return {
    cpuSeconds: cpuSecondsOf(stat ?? ''),
    writtenBytes: Number(/^write_bytes: (\d+)$/m.exec(io ?? '')?.[1]),
    residentBytes: kilobytes(status, 'VmRSS') * 1_024,
    ownBytes: kilobytes(status, 'RssAnon') * 1_024,
  }
}

// A process that has ended and is still listed holds nothing, and says nothing of it.
function kilobytes(status: string | undefined, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status ?? '')?.[1] ?? 0)
}

/** A Node process of the benches; `stop` ends it and waits until it is gone. */
export type Child = { readonly pid: number; readonly process: ChildProcess; stop(): Promise<void> }

/** How a process is started: its settings, what Node is told, the cores it is held to, if any. */
export type StartOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
  readonly cores?: string
}

/** Starts a TypeScript file in a Node process of its own; what it logs is shown. */
export function startNode(
  file: URL,
  args: readonly string[],
  { env = {}, flags = [], cores }: StartOptions = {},
): Child {
  const pinned = cores === undefined ? [] : ['taskset', '--cpu-list', cores]
  const [command = '', ...words] = [...pinned, process.execPath, ...flags, file.pathname, ...args]
  const child = spawn(command, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.pid === undefined) throw new Error(`${file.pathname} could not be started`)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid,
    process: child,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Waits until what a child prints on standard output matches; what it prints later is dropped. */
export async function waitForOutput(child: Child, pattern: RegExp): Promise<RegExpExecArray> {
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
  let printed = ''
  child.process.stdout?.on('data', (chunk) => {
    const match = pattern.exec((printed += String(chunk)))
    if (match !== null) resolve(match)
  })
  child.process.once('exit', () => reject(new Error(`the process ended: ${printed}`)))
  const found = await promise
  child.process.stdout?.removeAllListeners('data').resume()
  return found
}

/** Sends a message to a child that answers each message with one of its own. */
export async function askChild(child: Child, message: object): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onExit = () => reject(new Error('the process ended before it answered'))
  child.process.once('message', resolve).once('exit', onExit)
  child.process.send(message)
  return promise.finally(() => child.process.off('exit', onExit))
}
