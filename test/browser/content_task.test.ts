// A publisher whose registry reads contents finds what is wrong with one, by keyboard.

import test from 'ava'
import type { Browser } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { Effort } from '#test/browser/_effort.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { signIn } from '#test/browser/_page_actions.ts'
import { makeWorld, people, type World } from '#test/browser/_world.ts'
import { until } from '#test/_until.ts'

const owner = fileOwner()
let browser: Browser
let world: World

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  world = await makeWorld(owner, { FETCH_CONTENT: 'on' })
})

test('why content failed is found, and it is read again', async (t) => {
  const { content, publisher, tokens, browsers } = world
  const { body, status } = await publisher.writeWork(tokens, 'A file that moved', content.url)
  t.is(status, 201, JSON.stringify(body))
  const failures = '/auth/organizations/press/content'
  const isListed = async () => (await browsers.ada.get(failures)).body.includes(content.hostPort)
  await until('the content is found to fail', isListed, { pauseMs: 250 })
  content.isThere = true
  const page = await openWindow(t, browser)
  await signIn(page, world, 'ada')
  await page.goto(world.server.started.base_url)
  const effort = new Effort(t, page)
  await effort.push(people.ada.name)
  await effort.follow('Taylor Press')
  await effort.follow('Content')
  t.regex((await page.textContent('main')) ?? '', /the server answered 404/)
  await effort.follow(content.hostPort)
  await effort.follow('Check again')
  t.regex((await page.textContent('main')) ?? '', /We check the contents again/)
  effort.report('Find why content failed, and recheck')
  t.true(effort.choices <= 5)
  await until('the content is read', async () => !(await isListed()), { pauseMs: 250 })
  await page.goto(`${world.server.started.base_url}/${body.ark_identifier}`)
  t.regex((await page.textContent('main')) ?? '', /Content unchanged/)
})
