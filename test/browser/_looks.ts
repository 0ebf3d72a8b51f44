import type { ExecutionContext } from 'ava'
import path from 'node:path'
import type { Page } from 'playwright-core'

import { findBarriers } from '#test/browser/_accessibility.ts'
import { looks } from '#test/browser/_browser.ts'

/** A folder for pictures of all pages, for somebody who wants to look at them. */
const pictures = process.env['PICTURES']

/**
 * Looks at a page in each way: it has no barriers, and nobody needs to scroll sideways. Without
 * motion, which would show colours that are between two.
 */
export async function lookAt(t: ExecutionContext, page: Page, name: string): Promise<void> {
  t.deepEqual(await idsTwice(page), [], `${name}: what has an identifier of something else`)
  for (const { name: look, colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    t.deepEqual(await findBarriers(page), [], `${name}, ${look}`)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    t.true(width <= viewport.width, `${name}, ${look}: ${width} px wide`)
    if (pictures !== undefined) {
      const file = `${name.replaceAll(/[^\w]+/g, '-')}.${look}.png`
      await page.screenshot({ path: path.join(pictures, file), fullPage: true })
    }
  }
}

/** Identifiers that several elements of a page have: a label of the second would name the first. */
function idsTwice(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  })
}
