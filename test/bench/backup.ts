import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { type RegistryServer, runArklog, startRegistry } from '#test/bench/_registry_server.ts'
import { expectAnswers } from '#test/bench/_rounds.ts'
import { type LoadResult, runLoad } from '#test/bench/_wrk.ts'

const bench = 'backup'
const connections = 8
const mebibyte = 1_048_576

type Report = { readonly bytes: number; readonly written_bytes: number }

/** What those who register saw: the longest wait of all, and how many were answered. */
type Registering = Pick<LoadResult, 'maxMs' | 'requests' | 'seconds' | 'sent'>

/**
 * A filled registry that is backed up while works are registered, once more when little has
 * changed, and restored: rates, sizes, and the longest that whoever registers waits.
 */
export async function benchBackup(options: BenchOptions): Promise<Figure[]> {
  const { dataDir, works } = await options.filled()
  await using cleanup = new AsyncDisposableStack()
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  cleanup.defer(() => fs.rm(folder, { recursive: true }))
  const [copy, target] = [path.join(folder, 'data'), path.join(folder, 'backups')]
  await fs.cp(dataDir, copy, { recursive: true })
  const registry = await startRegistry(copy)
  const stop = () => registry.child.stop()
  cleanup.defer(stop)
  const alone = await registerFor(registry, options.roundMs, 30_000_000)
  const whole = await backUp(registry, { copy, target, first: 10_000_000 })
  const again = await backUp(registry, { copy, target, first: 20_000_000 })
  // Restoring takes minutes: what was measured so far is told before it.
  const waits = `${Math.round(alone.maxMs)} ms before, ${Math.round(whole.registering.maxMs)} ms`
  process.stderr.write(`longest registration: ${waits} meanwhile\n`)
  await stop()
  const startMs = performance.now()
  await runArklog(path.join(folder, 'restored'), ['restore', target, '--nothing-newer'])
  const restoreS = (performance.now() - startMs) / 1_000
  const figure = (name: string, value: number, unit: string) => ({ bench, name, value, unit })
  return [
    figure('works', works, ''),
    figure('the first backup takes', whole.seconds, 's'),
    figure('of the snapshot', whole.bytes / mebibyte / whole.seconds, 'MiB/s'),
    figure('it writes', whole.written_bytes / mebibyte, 'MiB'),
    figure('the next one takes', again.seconds, 's'),
    figure('it writes again', again.written_bytes / mebibyte, 'MiB'),
    figure('longest registration before', alone.maxMs, 'ms'),
    {
      ...figure('longest registration meanwhile', whole.registering.maxMs, 'ms'),
      goal: { atMost: 100 },
    },
    figure('registrations before', alone.requests / alone.seconds, '/s'),
    figure('registrations meanwhile', whole.registering.requests / whole.registering.seconds, '/s'),
    figure('restored and checked after', restoreS, 's'),
  ]
}

type Place = { readonly copy: string; readonly target: string; readonly first: number }

async function backUp(registry: RegistryServer, { copy, target, first }: Place) {
  const startMs = performance.now()
  let seconds: number | undefined
  const backup = runArklog(copy, ['backup', target]).finally(() => {
    seconds = (performance.now() - startMs) / 1_000
  })
  let registering: Registering = { maxMs: 0, requests: 0, seconds: 0, sent: 0 }
  while (seconds === undefined) {
    const round = await registerFor(registry, 1_000, first + registering.sent)
    registering = {
      maxMs: Math.max(registering.maxMs, round.maxMs),
      requests: registering.requests + round.requests,
      seconds: registering.seconds + round.seconds,
      sent: registering.sent + round.sent,
    }
  }
  return { ...((await backup) as Report), seconds, registering }
}

async function registerFor(
  { port, headers }: RegistryServer,
  durationMs: number,
  first: number,
): Promise<Registering> {
  const plan = { type: 'mint', path: '/v1/works', port, headers, connections } as const
  const round = await runLoad({ ...plan, durationMs, first })
  expectAnswers(round)
  return round
}
