// What comes a second time: a code, a refresh token. The clock of this process is the test's own
// and stands still: everything reads it.

import test from 'ava'

import { OAuthFlow, type Reply, tokensOf } from '#test/src/_oauth_flow.ts'
import { sharedOAuthAtSetTime } from '#test/src/_shared_registry.ts'

const { registry, newFlow, time } = sharedOAuthAtSetTime()

const graceMs = 10_000

/** The one refresh token of many answers, all of which are good. */
function theOne(replies: readonly Reply[]): string {
  const tokens = new Set(replies.map((reply) => tokensOf(reply).refresh))
  if (tokens.size !== 1) throw new Error(`${tokens.size} refresh tokens`)
  return [...tokens][0] ?? ''
}

test.serial('of 20 redemptions at once each is answered, with one refresh token', async (t) => {
  const flow = await newFlow()
  const { code, verifier } = await flow.code()
  const first = await Promise.all(Array.from({ length: 20 }, () => flow.redeem(code, verifier)))
  const refresh = theOne(first)
  for (const reply of first) t.is(await flow.write(tokensOf(reply).access), 200)
  const second = await Promise.all(Array.from({ length: 20 }, () => flow.refresh(refresh)))
  const next = theOne(second)
  t.not(next, refresh)
  for (const reply of second) t.is(await flow.write(tokensOf(reply).access), 200)
  t.is((await flow.refresh(next)).status, 200)
})

test.serial('an answer that was lost is given again, and the newest of them', async (t) => {
  const flow = await newFlow()
  const { code, verifier } = await flow.code()
  const { refresh: first } = tokensOf(await flow.redeem(code, verifier))
  const { refresh: second } = tokensOf(await flow.refresh(first))
  const { refresh: third } = tokensOf(await flow.refresh(second))
  time.aheadMs += graceMs - 1_000
  t.is(tokensOf(await flow.redeem(code, verifier)).refresh, third)
  t.is(tokensOf(await flow.refresh(first)).refresh, third)
  t.is(tokensOf(await flow.refresh(second)).refresh, third)
  t.not(tokensOf(await flow.refresh(third)).refresh, third)
})

test.serial('after the grace what comes twice ends all that the permission gave', async (t) => {
  for (const kind of ['code', 'refresh token']) {
    const flow = await newFlow()
    const { code, verifier } = await flow.code()
    const { refresh } = tokensOf(await flow.redeem(code, verifier))
    const replay = () => (kind === 'code' ? flow.redeem(code, verifier) : flow.refresh(refresh))
    const { access, refresh: newest } = tokensOf(await flow.refresh(refresh))
    const within = tokensOf(await replay())
    t.is(within.refresh, newest)
    time.aheadMs += graceMs
    t.like((await replay()).json, { error: 'invalid_grant' }, kind)
    t.is(await flow.write(access), 401, 'somebody else has it too')
    t.is(await flow.write(within.access), 401)
    t.is((await flow.refresh(newest)).status, 400)
  }
})

test.serial('who stole a token within the grace is found out by the next refresh', async (t) => {
  const flow = await newFlow({ kind: 'public' })
  const { refresh } = await flow.tokens()
  const honest = tokensOf(await flow.refresh(refresh))
  const thief = tokensOf(await flow.refresh(refresh))
  t.is(thief.refresh, honest.refresh, 'there is one line, not one for each')
  time.aheadMs += 3_600_000
  const next = tokensOf(await flow.refresh(thief.refresh))
  time.aheadMs += graceMs
  t.is((await flow.refresh(honest.refresh)).status, 400)
  t.is(await flow.write(next.access), 401)
})

test.serial('the grace is for the same application with the same verifier alone', async (t) => {
  const flow = await newFlow()
  const other = new OAuthFlow(registry, await registry.application(), flow.person)
  const { code, verifier } = await flow.code()
  const { access, refresh } = tokensOf(await flow.redeem(code, verifier))
  await flow.refresh(refresh)
  const back = { redirect_uri: flow.application.redirect_uri }
  const wrong = [...verifier].toReversed().join('')
  for (const reply of [
    await other.refresh(refresh),
    await other.redeem(code, verifier, back),
    await flow.redeem(code, wrong),
    await flow.redeem(code, verifier, { code_verifier: undefined }),
    await flow.refresh(refresh, { client_secret: 'x'.repeat(43) }),
    await flow.refresh(refresh, { scope: 'svc:author:write' }),
  ]) {
    t.true(reply.status === 400 || reply.status === 401, JSON.stringify(reply.json))
    t.is(reply.json['refresh_token'], undefined)
  }
  t.is(await flow.write(access), 200)
  // Whoever has taken the permission back is not answered by what was permitted before.
  await revoke(flow, refresh)
  t.is((await flow.refresh(refresh)).status, 400)
  t.is((await flow.redeem(code, verifier)).status, 400)
})

test.serial('a code without a verifier is good once', async (t) => {
  const flow = await newFlow()
  const bare = { code_challenge: undefined, code_challenge_method: undefined, scope: 'openid' }
  const page = await flow.ask(bare)
  const { browser } = flow.person
  const back = await browser.submit(page, {}, new URL(page.url).pathname)
  const code = new URL(back.url).searchParams.get('code') ?? ''
  const redeem = () => flow.redeem(code, '', { code_verifier: undefined })
  t.is((await redeem()).status, 200)
  t.is((await redeem()).status, 400)
})

test.serial('the grace outlives a restart', async (t) => {
  const flow = await newFlow()
  const { refresh } = await flow.tokens()
  const next = tokensOf(await flow.refresh(refresh))
  await registry.restart()
  t.is(tokensOf(await flow.refresh(refresh)).refresh, next.refresh)
})

test.serial(
  'a revoked access token leaves the refresh token, unless all is asked for',
  async (t) => {
    const flow = await newFlow()
    const first = await flow.tokens()
    await revoke(flow, first.access)
    t.is(await flow.write(first.access), 401)
    const second = tokensOf(await flow.refresh(first.refresh))
    t.is(await flow.write(second.access), 200)
    await revoke(flow, second.access, { end_permission: 'true' })
    t.is(await flow.write(second.access), 401)
    t.is((await flow.refresh(second.refresh)).status, 400)
  },
)

async function revoke(
  { registry: { issuer }, application: { client_id, client_secret } }: OAuthFlow,
  token: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const body = new URLSearchParams({ token, client_id, client_secret, ...more })
  await fetch(`${issuer}/oauth/revoke`, { method: 'POST', body })
}
