import test from 'ava'

import { findBarriers } from '#test/browser/_accessibility.ts'
import { launchBrowser, looks, openWindow } from '#test/browser/_browser.ts'
import { firstKey, newDataDir, newWork, startServer } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'

const browser = await launchBrowser()
test.after.always(() => browser.close())

test('the page of a work has no barriers, however it is looked at', async (t) => {
  const server = await startServer(t, { DATA_DIR: await newDataDir(t) })
  const key = firstKey(server)
  const title = 'Notes on the Analytical Engine <script>alert(1)</script>'
  type Work = { readonly ark_identifier: string }
  const { body } = await request<Work>(server, '/v1/works', { key, body: newWork(title) })
  for (const look of looks) {
    const page = await openWindow(t, browser, look)
    await page.goto(`${server.started.base_url}/${body.ark_identifier}`)
    t.is(await page.textContent('h1'), title)
    t.deepEqual(await findBarriers(page), [], look.name)
  }
})
