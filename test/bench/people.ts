import path from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'

import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { fillPeople } from '#test/bench/_filled_people.ts'
import { readCounters } from '#test/bench/_process.ts'
import { serveRegistry } from '#test/bench/_registry_server.ts'
import { medianOf } from '#test/bench/_rounds.ts'

const bench = 'people'
const mebibyte = 1_048_576

/** Tokens of as many permissions that are used, and how many requests are under way at a time. */
const tokensMax = 20_000
const requestsAtOnce = 32

/** How long a server is left alone before its memory is read, at most. */
const settleMsMax = 5_000

/** What memory people take that are registered: beside an empty registry, started and used. */
export async function benchPeople({ people, rounds, settleMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const dirs = { empty: path.join(folder, 'empty'), filled: path.join(folder, 'filled') }
  for (const dir of Object.values(dirs)) await (await serveRegistry(dir, {})).child.stop()
  const startMs = performance.now()
  const tokens = await fillPeople(dirs.filled, { people, tokens: Math.min(people, tokensMax) })
  const fillS = (performance.now() - startMs) / 1_000
  const seen: Record<keyof typeof dirs, Served[]> = { empty: [], filled: [] }
  const use = { tokens, settleMs: Math.min(settleMs, settleMsMax) }
  for (let round = 0; round < rounds; round += 1) {
    seen.empty.push(await serveOnce(dirs.empty, { ...use, expected: 401 }))
    seen.filled.push(await serveOnce(dirs.filled, { ...use, expected: 404 }))
  }
  const figure = (of: keyof typeof dirs, name: string, measure: (served: Served) => number) => {
    const value = medianOf(seen[of], measure)
    return { bench, name: `${name}, ${of}`, value, unit: 'MiB' }
  }
  const ratio = (name: string, measure: (served: Served) => number) => {
    const value = medianOf(seen.filled, measure) / medianOf(seen.empty, measure)
    return { bench, name: `${name}, of an empty registry's`, value, unit: '' }
  }
  const idleMiB = ({ idleBytes }: Served) => idleBytes / mebibyte
  const usedMiB = ({ usedBytes }: Served) => usedBytes / mebibyte
  return [
    { bench, name: 'people', value: people, unit: '' },
    { bench, name: 'filled in', value: fillS, unit: 's' },
    ...(['empty', 'filled'] as const).flatMap((of) => [
      { ...figure(of, 'ready after', ({ readyMs }) => readyMs / 1_000), unit: 's' },
      figure(of, 'anonymous, idle', idleMiB),
      figure(of, `anonymous, after ${tokens.length} tokens`, usedMiB),
    ]),
    { ...ratio('anonymous, idle', idleMiB), goal: { atMost: 1.15 } },
    ratio('anonymous, used', usedMiB),
  ]
}

type Served = { readonly readyMs: number; readonly idleBytes: number; readonly usedBytes: number }

type Use = {
  readonly tokens: readonly string[]
  readonly settleMs: number
  readonly expected: number
}

/** Serves a registry and uses each token once, which it answers with `expected`. */
async function serveOnce(dataDir: string, { tokens, settleMs, expected }: Use): Promise<Served> {
  await using cleanup = new AsyncDisposableStack()
  const startMs = performance.now()
  const { child, port } = await serveRegistry(dataDir, {})
  const readyMs = performance.now() - startMs
  cleanup.defer(() => child.stop())
  await rest(settleMs)
  const { ownBytes: idleBytes } = await readCounters(child.pid)
  const left = tokens.values()
  const use = async () => {
    for (const token of left) {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`http://127.0.0.1:${port}/v1/works/none`, { headers })
      await response.arrayBuffer()
      if (response.status !== expected) throw new Error(`a token was answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, use))
  const { ownBytes: usedBytes } = await readCounters(child.pid)
  return { readyMs, idleBytes, usedBytes }
}
