import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import { WebSessions } from '#src/identity/accounts/web_session.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const origin = { ip: '192.0.2.77', userAgent: 'Firefox' }
const dayMs = 24 * 3_600_000

async function openSessions(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const report = (fault: unknown) => void fixture.reported.push(fault)
  const { clock } = fixture
  return { clock, store, sessions: new WebSessions({ store, clock, random: randomBytes, report }) }
}

test('a session is found by its token only, and shows no address in full', async (t) => {
  const { sessions, store } = await openSessions(t)
  const { token, session } = await sessions.begin('p1', origin)
  t.regex(token, /^[0-9A-Za-z]{44}$/)
  t.deepEqual(sessions.find(token), session)
  t.like(session, { ppid: 'p1', network: '192.0.2.0/24', user_agent: 'Firefox' })
  t.is(sessions.find(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`), undefined)
  for (const text of ['', session.id, `${token}a`, token.slice(1)]) {
    t.is(sessions.find(text), undefined)
  }
  for await (const row of store.scan('web_session')) t.notRegex(row.join(' '), /192\.0\.2|Firefox/)
})

test('a session ends when it is not used for a week, and after thirty days', async (t) => {
  const { sessions, clock, store } = await openSessions(t)
  const idle = await sessions.begin('p1', origin)
  const used = await sessions.begin('p1', origin)
  for (let day = 1; day < 30; day += 1) {
    clock.forward(dayMs)
    t.truthy(sessions.find(used.token), `day ${day}`)
    // The use is noted in the background, before anything that is asked for now.
    await store.inTurn(async () => undefined)
    if (day === 7) t.is(sessions.find(idle.token), undefined)
  }
  t.is(sessions.list('p1').length, 1)
  clock.forward(dayMs)
  t.is(sessions.find(used.token), undefined)
})

test('a person sees their sessions, and ends one or all but one', async (t) => {
  const { sessions } = await openSessions(t)
  const [first, second, third] = [
    await sessions.begin('p1', origin),
    await sessions.begin('p1', origin),
    await sessions.begin('p1', origin),
  ]
  const other = await sessions.begin('p2', origin)
  t.deepEqual(sessions.list('p1'), [first.session, second.session, third.session])
  await sessions.end('p2', first.session.id)
  t.truthy(sessions.find(first.token), 'nobody ends the session of another')
  await sessions.end('p1', first.session.id)
  t.is(sessions.find(first.token), undefined)
  await sessions.endAll('p1', third.session.id)
  t.deepEqual(sessions.list('p1'), [third.session])
  await sessions.endAll('p1')
  t.deepEqual(sessions.list('p1'), [])
  t.truthy(sessions.find(other.token))
})

test('the oldest session makes room for one too many', async (t) => {
  const { sessions } = await openSessions(t)
  const begun = []
  for (let n = 0; n < 21; n += 1) begun.push(await sessions.begin('p1', origin))
  t.is(sessions.find(begun[0]?.token ?? ''), undefined)
  t.truthy(sessions.find(begun[1]?.token ?? ''))
  t.is(sessions.list('p1').length, 20)
})
