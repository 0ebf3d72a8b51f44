import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { askChild, startNode } from '#test/bench/_process.ts'
import { expectAnswers, measureRound, medianOf, type Round } from '#test/bench/_rounds.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const connections = 64

/** CPU that a request costs more, at most. */
const goals = { key: 12, token: 30 } as const

/** Rounds of each kind for one of the options: what is looked for is small beside the noise. */
const roundsEach = 2

type Kind = 'bare' | 'key' | 'token'

/** The CPU that the permission check adds to a request, beside the same route without one. */
export async function benchPermission({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const child = startNode(new URL('./_permission_server.ts', import.meta.url), [folder])
  cleanup.defer(() => child.stop())
  const server = (await askChild(child, {})) as { port: number; key: string; token: string }
  const files = { bare: path.join(folder, 'bare'), checked: path.join(folder, 'checked') }
  await writeFile(files.bare, '/bare\n')
  await writeFile(files.checked, '/checked\n')
  const run = async (kind: Kind): Promise<Round> => {
    const headers = kind === 'bare' ? {} : { authorization: `Bearer ${server[kind]}` }
    const pathsFile = kind === 'bare' ? files.bare : files.checked
    const plan = { type: 'get', port: server.port, headers, connections } as const
    const round = await measureRound(child.pid, () =>
      runLoad({ ...plan, durationMs: roundMs, pathsFile, pathsMax: 1, seed: 1 }),
    )
    expectAnswers(round)
    return round
  }
  const kinds: readonly Kind[] = ['bare', 'key', 'token']
  for (const kind of kinds) await run(kind)
  const seen: Record<Kind, Round[]> = { bare: [], key: [], token: [] }
  for (let round = 0; round < rounds * roundsEach; round += 1) {
    // Each comes first, second and third in turn.
    for (const place of kinds.keys()) {
      const kind = kinds[(round + place) % kinds.length] ?? 'bare'
      seen[kind].push(await run(kind))
    }
  }
  const cost = (kind: Kind) => medianOf(seen[kind], ({ cpuUs }) => cpuUs)
  const added = (kind: 'key' | 'token', name: string): Figure => ({
    bench: 'permission',
    name,
    value: cost(kind) - cost('bare'),
    unit: 'µs',
    goal: { atMost: goals[kind] },
  })
  return [
    { bench: 'permission', name: 'CPU of a bare request', value: cost('bare'), unit: 'µs' },
    added('key', 'CPU added by the check of an API key'),
    added('token', 'CPU added by the check of a cached token'),
  ]
}
