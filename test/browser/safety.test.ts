import test, { type ExecutionContext } from 'ava'
import type { Browser, Page } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { addressOf, click, fill, pushButton, signIn } from '#test/browser/_page_actions.ts'
import { makeWorld, people, type World } from '#test/browser/_world.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const owner = fileOwner()
let browser: Browser
let world: World

test.before(async () => {
  world = await makeWorld(owner)
  browser = await openBrowser()
  owner.teardown(() => browser.close())
})

/** Ada's window, signed in. */
async function enter(t: ExecutionContext): Promise<Page> {
  const page = await openWindow(t, browser)
  await signIn(page, world, 'ada')
  return page
}

async function signOut(page: Page): Promise<void> {
  await page.locator('.who-menu summary').click()
  await page.locator('header').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in?done=signed_out')
}

/** A page of somebody else's site. */
async function openForeign(t: ExecutionContext, page: Page, body: string): Promise<void> {
  const { url } = await serve(t, (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Elsewhere</title>${body}`)
  })
  await page.goto(url)
}

test('pages are kept by nobody, framed by nobody, and load nothing from elsewhere', async (t) => {
  const page = await enter(t)
  for (const path of ['/account', '/account/keys', '/organizations/press', '/nothing-here']) {
    const headers = (await page.goto(addressOf(world, path)))?.headers() ?? {}
    t.is(headers['cache-control'], 'no-store', path)
    t.is(headers['x-content-type-options'], 'nosniff', path)
    const policy = headers['content-security-policy'] ?? ''
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
      t.true(policy.includes(part), `${path}: ${part}`)
    }
    t.notRegex(policy, /unsafe|https?:/)
  }
})

test('no other site shows a page in a frame', async (t) => {
  const page = await enter(t)
  await openForeign(t, page, `<iframe src="${addressOf(world, '/account/delete')}"></iframe>`)
  await page.waitForLoadState('load')
  const [, frame] = page.frames()
  t.truthy(frame)
  t.false((await frame?.content())?.includes('Delete my account'))
})

test('a form of another site does nothing, though the browser is signed in', async (t) => {
  const page = await enter(t)
  const action = addressOf(world, '/account')
  const form = `<form method="post" action="${action}"><input name="name" value="Mallory">
<button>Win a prize</button></form>`
  await openForeign(t, page, form)
  await click(page, page.getByRole('button'))
  t.is(await page.textContent('h1'), 'You cannot do this')
  t.regex(await page.locator('main').innerText(), /This form was not sent from/)
  await page.goto(action)
  t.is(await page.textContent('h1'), people.ada.name)
})

test('a form from before another sign-in says what to do, and then works', async (t) => {
  const page = await enter(t)
  const other = await page.context().newPage()
  await other.goto(addressOf(world, '/account'))
  await signOut(other)
  await signIn(other, world, 'ada')
  await fill(page, { bio: 'Written before.' })
  await pushButton(page, 'Save profile')
  t.is(await page.textContent('h1'), 'You cannot do this')
  const text = await page.locator('main').innerText()
  t.regex(text, /This form has expired.*go back, load the page again, and send it again/)
  await page.goBack()
  await page.reload()
  await fill(page, { bio: 'Written after.' })
  await pushButton(page, 'Save profile')
  t.regex(await page.locator('main').innerText(), /Your profile is saved/)
})

test('a form of somebody who was signed out elsewhere says so', async (t) => {
  const page = await enter(t)
  const other = await page.context().newPage()
  await other.goto(addressOf(world, '/account'))
  await signOut(other)
  await pushButton(page, 'Save profile')
  t.regex(await page.locator('main').innerText(), /expired|signed out meanwhile/)
  t.false((await page.content()).includes(people.ada.email))
})

test('the way back leads to no private page once somebody has signed out', async (t) => {
  const page = await enter(t)
  await page.goto(addressOf(world, '/account/security'))
  t.true((await page.content()).includes(people.ada.email))
  await signOut(page)
  for (let step = 0; step < 3; step += 1) {
    await page.goBack()
    t.false((await page.content()).includes(people.ada.email), page.url())
  }
})

test('a question that was answered is not asked again on the way back', async (t) => {
  const page = await enter(t)
  await page.goto(world.publisher.question(world.unverified, ['svc:works:read']))
  const question = page.url()
  await pushButton(page, 'Do not permit')
  await page.waitForURL(`${world.publisher.redirectUri}*`)
  t.is(world.publisher.answer['error'], 'access_denied')
  await page.goto(question)
  t.is(await page.textContent('h1'), 'This is no longer valid')
  t.regex(await page.locator('main').innerText(), /go back to the application, and begin again/)
})

test('an application can ask to have somebody signed out, who decides', async (t) => {
  const page = await enter(t)
  await page.goto(addressOf(world, '/oauth/logout'))
  await pushButton(page, 'Stay signed in')
  await page.waitForURL('**/account')
  t.is(await page.textContent('h1'), people.ada.name)
  await page.goto(addressOf(world, '/oauth/logout'))
  await pushButton(page, 'Sign out')
  await page.waitForURL('**/oauth/logout/success')
  t.is(await page.textContent('h1'), 'You are signed out')
  await page.goto(addressOf(world, '/account'))
  t.is(await page.textContent('h1'), 'Sign in')
})

test('a form that is sent twice is carried out once', async (t) => {
  const page = await enter(t)
  await page.goto(addressOf(world, '/organizations/press/works/new'))
  await fill(page, {
    work_title: 'A work of two clicks',
    work_type: 'article',
    authors: 'Ada Lovelace',
    work_url: 'https://press.example/works/two-clicks',
  })
  await pushButton(page, 'Preview')
  await page.getByRole('button', { name: 'Register work' }).dblclick()
  await page.waitForURL('**/works/register')
  await page.goto(addressOf(world, '/organizations/press/works'))
  t.is(await page.getByText('A work of two clicks').count(), 1)
})
