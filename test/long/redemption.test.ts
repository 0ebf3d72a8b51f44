import test from 'ava'

import { OAuthFlow, tokensOf } from '#test/src/_oauth_flow.ts'
import { openOAuthRegistry } from '#test/src/_oauth_registry.ts'

const rounds = 100

test(`of 20 redemptions at once over HTTP exactly one wins, in ${rounds} rounds`, async (t) => {
  t.timeout(10 * 60_000)
  const registry = await openOAuthRegistry()
  t.teardown(() => registry.close())
  const flow = new OAuthFlow(registry, await registry.application(), await registry.person())
  for (let round = 0; round < rounds; round += 1) {
    const { code, verifier } = await flow.code()
    const attempts = Array.from({ length: 20 }, () => flow.redeem(code, verifier))
    const replies = await Promise.all(attempts)
    const [winner, ...more] = replies.filter(({ status }) => status === 200)
    t.deepEqual(more, [])
    const lost = replies.filter((reply) => reply !== winner)
    for (const { status, json } of lost) t.like([status, json['error']], [400, 'invalid_grant'])
    // Somebody else had the code too, so nothing of it counts any more.
    if (winner === undefined) t.fail('nobody has won')
    else t.is(await flow.write(tokensOf(winner).access), 401)
  }
})
