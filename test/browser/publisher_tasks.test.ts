// What publishers, administrators and researchers do, from the first page of the registry to the
// result, by keyboard.

import test, { type ExecutionContext } from 'ava'
import type { Browser, Page } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { Effort } from '#test/browser/_effort.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { addressOf, fill, pushButton, signIn, textOf } from '#test/browser/_page_actions.ts'
import { makeWorld, people, type Who, type World } from '#test/browser/_world.ts'
import { until } from '#test/_until.ts'

const owner = fileOwner()
const wide = { width: 1280, height: 900 }
let browser: Browser
let world: World

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  world = await makeWorld(owner)
})

/** Somebody at the first page, signed in. */
async function begin(
  t: ExecutionContext,
  { who = 'ada', javaScriptEnabled = true }: { who?: Who; javaScriptEnabled?: boolean } = {},
): Promise<Page> {
  const page = await openWindow(t, browser, undefined, { javaScriptEnabled })
  await signIn(page, world, who)
  await page.goto(world.server.started.base_url)
  return page
}

const title = 'Observations on tides'

test.serial('a work is registered, with two authors and a date as people write it', async (t) => {
  const page = await begin(t)
  const effort = new Effort(t, page)
  await effort.push(people.ada.name)
  await effort.follow('Taylor Press')
  await effort.follow('Register work', 'main')
  await lookAt(t, page, 'register a work')
  await page.setViewportSize(wide)
  await page.locator('h1').click()
  await effort.type('Title', title)
  await effort.choose('Type', 'Article')
  await effort.type('Family name', 'Lovelace')
  await effort.type('Given names', 'Ada')
  await effort.follow('Add author')
  const first = await page.evaluate(() => document.activeElement?.id)
  t.is(first, 'field-author-2-family', 'the new row is where to go on')
  await page.keyboard.insertText('Somerville')
  await effort.type('Given names', 'Mary')
  await effort.type('Address of the work', 'press.example/tides.pdf')
  await effort.type('Published', '12 March 1834')
  await effort.type('Language', 'English')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/works/new')
  await until('the preview is there', async () =>
    /Check before registering/.test(await textOf(page)),
  )
  const seen = await textOf(page)
  t.regex(seen, /we read “English” as en/)
  t.regex(seen, /we read “12 March 1834” as 1834-03-12/)
  t.regex(seen, /Lovelace, A\., & Somerville, M\. \(1834\)\. Observations on tides/)
  await lookAt(t, page, 'a work before it is registered')
  await page.setViewportSize(wide)
  await effort.follow('Register work')
  t.regex(await textOf(page), /The work is registered, and its receipt is signed/)
  effort.report('Register a work')
  t.true(effort.choices <= 6)
})

test.serial('a work with the title of another one is told before it is registered', async (t) => {
  const isFound = async () => {
    const suggestions = '/search/suggestions?q=observations+tides'
    const reply = await fetch(world.server.started.base_url + suggestions)
    return (await reply.text()).includes(title)
  }
  await until('the work is found', isFound, { pauseMs: 250 })
  const page = await begin(t, { javaScriptEnabled: false })
  await page.goto(addressOf(world, '/organizations/press/works/new'))
  await fill(page, {
    work_title: 'Observations on Tides.',
    work_type: 'article',
    author_1_family: 'Somebody',
    work_url: 'https://press.example/other.pdf',
  })
  await pushButton(page, 'Add author')
  t.is(await page.inputValue('[name="author_1_family"]'), 'Somebody')
  await fill(page, { author_2_family: 'Too many' })
  await pushButton(page, 'Remove author 2')
  t.is(await page.locator('[name="author_2_family"]').count(), 0)
  await pushButton(page, 'Preview')
  t.regex(await textOf(page), /A work with this title is already registered/)
})

