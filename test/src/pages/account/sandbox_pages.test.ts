import test from 'ava'

import { bindTestPeopleToMakers, findOwnTestPerson } from '#src/use_cases/test_people.ts'
import { goodWork, openRegistry } from '#test/src/_registry.ts'
import { signUp } from '#test/src/pages/_members.ts'

const path = '/auth/account/sandbox'
const ticked = { mint: 'on', update: 'on', 'works:read': 'on' }

test('one click makes a key of the sandbox, and it is shown once', async (t) => {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(registry.close)
  const { server, sandbox } = registry
  const { browser, ppid } = await signUp(t, registry, 'ada')
  const page = await browser.get(path)
  t.regex(page.body, /name="mint"[^>]*checked/)
  t.is(findOwnTestPerson(sandbox, ppid), undefined, 'looking makes nobody')
  const sent = await browser.submit(path, ticked)
  t.is(sent.status, 303)
  const shown = String(sent.headers.location)
  const { body } = await browser.get(shown)
  const key = /svc-\w{48}/.exec(body)?.[0] ?? ''
  t.is(key.length, 52)
  t.notRegex((await browser.get(shown)).body, new RegExp(key))
  const headers = { authorization: `Bearer ${key}` }
  const url = '/v1/works'
  const made = await server.inject({ method: 'POST', url, headers, payload: goodWork })
  t.is(made.statusCode, 201, made.body)
  t.is(made.headers['x-svc-environment'], 'sandbox')
  t.regex(made.json().ark_identifier, /^ark:\/99999\//)
  await browser.submit(path, ticked)
  const own = findOwnTestPerson(sandbox, ppid)
  if (own === undefined) return t.fail('there is no test person')
  t.is(sandbox.keys.list(own).length, 2, 'both are of one test person')
})

test('the test person ends with the account of who has made it', async (t) => {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(registry.close)
  bindTestPeopleToMakers(registry, registry.sandbox)
  const { accounts, sandbox } = registry
  const { browser, ppid } = await signUp(t, registry, 'ada')
  await browser.submit(path, ticked)
  const own = findOwnTestPerson(sandbox, ppid)
  if (own === undefined) return t.fail('there is no test person')
  await accounts.accounts.remove(ppid)
  t.is(findOwnTestPerson(sandbox, ppid), undefined)
  t.true(sandbox.keys.list(own).every(({ state }) => state === 'revoked'))
})
