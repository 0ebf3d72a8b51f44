import { access } from 'node:fs/promises'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** How a page is looked at: a wide and a narrow window, light and dark. */
export const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'phone dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

export type Look = (typeof looks)[number]

/** Where a browser may be: of the system, or of a variable that names it. */
const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Starts the browser of the system. */
export async function launchBrowser(): Promise<Browser> {
  for (const executablePath of places) {
    if (executablePath === undefined || !(await exists(executablePath))) continue
    // Chromium's own sandbox needs rights that a container has not; the pages are all ours.
    return chromium.launch({ executablePath, args: ['--no-sandbox'] })
  }
  throw new Error('no Chromium was found: install it, or say where it is in CHROMIUM')
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** A window of a person of her own: nobody else's cookies. It is closed when the test ends. */
export async function openWindow(
  t: Owner,
  browser: Browser,
  { colorScheme, viewport }: Look = looks[0],
  options: { readonly javaScriptEnabled?: boolean } = {},
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ colorScheme, viewport, ...options })
  t.teardown(() => context.close())
  return context.newPage()
}
