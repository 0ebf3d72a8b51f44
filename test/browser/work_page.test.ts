import test from 'ava'
import type { Browser, Page } from 'playwright-core'

import { until } from '#test/_until.ts'
import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { watch } from '#test/browser/_watch.ts'
import { content, makeWorks, type Works } from '#test/browser/_works.ts'
import { call, newDataDir, type Server, startServer } from '#test/scenario/_process.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const owner = fileOwner()
let browser: Browser
let server: Server
let works: Works
let page: Page
let faults: readonly string[]

test.before(async () => {
  const { url } = await serve(owner, (_request, response) => {
    response.setHeader('content-type', 'text/plain')
    response.end(content)
  })
  server = await startServer(owner, {
    DATA_DIR: await newDataDir(owner),
    RATE_LIMITS: 'off',
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: new URL(url).host,
    FETCH_HOST_INTERVAL_MS: '0',
  })
  works = await makeWorks(server, url)
  await untilVerified(works.full)
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  page = await openWindow(owner, browser)
  faults = await watch(page, [server.started.base_url])
})

async function untilVerified(ark: string): Promise<void> {
  type Resolved = { readonly content: { readonly fixity_status: string } }
  const isVerified = async () => {
    const { body } = await call<Resolved>(server, `/api/v1/resolve/${ark}`)
    return body.content.fixity_status === 'verified'
  }
  await until('the content is verified', isVerified, { pauseMs: 50 })
}

const shown: readonly (readonly [name: string, path: (works: Works) => string])[] = [
  ['full', ({ full }) => full],
  ['newest of many versions', ({ older }) => older],
  ['older version', ({ older }) => `${older}/v3`],
  ['compared versions', ({ older }) => `versions?ark=${older}&from=1&to=3`],
  ['plain', ({ plain }) => plain],
  ['crowded', ({ crowded }) => crowded],
  ['right to left', ({ rightToLeft }) => rightToLeft],
  ['withdrawn', ({ withdrawn }) => withdrawn],
]

for (const [name, path] of shown) {
  test.serial(`the page of a work has no barriers (${name})`, async (t) => {
    const before = faults.length
    await page.goto(`${server.started.base_url}/${path(works)}`)
    await lookAt(t, page, `work ${name}`)
    t.deepEqual(faults.slice(before), [])
  })
}

/** What the steps of a check say: the word that each begins with. */
async function checkHere(window: Page): Promise<readonly string[]> {
  await window.getByRole('button', { name: 'Check the receipt' }).click()
  const steps = window.locator('.check-steps li strong')
  await steps.nth(4).waitFor()
  return steps.allTextContents()
}

test.serial('a browser checks the receipt, and a copy of the content', async (t) => {
  const before = faults.length
  await page.goto(`${server.started.base_url}/${works.full}`)
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from(content) }
  await page.getByLabel('Your copy of the content').setInputFiles(file)
  t.deepEqual(await checkHere(page), [
    'Right: The metadata',
    'Right: The signature',
    'Right: The place in the log',
    'Right: The log’s own signature',
    'Right: Your copy of the content',
  ])
  await lookAt(t, page, 'work checked')
  const other = { ...file, buffer: Buffer.from('another content') }
  await page.getByLabel('Your copy of the content').setInputFiles(other)
  t.is((await checkHere(page))[4], 'Wrong: Your copy of the content')
  t.deepEqual(faults.slice(before), [])
})

test.serial('a receipt that was changed on its way is wrong', async (t) => {
  await page.route('**/api/v1/receipts/**', async (route) => {
    const reply = await route.fetch()
    const receipt = (await reply.json()) as { timestamp: string }
    const timestamp = receipt.timestamp.replace('2', '1')
    await route.fulfill({ response: reply, json: { ...receipt, timestamp } })
  })
  await page.goto(`${server.started.base_url}/${works.full}`)
  const found = await checkHere(page)
  await page.unroute('**/api/v1/receipts/**')
  t.deepEqual(found, [
    'Right: The metadata',
    'Wrong: The signature',
    'Wrong: The place in the log',
    'Right: The log’s own signature',
    'Not checked: Your copy of the content',
  ])
})

test.serial('the receipt of a withdrawn work is checked with its metadata', async (t) => {
  await page.goto(`${server.started.base_url}/${works.withdrawn}`)
  const [metadata, signature] = await checkHere(page)
  t.is(metadata, 'Right: The metadata')
  t.is(signature, 'Right: The signature')
})

test.serial('a button copies the ARK', async (t) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${server.started.base_url}/${works.full}`)
  const button = page.getByRole('button', { name: 'Copy', exact: true })
  // It says so for a moment only: what it has said is noted on it.
  await button.evaluate((own) => {
    const note = () => (own.dataset['said'] ??= own.textContent)
    new MutationObserver(note).observe(own, { childList: true })
  })
  await button.click()
  await page.locator('button[data-said="Copied"]').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  t.is(copied, `${server.started.base_url}/${works.full}`)
})

test.serial('without scripts there is no button that does nothing', async (t) => {
  const window = await openWindow(t, browser, undefined, { javaScriptEnabled: false })
  await window.goto(`${server.started.base_url}/${works.full}`)
  t.deepEqual(await window.locator('main button:visible').allTextContents(), ['Show'])
  t.true(await window.getByRole('link', { name: 'Open the content' }).isVisible())
  t.true(await window.getByRole('link', { name: 'Receipt file' }).isVisible())
  await window.getByRole('combobox', { name: /^Another style/ }).fill('nature')
  await window.getByRole('button', { name: 'Show' }).click()
  await window.waitForURL(/\?format=citation&style=nature$/)
  t.regex(await window.locator('body').innerText(), /1843/)
})

test.serial('on paper a page has its text and its hashes, and nothing to push', async (t) => {
  await page.emulateMedia({ media: 'print' })
  await page.goto(`${server.started.base_url}/${works.full}`)
  t.deepEqual(await page.locator('button:visible').allTextContents(), [])
  t.false(await page.locator('.receipt-check').isVisible())
  t.true(await page.getByText('weaves algebraical patterns').isVisible())
  t.true(await page.locator('.hash').first().isVisible())
  await page.goto(`${server.started.base_url}/${works.plain}`)
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1')
  t.is(paper.match(/\/Type \/Page\b/g)?.length, 1, 'a short record is on one page')
  await page.emulateMedia({ media: 'screen' })
})
