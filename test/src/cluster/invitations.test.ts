import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import { fetchCopy } from '#src/cluster/fetched_copy.ts'
import { parseInvitation } from '#src/cluster/invitation.ts'
import { Invitations, type JoinEvent } from '#src/cluster/invitations.ts'
import { joinSubject } from '#src/cluster/join_keys.ts'
import { testPatience } from '#test/src/cluster/_engine_options.ts'
import { connected } from '#test/src/cluster/_journal_streams.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { until } from '#test/_until.ts'

let nodes = 0

/** A node that invites, whose copy is these pieces; its clock is `clock.nowMs`. */
async function inviting(t: ExecutionContext, servers: NatsServers, pieces: readonly Buffer[]) {
  const clock = { nowMs: 1_000_000 }
  const events: JoinEvent['type'][] = []
  const node = `node-${(nodes += 1)}`
  const invitations = new Invitations({
    connection: await connected(t, servers),
    node,
    random: randomBytes,
    systemMs: () => clock.nowMs,
    copy: async function* () {
      yield* pieces
    },
    report: ({ type }) => events.push(type),
  })
  t.teardown(() => invitations.close())
  const connection = await connected(t, servers)
  const fetch = async (token: string, patience = testPatience) => {
    const invitation = parseInvitation(token)
    const options = { connection, invitation, systemMs: () => clock.nowMs, patience }
    return Buffer.concat(await Array.fromAsync(fetchCopy(options)))
  }
  return { clock, events, node, invitations, connection, fetch }
}

overServers((servers) => {
  testTerms(servers)
  testHarm(servers)
  testBounds(servers)
})

/** Who has a copy, when, and how often. */
function testTerms(servers: () => NatsServers): void {
  test('a copy of any length comes as it is, once', async (t) => {
    for (const lengths of [[], [1], [262_144], [262_145], [5, 3_000_000, 0, 7]]) {
      const pieces = lengths.map((length) => randomBytes(length))
      const { invitations, events, fetch } = await inviting(t, servers(), pieces)
      const { token } = invitations.create()
      const copy = await fetch(token)
      t.is(Buffer.compare(copy, Buffer.concat(pieces)), 0, lengths.join())
      await t.throwsAsync(fetch(token), { code: 'invitation_used' })
      t.deepEqual(events, ['invited', 'copy_began', 'copy_sent'])
    }
  })

  test('an invitation ends after an hour, by the clock of either side', async (t) => {
    const { invitations, clock, fetch } = await inviting(t, servers(), [])
    const { token, expiresMs } = invitations.create()
    clock.nowMs += 60 * 60 * 1_000
    t.is(expiresMs, clock.nowMs)
    await t.throwsAsync(fetch(token), { code: 'invitation_expired' })
    const late = invitations.create()
    const { connection } = await inviting(t, servers(), [])
    clock.nowMs += 60 * 60 * 1_000
    const behind = {
      connection,
      invitation: parseInvitation(late.token),
      systemMs: () => 0,
      patience: testPatience,
    }
    await t.throwsAsync(Array.fromAsync(fetchCopy(behind)), { code: 'invitation_unknown' })
  })

  test('who knows no secret neither uses an invitation nor has anything of it', async (t) => {
    const { invitations, events, connection, fetch } = await inviting(t, servers(), [])
    const { token } = invitations.create()
    const invitation = { ...parseInvitation(token), secret: randomBytes(32) }
    const options = { connection, invitation, systemMs: () => 0, patience: testPatience }
    await t.throwsAsync(Array.fromAsync(fetchCopy(options)), { code: 'invitation_unknown' })
    t.deepEqual(events, ['invited'])
    t.is((await fetch(token)).length, 0)
  })
}

/** What others do to it. */
function testHarm(servers: () => NatsServers): void {
  test('what is no question is not answered, and does no harm', async (t) => {
    const { invitations, node, connection, fetch } = await inviting(t, servers(), [])
    const { token } = invitations.create()
    const { id } = parseInvitation(token)
    const noise = [
      Buffer.alloc(0),
      Buffer.of(1),
      randomBytes(81),
      Buffer.concat([Buffer.of(1), id, randomBytes(64)]),
      Buffer.concat([Buffer.of(2), id, randomBytes(36)]),
      randomBytes(100_000),
    ]
    for (const bytes of noise) connection.publish(joinSubject(node), bytes)
    await connection.flush()
    t.is((await fetch(token)).length, 0)
  })

  test('a node that does not run does not answer', async (t) => {
    const { invitations, fetch } = await inviting(t, servers(), [])
    const { token } = invitations.create()
    await invitations.close()
    const brief = { ...testPatience, forMs: 500 }
    await t.throwsAsync(fetch(token, brief), { code: 'invitation_unanswered' })
  })

  test('a copy that fails at its source ends for whoever joins', async (t) => {
    const connection = await connected(t, servers())
    const events: JoinEvent['type'][] = []
    const invitations = new Invitations({
      connection,
      node: 'node-failing',
      random: randomBytes,
      systemMs: () => 0,
      copy: async function* () {
        yield randomBytes(600_000)
        throw new Error('the disk is gone')
      },
      report: ({ type }) => events.push(type),
    })
    t.teardown(() => invitations.close())
    const invitation = parseInvitation(invitations.create().token)
    const options = { connection, invitation, systemMs: () => 0, patience: testPatience }
    await t.throwsAsync(Array.fromAsync(fetchCopy(options)), { code: 'snapshot_failed' })
    await until('the failure is told', () => events.includes('copy_failed'))
  })
}

/** How many there are at a time. */
function testBounds(servers: () => NatsServers): void {
  test('invitations are bounded in number', async (t) => {
    const { invitations, clock } = await inviting(t, servers(), [])
    for (let count = 0; count < 16; count += 1) invitations.create()
    t.throws(() => invitations.create(), { code: 'invitations_exhausted' })
    clock.nowMs += 60 * 60 * 1_000
    t.truthy(invitations.create().token)
  })

  test('two copies go on at a time, and who is third keeps the invitation', async (t) => {
    const { invitations, connection, clock, fetch } = await inviting(t, servers(), [
      randomBytes(3_000_000),
    ])
    const tokens = [invitations.create(), invitations.create(), invitations.create()]
    const begun = tokens.slice(0, 2).map(({ token }) => {
      const options = { connection, systemMs: () => clock.nowMs, patience: testPatience }
      return fetchCopy({ ...options, invitation: parseInvitation(token) })
    })
    for (const copy of begun) t.is((await copy.next()).value?.length, 262_144)
    const [, , { token } = { token: '' }] = tokens
    await t.throwsAsync(fetch(token), { code: 'snapshot_failed', message: /stays valid/ })
    for (const copy of begun) await Array.fromAsync(copy)
    t.is((await fetch(token)).length, 3_000_000)
  })
}
