/**
 * A test file that is run by itself loads all it imports anew. Those that need no thread for
 * themselves are therefore run in groups: a group's file declares the tests of all of them. A file
 * that AVA is given by name is run by itself.
 */

import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const testFolder = path.join(import.meta.dirname, '..')

/** How the files of each group begin, below the folder of the tests: it is the first that fits. */
const groups: Readonly<Record<string, readonly string[]>> = {
  actors: ['actors/'],
  client: ['src/client/', 'interface/'],
  delivery: ['src/delivery/'],
  discovery: ['src/discovery/'],
  edge: ['src/edge/', 'src/use_cases/'],
  http: ['src/http/'],
  identity: ['src/identity/'],
  log: ['log/', 'config/', 'contracts/', 'simulation/'],
  start: ['src/cli/start/', 'src/cluster/'],
  operations: ['src/operations/', 'src/keeping/', 'src/cli/'],
  pages: ['src/pages/'],
  scenario_attacks: [
    'scenario/attack_formats.',
    'scenario/attack_h',
    'scenario/hostile_clock.',
    'scenario/hostile_disk.',
    'scenario/hostile_fetch.',
    'scenario/hostile_s',
    'scenario/planted_secrets.',
  ],
  scenario_threads: [
    'scenario/accounts.',
    'scenario/attack_',
    'scenario/connections.',
    'scenario/erasure.',
    'scenario/hostile_',
  ],
  scenario_kills: [
    'scenario/flow_kill.',
    'scenario/kill.',
    'scenario/newer_recovery.',
    'scenario/webhooks.',
    'scenario/witness_kill.',
    'scenario/write_back.',
  ],
  scenario_logs: [
    'scenario/key.',
    'scenario/log_only.',
    'scenario/mirror.',
    'scenario/monitor_service.',
    'scenario/older_keys.',
    'scenario/read_log.',
    'scenario/receipt_key.',
    'scenario/witness',
    'scenario/wrong_clock.',
  ],
  scenarios: ['scenario/'],
  tlog_tools: ['src/tlog_tools/'],
}

/** What, in a test file, has it run by itself. */
const alone = [
  // It waits for something before its tests are known.
  /^(?=[^\s/*])(?:(?!=>)[^\n])*?\bawait\b/m,
  // It changes what its whole process has.
  /\bprocess\.env(?:\.\w+|\[[^\]]+\]) = |\bprocess\.(?:on|once|umask|setuid)\(/,
  /\bglobalThis\.\w+ = /,
  // Servers that it stops and starts are its subject, and take longer than all it would share.
  /#test\/src\/cluster\/_(?:over|nats)_servers\.ts/,
]

/** What has a file run by itself unless it is a scenario: processes, which take longest of all. */
const startsProcesses = /#test\/scenario\/_process\.ts|'node:child_process'/

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

/** The group of a test file, unless its text has it run by itself; that of the group, too. */
export function groupOf(file: string): string | undefined {
  const within = path.relative(testFolder, file)
  if (within.startsWith('groups/')) return path.basename(within, '.test.ts')
  const all = Object.entries(groups)
  return all.find(([, beginnings]) => beginnings.some((each) => within.startsWith(each)))?.[0]
}

/** The test files of each group. */
function grouped(): Map<string, string[]> {
  const found = new Map<string, string[]>(Object.keys(groups).map((name) => [name, []]))
  for (const file of allFiles()) {
    const name = groupOf(path.join(testFolder, file)) ?? ''
    const text = readFileSync(path.join(testFolder, file), 'utf8')
    const isScenario = file.startsWith('scenario/')
    const patterns = isScenario ? alone : [...alone, startsProcesses]
    if (!patterns.some((pattern) => pattern.test(text))) found.get(name)?.push(file)
  }
  return found
}

/** All test files of `npm test`. */
function allFiles(): string[] {
  const others = ['long/', 'browser/', 'groups/']
  // What is tested with packages of its own has them below this folder: their tests are not ours.
  const exclude = (name: string) => name === 'node_modules'
  const files = globSync('**/*.test.ts', { cwd: testFolder, exclude }).toSorted()
  return files.filter((file) => !others.some((folder) => file.startsWith(folder)))
}
