import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { OAuthFlow, tokensOf } from '#test/src/_oauth_flow.ts'
import { inOneThread, openOAuthRegistry } from '#test/src/_oauth_registry.ts'

const rounds = countOf({ few: 15, full: 100 })
const realNow = Date.now

// The time stands still: however long a round takes, it is within the grace.
test.before(() => {
  const nowMs = realNow()
  Date.now = () => nowMs
})
test.after.always(() => {
  Date.now = realNow
})

test(`20 redemptions at once over HTTP give one refresh token, in ${rounds} rounds`, async (t) => {
  t.timeout(10 * 60_000)
  const registry = await openOAuthRegistry(inOneThread)
  t.teardown(() => registry.close())
  const flow = new OAuthFlow(registry, await registry.application(), await registry.person())
  const other = new OAuthFlow(registry, await registry.application(), flow.person)
  for (let round = 0; round < rounds; round += 1) {
    const { code, verifier } = await flow.code()
    const attempts = Array.from({ length: 20 }, () => flow.redeem(code, verifier))
    const stolen = other.redeem(code, verifier, { redirect_uri: flow.application.redirect_uri })
    const tokens = (await Promise.all(attempts)).map(tokensOf)
    t.like((await stolen).json, { error: 'invalid_grant' })
    t.is(new Set(tokens.map(({ refresh }) => refresh)).size, 1)
    t.is(new Set(tokens.map(({ access }) => access)).size, 20)
    const refreshes = tokens.map(({ refresh }) => flow.refresh(refresh))
    const next = (await Promise.all(refreshes)).map(tokensOf)
    t.is(new Set(next.map(({ refresh }) => refresh)).size, 1)
    t.is(await flow.write(next[0]?.access ?? ''), 200)
  }
})
