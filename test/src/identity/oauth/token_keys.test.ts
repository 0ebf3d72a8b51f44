import { chmod, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { openTokenKeys } from '#src/identity/oauth/token_keys.ts'
import { NamedTurns } from '#src/identity/store/identity_store.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { TestClock } from '#test/src/identity/_identity.ts'

const hourMs = 3_600_000
const store = new NamedTurns()

test('keys are made once, for their owner alone, one for each algorithm', async (t) => {
  const file = path.join(await makeTempDir(t), 'token-keys.json')
  const clock = new TestClock('2026-01-01T00:00:00.000Z')
  const first = await openTokenKeys({ file, clock, store })
  const { mode } = await stat(file)
  t.is(mode & 0o777, 0o600)
  const { keys } = first.jwks()
  t.deepEqual(
    keys.map(({ alg, kty, use }) => [alg, kty, use]),
    [
      ['RS256', 'RSA', 'sig'],
      ['ES256', 'EC', 'sig'],
      ['EdDSA', 'OKP', 'sig'],
    ],
  )
  t.is(new Set(keys.map(({ kid }) => kid)).size, 3)
  t.deepEqual((await openTokenKeys({ file, clock, store })).jwks(), first.jwks())
})

test('a rotation is announced an hour before it signs, and dropped two hours after', async (t) => {
  const file = path.join(await makeTempDir(t), 'token-keys.json')
  const clock = new TestClock('2026-01-01T00:00:00.000Z')
  const keys = await openTokenKeys({ file, clock, store })
  const kids = () => keys.jwks().keys.map(({ kid }) => kid ?? '')
  const old = kids()
  const announced = await keys.rotate()
  t.like(announced, { step: 'announced', next_step: 'use', not_before: '2026-01-01T01:00:00.000Z' })
  const next = announced.key_ids
  t.deepEqual(kids(), [...old, ...next])
  clock.forward(hourMs - 1)
  t.like(await keys.rotate(), { step: 'too_early', key_ids: next })
  clock.forward(1)
  t.like(await keys.rotate(), { step: 'in_use', not_before: '2026-01-01T03:00:00.000Z' })
  t.deepEqual(kids(), [...next, ...old])
  clock.forward(2 * hourMs - 1)
  t.like(await keys.rotate(), { step: 'too_early', key_ids: old, next_step: 'drop' })
  const again = await openTokenKeys({ file, clock, store })
  clock.forward(1)
  t.like(await again.rotate(), { step: 'dropped', key_ids: old, next_step: 'announce' })
  t.deepEqual(
    again.jwks().keys.map(({ kid }) => kid ?? ''),
    next,
  )
})

test('a file that is exposed or no file of keys is refused', async (t) => {
  const file = path.join(await makeTempDir(t), 'token-keys.json')
  const clock = new TestClock('2026-01-01T00:00:00.000Z')
  await writeFile(file, '{"schema":1,"sets":[]}', { mode: 0o600 })
  await t.throwsAsync(openTokenKeys({ file, clock, store }), {
    code: 'secret_malformed',
    message: /is not a file of token keys: restore it from a backup, or remove it/,
  })
  await chmod(file, 0o644)
  await t.throwsAsync(openTokenKeys({ file, clock, store }), { code: 'secret_exposed' })
})

test('what one thread has taken a step further, another reads before it goes on', async (t) => {
  const file = path.join(await makeTempDir(t), 'token-keys.json')
  const clock = new TestClock('2026-01-01T00:00:00.000Z')
  const [one, other] = await Promise.all([
    openTokenKeys({ file, clock, store }),
    openTokenKeys({ file, clock, store }),
  ])
  t.deepEqual(one.jwks(), other.jwks())
  t.false(await other.refresh())
  const steps = await Promise.all([one.rotate(), other.rotate()])
  t.deepEqual(steps.map(({ step }) => step).sort(), ['announced', 'too_early'])
  clock.forward(hourMs)
  t.is((await one.rotate()).step, 'in_use')
  t.true(await other.refresh())
  t.false(await other.refresh())
  t.deepEqual(one.jwks(), other.jwks())
  await rm(file)
  t.false(await other.refresh(), 'who runs goes on with what it has')
})
