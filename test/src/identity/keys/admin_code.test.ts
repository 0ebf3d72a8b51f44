import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import { AdminCodes } from '#src/identity/keys/admin_code.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { type IdentityFixture, identityFixture } from '#test/src/identity/_identity.ts'

async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  return { fixture, store, codes: adminCodes(store, fixture) }
}

function adminCodes(store: IdentityStore, { clock }: IdentityFixture): AdminCodes {
  return new AdminCodes({ store, clock, random: randomBytes })
}

test('a code confirms one call, and its row is removed', async (t) => {
  const { codes, store } = await open(t)
  const { code, expires_at } = await codes.issue()
  t.regex(code, /^[0-9A-Za-z]{12}$/)
  t.is(expires_at, '2026-01-01T00:05:00.000Z')
  t.true(await codes.redeem(code))
  t.false(await codes.redeem(code))
  await store.inTurn(() => Promise.resolve())
  t.false(await codes.redeem(code))
  for await (const [key] of store.scan('admin_code/')) t.fail(key)
})

test('of calls that race with one code, one wins', async (t) => {
  const { codes } = await open(t)
  const { code } = await codes.issue()
  const won = await Promise.all(Array.from({ length: 20 }, () => codes.redeem(code)))
  t.is(won.filter(Boolean).length, 1)
})

test('a code is valid for five minutes', async (t) => {
  const { codes, fixture } = await open(t)
  const late = await codes.issue()
  const inTime = await codes.issue()
  fixture.clock.forward(5 * 60_000 - 1)
  t.true(await codes.redeem(inTime.code))
  fixture.clock.forward(1)
  t.false(await codes.redeem(late.code))
})

test('a code that was never issued, or is none, confirms nothing', async (t) => {
  const { codes } = await open(t)
  const { code } = await codes.issue()
  for (const wrong of ['', '000000000000', code.slice(1), 'x'.repeat(999)]) {
    t.false(await codes.redeem(wrong))
  }
  t.true(await codes.redeem(` ${code.slice(0, 6)} ${code.slice(6)}\n`), 'in any spelling')
})

test('a code outlives a restart, and expired codes are cleared away', async (t) => {
  const { codes, fixture, store } = await open(t)
  await codes.issue()
  fixture.clock.forward(5 * 60_000)
  const { code } = await codes.issue()
  await store.close()
  const reopened = await fixture.open()
  const rows: string[] = []
  for await (const [key] of reopened.scan('admin_code/')) rows.push(key)
  t.is(rows.length, 1)
  t.false(rows[0]?.includes(code))
  t.true(await adminCodes(reopened, fixture).redeem(code))
})
