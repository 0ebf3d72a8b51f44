// The browser that all files of a run share. It says where it is, and ends with whoever started it.

import { chromium } from 'playwright-core'

import { launchOptions } from '#test/browser/_browser.ts'

const options = await launchOptions()
if (options !== undefined) {
  const server = await chromium.launchServer(options)
  process.stdin.on('close', () => void server.close()).resume()
  process.stdout.write(`${server.wsEndpoint()}\n`)
}
