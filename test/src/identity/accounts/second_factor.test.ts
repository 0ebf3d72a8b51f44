import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { TOTP } from 'otpauth'

import { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const stepMs = 30_000

async function openConfirmed(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const { clock } = fixture
  const options = { store, clock, random: randomBytes, issuer: 'registry.example' }
  const factors = new SecondFactors(options)
  await factors.begin('p1')
  const { secret = '' } = factors.pending('p1', 'ada@example.org') ?? {}
  const codeAt = (laterMs: number) =>
    new TOTP({ secret }).generate({ timestamp: clock.nowMs() + laterMs })
  const codes = (await factors.confirm('p1', codeAt(-stepMs))) ?? []
  return { clock, store, factors, secret, codes, codeAt, options }
}

test('a code is good once, and a step before or after its time', async (t) => {
  const { factors, codeAt } = await openConfirmed(t)
  const redeem = async (laterMs: number) => (await factors.redeem('p1', codeAt(laterMs))).type
  t.is(await redeem(-2 * stepMs), 'refused')
  t.is(await redeem(2 * stepMs), 'refused')
  t.is(await redeem(-stepMs), 'refused', 'it confirmed the secret')
  t.is(await redeem(0), 'accepted')
  t.is(await redeem(0), 'refused')
  t.is(await redeem(stepMs), 'accepted')
  t.is(await redeem(0), 'refused', 'an older one is not taken after a newer one')
})

test('of those who come with one code at once, one has it', async (t) => {
  const { factors, codeAt, options } = await openConfirmed(t)
  const others = new SecondFactors(options)
  const code = codeAt(0)
  const asked = [factors, others, factors, others].map((each) => each.redeem('p1', code))
  const accepted = (await Promise.all(asked)).filter(({ type }) => type === 'accepted')
  t.is(accepted.length, 1)
})

/** A text as an input method for full width types it. */
function wide(text: string): string {
  return text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfe_e0))
}

test('codes are taken in full width, and with spaces and dashes of any kind', async (t) => {
  const { factors, codes, codeAt } = await openConfirmed(t)
  const [first = '', second = ''] = codes
  const half = (text: string, between: string) => text.slice(0, 3) + between + text.slice(3)
  for (const typed of [
    wide(codeAt(0)),
    half(wide(codeAt(stepMs)), '\u3000'),
    wide(first),
    ` ${second.replaceAll('-', ' \u2011\u200b')}\n`,
  ]) {
    t.is((await factors.redeem('p1', typed)).type, 'accepted', typed)
  }
  await factors.begin('p2')
  const { secret = '' } = factors.pending('p2', 'bo@example.org') ?? {}
  const code = new TOTP({ secret }).generate({ timestamp: Date.parse('2026-01-01T00:00:00Z') })
  t.truthy(await factors.confirm('p2', half(wide(code), ' ')))
})

test('who guesses waits longer and longer; a recovery code goes on', async (t) => {
  const { factors, clock, codeAt, codes } = await openConfirmed(t)
  const wrong = codeAt(10 * stepMs)
  for (let tried = 0; tried < 8; tried += 1) {
    t.is((await factors.redeem('p1', wrong)).type, 'refused')
  }
  const untilMs = clock.nowMs() + 15 * 60_000
  t.deepEqual(await factors.redeem('p1', codeAt(0)), { type: 'paused', untilMs })
  const [code = ''] = codes
  const spelled = ` ${code.replaceAll('-', ' ')}`
  t.deepEqual(await factors.redeem('p1', spelled), { type: 'accepted', method: 'recovery_code' })
  t.is((await factors.redeem('p1', code)).type, 'refused', 'it is used up')
  t.is((await factors.redeem('p1', codeAt(0))).type, 'accepted', 'its owner is back')
  t.is((await factors.redeem('p2', code)).type, 'refused')
})

test('nothing that signs anybody in can be read in the rows', async (t) => {
  const { factors, store, secret, codes } = await openConfirmed(t)
  const secrets = [secret, ...codes]
  for await (const [key, row] of store.scan('')) {
    const text = key + JSON.stringify(row)
    t.false(secrets.some((each) => text.includes(each)))
  }
  const renewed = (await factors.renewRecoveryCodes('p1')) ?? []
  t.is((await factors.redeem('p1', codes[0] ?? '')).type, 'refused')
  t.is((await factors.redeem('p1', renewed[0] ?? '')).type, 'accepted')
  await factors.forget('p1')
  t.is(factors.find('p1'), undefined)
})
