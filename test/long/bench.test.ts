import test, { type ExecutionContext } from 'ava'
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

import type { Figure } from '#test/bench/_figure.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { natsServerProgram } from '#test/src/cluster/_nats_program.ts'

const main = new URL('../bench/main.ts', import.meta.url).pathname

const title = 'every bench runs and measures something'

/** What the kernel counts in hundredths of a second: a short round may take less. */
const isCpu = /\bCPU\b/

/** What is counted that need not happen. */
const mayBeNone = /, (?:refused|decided anew)$|^refused of all, /

/** What is the difference of two figures: in the noise of a short round it may be below zero. */
const isDifference = /^CPU added by /

/** The bench that installs software of others and runs it beside ours, only for a release. */
const withOthers = 'peers'

async function runBenches(t: ExecutionContext): Promise<void> {
  // Each thread of a server costs its start as much as a process.
  const env = { ...process.env, EDGE_THREADS: '0' }
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [main, ...args], { env })
  const { stderr: help } = await run('--help')
  const named = /^Benches: (.*);/m.exec(help)?.[1]?.split(', ') ?? []
  t.true(named.length > 20, help)
  const isRelease = countOf({ few: 0, full: 1 }) === 1
  const asked = named.filter((name) => isRelease || name !== withOthers)
  const { stdout } = await run('--quick', '--json', ...asked)
  const { figures } = JSON.parse(stdout) as { figures: Figure[] }
  const benches = new Set(figures.map(({ bench }) => bench))
  const hasNats = natsServerProgram !== undefined
  t.deepEqual(
    asked.filter((name) => hasNats || name !== 'cluster'),
    [...benches],
  )
  for (const { bench, name, value } of figures) {
    t.true(isPlausible(name, value), `${bench}: ${name} is ${value}`)
  }
}

function isPlausible(name: string, value: number): boolean {
  if (isDifference.test(name)) return Number.isFinite(value)
  return mayBeNone.test(name) || isCpu.test(name) ? value >= 0 : value > 0
}

if (spawnSync('wrk', ['-v']).error === undefined) test(title, runBenches)
else test.skip(`${title} (skipped: wrk is not installed)`, runBenches)
