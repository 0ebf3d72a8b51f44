// All mails as HTML, in the narrowest window and in others.

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

test('every mail is read without barriers, and has one link: to its next step', async (t) => {
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const folder = await makeTempDir(t)
  const script = path.join(import.meta.dirname, '../src/delivery/mail/write_mails.ts')
  await promisify(execFile)(process.execPath, [script, folder])
  const files = (await readdir(folder)).filter((name) => name.endsWith('.html'))
  t.true(files.length > 40)
  const page = await openWindow(t, browser)
  for (const name of files) {
    await page.goto(pathToFileURL(path.join(folder, name)).href)
    await lookAt(t, page, name)
    t.is(await page.locator('a').count(), 1, name)
    t.is(await page.locator('a[href^="https://registry.example/"]').count(), 1, name)
  }
})
