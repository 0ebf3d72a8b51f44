import { Command, CommanderError, type CommandOptions, Option } from 'commander'

import type { EnvironmentName } from '#actors/registry/environment.ts'

/** The option that every command has. */
export type JsonOption = { readonly json: boolean }

/** The option of commands that are for one of both registries. */
export type EnvironmentOption = JsonOption & { readonly environment: EnvironmentName }

/** Exit codes: a command did not do what was asked; it was called in a way it does not know. */
const failed = 1
const misused = 2

/** The program without its commands; commands inherit its settings. */
export function createProgram(): Command {
  return new Command('arklog')
    .description('A registry of scholarly works that proves what was registered, and when.')
    .showHelpAfterError('Run it with --help to see its arguments and options.')
    .exitOverride()
}

/** A command of the program (or of a command), with the options that every command has. */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  options: CommandOptions = {},
): Command {
  return parent
    .command(name, options)
    .description(description)
    .option('--json', 'print the result as one line of JSON', false)
}

/** The option of a command that says which registry it is for: `live` by default. */
export function environmentOption(about: string): Option {
  return new Option('--environment <name>', about).choices(['live', 'sandbox']).default('live')
}

/** Reads a list with commas between its parts; an option that is given again adds to its list. */
export function parseList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(',').map((part) => part.trim())]
}

/**
 * Runs the command that `argv` (with node and the script in front) asks for; gives the exit code.
 * A failure goes to standard error: its message, or with --json `{"error": code, "message"}`.
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused
    process.stderr.write(`${formatFailure(error, argv.includes('--json'))}\n`)
    return failed
  }
}

/**
 * A failure for the reader of a terminal or a program. Faults with a code of ours, and those of the
 * operating system, say all there is to say; anything else is a bug and shows where it happened.
 */
function formatFailure(error: unknown, json: boolean): string {
  if (!(error instanceof Error)) return formatFailure(new Error(String(error)), json)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (json) return JSON.stringify({ error: code ?? 'internal_error', message: error.message })
  return code === undefined ? (error.stack ?? error.message) : `arklog: ${error.message}`
}

/** Prints a result on standard output: JSON for programs, else text for people. */
export function print(options: JsonOption, value: unknown, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${text}\n`)
}

/** A text that may repeat what a stranger wrote, such that no terminal obeys it. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\ufffd')
}

/** Tells of something that does not keep a command from its work, on standard error. */
export function warn(message: string): void {
  process.stderr.write(`arklog: WARNING: ${message}\n`)
}

/** What a command was given cannot be used; the message says what is wrong with it. */
export class UnusableError extends Error {
  readonly code = 'unusable_input'

  constructor(message: string) {
    super(message)
    this.name = 'UnusableError'
  }
}

/**
 * Ends a command that could not do its work at all, for example because a file cannot be read:
 * prints why on standard error and gives exit code 2, which tells this from a negative finding.
 */
export function failUnusable(error: unknown, json: boolean): never {
  process.stderr.write(`${formatFailure(error, json)}\n`)
  throw new CommanderError(2, 'arklog.unusable', 'nothing could be checked')
}
