import { type ChildProcess, fork } from 'node:child_process'
import type { ExecutionContext } from 'ava'
import type { LeaseSample } from '#test/src/cluster/_lease_process.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'

/** A process that wants a lease. */
export type LeaseProcess = {
  readonly child: ChildProcess
  /** All that it has told. */
  readonly samples: readonly LeaseSample[]
  /** What it held when it told last; 0: nothing. */
  token(): number
}

/** Starts a process that wants a lease, until the end of the test. */
export function startLeaseProcess(
  t: ExecutionContext,
  servers: NatsServers,
  options: { readonly name: string; readonly holder: string; readonly ttlMs: number },
): LeaseProcess {
  const { name, holder, ttlMs } = options
  const program = new URL('_lease_process.ts', import.meta.url)
  const child = fork(program, [servers.url, name, holder, String(ttlMs)])
  t.teardown(() => child.kill('SIGKILL'))
  const samples: LeaseSample[] = []
  child.on('message', (sample: LeaseSample) => samples.push(sample))
  return { child, samples, token: () => samples.at(-1)?.token ?? 0 }
}
