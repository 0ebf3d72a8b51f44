// Who signs in by two steps, and has lost the device of the second.

import test from 'ava'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { Effort } from '#test/browser/_effort.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { addressOf, fill, pushButton } from '#test/browser/_page_actions.ts'
import { makeWorld, people, type World } from '#test/browser/_world.ts'

const owner = fileOwner()
const { email, password } = people.bo
let browser: Browser
let world: World

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  world = await makeWorld(owner)
})

async function signIn(page: Page): Promise<void> {
  await page.goto(addressOf(world, '/sign-in'))
  await fill(page, { email, password })
  await pushButton(page, 'Sign in')
}

/** What an app shows now for a secret that was typed into it. */
function codeOf(secret: string): string {
  return new TOTP({ secret: secret.replaceAll(' ', '') }).generate()
}

/** Sets a second step up; gives the secret, and the recovery codes. */
async function setUp(page: Page) {
  await page.goto(addressOf(world, '/account/second-step'))
  await fill(page, { current_password: password })
  await pushButton(page, 'Set up')
  const secret = (await page.textContent('main ol code')) ?? ''
  await fill(page, { code: codeOf(secret) })
  await pushButton(page, 'Turn on')
  await page.waitForURL('**/recovery-codes')
  return { secret, codes: await page.locator('.recovery-codes code').allTextContents() }
}

test.serial('who has lost the device signs in with a recovery code, by keyboard', async (t) => {
  const page = await openWindow(t, browser)
  await signIn(page)
  await page.waitForURL('**/account')
  const { codes } = await setUp(page)
  t.is(codes.length, 10)
  await lookAt(t, page, 'recovery codes')
  await page.reload()
  t.is(await page.locator('.recovery-codes').count(), 0, 'they are shown once')

  const later = await openWindow(t, browser)
  await signIn(later)
  await later.waitForURL('**/sign-in/code')
  await lookAt(t, later, 'code')
  const effort = new Effort(t, later)
  await effort.type('Code', '000000')
  await effort.follow('Sign in', 'main')
  t.regex((await later.textContent('main')) ?? '', /This code is wrong/)
  await lookAt(t, later, 'wrong code')
  await effort.type('Code', codes[0] ?? '')
  await effort.follow('Sign in', 'main')
  await later.waitForURL('**/account')
  await later.goto(addressOf(world, '/account/second-step'))
  t.regex((await later.textContent('main')) ?? '', /9 recovery codes left/)
  await lookAt(t, later, 'second step on')
  effort.report('a second factor that is lost')
  t.true(effort.choices <= 2)
})
