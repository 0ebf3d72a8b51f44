// What ends with its time. The clock of this process is the test's own: everything reads it.

import test from 'ava'

import { OAuthFlow, tokensOf } from '#test/src/_oauth_flow.ts'
import { sharedOAuthAtSetTime } from '#test/src/_shared_registry.ts'

const { registry, newFlow, time } = sharedOAuthAtSetTime({
  LIMIT_TOKEN: '30',
  LIMIT_OAUTH: 'off',
  RATE_LIMITS: 'on',
})

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

test.serial('25: a code is good for a minute', async (t) => {
  const flow = await newFlow()
  const first = await flow.code()
  time.aheadMs += minuteMs - 5_000
  t.is((await flow.redeem(first.code, first.verifier)).status, 200)
  const { code, verifier } = await flow.code()
  time.aheadMs += minuteMs + 1_000
  const late = await flow.redeem(code, verifier)
  t.is(late.status, 400)
  t.like(late.json, { error: 'invalid_grant' })
})

test.serial('an access token is good for an hour, and a refresh token goes on', async (t) => {
  const flow = await newFlow()
  const { access, refresh } = await flow.tokens()
  time.aheadMs += 59 * minuteMs
  t.is(await flow.write(access), 200)
  time.aheadMs += minuteMs + 1_000
  t.is(await flow.write(access), 401)
  const next = tokensOf(await flow.refresh(refresh))
  t.is(await flow.write(next.access), 200)
})

test.serial('a permission is prolonged by its use, and ends 180 days after the last', async (t) => {
  const flow = await newFlow()
  let { refresh } = await flow.tokens()
  for (let use = 0; use < 3; use += 1) {
    time.aheadMs += 150 * dayMs
    refresh = tokensOf(await flow.refresh(refresh)).refresh
  }
  time.aheadMs += 180 * dayMs + minuteMs
  t.is((await flow.refresh(refresh)).status, 400)
})

test.serial(
  'an application gets 30 tokens a minute from one address, another its own',
  async (t) => {
    const flow = await newFlow()
    const other = new OAuthFlow(registry, await registry.application(), flow.person)
    // At once: the limits have the minutes of the machine.
    const replies = await Promise.all(Array.from({ length: 31 }, () => flow.refresh('none')))
    t.is(replies.filter(({ status }) => status === 400).length, 30)
    const last = replies.find(({ status }) => status !== 400)
    t.is(last?.status, 429)
    t.like(last?.json, { error: 'rate_limit_exceeded' })
    t.is(last?.json['error_description'], last?.json['message'])
    t.is(last?.headers.get('x-ratelimit-remaining'), '0')
    t.is((await other.refresh('none')).status, 400)
  },
)
