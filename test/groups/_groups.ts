/**
 * A test file that is run by itself loads all it imports anew. Those that need no process or thread
 * for themselves are therefore run in groups: a group's file declares the tests of all of them. A
 * file that AVA is given by name is run by itself.
 */

import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const testFolder = path.join(import.meta.dirname, '..')

/** The folders of each group, below that of the tests. A file is in the first that has it. */
const groups: Readonly<Record<string, readonly string[]>> = {
  actors: ['actors/'],
  client: ['src/client/', 'interface/'],
  delivery: ['src/delivery/'],
  discovery: ['src/discovery/'],
  edge: ['src/edge/', 'src/use_cases/'],
  http: ['src/http/'],
  identity: ['src/identity/'],
  log: ['log/', 'config/', 'contracts/', 'simulation/'],
  operations: ['src/operations/', 'src/keeping/', 'src/cli/', 'src/admin/'],
  pages: ['src/pages/'],
  start: ['src/start/', 'src/cluster/', 'src/usage/', 'src/limits/'],
  tlog_tools: ['src/tlog_tools/'],
}

/** What, in a test file, has it run by itself. */
const alone = [
  // It waits for something before its tests are known.
  /^(?![^\n]*=>)[^\s/*][^\n]*\bawait\b/m,
  // It changes what its whole process has.
  /\bprocess\.env(?:\.\w+|\[[^\]]+\]) = |\bprocess\.(?:on|once|umask|setuid)\(/,
  /\bglobalThis\.\w+ = /,
  // Processes are its subject, and take longer than all it would share.
  /#test\/scenario\/_process\.ts|#test\/src\/cluster\/_(?:over|nats)_servers\.ts/,
  /'node:child_process'/,
]

/** The test files of a group, from the folder of the tests, in order. */
export function filesOf(group: string): string[] {
  return grouped().get(group) ?? []
}

/** What AVA is to run for all test files below these folders: groups, and files by themselves. */
export function testFiles(): string[] {
  const all = grouped()
  const inGroups = new Set([...all.values()].flat())
  const others = allFiles().filter((file) => !inGroups.has(file))
  return [...[...all.keys()].map(groupFile), ...others].map((file) => `test/${file}`)
}

/** The file of a group. Throws if there is none: its tests would not run. */
function groupFile(group: string): string {
  const file = `groups/${group}.test.ts`
  if (!existsSync(path.join(testFolder, file))) throw new Error(`test/${file} is missing`)
  return file
}

/** The test files of each group. */
function grouped(): Map<string, string[]> {
  const found = new Map<string, string[]>(Object.keys(groups).map((name) => [name, []]))
  for (const file of allFiles()) {
    const [name] = Object.entries(groups).find(([, folders]) =>
      folders.some((folder) => file.startsWith(folder)),
    ) ?? ['']
    const text = readFileSync(path.join(testFolder, file), 'utf8')
    if (!alone.some((pattern) => pattern.test(text))) found.get(name)?.push(file)
  }
  return found
}

/** All test files of `npm test`. */
function allFiles(): string[] {
  const others = ['long/', 'browser/', 'groups/']
  const files = globSync('**/*.test.ts', { cwd: testFolder }).toSorted()
  return files.filter((file) => !others.some((folder) => file.startsWith(folder)))
}
