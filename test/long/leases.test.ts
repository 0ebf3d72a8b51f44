// Processes that want one lease are killed and stopped, and so are the servers that keep it.

import test, { type ExecutionContext } from 'ava'
import { until, untilGiven } from '#test/_until.ts'
import { countOf } from '#test/long/_full_counts.ts'
import type { LeaseSample } from '#test/src/cluster/_lease_process.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { type LeaseProcess, startLeaseProcess } from '#test/src/cluster/_started_lease.ts'

const rounds = countOf({ few: 2, full: 10 })
const wanted = { name: 'faults', ttlMs: 2_000 }

/** The processes that want the lease at a time, and all that there ever were. */
class Contest {
  readonly #t: ExecutionContext
  readonly servers: NatsServers
  readonly all: LeaseProcess[] = []
  #living: LeaseProcess[] = []

  constructor(t: ExecutionContext, servers: NatsServers) {
    this.#t = t
    this.servers = servers
    for (let count = 0; count < 3; count += 1) this.#add()
  }

  #add(): void {
    const holder = `holder-${this.all.length}`
    const process = startLeaseProcess(this.#t, this.servers, { ...wanted, holder })
    this.all.push(process)
    this.#living.push(process)
  }

  /** The next process that says that it holds the lease, under another token than `but`. */
  holder(but = 0): Promise<LeaseProcess> {
    return untilGiven(
      'somebody holds the lease',
      async () => this.#living.find((one) => one.token() !== 0 && one.token() !== but),
      { pauseMs: 5 },
    )
  }

  async killHolder(): Promise<void> {
    const holder = await this.holder()
    holder.child.kill('SIGKILL')
    this.#living = this.#living.filter((one) => one !== holder)
    this.#add()
    await this.holder(holder.token())
  }

  async stopHolder(): Promise<void> {
    const holder = await this.holder()
    const told = holder.samples.length
    holder.child.kill('SIGSTOP')
    await this.holder(holder.token())
    holder.child.kill('SIGCONT')
    await until('it goes on', () => holder.samples.length > told + 100, { pauseMs: 5 })
  }

  async killServers(indexes: readonly number[]): Promise<void> {
    await Promise.all(indexes.map((index) => this.servers.signal(index, 'SIGKILL')))
    await Promise.all(indexes.map((index) => this.servers.start(index)))
    await this.servers.ready()
    await this.holder()
  }
}

overServers((servers) => {
  test(`a lease has one holder at a time, over ${rounds} rounds of faults`, async (t) => {
    t.timeout(15 * 60_000)
    const contest = new Contest(t, servers())
    for (let round = 0; round < rounds; round += 1) {
      await contest.killHolder()
      await contest.stopHolder()
      await contest.killServers([round % 3])
      await contest.killServers([0, 1, 2])
    }
    const samples = contest.all.flatMap((one) => one.samples).filter(({ token }) => token > 0)
    const inTime = samples.toSorted((one, other) => one.atMs - other.atMs)
    t.deepEqual(overlaps(inTime), [])
    const tokens = new Set(inTime.map(({ token }) => token))
    t.true(tokens.size >= 2 * rounds, `${tokens.size} tenures`)
    t.log(`${tokens.size} tenures, ${inTime.length} samples`)
  })
})

/** Where somebody held a lease after somebody else had got it; `samples` are in time. */
function overlaps(samples: readonly LeaseSample[]): readonly LeaseSample[] {
  let newest = 0
  return samples.filter(({ token }) => {
    newest = Math.max(newest, token)
    return token < newest
  })
}
