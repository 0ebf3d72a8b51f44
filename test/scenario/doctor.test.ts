// What the doctor says of a registry that runs, and of one whose address leads elsewhere.

import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { freePort } from '#test/_free_port.ts'
import { newDataDir, runArklog, runJson, startServer } from '#test/scenario/_process.ts'

type Findings = {
  readonly findings: readonly { check: string; state: string; message: string }[]
}

function stateOf({ findings }: Findings, check: string): string | undefined {
  return findings.find((finding) => finding.check === check)?.state
}

test('a registry that runs is well, and what is wrong with it is told', async (t) => {
  const port = String(await freePort())
  const settings = {
    DATA_DIR: await newDataDir(t),
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    SIGN_UP: 'off',
    SEARCH: 'off',
  }
  const server = await startServer(t, settings)
  const well = await runJson<Findings>(t, ['doctor', '--strict'], settings)
  for (const check of ['data', 'keys', 'disk', 'clock', 'server', 'address', 'proxy']) {
    t.is(stateOf(well, check), 'good', check)
  }

  const other = await startServer(t, { DATA_DIR: await newDataDir(t), SEARCH: 'off' })
  const elsewhere = { ...settings, BASE_URL: other.started.local_url }
  const astray = await runArklog(t, ['doctor'], elsewhere)
  t.is(astray.code, 1)
  t.regex(astray.stdout, /PROBLEM address .*leads to another registry/)
  t.regex(astray.stderr, /one thing is to be mended/)

  await server.end('SIGTERM')
  const stopped = await runArklog(t, ['doctor'], settings)
  t.is(stopped.code, 1)
  t.regex(stopped.stdout, /No server is running here/)
  t.regex(stopped.stdout, /PROBLEM address .*cannot be reached from here/)

  const pepper = path.join(settings.DATA_DIR, 'keys', 'api-keys.pepper')
  await fs.chmod(pepper, 0o644)
  const exposed = await runArklog(t, ['doctor'], settings)
  t.regex(exposed.stdout, /PROBLEM keys .*api-keys\.pepper is open to others/)
  // It looks, and changes nothing.
  t.is((await fs.stat(pepper)).mode & 0o777, 0o644)
})
