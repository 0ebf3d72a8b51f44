import http from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import type { WitnessCalls } from '#src/tlog_tools/witness/witness_commands.ts'
import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { type Child, readCounters, startNode, waitForOutput } from '#test/bench/_process.ts'
import { medianOf } from '#test/bench/_rounds.ts'
import { WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const logCount = 100

/** What the witness does on the one core that it is held to, at least. */
const rateGoal = 1_000

/** Checkpoints of each log in a round of full length, and in a short one. */
const stepsFull = 80
const stepsQuick = 5

type WitnessRound = { readonly rate: number; readonly cpuUs: number }

/** Checkpoints cosigned a second, of many logs at one time, each log waiting for its answers. */
export async function benchWitness({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  const { child, url } = await startWitness(dataDir)
  cleanup.defer(() => child.stop())
  const steps = roundMs < 1_000 ? stepsQuick : stepsFull
  const size = steps * (rounds + 1)
  const logs = Array.from({ length: logCount }, (_, at) => {
    return new WitnessedHistory(`log${at}.example/log`).branch(0, size, String(at))
  })
  const admin = new AdminClient<WitnessCalls>(adminSocketPath(dataDir))
  for (const { vkey } of logs) await admin.call('/logs/add', { vkey })
  admin.close()
  const agent = new http.Agent({ keepAlive: true, maxSockets: logCount })
  cleanup.defer(() => agent.destroy())
  const seen: WitnessRound[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const bodies = logs.map((log) => submissionsOf(log, round * steps, (round + 1) * steps))
    const measured = await measure(child, `${url}/add-checkpoint`, { bodies, agent })
    // In the first round the witness is compiled.
    if (round > 0) seen.push(measured)
  }
  const bench = 'witness'
  return [
    {
      bench,
      name: `checkpoints of ${logCount} logs cosigned, on one core`,
      value: medianOf(seen, ({ rate }) => rate),
      unit: '/s',
      goal: { atLeast: rateGoal },
    },
    {
      bench,
      name: 'CPU of a cosigned checkpoint',
      value: medianOf(seen, ({ cpuUs }) => cpuUs),
      unit: 'µs',
    },
  ]
}

async function startWitness(
  dataDir: string,
): Promise<{ readonly child: Child; readonly url: string }> {
  const env = {
    WITNESS_NAME: 'witness.example/bench',
    DATA_DIR: dataDir,
    PORT: '0',
    LIMIT_ADD_CHECKPOINT: '1000000000',
    LIMIT_NEW_CHECKPOINTS: '1000000000',
    LOG_LEVEL: 'warn',
  }
  const main = new URL('../../src/main.ts', import.meta.url)
  const child = startNode(main, ['witness', 'serve', '--json'], { env, cores: '0' })
  const [, url = ''] = await waitForOutput(child, /"local_url":"([^"]+)"/)
  return { child, url }
}

function submissionsOf(log: WitnessedHistory, from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, at) => log.submission(from + at, from + at + 1))
}

type Load = { readonly bodies: readonly (readonly string[])[]; readonly agent: http.Agent }

async function measure(child: Child, url: string, { bodies, agent }: Load): Promise<WitnessRound> {
  const before = await readCounters(child.pid)
  const startMs = performance.now()
  await Promise.all(
    bodies.map(async (ofLog) => {
      for (const body of ofLog) await submit(url, body, agent)
    }),
  )
  const seconds = (performance.now() - startMs) / 1_000
  const after = await readCounters(child.pid)
  const requests = bodies.reduce((sum, { length }) => sum + length, 0)
  const cpuUs = ((after.cpuSeconds - before.cpuSeconds) * 1e6) / requests
  return { rate: requests / seconds, cpuUs }
}

async function submit(url: string, body: string, agent: http.Agent): Promise<void> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.request(url, { method: 'POST', agent }, resolve).once('error', reject).end(body)
  })
  const reply = await text(response)
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${reply}`)
}
