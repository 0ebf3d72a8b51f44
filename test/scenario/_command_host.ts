import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

import type { CommandEnd, CommandOrder } from '#test/scenario/_command_process.ts'

/** What a command gave: its exit code, and all it wrote. */
export type Given = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const program = new URL('./_command_process.ts', import.meta.url)

/** What stands behind all that a command has written, on each of its outputs. */
const outputEnd = Buffer.from('\0the end\0')

/** A process that carries out commands, one at a time, as long as this thread lives. */
export class CommandHost {
  #child: ChildProcess | undefined
  #isBusy = false

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Carries out a command. */
  async run(order: CommandOrder): Promise<Given> {
    this.#isBusy = true
    try {
      this.#child ??= await this.#start(order.env)
      for (const part of partsOf(this.#child)) part?.ref()
      const { isUsable, ...given } = await carryOut(this.#child, order)
      if (!isUsable) this.#discard()
      return given
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

  #discard(): void {
    const child = this.#child
    if (child === undefined) return
    for (const part of partsOf(child)) part?.unref()
    if (child.connected) child.disconnect()
    this.#child = undefined
  }

  async #start(env: CommandOrder['env']): Promise<ChildProcess> {
    // Without what AVA sets: source maps would be read of every file of the bundle.
    const child = fork(program, { env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    await once(child, 'message')
    return child
  }
}

type Held = { ref(): unknown; unref(): unknown }

/** What keeps this thread alive because of a process. */
function partsOf(child: ChildProcess): readonly (Held | null | undefined)[] {
  return [child, child.channel, child.stdout as Socket | null, child.stderr as Socket | null]
}

/** Has a process carry out a command; if it dies of it, its exit code is that of the process. */
async function carryOut(
  child: ChildProcess,
  order: CommandOrder,
): Promise<Given & Pick<CommandEnd, 'isUsable'>> {
  const { promise: died, resolve } = Promise.withResolvers<CommandEnd>()
  const onClose = (code: number | null) => resolve({ code, isUsable: true })
  child.once('close', onClose)
  const outputs = [new Output(child.stdout), new Output(child.stderr)] as const
  const told = once(child, 'message').then(([end]) => end as CommandEnd)
  child.send(order)
  const ended = Promise.all([told, ...outputs.map(({ whole }) => whole)]).then(([end]) => end)
  const end = await Promise.race([ended, died])
  child.off('close', onClose)
  const [stdout, stderr] = outputs.map((output) => output.leave())
  return { ...end, stdout: stdout ?? '', stderr: stderr ?? '' }
}

/** What a command writes on one of its outputs. */
class Output {
  readonly whole: Promise<void>
  readonly #stream: Readable | null
  readonly #read: (chunk: Buffer) => void
  #bytes = Buffer.alloc(0)

  constructor(stream: Readable | null) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.whole = promise
    this.#stream = stream
    this.#read = (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      if (this.#bytes.subarray(-outputEnd.length).equals(outputEnd)) resolve()
    }
    stream?.on('data', this.#read)
  }

  /** Reads no further; gives what was written until now. */
  leave(): string {
    this.#stream?.off('data', this.#read)
    const isWhole = this.#bytes.subarray(-outputEnd.length).equals(outputEnd)
    return this.#bytes.subarray(0, isWhole ? -outputEnd.length : undefined).toString()
  }
}
