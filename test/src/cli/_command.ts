import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { ExecutionContext } from 'ava'

import { CommandHost } from '#test/scenario/_command_host.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const main = new URL('../../../src/main.ts', import.meta.url).pathname

/** How a command ended, and what it printed. */
export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the program with the arguments. */
export function startArklog(args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [main, ...args])
}

const host = new CommandHost()

/** Runs the program with the arguments, and with the text as standard input, if there is one. */
export async function runArklog(args: readonly string[], input = ''): Promise<Ended> {
  if (input === '' && !host.isBusy) return host.run({ args, env: process.env })
  const child = startArklog(args)
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

/** A folder with these files, removed when the test ends; gives the path of each name. */
export async function writeFolder(
  t: ExecutionContext,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<(name: string) => string> {
  const folder = await makeTempDir(t)
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder, name), content)
  }
  return (name) => path.join(folder, name)
}
