import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import {
  type Asserter,
  call,
  firstKey,
  newDataDir,
  runArklog,
  runJson,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { share } from '#test/scenario/_shared_server.ts'

type OlderCopy = { readonly settings: Settings; readonly kept: string; readonly revoked: string }

const createArgs = ['key', 'create', '--owner', 'org:demo', '--scopes', 'works:read']

/** A registry whose identity store is a copy of before one of its two keys was revoked. */
async function makeOlder(t: Asserter): Promise<OlderCopy> {
  const settings = { DATA_DIR: await newDataDir(t), LOG_LEVEL: 'silent' }
  const store = path.join(settings.DATA_DIR, 'identity')
  const first = await startServer(t, settings)
  const kept = firstKey(first)
  const { id, key: revoked } = await runJson<{ id: string; key: string }>(t, createArgs, settings)
  await first.end('SIGTERM')
  await fs.cp(store, `${store}.backup`, { recursive: true })
  await runJson(t, ['key', 'revoke', id], settings)
  await fs.rm(store, { recursive: true })
  await fs.rename(`${store}.backup`, store)
  return { settings, kept, revoked }
}

const made = share(makeOlder)

async function olderCopy(t: ExecutionContext): Promise<OlderCopy> {
  const { settings, ...keys } = made()
  const DATA_DIR = await newDataDir(t)
  await fs.cp(settings['DATA_DIR'] ?? '', DATA_DIR, { recursive: true })
  return { settings: { ...settings, DATA_DIR }, ...keys }
}

async function statusWith(t: ExecutionContext, { settings, ...keys }: OlderCopy) {
  const server = await startServer(t, settings)
  const kept = await call(server, '/v1/work-types', { key: keys.kept })
  const revoked = await call(server, '/v1/work-types', { key: keys.revoked })
  await server.end('SIGTERM')
  return { kept: kept.status, revoked: revoked.status }
}

test.serial('an older copy of the keys is refused until the operator has decided', async (t) => {
  const copy = await olderCopy(t)
  for (const command of [['serve'], ['key', 'list']]) {
    const { code, stderr } = await runArklog(t, [...command, '--json'], copy.settings)
    t.is(code, 1)
    t.is((JSON.parse(stderr) as { error: string }).error, 'keys_rolled_back')
  }
  const undecided = await runArklog(t, ['key', 'accept-older'], copy.settings)
  t.is(undecided.code, 2)
  t.regex(undecided.stderr, /required option '--keys <fate>' not specified/)

  const accept = ['key', 'accept-older', '--keys', 'revoke']
  type Accepted = { readonly lost_changes: number; readonly keys: number }
  const { lost_changes, keys } = await runJson<Accepted>(t, accept, copy.settings)
  t.is(keys, 2)
  // The revocation, and what was noted of whom it was told to before the server ended.
  t.true(lost_changes >= 1)
  t.deepEqual(await statusWith(t, copy), { kept: 401, revoked: 401 })

  const again = await runArklog(t, accept, copy.settings)
  t.is(again.code, 1)
  t.regex(
    again.stderr,
    /^arklog: The identity store is the newest one known, so there is nothing to/,
  )
})

test.serial('whoever keeps the keys of an older copy is told what that means', async (t) => {
  const copy = await olderCopy(t)
  const accept = ['key', 'accept-older', '--keys', 'keep']
  const { code, stdout } = await runArklog(t, accept, copy.settings)
  t.is(code, 0)
  t.regex(stdout, /^The copy, which lacks \d+ changes?, is accepted\. Keys kept: 2\. /)
  t.true(stdout.endsWith(' Revoke again those that were revoked since.\n'))
  t.deepEqual(await statusWith(t, copy), { kept: 200, revoked: 200 })
})

test.serial('an older copy is not accepted under a running server', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), LOG_LEVEL: 'silent' }
  await startServer(t, settings)
  const accept = ['key', 'accept-older', '--keys', 'keep', '--json']
  const { code, stderr } = await runArklog(t, accept, settings)
  t.is(code, 1)
  t.is((JSON.parse(stderr) as { error: string }).error, 'data_dir_held')
})
