import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startBare } from '#test/bench/_bare.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import {
  alternate,
  compareRounds,
  expectAnswers,
  measureRound,
  medianOf,
} from '#test/bench/_rounds.ts'
import { createWork } from '#test/bench/_works.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const connections = 64
const created = 201

const goals = { ratio: 0.22, p99Ms: 15, cpuUs: 190, busiestUs: 95 }

/** Minting over HTTP beside a bare route that validates the same bodies. */
export async function benchMint({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(dataDir, { recursive: true }))
  const registry = await startRegistry(dataDir, { SEARCH: 'on' })
  cleanup.defer(() => registry.child.stop())
  const bare = await startBare('mint', await mintOne(registry))
  cleanup.defer(() => bare.child.stop())
  let first = 1
  const mint = async (server: { port: number; child: { pid: number } }, durationMs: number) => {
    const { headers } = registry
    const { port } = server
    const plan = {
      type: 'mint',
      path: '/v1/works',
      port,
      headers,
      connections,
      durationMs,
    } as const
    const round = await measureRound(server.child.pid, () => runLoad({ ...plan, first }))
    first += round.sent
    expectAnswers(round)
    return round
  }
  await mint(registry, roundMs)
  await mint(bare, roundMs)
  const seen = await alternate(
    rounds,
    () => mint(registry, roundMs),
    () => mint(bare, roundMs),
  )
  const writtenBytes = medianOf(seen.ours, (round) => round.writtenBytes / round.requests)
  return [
    ...compareRounds('mint', `${connections} connections`, seen, goals),
    {
      bench: 'mint',
      name: 'written to disk per mint',
      value: writtenBytes,
      unit: 'bytes',
      goal: { atMost: 6_000 },
    },
  ]
}

// The reply of one mint, which the bare route then answers every time.
async function mintOne({ port, headers }: { port: number; headers: Record<string, string> }) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/works`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(createWork(0)),
  })
  const reply = await response.text()
  if (response.status !== created) throw new Error(`minting answers ${response.status}: ${reply}`)
  return reply
}
