import test from 'ava'
import type { Browser, Page } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { CountedReader } from '#test/browser/_counted_reader.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { watch } from '#test/browser/_watch.ts'
import { content, makeWorks, type Works } from '#test/browser/_works.ts'
import { until } from '#test/_until.ts'
import { call, newDataDir, type Server, startServer } from '#test/scenario/_process.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const owner = fileOwner()
const copy = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from(content) }
let browser: Browser
let server: Server
let works: Works
let receipt: string

test.before(async () => {
  const { url } = await serve(owner, (_request, response) => response.end(content))
  server = await startServer(owner, {
    DATA_DIR: await newDataDir(owner),
    RATE_LIMITS: 'off',
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: new URL(url).host,
    FETCH_HOST_INTERVAL_MS: '0',
  })
  works = await makeWorks(server, url)
  await until('the receipt names the content', readReceipt, { pauseMs: 50 })
  browser = await openBrowser()
  owner.teardown(() => browser.close())
})

async function readReceipt(): Promise<boolean> {
  type Receipt = { readonly content_hash: string | null }
  const { body } = await call<Receipt>(server, `/api/v1/receipts/${works.full}/v1`)
  receipt = JSON.stringify(body)
  return typeof body.content_hash === 'string'
}

function receiptFile() {
  return { name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(receipt) }
}

async function begin(t: typeof owner, javaScriptEnabled = true): Promise<Page> {
  const page = await openWindow(t, browser, undefined, { javaScriptEnabled })
  await page.goto(server.started.base_url)
  return page
}

test.serial('somebody verifies a file with its receipt', async (t) => {
  const page = await begin(t)
  const faults = await watch(page, [server.started.base_url])
  const reader = new CountedReader(page)
  await reader.click(page.getByRole('link', { name: 'Verify', exact: true }))
  await lookAt(t, page, 'verify')
  await reader.choose(page.getByLabel(/^Receipt/), [receiptFile(), copy])
  await page.locator('.verdict-done').waitFor()
  const verdict = await page.locator('.verdict').innerText()
  t.regex(verdict, /^Proven, in your browser: .+ The metadata is exactly what was registered\./)
  t.regex(verdict, /Your file is exactly the content that it names\.$/)
  await lookAt(t, page, 'verify proven')
  reader.tell(t, 'verify a file', { clicks: 2, words: 0 })
  const other = { ...copy, buffer: Buffer.from('another content') }
  await page.getByLabel(/^Receipt/).setInputFiles(other)
  await page.locator('.verdict-failed').waitFor()
  t.regex(await page.locator('.check-steps').innerText(), /Wrong: Your copy of the content/)
  t.regex(await page.locator('.verdict').innerText(), /Nothing else is wrong with the receipt/)
  t.deepEqual(faults, [])
})

test.serial('a file without a receipt is told what it is of, or its hash', async (t) => {
  const page = await begin(t)
  await page.goto(`${server.started.base_url}/verify`)
  await page.getByLabel(/^Receipt/).setInputFiles(copy)
  await page.locator('.verdict-done').waitFor()
  const verdict = page.locator('.verdict')
  t.regex(await verdict.innerText(), /notes\.txt is the file of .*registered/)
  const about = await page.locator('.verify-about').innerText()
  t.regex(about, /Version \d+\. Registered on \d{4}-\d{2}-\d{2}\. .+ the newest/)
  const links = await page.locator('.verify-about a').evaluateAll((all) => {
    return all.map((link) => link.getAttribute('href'))
  })
  t.true(links.some((href) => href?.includes(works.full)))
  await page.getByLabel(/^Receipt/).setInputFiles({ ...copy, buffer: Buffer.from('strange') })
  await page.locator('.verdict-not_checked').waitFor()
  t.regex(await verdict.innerText(), /No work here is registered with.+sha256:[0-9a-f]{64}/)
})

test.serial('somebody cites a work in MLA', async (t) => {
  const page = await begin(t)
  const reader = new CountedReader(page)
  await until('the work is found', async () => {
    const { body } = await call<object>(server, '/search/suggestions?q=analytical+engine')
    return JSON.stringify(body).includes('nalytical')
  })
  await reader.type(page.getByLabel('What are you looking for?'), 'analytical engine')
  await reader.click(page.locator('.result h3 a').first())
  await reader.click(page.locator('label[for="cite-mla"]'))
  const cited = page.locator('#citation-mla')
  t.true(await cited.isVisible())
  t.false(await page.locator('#citation-apa').isVisible())
  t.regex(await cited.innerText(), /“.+\.”/)
  reader.tell(t, 'cite in MLA', { clicks: 2, words: 2 })
})

test.serial('with the keyboard alone somebody cites in MLA', async (t) => {
  const page = await begin(t)
  await page.goto(`${server.started.base_url}/${works.full}`)
  await page.locator('#cite-apa').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  t.true(await page.locator('#citation-mla').isVisible())
  t.is(await page.evaluate(() => document.activeElement?.id), 'cite-mla')
})

test.serial('without scripts a receipt is checked, and any style shown', async (t) => {
  const page = await begin(t, false)
  const reader = new CountedReader(page)
  await reader.click(page.getByRole('link', { name: 'Verify', exact: true }))
  await reader.choose(page.getByLabel(/^Receipt/), receiptFile())
  await reader.click(page.getByRole('button', { name: 'Verify', exact: true }))
  t.regex(await page.locator('.verdict').first().innerText(), /^Proven: this registry signed/)
  reader.tell(t, 'verify without scripts', { clicks: 3, words: 0 })
  await page.goto(`${server.started.base_url}/${works.full}`)
  await page.locator('label[for="cite-ieee"]').click()
  t.true(await page.locator('#citation-ieee').isVisible())
})
