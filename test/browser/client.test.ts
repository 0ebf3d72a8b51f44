import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import type * as client from '#src/client/arklog.ts'
import type { ArklogOptions } from '#src/client/arklog.ts'
import type { NewWork } from '#src/client/types.ts'
import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { newDataDir, runJson, startServer } from '#test/scenario/_process.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

/** What the page has loaded: the client as it is packed. */
type Client = Pick<typeof client, 'Arklog' | 'VerificationError'>

declare global {
  var arklogClient: Client | undefined
}

const page = `<!doctype html><title>Elsewhere</title>
<script type="module">
  import * as client from '/client/arklog.js'
  globalThis.arklogClient = client
</script>`

/** Runs in the page: registers a work, changes it, reads it and doubts it. */
async function useClient([options, work]: readonly [ArklogOptions, NewWork]) {
  const { Arklog, VerificationError } = globalThis.arklogClient as Client
  const storage = {
    get: (name: string) => localStorage.getItem(name),
    set: (name: string, text: string) => localStorage.setItem(name, text),
  }
  const arklog = new Arklog({ ...options, storage })
  const created = await arklog.works.create(work)
  const ark = created.ark_identifier
  const read = await arklog.works.get(ark)
  const change = await arklog.works.update(ark, { keywords: 'pages' }, { ifMatch: read })
  const refused = await arklog.works
    .update(ark, { keywords: 'others' }, { ifMatch: read })
    .catch((error: unknown) => (error as { readonly code: string }).code)
  const { metadata } = await arklog.works.resolve(ark)
  const file = new Blob([`${JSON.stringify({ ...work, work_title: 'Of a file' })}\n`])
  const uploaded: string[] = []
  for await (const { type } of arklog.works.upload(file)) uploaded.push(type)
  const liar: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!(input as string).includes('/receipts/')) return response
    const receipt = (await response.json()) as object
    return Response.json({ ...receipt, timestamp: '2099-01-01T00:00:00.000Z' })
  }
  const doubt: unknown = await new Arklog({ ...options, storage, fetch: liar }).receipts
    .get(ark, 1)
    .catch((error: unknown) => error)
  return {
    statement: created.receipt?.statement.statement,
    version: change.receipt?.statement.version,
    refused,
    keywords: metadata.keywords,
    uploaded,
    doubted: doubt instanceof VerificationError ? doubt.step : 'believed',
    stored: localStorage.length,
  }
}

test('a page of another origin registers and verifies with the packed client', async (t) => {
  const DATA_DIR = await newDataDir(t)
  const folder = path.join(path.dirname(DATA_DIR), 'client')
  const build = path.join(import.meta.dirname, '../../src/client/build.js')
  execFileSync(process.execPath, [build, folder])
  const settings = { DATA_DIR, LOG_LEVEL: 'warn', FETCH_CONTENT: 'off' }
  const { started } = await startServer(t, settings)
  const command = ['key', 'create', '--owner', 'org:demo', '--scopes', 'works:write']
  const { key } = await runJson<{ key: string }>(t, command, settings)
  const elsewhere = await serve(t, (request, response) => {
    const [, name] = /^\/client\/((?:verify\/)?\w+\.js)$/.exec(request.url ?? '') ?? []
    const type = name === undefined ? 'text/html' : 'text/javascript'
    response.setHeader('content-type', `${type}; charset=utf-8`)
    if (name === undefined) response.end(page)
    else void readFile(path.join(folder, name)).then((text) => response.end(text))
  })
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const window = await openWindow(t, browser)
  await window.goto(elsewhere.url)
  await window.waitForFunction(() => globalThis.arklogClient !== undefined)
  const options = { baseUrl: started.local_url, key, trustOnFirstUse: true }
  const work: NewWork = {
    work_title: 'Registered from a page',
    work_type: 'article',
    authors: 'Ada Ox',
    work_url: 'https://press.example/page',
  }
  t.deepEqual(await window.evaluate(useClient, [options, work] as const), {
    statement: 'registered',
    version: 2,
    refused: 'precondition_failed',
    keywords: 'pages',
    uploaded: ['registered'],
    doubted: 'signature',
    // Keys, a checkpoint, and an upload.
    stored: 3,
  })
})
