// What docs/sandbox.md tells readers to paste does what it says.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'

import { newDataDir, startServer } from '#test/scenario/_process.ts'
import { newApplication, organizationKey } from '#test/scenario/_sandbox_world.ts'

// What a reader needs to follow the page; a system without them cannot run this test.
const tools = ['bash', 'curl', 'jq', 'openssl']
const folders = (process.env['PATH'] ?? '').split(':')
const missing = tools.filter(
  (tool) => !folders.some((folder) => existsSync(path.join(folder, tool))),
)
const why = missing.length === 0 ? '' : ` (skipped, not installed: ${missing.join(', ')})`
const withTools = missing.length === 0 ? test : test.skip

const run = promisify(execFile)

withTools(`the commands of the page are pasted one after the other${why}`, async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), LOG_LEVEL: 'silent', RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const { client_id, secret } = await newApplication(t, settings, 'sandbox')
  const page = await fs.readFile(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, commands]) => commands)
  t.is(blocks.length, 6)
  const environment = {
    PATH: process.env['PATH'] ?? '',
    BASE_URL: server.started.local_url,
    TEST_KEY: await organizationKey(t, settings, 'sandbox'),
    CLIENT_ID: client_id,
    CLIENT_SECRET: secret ?? '',
  }
  const options = { cwd: path.dirname(settings.DATA_DIR), env: environment, timeout: 300_000 }
  const pasted = ['--norc', '-e', '-o', 'pipefail', '-c', blocks.join('\n')]
  const { stdout } = await run('bash', pasted, options)
  const [name, first, second, title, undone, total, erased] = stdout.trim().split('\n')
  t.is(name, '"Tess Tester"')
  t.regex(first ?? '', /^"affiliation-\d+"$/)
  t.regex(second ?? '', /^"affiliation-\d+"$/)
  t.not(first, second)
  t.is(title, '"A trial"')
  t.is(undone, 'true')
  t.regex(total ?? '', /^\d+$/)
  t.is(erased, 'true')
})
