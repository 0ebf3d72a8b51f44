import test from 'ava'
import type { Lease, LeaseStore } from '#src/cluster/lease.ts'
import { until } from '#test/_until.ts'
import { leaseStore, wantLease } from '#test/src/cluster/_lease_options.ts'
import { startLeaseProcess } from '#test/src/cluster/_started_lease.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

function holders(leases: readonly Lease[]): readonly Lease[] {
  return leases.filter(({ held }) => held !== undefined)
}

overServers((servers) => {
  testTenure(servers)
  testLostAnswers(servers)
  testProcesses(servers)
})

function testTenure(servers: () => NatsServers): void {
  test('one of many holds a lease, and hands it to another one at once', async (t) => {
    const name = 'handover'
    const leases = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(async (holder) => {
        const store = await leaseStore(t, servers(), { name, ttlMs: 600_000 })
        return wantLease(t, { store, holder })
      }),
    )
    let last = 0
    for (let left = leases; left.length > 0; ) {
      // Long before it is time for the next attempt, which is in 200 seconds.
      await until('somebody holds it', () => holders(left).length > 0)
      const [holder, ...others] = holders(left)
      t.deepEqual(others, [])
      const token = holder?.held?.token ?? 0
      t.true(token > last)
      last = token
      await holder?.release()
      t.is(holder?.held, undefined)
      left = left.filter((lease) => lease !== holder)
    }
  })

  test('a lease is renewed under the token that it was taken with', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'renewal' })
    const revisions = new Set<number>()
    const tokens = new Set<number | undefined>()
    let changes = 0
    const counted = (): void => void (changes += 1)
    const lease = wantLease(t, {
      store,
      holder: 'a',
      describe: () => ({ role: 'x' }),
      changed: counted,
    })
    const stop = store.watch('leader', (_key, entry) => {
      revisions.add(entry?.revision ?? 0)
      tokens.add(lease.held?.token)
      t.deepEqual(entry?.value, { holder: 'a', role: 'x' })
    })
    await until('it is renewed', () => revisions.size >= 4)
    stop()
    t.is(lease.held?.token, Math.min(...revisions))
    t.is(changes, 1)
  })
}

function testLostAnswers(servers: () => NatsServers): void {
  test('a holder that cannot renew stops believing before the store lets go', async (t) => {
    let elapsedMs = 0
    let isCut = false
    const store = await leaseStore(t, servers(), { name: 'cut' })
    // As over a connection on which nothing comes back.
    const cut: LeaseStore = {
      ttlMs: store.ttlMs,
      create: (key, value) => store.create(key, value),
      update: async (key, value, revision) =>
        isCut ? Promise.reject(new Error('cut')) : store.update(key, value, revision),
      read: (key) => store.read(key),
      delete: (key, revision) => store.delete(key, revision),
      watch: (key, changed) => store.watch(key, changed),
    }
    const errors: unknown[] = []
    const lease = wantLease(t, {
      store: cut,
      holder: 'a',
      elapsedMs: () => elapsedMs,
      report: ({ error }) => errors.push(error),
    })
    await until('it is held', () => lease.held !== undefined)
    const token = lease.held?.token ?? 0
    isCut = true
    elapsedMs = 7_999
    t.deepEqual(lease.held, { token })
    elapsedMs = 8_000
    t.is(lease.held, undefined)
    await until('a renewal has failed', () => errors.length > 0)
    t.is(lease.held, undefined)
    isCut = false
    await until('it is held again', () => lease.held !== undefined)
    t.true((lease.held?.token ?? 0) > token)
  })

  test('what was written without an answer is known by its holder', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'unanswered', ttlMs: 3_000 })
    let unanswered = 2
    const answerless: LeaseStore = {
      ttlMs: store.ttlMs,
      async create(key, value) {
        const revision = await store.create(key, value)
        if ((unanswered -= 1) < 0) return revision
        throw new Error('no answer')
      },
      async update(key, value, revision) {
        const given = await store.update(key, value, revision)
        if ((unanswered -= 1) < 0) return given
        throw new Error('no answer')
      },
      read: (key) => store.read(key),
      delete: (key, revision) => store.delete(key, revision),
      watch: (key, changed) => store.watch(key, changed),
    }
    const lease = wantLease(t, { store: answerless, holder: 'a' })
    await until('it is held', () => lease.held !== undefined)
    t.true(unanswered < 0)
    t.is((await store.read('leader'))?.value.holder, 'a')
  })
}

function testProcesses(servers: () => NatsServers): void {
  test('a holder that stood still finds out when it wakes', async (t) => {
    const name = 'still'
    const first = startLeaseProcess(t, servers(), { name, holder: 'first', ttlMs: 2_000 })
    await until('the first one holds it', () => first.token() > 0)
    const token = first.token()
    const second = wantLease(t, {
      store: await leaseStore(t, servers(), { name }),
      holder: 'second',
    })
    first.child.kill('SIGSTOP')
    await until('the second one holds it', () => second.held !== undefined)
    t.true((second.held?.token ?? 0) > token)
    const wokenMs = Number(process.hrtime.bigint()) / 1e6
    first.child.kill('SIGCONT')
    const later = () => first.samples.filter(({ atMs }) => atMs > wokenMs)
    await until('the first one says what it holds', () => later().length > 0)
    t.true(later().every((sample) => sample.token === 0))
  })

  test('the lease of a process that dies goes to another one', async (t) => {
    const name = 'death'
    const first = startLeaseProcess(t, servers(), { name, holder: 'first', ttlMs: 2_000 })
    await until('the first one holds it', () => first.token() > 0)
    const second = wantLease(t, {
      store: await leaseStore(t, servers(), { name }),
      holder: 'second',
    })
    first.child.kill('SIGKILL')
    await until('the second one holds it', () => second.held !== undefined)
    t.true((second.held?.token ?? 0) > first.token())
  })
}
