import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'

import type { CommandOrder } from '#test/scenario/_command_process.ts'

/** What a command gave: its exit code, and all it wrote. */
export type Given = { readonly code: number; readonly stdout: string; readonly stderr: string }

const program = new URL('./_command_process.ts', import.meta.url)

/** A process that carries out commands, one at a time, as long as this thread lives. */
export class CommandHost {
  #child: ChildProcess | undefined
  #isBusy = false

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Carries out a command. Rejects if the process dies of it. */
  async run(order: CommandOrder): Promise<Given> {
    this.#isBusy = true
    try {
      this.#child ??= await this.#start(order.env)
      for (const part of partsOf(this.#child)) part?.ref()
      return await carryOut(this.#child, order)
    } finally {
      this.#isBusy = false
      // At rest, it keeps no thread alive.
      if (this.#child !== undefined) for (const part of partsOf(this.#child)) part?.unref()
    }
  }

  /** Ends the process if it is at a command, which nobody waits for any more. */
  async interrupt(): Promise<void> {
    if (!this.#isBusy || this.#child === undefined) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }

  async #start(env: CommandOrder['env']): Promise<ChildProcess> {
    const child = fork(program, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    child.once('exit', () => (this.#child = undefined))
    await once(child, 'message')
    return child
  }
}

type Held = { ref(): unknown; unref(): unknown }

/** What keeps this thread alive because of a process. */
function partsOf(child: ChildProcess): readonly (Held | null | undefined)[] {
  return [child, child.channel, child.stdout as Socket | null, child.stderr as Socket | null]
}

async function carryOut(child: ChildProcess, order: CommandOrder): Promise<Given> {
  const { promise: died, reject } = Promise.withResolvers<never>()
  const onExit = () => reject(new Error(`the process of "${order.args.join(' ')}" has died`))
  child.once('exit', onExit)
  const outputs = [readOutput(child.stdout), readOutput(child.stderr)]
  const code = once(child, 'message').then(([told]) => told as number)
  child.send(order)
  try {
    const given = Promise.all([code, ...outputs])
    const [exitCode, stdout, stderr] = (await Promise.race([given, died])) as [
      number,
      string,
      string,
    ]
    return { code: exitCode, stdout, stderr }
  } finally {
    child.off('exit', onExit)
  }
}

/** What a command writes on one of its outputs, whose end is a NUL. */
function readOutput(stream: ChildProcess['stdout']): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  const read = (chunk: Buffer) => {
    chunks.push(chunk)
    if (chunk.at(-1) !== 0) return
    stream?.off('data', read)
    resolve(Buffer.concat(chunks).subarray(0, -1).toString())
  }
  stream?.on('data', read)
  return promise
}
