import test, { type ExecutionContext } from 'ava'

import { freePort } from '#test/_free_port.ts'
import { contentHashOf } from '#test/scenario/_content_replies.ts'
import { type ContentServer, serveContent } from '#test/scenario/_content_server.ts'
import { runFixity } from '#test/scenario/_fixity_run.ts'
import { type Followed, untilStatus, viewVersion } from '#test/scenario/_followed_version.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runJson,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'

test.serial(
  '200 works of all sorts of content end in their states, through one kill',
  async (t) => {
    await runFixity(t, { works: 200, kills: 1, patienceMs: 0 })
  },
)

async function settingsFor(t: ExecutionContext, { hostPorts }: ContentServer): Promise<Settings> {
  const port = await freePort()
  return {
    DATA_DIR: await newDataDir(t),
    ADMIN_PORT: String(port),
    RATE_LIMITS: 'off',
    FETCH_ALLOW: hostPorts.join(),
    FETCH_HOST_INTERVAL_MS: '0',
  }
}

/** Registers a work while nothing is fetched, then starts the registry again. */
async function follow(t: ExecutionContext, settings: Settings, url: string): Promise<Followed> {
  const before = await startServer(t, settings)
  const { body } = await call<{ ark_identifier: string }>(before, '/v1/works', {
    key: firstKey(before),
    body: { ...newWork('Followed'), work_url: url },
  })
  const followed = {
    server: before,
    adminPort: Number(settings['ADMIN_PORT']),
    ark: body.ark_identifier,
  }
  t.deepEqual(await viewVersion(followed), {
    status: 'pending',
    reason: null,
    hash: null,
    receipt: ['registered', null],
    statements: ['registered'],
    checks: [],
    changes: [],
    counted: ['pending'],
  })
  await before.end('SIGTERM')
  return { ...followed, server: await startServer(t, { ...settings, FETCH_CONTENT: 'on' }) }
}

test.serial('a version is followed from pending to verified to failed and back', async (t) => {
  const content = await serveContent(t, 1)
  const settings = await settingsFor(t, content)
  const followed = await follow(t, settings, `http://${content.hostPorts[0]}/revised/1`)
  const hash = contentHashOf('/revised/1')
  const verified = {
    status: 'verified',
    reason: null,
    hash,
    receipt: ['content', hash],
    statements: ['registered', 'content'],
    checks: ['verified'],
    changes: [['verified', null]],
    counted: ['verified'],
  } as const
  await untilStatus(followed, 'verified')
  t.deepEqual(await viewVersion(followed), verified)

  const recheck = () => runJson(t, ['fixity', 'recheck', followed.ark], settings)
  await content.revise(1)
  await recheck()
  await untilStatus(followed, 'failed')
  const failed = {
    ...verified,
    status: 'failed',
    reason: 'hash_mismatch',
    checks: ['verified', 'failed'],
    changes: [...verified.changes, ['failed', 'hash_mismatch']],
    counted: ['failed'],
  } as const
  t.deepEqual(await viewVersion(followed), failed)

  await content.revise(0)
  await recheck()
  await untilStatus(followed, 'verified')
  t.deepEqual(await viewVersion(followed), {
    ...verified,
    checks: [...failed.checks, 'verified'],
    changes: [...failed.changes, ['verified', null]],
  })
  t.is((await followed.server.end('SIGTERM')).code, 0)
})
