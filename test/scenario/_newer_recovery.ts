// A registry that goes on from an older backup, with what others have of its two logs.

import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { ExecutionContext } from 'ava'

import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

/** How many works each environment of a registry has before its backup, and how many after it. */
export type RecoveryCounts = { readonly before: number; readonly after: number }

async function importWorks(
  t: ExecutionContext,
  settings: Settings,
  environment: 'live' | 'sandbox',
  count: number,
): Promise<void> {
  const file = path.join(path.dirname(settings['DATA_DIR'] ?? ''), `${randomUUID()}.jsonl`)
  const works = Array.from({ length: count }, (_, nth) => newWork(`${nth} ${randomUUID()}`))
  await fs.writeFile(file, works.map((work) => JSON.stringify(work)).join('\n'))
  const args = ['import', file, '--owner', 'org:demo', '--environment', environment]
  const { code, stderr } = await runArklog(t, args, settings)
  t.is(code, 0, stderr)
}

/** Any web server, with the files of a folder. */
function serveFolder(t: ExecutionContext, folder: string) {
  return serve(t, ({ url = '' }, response) => {
    fs.readFile(path.join(folder, url)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
}

/**
 * Restores a backup that both logs have superseded: the live one from a mirror on a web server, the
 * one of the sandbox from a node that still runs, at an address of its own. Whoever has watched
 * the logs before finds that each goes on.
 */
export async function recoverOverHttp(
  t: ExecutionContext,
  { before, after }: RecoveryCounts,
): Promise<void> {
  // The address that all nodes share, at which nobody listens.
  const shared = { SEARCH: 'off', BASE_URL: 'http://127.0.0.1', RATE_LIMITS: 'off' }
  const settings = { ...shared, DATA_DIR: await newDataDir(t) }
  const server = await startServer(t, settings)
  const local = server.started.local_url
  const folder = path.dirname(settings.DATA_DIR)
  for (const name of ['live', 'sandbox'] as const) await importWorks(t, settings, name, before)
  const target = path.join(folder, 'backups')
  await runJson(t, ['backup', target], settings)
  for (const name of ['live', 'sandbox'] as const) await importWorks(t, settings, name, after - 1)
  const named = { key: firstKey(server), body: newWork('The last one') }
  const registered = await call(server, '/v1/works', named)
  t.is(registered.status, 201)
  await importWorks(t, settings, 'sandbox', 1)

  const keys = path.join(folder, 'keys.json')
  await fs.writeFile(keys, await (await fetch(`${local}/.well-known/svc-keys.json`)).text())
  const follow = async (url: string) => {
    for (const [name, more] of [
      ['live', []],
      ['sandbox', ['--sandbox']],
    ] as const) {
      const args = ['--keys', keys, '--dir', path.join(folder, name), ...more]
      const { code, stdout, stderr } = await runArklog(t, ['mirror', url, ...args], {})
      t.is(code, 0, stdout + stderr)
    }
  }
  await follow(local)
  const mirror = await serveFolder(t, path.join(folder, 'live', 'log'))

  const own = { ...shared, DATA_DIR: await newDataDir(t) }
  const unsaid = await runArklog(t, ['restore', target, '--recover-sandbox', local], own)
  t.regex(unsaid.stderr, /signs a second history/)
  const other = ['--recover', local, '--recover-sandbox', mirror.url]
  const mistaken = await runArklog(t, ['restore', target, ...other], own)
  t.regex(mistaken.stderr, /cannot be read|no true copy/)
  const args = ['restore', target, '--recover', mirror.url, '--recover-sandbox', local]
  const restored = await runJson<Record<string, unknown>>(t, args, own)
  t.like(restored, {
    tree_size: before + after,
    recovered_entries: after,
    lost_works: after,
    recovered_sandbox_entries: after,
    lost_sandbox_works: after,
  })
  await server.end('SIGTERM')
  const audit = await runArklog(t, ['audit'], own)
  t.is(audit.code, 0, audit.stdout)

  const again = await startServer(t, own)
  const lost = await call(again, `/v1/resolve/${String(registered.body['ark_identifier'])}`)
  t.is(lost.status, 410)
  t.like(lost.body, { reason: 'data_lost', metadata_lost: true })
  for (const name of ['live', 'sandbox'] as const) await importWorks(t, own, name, 1)
  await follow(again.started.local_url)
}
