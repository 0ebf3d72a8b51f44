// The form of a work with everything that is known of one, and the page of that work.

import test, { type ExecutionContext } from 'ava'
import type { Browser, Page } from 'playwright-core'

import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { metadataFields } from '#actors/works/metadata.ts'
import { recordValues } from '#src/pages/organization/record_form.ts'
import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { addressOf, fill, pushButton, signIn } from '#test/browser/_page_actions.ts'
import { makeWorld, type World } from '#test/browser/_world.ts'

const owner = fileOwner()
let browser: Browser
let world: World

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  world = await makeWorld(owner)
})

/** The empty form, for somebody who is signed in. */
async function openForm(t: ExecutionContext, javaScriptEnabled: boolean): Promise<Page> {
  const page = await openWindow(t, browser, undefined, { javaScriptEnabled })
  await signIn(page, world, 'ada')
  await page.goto(addressOf(world, '/organizations/press/works/new'))
  return page
}

const work = {
  work_title: 'Heights of a lake',
  work_type: 'dataset',
  author_1_family: 'Vale',
  author_1_given: 'Nora',
  work_url: 'https://press.example/heights.csv',
}

function contributor(place: number, part: string): string {
  return `contributors[${place}].${part}`
}

test.serial('rows are added and removed without scripts, and what was typed stays', async (t) => {
  const page = await openForm(t, false)
  await fill(page, work)
  await page.locator('summary', { hasText: 'Add contributors' }).click()
  await fill(page, { [contributor(0, 'role')]: 'editor', [contributor(0, 'name')]: 'One' })
  await pushButton(page, 'Add contributor')
  t.is(await page.inputValue(`[name="${contributor(0, 'name')}"]`), 'One')
  t.is(await page.inputValue('[name="work_title"]'), work.work_title)
  await fill(page, { [contributor(1, 'role')]: 'translator', [contributor(1, 'name')]: 'Two' })
  await pushButton(page, 'Remove contributor 1')
  t.is(await page.inputValue(`[name="${contributor(0, 'name')}"]`), 'Two')
  await fill(page, { [contributor(0, 'role')]: '' })
  await pushButton(page, 'Preview')
  const wrong = page.locator('.field-wrong', { hasText: 'required: Contributor 1 › Role' })
  t.is(await wrong.locator('select').getAttribute('name'), contributor(0, 'role'))
  t.true(await wrong.isVisible(), 'the section with a fault is open')
  await fill(page, { [contributor(0, 'role')]: 'translator' })
  await pushButton(page, 'Preview')
  t.regex((await page.textContent('main')) ?? '', /Role: Translator; Name: Two/)
})

test.serial('a form with everything filled in is looked at, and registered', async (t) => {
  const page = await openForm(t, true)
  await fill(page, { ...work, description: 'Levels of a year.' })
  const examples = Object.entries(metadataFields).map(([name, { example }]) => [name, example])
  const marked = {
    work_title_markup: 'Heights of a <i>lake</i>',
    description_markup: 'Levels of a <b>year</b>.',
  }
  const values = { ...Object.fromEntries(examples), ...wholeMetadata, ...marked }
  const texts = [...recordValues(values)]
  await page.evaluate((typed) => {
    const form = document.querySelector('main form.form[action$="/works/new"]')
    for (const [name, value] of typed) {
      for (const shown of document.getElementsByName(name)) shown.remove()
      const input = document.createElement('textarea')
      Object.assign(input, { name, value, hidden: true })
      form?.append(input)
    }
  }, texts)
  await page.locator('summary', { hasText: 'Add notices' }).click()
  await pushButton(page, 'Add notice')
  t.is(await page.locator('details.section:not([open])').count(), 0)
  await lookAt(t, page, 'a form with everything')
  await pushButton(page, 'Preview')
  await lookAt(t, page, 'a preview of everything')
  await pushButton(page, 'Register work')
  const link = page.locator('main a[href*="ark:/"]').first()
  await page.goto((await link.getAttribute('href')) ?? '')
  await lookAt(t, page, 'the page of a work with everything')
})
