import { spawn } from 'node:child_process'
import { once } from 'node:events'

import type { Channel } from '#src/tlog_tools/monitor/outbox.ts'

const commandMs = 30_000

/**
 * The words of a command: a JSON list of texts, or words parted by spaces. No shell reads them.
 * Undefined if there are none.
 */
export function parseCommand(text: string): readonly [string, ...string[]] | undefined {
  const words = text.startsWith('[') ? parseList(text) : text.split(' ').filter((w) => w !== '')
  const [program, ...args] = words ?? []
  return program === undefined || program === '' ? undefined : [program, ...args]
}

function parseList(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isList = Array.isArray(value) && value.every((word) => typeof word === 'string')
    return isList ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Tells a program of each report: JSON on its standard input. It has half a minute, and has taken
 * the report if it ends with exit code 0.
 */
export function commandChannel([program, ...args]: readonly [string, ...string[]]): Channel {
  return {
    name: 'command',
    async send(report, signal) {
      const child = spawn(program, args, {
        stdio: ['pipe', 'ignore', 'inherit'],
        signal: AbortSignal.any([signal, AbortSignal.timeout(commandMs)]),
        killSignal: 'SIGKILL',
      })
      // A program that reads nothing may close its input before all was written.
      child.stdin.on('error', () => undefined)
      child.stdin.end(`${JSON.stringify(report)}\n`)
      const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null]
      if (code === 0) return
      throw new Error(`${program} ended with ${code === null ? killedBy : `exit code ${code}`}`)
    },
  }
}
