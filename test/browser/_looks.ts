import type { ExecutionContext } from 'ava'
import path from 'node:path'
import type { Page } from 'playwright-core'

import { findBarriers, type JudgedParts } from '#test/browser/_accessibility.ts'
import { looks } from '#test/browser/_browser.ts'

/** A folder for pictures of all pages, for somebody who wants to look at them. */
const pictures = process.env['PICTURES']

/** The narrowest window that nobody scrolls sideways in: a wide one at 400 % (WCAG 2.2, 1.4.10). */
const narrowest = { width: 320, height: 640 }

/**
 * Looks at a page in each way: it has no barriers, and nobody needs to scroll sideways. Without
 * motion, which would show colours that are between two. `judged` are the parts of other pages that
 * need no second look.
 */
export async function lookAt(
  t: ExecutionContext,
  page: Page,
  name: string,
  judged?: JudgedParts,
): Promise<void> {
  t.deepEqual(await idsTwice(page), [], `${name}: what has an identifier of something else`)
  await judged?.markIn(page)
  for (const { name: look, colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    const barriers = await findBarriers(page, { onlyColours: colorScheme === 'dark' })
    t.deepEqual(barriers, [], `${name}, ${look}`)
    t.true((await widthOf(page)) <= viewport.width, `${name}, ${look}`)
    if (pictures !== undefined) {
      const file = `${name} ${look}`.replaceAll(/[^\w]+/g, '-') + '.png'
      await page.screenshot({ path: path.join(pictures, file), fullPage: true })
    }
  }
  await page.setViewportSize(narrowest)
  t.true((await widthOf(page)) <= narrowest.width, `${name}, at 400 %`)
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
