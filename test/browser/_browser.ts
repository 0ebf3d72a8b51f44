import { access } from 'node:fs/promises'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

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

/** What the browser of the system is started with; undefined where there is none. */
export async function launchOptions() {
  for (const executablePath of places) {
    if (executablePath === undefined || !(await exists(executablePath))) continue
    // Chromium's own sandbox needs rights that a container has not; the pages are all ours.
    return { executablePath, args: ['--no-sandbox'] }
  }
  return undefined
}

/** The browser that all files of a run share, or one that is started; close it either way. */
export async function openBrowser(): Promise<Browser> {
  const { BROWSER_SERVER: address } = process.env
  if (address !== undefined) return chromium.connect(address)
  const options = await launchOptions()
  if (options !== undefined) return chromium.launch(options)
  throw new Error('no Chromium was found: install it, or say where it is in CHROMIUM')
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** How long a browser waits for what does not come: a busy machine takes long to answer a page. */
const patienceMs = 120_000

/** A window of a person of her own: nobody else's cookies. It is closed when the test ends. */
export async function openWindow(
  t: Owner,
  browser: Browser,
  { colorScheme, viewport }: Look = looks[0],
  options: Pick<BrowserContextOptions, 'baseURL' | 'ignoreHTTPSErrors' | 'javaScriptEnabled'> = {},
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ colorScheme, viewport, ...options })
  context.setDefaultTimeout(patienceMs)
  t.teardown(() => context.close())
  return context.newPage()
}
