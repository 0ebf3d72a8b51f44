// The keys of one registry, held by two threads: each has its own objects over the same rows.

import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'

import type { Owner } from '#actors/values/agent.ts'
import { AdminCodes } from '#src/identity/keys/admin_code.ts'
import type { NewKey } from '#src/identity/keys/key_record.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { lateView } from '#test/src/identity/_late_view.ts'

const demo: Owner = { type: 'organization', id: 'demo', name: 'Demo' }
const wish: NewKey = {
  owner: demo,
  environment: 'live',
  scopes: ['works:read'],
  label: '',
  ipAllow: ['192.0.2.0/24'],
  hours: 24,
}
const origin = { ip: '192.0.2.7', userAgent: 'curl/8' }

async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const views = [lateView(store), lateView(store)] as const
  const keys = [fixture.openKeys(views[0]), fixture.openKeys(views[1])] as const
  const codes = views.map((view) => {
    return new AdminCodes({ store: view, clock: fixture.clock, random: randomBytes })
  }) as [AdminCodes, AdminCodes]
  return { fixture, store, keys, codes }
}

/** What every thread says of a key, which must be the same. */
function outcome(t: ExecutionContext, keys: readonly KeyStore[], text: string): string {
  const words = keys.map((each) => {
    const answer = each.authenticate(text, origin)
    return answer.type === 'refused' ? answer.reason : answer.type
  })
  t.is(new Set(words).size, 1, words.join(' '))
  return words[0] ?? ''
}

test('a key counts, and is refused, on both from the moment that one has answered', async (t) => {
  const { keys } = await open(t)
  const [one, other] = keys
  const { key, record } = await one.create(wish, operator)
  t.is(outcome(t, keys, key), 'accepted')
  const rotated = await other.rotate(record.id, operator)
  if (rotated.type !== 'rotated') return t.fail(rotated.type)
  t.is(outcome(t, keys, rotated.key), 'accepted')
  await one.revoke(rotated.record.id, operator)
  t.is(outcome(t, keys, rotated.key), 'revoked')
  t.is(await other.revokeAll(operator), 1)
  t.is(outcome(t, keys, key), 'revoked')
  t.deepEqual(other.list(demo), one.list(demo))
})

const anyStep = fc.record({
  by: fc.constantFrom(0, 1),
  what: fc.constantFrom('create', 'rotate', 'revoke', 'revoke all'),
  which: fc.nat(5),
  isWaitedFor: fc.boolean(),
})

test('in any interleaving both have the same keys, and every change is made once', async (t) => {
  const { keys } = await open(t)
  const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 10 }), async (steps) => {
    const made = [await keys[0].create(wish, operator), await keys[1].create(wish, operator)]
    const revoked = new Set<string>()
    const underWay: Promise<unknown>[] = []
    for (const { by, what, which, isWaitedFor } of steps) {
      const thread = keys[by]
      const target = made[which % made.length]
      const id = target?.record.id ?? ''
      underWay.push(
        (async () => {
          if (what === 'create') made.push(await thread.create(wish, operator))
          if (what === 'revoke') await thread.revoke(id, operator)
          if (what === 'revoke all') await thread.revokeAll(operator)
          if (what === 'rotate') {
            const answer = await thread.rotate(id, operator)
            if (answer.type === 'rotated') made.push(answer)
          }
          if (what !== 'revoke') return
          revoked.add(id)
          t.is(outcome(t, keys, target?.key ?? ''), 'revoked')
        })(),
      )
      if (isWaitedFor) await Promise.all(underWay.splice(0))
    }
    await Promise.all(underWay)
    t.deepEqual(keys[0].list(demo), keys[1].list(demo))
    for (const { key, record } of made) {
      if (outcome(t, keys, key) !== 'revoked') t.false(revoked.has(record.id))
    }
    // Of one key there is one successor, however many have asked for it.
    const replaced = keys[0].list(demo).flatMap(({ replaces }) => replaces ?? [])
    t.is(new Set(replaced).size, replaced.length)
  })
  await fc.assert(property, { numRuns: 25 })
  const audit = await keys[0].audit(demo, { after: 0, limit: 10_000 })
  t.deepEqual(
    audit.map(({ seq }) => seq),
    audit.map((_, index) => index + 1),
  )
})

test('uses and refusals are in the audit list once an hour, whoever notes them', async (t) => {
  const { fixture, store, keys } = await open(t)
  const { key, record } = await keys[0].create(wish, operator)
  for (const hour of [0, 1]) {
    for (const each of [...keys, ...keys]) {
      each.authenticate(key, origin)
      each.authenticate(key, { ...origin, ip: '198.51.100.1' })
    }
    await settled(keys)
    const audit = await keys[1].audit(demo, { after: 1, limit: 100 })
    t.deepEqual(
      audit.map(({ action, key_id }) => [action, key_id]),
      Array.from({ length: hour + 1 }).flatMap(() => [
        ['used', record.id],
        ['refused', record.id],
      ]),
    )
    fixture.clock.forward(3_600_000)
  }
  t.deepEqual(fixture.reported, [])
  for await (const [, use] of store.scan<{ at: string }>('used/')) {
    t.is(use.at, '2026-01-01T01:00:00.000Z')
  }
})

test('the last use of a key is the newest of both', async (t) => {
  const { fixture, keys } = await open(t)
  const { key } = await keys[0].create(wish, operator)
  keys[0].authenticate(key, origin)
  fixture.clock.forward(30_000)
  keys[1].authenticate(key, { ...origin, userAgent: 'newest' })
  await settled(keys)
  for (const each of keys) t.is(each.list(demo)[0]?.last_used?.user_agent, 'newest')
})

/** Waits for what goes on in the background. */
async function settled(keys: readonly KeyStore[]): Promise<void> {
  for (const each of keys) await each.revokeOfMaker('nobody', operator)
}

test('an admin code that one has issued confirms one call, on either', async (t) => {
  const { codes, store } = await open(t)
  const [one, other] = codes
  for (let round = 0; round < 25; round += 1) {
    const { code } = await one.issue()
    const won = await Promise.all(
      Array.from({ length: 8 }, (_, nth) => (nth % 2 === round % 2 ? one : other).redeem(code)),
    )
    t.is(won.filter(Boolean).length, 1)
    t.false(await one.redeem(code))
    t.false(await other.redeem(code))
  }
  for await (const [key] of store.scan('admin_code/')) t.fail(key)
})
