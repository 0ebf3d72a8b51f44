import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'

import { fileOwner } from '#test/browser/_file_owner.ts'
import { makeWorld, people } from '#test/browser/_world.ts'
import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { addressOf } from '#test/browser/_page_actions.ts'

const owner = fileOwner()

/** What a person at the keyboard knows of the element that they are at. */
type Focused = {
  readonly name: string
  readonly outline: number
  readonly isInView: boolean
  readonly top: number
}

test('somebody signs in, permits and undoes with the keyboard alone', async (t) => {
  const world = await makeWorld(owner)
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const page = await openWindow(t, browser)
  await page.goto(world.publisher.question(world.unverified, ['svc:works:read', 'email']))
  await tabTo(t, page, 'Skip to content')
  await page.keyboard.press('Enter')
  await tabTo(t, page, 'E-mail address')
  await page.keyboard.type(people.ada.email)
  await tabTo(t, page, 'Password')
  await page.keyboard.type(people.ada.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/interaction/*')
  await tabTo(t, page, 'See your e-mail address and whether it is verified')
  await page.keyboard.press('Space')
  await tabTo(t, page, 'Permit')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${world.publisher.redirectUri}*`)
  t.is((await world.publisher.redeem(world.unverified)).scope, 'svc:works:read')
  await page.goto(addressOf(world, '/account'))
  await tabTo(t, page, 'Changes')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account/writes')
  await tabTo(t, page, 'Undo')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account/writes?done=undone')
  t.regex(await page.locator('[role="status"]').innerText(), /The change is undone/)
})

const stepsMax = 40

/** Presses Tab until an element is reached; every element on the way can be seen, in its order. */
async function tabTo(t: ExecutionContext, page: Page, name: string): Promise<void> {
  let top = Number.NEGATIVE_INFINITY
  for (let step = 0; step < stepsMax; step += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(describeFocused)
    t.true(focused.outline >= 2, `${focused.name} shows that it has the focus`)
    t.true(focused.isInView, `${focused.name} is in view`)
    t.true(focused.top >= top, `${focused.name} comes after what stands above it`)
    top = focused.top
    if (focused.name === name) return
  }
  t.fail(`${name} is not reached`)
}

/** Runs in the page. */
function describeFocused(): Focused {
  const element = document.activeElement ?? document.body
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
  const { top, bottom, left, right, height } = element.getBoundingClientRect()
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  return {
    name: ((label ?? element).textContent ?? '').trim().replaceAll(/\s+/g, ' '),
    outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
    isInView: top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth,
    // Things in one line need not have one height.
    top: Math.floor((top + height / 2 + scrollY) / 40),
  }
}
