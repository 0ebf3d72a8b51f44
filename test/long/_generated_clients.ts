// Clients that generators of others make of our OpenAPI document, and where the generators are.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import type { Server } from '#test/scenario/_process.ts'

const sourceDir = path.join(import.meta.dirname, '../foreign/generated_clients')
const installed = path.join(sourceDir, 'node_modules')

/** Whether the generators of TypeScript are installed. */
export const hasTypeScriptGenerators = existsSync(installed)

/** Where the generator of Python is; undefined if it is not installed. */
export const pythonGenerator = find('openapi-python-client')

/** Where a program of the PATH is, links followed by name only. */
function find(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.map((folder) => path.join(folder, program)).find(existsSync)
}

/** Runs a program to its end, and gives what it prints. */
export function runProgram(cwd: string, program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8' })
}

/** A program of the installed packages. */
export function installedProgram(name: string): string {
  return path.join(installed, '.bin', name)
}

/** A folder beside a registry's data with our programs, and the document of the registry. */
export async function copyPrograms(server: Server): Promise<string> {
  const { local_url: url, data_dir: dataDir } = server.started
  const folder = path.join(path.dirname(dataDir), 'clients')
  cpSync(sourceDir, folder, { recursive: true, filter: (name) => name !== installed })
  mkdirSync(path.join(folder, 'generated'))
  const document = await (await fetch(`${url}/openapi.json`)).text()
  writeFileSync(path.join(folder, 'openapi.json'), document)
  return folder
}

/** Makes both clients in TypeScript in a folder of programs. */
export function generateTypeScript(folder: string): void {
  symlinkSync(installed, path.join(folder, 'node_modules'))
  const args = ['openapi.json', '-o', 'generated/openapi_fetch.ts']
  runProgram(folder, installedProgram('openapi-typescript'), args)
  runProgram(folder, installedProgram('openapi-ts'), [])
}

/** Makes the client in Python in a folder of programs; gives the Python that runs it. */
export function generatePython(folder: string, generator: string): string {
  const options = ['--output-path', 'arklog_client', '--meta', 'none']
  runProgram(folder, generator, ['generate', '--path', 'openapi.json', ...options])
  return path.join(path.dirname(generator), 'python3')
}