test.serial('the form is filled in from a file of metadata', async (t) => {
  const page = await begin(t)
  await page.goto(addressOf(world, '/organizations/press/works/new'))
  await page.locator('summary', { hasText: 'Fill in the form from' }).click()
  const record = {
    title,
    type: 'article-journal',
    DOI: '10.1234/screws',
    author: [{ family: 'Babbage', given: 'Charles' }],
  }
  const buffer = Buffer.from(JSON.stringify([record]))
  const file = { name: 'screws.json', mimeType: 'application/json', buffer }
  await page.locator('[name="file"]').setInputFiles(file)
  await lookAt(t, page, 'a file that fills the form in')
  await pushButton(page, 'Fill in the form')
  t.is(await page.inputValue('[name="work_title"]'), title)
  t.is(await page.inputValue('[name="author_1_family"]'), 'Babbage')
  t.is(await page.inputValue('[name="work_type"]'), 'article')
  await lookAt(t, page, 'a form that was filled in')
  await fill(page, { existing_doi: '', work_url: 'https://press.example/screws.pdf' })
  await pushButton(page, 'Preview')
  t.regex(await textOf(page), /A work with this title is already registered/)
  await lookAt(t, page, 'a work with the title of another')
})

/** From the first page to the work, by what readers do. */
async function findWork(effort: Effort): Promise<void> {
  await effort.enter('What are you looking for?', 'observations tides')
  await effort.follow(title, 'main')
}

test.serial('a work is edited', async (t) => {
  const page = await begin(t)
  const effort = new Effort(t, page)
  await findWork(effort)
  await effort.follow('Edit')
  await effort.type('Keywords', 'tides, moon')
  await effort.follow('Preview')
  await effort.follow('Register change')
  t.regex(await textOf(page), /Version 2 is registered/)
  effort.report('Edit a work')
  t.true(effort.choices <= 4)
})

test.serial('a work gets a new version', async (t) => {
  const page = await begin(t)
  const effort = new Effort(t, page)
  await findWork(effort)
  await effort.follow('New version')
  await effort.type('Address of the work', 'https://press.example/tides-2.pdf')
  await effort.type('What is new in this version', 'Corrects table 3.')
  await effort.follow('Preview')
  t.regex(await textOf(page), /What changes[\s\S]*tides-2/)
  await effort.follow('Register version')
  t.regex(await textOf(page), /Version 3 is registered/)
  effort.report('Register a new version')
  t.true(effort.choices <= 4)
})

test.serial('a work is withdrawn', async (t) => {
  const page = await begin(t)
  const effort = new Effort(t, page)
  await findWork(effort)
  await effort.follow('Withdraw')
  await effort.choose('Reason', 'Retraction')
  await effort.tick('I know that I cannot undo a withdrawal')
  await effort.follow('Withdraw work', 'main')
  t.regex(await textOf(page), /The work is withdrawn, and its receipt is signed/)
  effort.report('Withdraw a work')
  t.true(effort.choices <= 5)
})

test.serial('an organization is approved', async (t) => {
  const page = await begin(t, { who: 'root' })
  const effort = new Effort(t, page)
  await effort.push(people.root.name)
  await effort.follow('Administration')
  await effort.follow('Organizations')
  await effort.follow('Approve request')
  t.notRegex(await textOf(page), /Short name\s+bo-labs/)
  t.regex(await textOf(page), /Bo Laboratories/)
  effort.report('Approve an organization')
  t.true(effort.choices <= 4)
})

test.serial('what was written for somebody is found, and one of it is undone', async (t) => {
  const page = await begin(t)
  const effort = new Effort(t, page)
  await effort.push(people.ada.name)
  await effort.follow('Profile')
  await effort.follow('Changes')
  await effort.follow('Undo')
  t.regex(await page.locator('[role="status"]').innerText(), /The change is undone/)
  effort.report('Find what was written for oneself, and undo one of it')
  t.true(effort.choices <= 4)
})

test.serial('a member is invited, and accepts', async (t) => {
  const page = await begin(t)
  const effort = new Effort(t, page)
  await effort.push(people.ada.name)
  await effort.follow('Taylor Press')
  await effort.follow('Members')
  await effort.type('E-mail address', people.bo.email)
  await effort.choose('Role', 'Editor')
  await effort.follow('Send invitation')
  t.regex(await textOf(page), /We sent the invitation/)
  effort.report('Invite a member')
  t.true(effort.choices <= 5)
  await lookAt(t, page, 'an invitation that waits')
  const link = await world.mailbox.link('invitations', people.bo.email)
  const invited = await begin(t, { who: 'bo' })
  await invited.goto(link)
  await lookAt(t, invited, 'an invitation')
  await pushButton(invited, 'Accept')
  await invited.waitForURL('**/organizations/press?done=joined')
  t.regex(await textOf(invited), /You are a member now[\s\S]*Your role\s*editor/)
  await invited.goto(link)
  t.regex(await textOf(invited), /no longer valid/)
})
