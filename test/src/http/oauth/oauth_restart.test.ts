// A registry that is restarted between any two steps: whoever is on the way goes on.

import test from 'ava'

import { OAuthFlow, tokensOf } from '#test/src/_oauth_flow.ts'
import { inOneThread, openOAuthRegistry, permit, pkcePair } from '#test/src/_oauth_registry.ts'
import { SetTime } from '#test/src/_set_time.ts'

const time = new SetTime()
const graceMs = 10_000

test.before(() => {
  time.begin()
})

test.after.always(() => {
  time.end()
})

test('a restart between any two steps of the flow loses nothing', async (t) => {
  const registry = await openOAuthRegistry(inOneThread)
  t.teardown(() => registry.close())
  const flow = new OAuthFlow(registry, await registry.application(), await registry.person())
  const { browser } = flow.person
  await registry.restart()
  const { verifier, challenge } = pkcePair()
  const page = await flow.ask({ code_challenge: challenge })
  t.is(page.status, 200, 'the person is signed in still')
  await registry.restart()
  const back = await permit(browser, page)
  const code = new URL(back.url).searchParams.get('code') ?? ''
  await registry.restart()
  const tokens = tokensOf(await flow.redeem(code, verifier))
  await registry.restart()
  t.is(await flow.write(tokens.access), 200)
  const next = tokensOf(await flow.refresh(tokens.refresh))
  await registry.restart()
  t.is(await flow.write(next.access), 200)
  time.aheadMs = graceMs
  t.is((await flow.refresh(tokens.refresh)).status, 400, 'a used token is remembered')
  t.is(await flow.write(next.access), 401)
})
