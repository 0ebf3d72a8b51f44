import test from 'ava'

import { requestKeyOf } from '#actors/journal/idempotency.ts'
import type { Agent } from '#actors/values/agent.ts'

const owner: Agent = { type: 'organization', id: 'demo', name: 'Demo', via: 'api_key' }
const named = { key: 'k1', bodyHash: 'ab' }

function keyFor(by: Agent, scope?: string): string | undefined {
  return requestKeyOf(by, named, scope)?.key
}

function application(client_id: string, on_behalf_of: string): Agent {
  return { ...owner, via: 'oauth', client_id, on_behalf_of }
}

test('a name of a request is one for its owner, its application, the person and the scope', (t) => {
  const keys = [
    keyFor(owner),
    keyFor({ ...owner, id: 'other' }),
    keyFor(owner, 'works/12345/k2'),
    keyFor(application('client-1', 'p1')),
    keyFor(application('client-2', 'p1')),
    keyFor(application('client-1', 'p2')),
  ]
  t.is(new Set(keys).size, keys.length)
  t.is(keyFor(application('client-1', 'p1')), keyFor(application('client-1', 'p1')))
})

test('a request without a name is not remembered', (t) => {
  t.is(requestKeyOf(owner, undefined), undefined)
})
