// The page for somebody whose account a restored copy lacks. No registry that is run has such a
// person without being restored, so that one in this process answers what the browser asks for.

import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { createPerson, bob } from '#test/actors/_person.ts'
import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { openPress, signUp } from '#test/src/pages/_members.ts'

test('a new account is given by a page without barriers', async (t) => {
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  await createPerson(registry.environments.live, bob, { name: 'Bob' })
  const window = await openWindow(t, browser)
  await window.route('**/*', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    const { status, headers, body } = await root.browser.get(pathname + search)
    await route.fulfill({ status, contentType: String(headers['content-type']), body })
  })
  await window.goto(`https://registry.example/auth/admin/people/${bob}/account`)
  t.regex((await window.textContent('main')) ?? '', /Give Bob an account/)
  await lookAt(t, window, 'a lost account')
})
