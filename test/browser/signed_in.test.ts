// Public pages as somebody reads them who is signed in.

import test from 'ava'
import type { Browser } from 'playwright-core'

import { openBrowser, looks, openWindow } from '#test/browser/_browser.ts'
import { Effort } from '#test/browser/_effort.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { addressOf, signIn } from '#test/browser/_page_actions.ts'
import { makeWorld, people, type World } from '#test/browser/_world.ts'

const owner = fileOwner()
let browser: Browser
let world: World

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  world = await makeWorld(owner)
})

test.serial('a publisher edits a work from its public page, by keyboard', async (t) => {
  const page = await openWindow(t, browser)
  await signIn(page, world, 'ada')
  await page.goto(`${world.server.started.base_url}/${world.ark}`)
  const effort = new Effort(t, page)
  await effort.follow('Edit')
  await effort.type('Title', 'Sketch of the Engine')
  await effort.follow('Preview')
  await effort.follow('Register change')
  t.regex((await page.textContent('main')) ?? '', /Version 2 is registered/)
  effort.report('a work is edited, from its public page')
  await page.goto(`${world.server.started.base_url}/${world.ark}`)
  t.is(await page.textContent('h1'), 'Sketch of the Engine')
  const menu = new Effort(t, page)
  // The menu says how many notices are new, too.
  const name = (await page.locator('.who-menu summary').textContent()) ?? ''
  t.regex(name, /^Ada Lovelace\s+\d+\+? new$/)
  await menu.push(people.ada.name)
  await lookAt(t, page, 'a work with an open menu')
  await menu.follow('Taylor Press')
  t.is(await page.textContent('.desk-name'), 'Taylor Press')
  menu.report('an organization is come to, from a public page')
})

test.serial('on a phone the menu takes no line of its own, and shows what is new', async (t) => {
  const page = await openWindow(t, browser, looks[2])
  await signIn(page, world, 'ada')
  const address = world.server.started.base_url
  for (const url of [address, `${address}/${world.ark}`, addressOf(world, '/account')]) {
    await page.goto(url)
    const brand = await page.locator('.brand').boundingBox()
    const badge = await page.locator('.who-menu summary .badge').boundingBox()
    const name = await page.locator('.who-menu summary').boundingBox()
    if (brand === null || badge === null || name === null) return t.fail(url)
    t.true(badge.x > brand.x + brand.width && badge.x + badge.width <= looks[2].viewport.width)
    t.true(Math.abs(name.y + name.height / 2 - (brand.y + brand.height / 2)) < 8, url)
  }
  await page.goto(addressOf(world, '/organizations/press'))
  await page.locator('.desk').evaluate((desk) => {
    for (const fold of desk.querySelectorAll('details')) fold.open = true
  })
  for (const { viewport } of looks) {
    await page.setViewportSize(viewport)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    t.true(width <= viewport.width, `tables of counts fit ${viewport.width} pixels`)
  }
  await page.goto(addressOf(world, '/organizations/press/history'))
  const current = await page.locator('.navigation a[aria-current]').boundingBox()
  t.true(current !== null && current.x < looks[2].viewport.width, 'the row begins where she is')
})
