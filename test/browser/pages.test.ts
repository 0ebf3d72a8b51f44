import test from 'ava'
import type { Browser, Page } from 'playwright-core'

import { JudgedParts } from '#test/browser/_accessibility.ts'
import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { signIn } from '#test/browser/_page_actions.ts'
import { shownPages } from '#test/browser/_pages.ts'
import type { ShownPage, ShownWorld } from '#test/browser/_shown_page.ts'
import { watch } from '#test/browser/_watch.ts'
import { makeWorld, startMailingServer } from '#test/browser/_world.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

const owner = fileOwner()
let browser: Browser
let world: ShownWorld
const judged = new JudgedParts()
const windows = new Map<ShownPage['as'], { page: Page; faults: readonly string[] }>()

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  const made = await makeWorld(owner)
  const untouched = await startMailingServer(owner, made.mailbox)
  world = { ...made, setupUrl: untouched.started.setup_url ?? '' }
  for (const as of ['nobody', 'root', 'ada', 'bo'] as const) {
    windows.set(as, await openWindowOf(owner, as))
  }
})

async function openWindowOf(opener: Owner, as: ShownPage['as']) {
  const page = await openWindow(opener, browser)
  const origins = [world.server.started.base_url, new URL(world.setupUrl).origin]
  const faults = await watch(page, origins)
  if (as !== 'nobody') {
    await signIn(page, world, as)
  }
  return { page, faults }
}

for (const { route, name, as, open } of shownPages) {
  const title = name === undefined ? `${as} ${route}` : `${as} ${route} (${name})`
  test.serial(`${title}: no barriers, nothing from elsewhere`, async (t) => {
    const window = windows.get(as)
    if (window === undefined) throw new Error(`nobody is ${as}`)
    const before = window.faults.length
    await open(window.page, world)
    await lookAt(t, window.page, title, judged)
    t.deepEqual(window.faults.slice(before), [])
  })
}
