import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import { signInsMax, WebSessions } from '#src/identity/accounts/web_session.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const origin = { ip: '192.0.2.77', userAgent, methods: ['password', 'totp'] } as const

async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const report = (fault: unknown) => void fixture.reported.push(fault)
  const { clock } = fixture
  const sessions = new WebSessions({ store, clock, random: randomBytes, report })
  /** What was noted in the background before is written then. */
  const settled = () => store.inTurn(async () => undefined)
  return { clock, store, sessions, settled }
}

test('sign-ins are kept in words and without an address, the newest ones only', async (t) => {
  const { sessions, store, clock } = await open(t)
  await sessions.begin('p1', { ...origin, methods: ['elsewhere'], issuer: 'ORCID' })
  t.deepEqual(sessions.history.read('p1').signIns, [
    {
      at: '2026-01-01T00:00:00.000Z',
      methods: ['elsewhere'],
      issuer: 'ORCID',
      browser: 'Firefox 145 on Linux',
    },
  ])
  for (let count = 0; count < signInsMax; count += 1) {
    clock.forward(1_000)
    await sessions.begin('p1', origin)
  }
  const { signIns } = sessions.history.read('p1')
  t.is(signIns.length, signInsMax)
  t.is(signIns[0]?.at, '2026-01-01T00:00:20.000Z')
  t.is(signIns.at(-1)?.at, '2026-01-01T00:00:01.000Z')
  t.notRegex(JSON.stringify(signIns), /192\.0\.2/)
  await sessions.begin('p2', { ...origin, userAgent: 'x'.repeat(2_000) })
  t.is(sessions.history.read('p2').signIns[0]?.browser.length, 80)
  for await (const row of store.scan('sign_in_history')) t.notRegex(row.join(' '), /Firefox/)
  await sessions.history.forget('p1')
  t.deepEqual(sessions.history.read('p1'), { signIns: [] })
})

test('what was tried in vain stands with the sign-in that it came before', async (t) => {
  const { sessions, clock, settled } = await open(t)
  const { history } = sessions
  await sessions.begin('p1', origin)
  clock.forward(1_000)
  history.noteFailure('p1', 'password')
  history.noteFailure('p1', 'password')
  history.noteFailure('p1', 'code')
  await settled()
  const failures = { passwords: 2, codes: 1, last_at: '2026-01-01T00:00:01.000Z' }
  t.deepEqual(history.read('p1').failures, failures)
  t.is(history.read('p2').failures, undefined)
  await sessions.begin('p1', origin)
  t.is(history.read('p1').failures, undefined)
  t.deepEqual(history.read('p1').signIns[0]?.failures, failures)
  history.noteFailure('p1', 'password')
  await settled()
  t.is(history.read('p1').signIns[0]?.failures?.passwords, 3, 'it came no later than the sign-in')
})
