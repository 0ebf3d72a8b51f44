import test, { type ExecutionContext } from 'ava'

import type { FixityOverview } from '#actors/works/fixity/client.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

type Overviews = { readonly live: FixityOverview; readonly sandbox: FixityOverview }

type Page = { readonly changes: readonly Record<string, unknown>[]; readonly next: number }

/** Follows the changes of fixity states, each of which is seen once. */
function followChanges(key: string): (server: Server) => Promise<Record<string, unknown>> {
  let after = 0
  return async (server) => {
    for (;;) {
      const page = await call<Page>(server, `/v1/changes?after=${after}&limit=1&wait=30`, { key })
      after = page.body.next
      const [change] = page.body.changes
      if (change?.['type'] === 'work.fixity_changed') return change
    }
  }
}

test('content is watched and re-checked by commands, with a server and without', async (t) => {
  let body = 'the first edition'
  const content = await serve(t, (_request, response) => response.end(body))
  const settings = {
    DATA_DIR: await newDataDir(t),
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: content.hostPort,
  }
  const server = await startServer(t, settings)
  t.true(server.started.warnings.some((text) => text.includes(content.hostPort)))
  const key = firstKey(server)
  const nextChange = followChanges(key)
  const work = { ...newWork('Watched'), work_url: `${content.url}/paper` }
  const minted = await call<{ ark_identifier: string }>(server, '/v1/works', { key, body: work })
  const ark = minted.body.ark_identifier
  t.like(await nextChange(server), { ark, fixity_status: 'verified' })
  await showsWatching(t, settings, ark)

  body = 'another edition'
  const asked = await runArklog(t, ['fixity', 'recheck', ark], settings)
  t.is(asked.stdout, `${ark} is due to be checked now.\n`)
  t.like(await nextChange(server), { fixity_status: 'failed', reason: 'hash_mismatch' })
  t.is((await server.end('SIGTERM')).code, 0)

  body = 'the first edition'
  const { live } = await runJson<Overviews>(t, ['fixity', 'status'], settings)
  t.like(live, { fetching: false, queue_depth: 1, outcomes: {} })
  t.is(live.states.failed, 1)
  t.like(await runJson(t, ['fixity', 'recheck', ark], settings), {
    ark_identifier: ark,
    fixity_status: 'failed',
  })
  t.like(await nextChange(await startServer(t, settings)), { fixity_status: 'verified' })
})

async function showsWatching(t: ExecutionContext, settings: Settings, ark: string): Promise<void> {
  const { live, sandbox } = await runJson<Overviews>(t, ['fixity', 'status'], settings)
  t.like(live, { fetching: true, queue_depth: 1, due: 0, in_flight: 0 })
  t.is(live.states.verified, 1)
  t.is(live.outcomes['verified'], 1)
  t.is(sandbox.queue_depth, 0)
  const all = await runArklog(t, ['fixity', 'status'], settings)
  t.regex(all.stdout, /^live\n {2}fetching {7}yes, 0 under way$/m)
  t.regex(all.stdout, /^ {2}to be checked {2}1, 0 of them due$/m)
  const one = await runArklog(t, ['fixity', 'status', ark], settings)
  t.true(one.stdout.startsWith(`${ark} v1 verified\n`), one.stdout)
  t.regex(one.stdout, /^ {2}hash {11}sha256:[0-9a-f]{64} \(fetched\)$/m)
  t.regex(one.stdout, /^ {2}\S+Z {2}verified {5}in order {2}http:/m)
}

test('a work that is none is told by both commands', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t) }
  await runJson(t, ['organization', 'create', 'press', '--name', 'Press'], settings)
  for (const command of ['status', 'recheck']) {
    const args = ['fixity', command, 'ark:/12345/k2nothing', '--json']
    const { code, stdout, stderr } = await runArklog(t, args, settings)
    t.is(code, 1)
    t.is(stdout, '')
    t.deepEqual(JSON.parse(stderr), {
      error: 'not_found',
      message: 'There is no work ark:/12345/k2nothing',
    })
  }
})
