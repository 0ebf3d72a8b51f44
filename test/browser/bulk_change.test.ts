import type { Page } from 'playwright-core'
import test, { type ExecutionContext } from 'ava'

import { findBarriers } from '#test/browser/_accessibility.ts'
import { click, pushButton } from '#test/browser/_page_actions.ts'
import { Scene } from '#test/browser/_scene.ts'
import { call, firstKey, newWork } from '#test/scenario/_process.ts'
import { until } from '#test/_until.ts'

/** A page stands open for everybody, and is no wider than a phone. */
async function look(t: ExecutionContext, page: Page, name: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    t.deepEqual(await findBarriers(page), [], `${name} at ${width}`)
    const wide = Number(await page.evaluate('document.documentElement.scrollWidth'))
    t.true(wide <= width, `${name} at ${width} is ${wide} wide`)
  }
}

test('thirty works are chosen, previewed and changed, and told in one entry', async (t) => {
  const scene = await Scene.open(t)
  const page = await scene.setUp()
  const key = firstKey(scene.server)
  for (let number = 0; number < 30; number += 1) {
    const url = `http://old.example/${number}`
    const body = { ...newWork(`Engine ${number}`), work_url: url }
    t.is((await call(scene.server, '/v1/works', { key, body })).status, 201)
  }
  await page.goto(scene.at('/organizations/demo/works'))
  await click(page, page.getByRole('link', { name: 'Change many works' }))
  await look(t, page, 'the form')
  await page.getByLabel('New license').fill('my own')
  await pushButton(page, 'Preview')
  await look(t, page, 'the form, refused')
  await page.getByLabel('New license').fill('CC-BY-4.0')
  await page.getByLabel('Address begins with').fill('http://old.example/')
  await page.getByLabel('Replace this beginning of addresses').fill('http://old.example/')
  await page.getByLabel('With this one').fill('https://new.example/')
  await pushButton(page, 'Preview')
  t.is(await page.locator('h1').innerText(), 'Change 30 works?')
  t.is(await page.locator('ins', { hasText: 'CC' }).count(), 25)
  await look(t, page, 'the preview')
  await pushButton(page, 'Change 30 works')
  await look(t, page, 'the progress')
  await until('all works are changed', async () => {
    await page.reload()
    return (await page.locator('h1').innerText()).startsWith('Changed')
  })
  t.regex(
    await page.locator('h1').innerText(),
    /Changed license and address of the content of 30 works/,
  )
  await look(t, page, 'the outcome')
  await page.goto(scene.at('/organizations/demo/history'))
  const entry = page.getByRole('link', { name: /Changed license and address of the content of 30/ })
  t.is(await entry.count(), 1)
  await click(page, entry)
  t.is(await page.getByText('Changed: version 2').count(), 25)
  t.deepEqual(scene.faults, [])
})
