import { watch } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { AdminClient } from '#src/cli/admin_client.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import {
  foundIn,
  foundInFiles,
  type Planted,
  plantedWords,
  plantedWork,
} from '#test/actors/_erasure.ts'
import {
  firstKey,
  newDataDir,
  runArklog,
  runJson,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'

const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent', FETCH_CONTENT: 'off' }

type Erased = {
  readonly environment: string
  readonly ark_identifier: string
  readonly unchanged: boolean
  readonly is_purged: boolean
}

async function mint(server: Server, key: string, body: object): Promise<string> {
  const minted = await request(server, '/v1/works', { key, body })
  if (minted.status !== 201) throw new Error(JSON.stringify(minted.body))
  return String(minted.body['ark_identifier'])
}

/** A work of planted words with two versions. */
async function mintPlanted(server: Server, key: string, planted: Planted): Promise<string> {
  const ark = await mint(server, key, { work_type: 'article', ...plantedWork(planted) })
  const body = { work_title: planted.title, version_note: planted.note }
  const added = await request(server, `/v1/works/${ark}/versions`, { key, body })
  if (added.status !== 201) throw new Error(JSON.stringify(added.body))
  return ark
}

/** Saves a receipt and the keys as a stranger would, and gives the command that verifies them. */
async function saveReceipt(server: Server, ark: string, settings: Settings): Promise<string[]> {
  const folder = path.dirname(settings['DATA_DIR'] ?? '')
  const [receiptFile, keysFile] = [path.join(folder, 'r.json'), path.join(folder, 'k.json')]
  const receipt = await request(server, `/api/v1/receipts/${ark}/v2`)
  await fs.writeFile(receiptFile, JSON.stringify(receipt.body))
  const keys = await request(server, '/.well-known/svc-keys.json')
  await fs.writeFile(keysFile, JSON.stringify(keys.body))
  return ['verify', receiptFile, '--keys', keysFile]
}

test.serial('the operator erases a work, with a server and without', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), ...quiet }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const words = [plantedWords(), plantedWords()] as const
  const first = await mintPlanted(server, key, words[0])
  const second = await mintPlanted(server, key, words[1])
  // A dump of all works, as it would be there a minute later.
  const plantDump = async ({ title }: Planted) => {
    const folder = path.join(settings.DATA_DIR, 'dumps', '2026-01-01-3')
    await fs.mkdir(folder, { recursive: true })
    await fs.writeFile(path.join(folder, 'works-3.jsonl'), title)
  }
  await plantDump(words[0])
  const verifyFirst = await saveReceipt(server, first, settings)

  const standing = await runArklog(t, ['work', 'erase', first], settings)
  t.is(standing.code, 1)
  t.regex(standing.stderr, /is not withdrawn: withdraw it first, or with --withdraw/)
  const withdrawal = { key, body: { reason: 'author_request', note: words[0].why } }
  t.is((await request(server, `/v1/works/${first}/withdraw`, withdrawal)).status, 200)
  const erased = await runArklog(t, ['work', 'erase', first], settings)
  t.is(erased.code, 0, erased.stderr)
  t.regex(erased.stdout, /^The metadata of ark:\S+ was erased at .+; nothing of it is left in/)
  t.deepEqual(await foundInFiles(settings.DATA_DIR, words[0]), [])
  const resolved = await request(server, `/api/v1/resolve/${first}`)
  t.is(resolved.status, 410)
  t.deepEqual(foundIn(JSON.stringify(resolved.body), words[0]), [])
  t.is((await runArklog(t, verifyFirst, {})).code, 0, 'a receipt of before verifies')
  await server.end('SIGTERM')

  await plantDump(words[1])
  const bare = second.slice('ark:/12345/'.length)
  const alone = await runJson<Erased>(t, ['work', 'erase', bare, '--withdraw'], settings)
  t.like(alone, { environment: 'live', ark_identifier: second, unchanged: false, is_purged: true })
  t.deepEqual(await foundInFiles(settings.DATA_DIR, words[1]), [])
  const again = await runJson<Erased>(t, ['work', 'erase', second], settings)
  t.like(again, { unchanged: true, is_purged: true })
  const unknown = await runArklog(t, ['work', 'erase', 'ark:/12345/k2nothing'], settings)
  t.is(unknown.code, 1)
  const audit = await runArklog(t, ['audit'], settings)
  t.is(audit.code, 0, audit.stdout)
  t.regex(audit.stdout, /4 versions without metadata/)
})

/** Moments at which an erasure is killed: changes of the store's files since it was asked for. */
const killMoments = [1, 4, 13]

/** Asks for an erasure, and kills the server at a moment of it, or when it has answered. */
async function killDuringErasure(server: Server, ark: string, changes: number): Promise<void> {
  const dataDir = server.started.data_dir
  const watcher = watch(path.join(dataDir, 'live'))
  const client = new AdminClient(adminSocketPath(dataDir))
  try {
    const reached = new Promise<void>((resolve) => {
      let seen = 0
      watcher.on('change', () => {
        seen += 1
        if (seen === changes) resolve()
      })
    })
    const erased = client.call('/works/erase', { ark, withdraw: true }).catch(() => undefined)
    await Promise.race([reached, erased])
    await server.end('SIGKILL')
    await erased
  } finally {
    client.close()
    watcher.close()
  }
}

test.serial('whatever moment an erasure is killed at, it is brought to its end', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), EDGE_THREADS: '1', ...quiet }
  let server = await startServer(t, settings)
  const key = firstKey(server)
  const words: Planted[] = []
  for (const changes of killMoments) {
    const planted = plantedWords()
    words.push(planted)
    const ark = await mintPlanted(server, key, planted)
    await killDuringErasure(server, ark, changes)
    const left = await foundInFiles(settings.DATA_DIR, planted)
    server = await startServer(t, settings)
    const answer = await runJson<Erased>(t, ['work', 'erase', ark, '--withdraw'], settings)
    t.true(answer.is_purged)
    const what = answer.unchanged ? 'committed' : 'not committed'
    t.log(`killed at change ${changes}: ${what}, ${left.length} words in the files`)
    for (const each of words) t.deepEqual(await foundInFiles(settings.DATA_DIR, each), [])
  }
  await server.end('SIGTERM')
  const audit = await runArklog(t, ['audit'], settings)
  t.is(audit.code, 0, audit.stdout)
  for (const each of words) t.deepEqual(await foundInFiles(settings.DATA_DIR, each), [])
})
