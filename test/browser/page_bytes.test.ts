import test from 'ava'
import type { Response } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { signIn } from '#test/browser/_page_actions.ts'
import { makeWorld } from '#test/browser/_world.ts'

/** Bytes of a page with its stylesheets, as they are sent. */
const bytesMax = 60_000

test('a browser gets the pages that most come to in few bytes, and all from here', async (t) => {
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const world = await makeWorld(t)
  const { base_url: origin } = world.server.started
  const page = await openWindow(t, browser)
  await signIn(page, world, 'ada')
  for (const path of [
    '/',
    `/${world.ark}`,
    '/search?q=sketch',
    '/search?q=sketch&type=article',
    '/publishers/press',
    '/people',
    '/log',
    '/docs',
    '/auth/organizations/press',
    '/auth/organizations/press/works',
  ]) {
    const fresh = await page.context().newPage()
    const responses: Response[] = []
    fresh.on('response', (response) => responses.push(response))
    // What goes by a route is not taken from the browser's cache.
    await fresh.route('**/*', (route) => route.continue())
    await fresh.goto(origin + path, { waitUntil: 'load' })
    const elsewhere = responses
      .map((response) => response.url())
      .filter((url) => !url.startsWith(origin))
    t.deepEqual(elsewhere, [], path)
    const read = responses.filter((one) =>
      ['document', 'stylesheet'].includes(one.request().resourceType()),
    )
    const sizes = await Promise.all(read.map((one) => one.request().sizes()))
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    const painted = await fresh.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    )
    t.log(`${path}: ${bytes} bytes of HTML and CSS in ${sizes.length}, painted after ${painted} ms`)
    t.true(sizes.length > 1, `${path} has a stylesheet`)
    t.true(bytes > 1_000 && bytes <= bytesMax, `${path}: ${bytes} bytes`)
    await fresh.close()
  }
})
