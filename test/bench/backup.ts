import fs from 'node:fs/promises'
import path from 'node:path'

import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { type RegistryServer, runArklog, startRegistry } from '#test/bench/_registry_server.ts'
import { expectAnswers, medianOf } from '#test/bench/_rounds.ts'
import { type LoadResult, runLoad } from '#test/bench/_wrk.ts'

const bench = 'backup'
const connections = 8
const mebibyte = 1_048_576

type Report = { readonly bytes: number; readonly written_bytes: number }

/** What those who register saw: the longest wait of each second, and how many were answered. */
type Registering = Pick<LoadResult, 'requests' | 'seconds' | 'sent'> & {
  readonly waitsMs: readonly number[]
}

/**
 * A filled registry that is backed up while works are registered, once more when little has
 * changed, and restored: rates, sizes, and the longest that whoever registers waits.
 */
export async function benchBackup(options: BenchOptions): Promise<Figure[]> {
  const { dataDir, works } = await options.filled()
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const [copy, target] = [path.join(folder, 'data'), path.join(folder, 'backups')]
  await fs.cp(dataDir, copy, { recursive: true })
  const registry = await startRegistry(copy)
  const stop = () => registry.child.stop()
  cleanup.defer(stop)
  const whole = await backUp(registry, { copy, target, first: 10_000_000 })
  // For as long: the longest wait grows with the time that is looked at.
  const secondsWhole = whole.registering.waitsMs.length
  const alone = await registerWhile(registry, 30_000_000, (waited) => waited < secondsWhole)
  const again = await backUp(registry, { copy, target, first: 20_000_000 })
  // Restoring takes minutes: what was measured so far is told before it.
  const told = (name: string, { waitsMs }: Registering) =>
    process.stderr.write(
      `longest registration ${name}: ${Math.round(Math.max(...waitsMs))} ms in ` +
        `${waitsMs.length} s; of each second, median ${Math.round(medianOf(waitsMs, same))} ms\n`,
    )
  told('during the first backup', whole.registering)
  told('during the next one', again.registering)
  told('without one', alone)
  const keys = path.join(folder, 'keys.json')
  const list = await fetch(`http://127.0.0.1:${registry.port}/.well-known/svc-keys.json`)
  await fs.writeFile(keys, await list.text())
  await stop()
  const startMs = performance.now()
  const restore = ['restore', target, '--nothing-newer', '--keys', keys]
  await runArklog(path.join(folder, 'restored'), restore)
  const restoreS = (performance.now() - startMs) / 1_000
  const figure = (name: string, value: number, unit: string) => ({ bench, name, value, unit })
  return [
    figure('works', works, ''),
    figure('the first backup takes', whole.seconds, 's'),
    figure('of the snapshot', whole.bytes / mebibyte / whole.seconds, 'MiB/s'),
    figure('it writes', whole.written_bytes / mebibyte, 'MiB'),
    figure('the next one takes', again.seconds, 's'),
    figure('it writes again', again.written_bytes / mebibyte, 'MiB'),
    figure('longest registration without one', Math.max(...alone.waitsMs), 'ms'),
    {
      ...figure('longest registration meanwhile', Math.max(...whole.registering.waitsMs), 'ms'),
      goal: { atMost: 100 },
    },
    figure('longest of each second without one', medianOf(alone.waitsMs, same), 'ms'),
    figure('longest of each second meanwhile', medianOf(whole.registering.waitsMs, same), 'ms'),
    figure('registrations without one', alone.requests / alone.seconds, '/s'),
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
  const registering = await registerWhile(registry, first, () => seconds === undefined)
  return { ...((await backup) as Report), seconds: seconds ?? Number.NaN, registering }
}

/** Registers second by second, as long as there is need for more of them. */
async function registerWhile(
  registry: RegistryServer,
  first: number,
  isWanted: (seconds: number) => boolean,
): Promise<Registering> {
  const rounds: LoadResult[] = []
  const sum = (measure: (round: LoadResult) => number) =>
    rounds.reduce((total, round) => total + measure(round), 0)
  while (isWanted(rounds.length)) {
    rounds.push(await registerOnce(registry, first + sum(({ sent }) => sent)))
  }
  return {
    waitsMs: rounds.map(({ maxMs }) => maxMs),
    requests: sum(({ requests }) => requests),
    seconds: sum(({ seconds }) => seconds),
    sent: sum(({ sent }) => sent),
  }
}

function same(value: number): number {
  return value
}

async function registerOnce({ port, headers }: RegistryServer, first: number): Promise<LoadResult> {
  const plan = { type: 'mint', path: '/v1/works', port, headers, connections } as const
  const round = await runLoad({ ...plan, durationMs: 1_000, first })
  expectAnswers(round)
  return round
}
