import type { ExecutionContext } from 'ava'
import path from 'node:path'
import type { Page } from 'playwright-core'

import { findBarriers, type JudgedParts } from '#test/browser/_accessibility.ts'
import { type Look, looks } from '#test/browser/_browser.ts'

/** A folder for pictures of all pages, for somebody who wants to look at them. */
const pictures = process.env['PICTURES']

/** The narrowest window that nobody scrolls sideways in: a wide one at 400 % (WCAG 2.2, 1.4.10). */
const narrowest = { width: 320, height: 640 }

/**
 * Looks at a page in each way: it has no barriers, and nobody needs to scroll sideways. Without
 * motion, which would show colours that are between two. `judged` are the parts of other pages that
 * need no second look: of the page, only the others are left afterwards.
 */
export async function lookAt(
  t: ExecutionContext,
  page: Page,
  name: string,
  judged?: JudgedParts,
): Promise<void> {
  await page.waitForLoadState()
  t.deepEqual(await idsTwice(page), [], `${name}: what has an identifier of something else`)
  for (const look of looks) {
    await show(page, look)
    t.true((await widthOf(page)) <= look.viewport.width, `${name}, ${look.name}`)
    if (pictures !== undefined) {
      const file = `${name} ${look.name}`.replaceAll(/[^\w]+/g, '-') + '.png'
      await page.screenshot({ path: path.join(pictures, file), fullPage: true })
    }
  }
  await page.setViewportSize(narrowest)
  t.true((await widthOf(page)) <= narrowest.width, `${name}, at 400 %`)
  await judged?.markIn(page)
  for (const look of looks) {
    await show(page, look)
    const barriers = await findBarriers(page, { onlyColours: look.colorScheme === 'dark' })
    t.deepEqual(barriers, [], `${name}, ${look.name}`)
  }
}

async function show(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(viewport)
}

/** Pixels that a page needs from left to right. */
function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth)
}

/** Identifiers that several elements of a page have: a label of the second would name the first. */
function idsTwice(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  })
}
