import { watch } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { AdminClient } from '#src/cli/admin_client.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { publicKeyHex, readKeyFile } from '#src/keeping/data_dir/key_file.ts'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import type { ReceiptKey } from '#src/client/verify/types.ts'
import {
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { forEachOf, request } from '#test/scenario/_request.ts'

const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

type Rotation = {
  readonly old_key_id: string
  readonly new_key_id: string
  readonly rotated_at: string
  readonly leaf_index: number
}

async function mintReceipt(t: ExecutionContext, server: Server, key: string, title: string) {
  const minted = await request(server, '/v1/works', { key, body: newWork(title) })
  t.is(minted.status, 201)
  const receipt = await request(
    server,
    `/api/v1/receipts/${String(minted.body['ark_identifier'])}/v1`,
  )
  return receipt.body
}

async function keyList(server: Server): Promise<string> {
  return JSON.stringify((await request(server, '/.well-known/svc-keys.json')).body)
}

test.serial('a key is rotated under load, and receipts of either verify offline', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), ...quiet }
  const folder = path.dirname(settings.DATA_DIR)
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const before = await mintReceipt(t, server, key, 'Signed by the first key')
  const keysOfBefore = await keyList(server)
  let isRotated = false
  const load = forEachOf(Array(4).keys(), async (client) => {
    for (let index = 0; !isRotated; index += 1) {
      const body = newWork(`Registered meanwhile, ${index} of client ${client}`)
      t.is((await request(server, '/v1/works', { key, body })).status, 201)
    }
  })
  const rotation = await runJson<Rotation>(t, ['receipt-key', 'rotate'], settings)
  isRotated = true
  await load
  const after = await mintReceipt(t, server, key, 'Signed by the second key')
  await server.end('SIGTERM')

  // Without a server, and of the sandbox.
  const inSandbox = ['receipt-key', 'rotate', '--environment', 'sandbox']
  const { code, stdout } = await runArklog(t, inSandbox, settings)
  t.is(code, 0)
  t.regex(stdout, /^Receipts of the sandbox registry are signed with the key [0-9a-f]{16} from /)

  const again = await startServer(t, settings)
  const keysOfNow = await keyList(again)
  const { live, sandbox } = await parseKeyList(keysOfNow)
  t.deepEqual(
    live.receiptKeys.map(({ keyId }) => keyId),
    [rotation.old_key_id, rotation.new_key_id],
  )
  t.is(sandbox?.receiptKeys.length, 2)
  const verify = async (receipt: unknown, keys: string) => {
    const [receiptFile, keysFile] = [path.join(folder, 'r.json'), path.join(folder, 'k.json')]
    await fs.writeFile(receiptFile, JSON.stringify(receipt))
    await fs.writeFile(keysFile, keys)
    return (await runArklog(t, ['verify', receiptFile, '--keys', keysFile], {})).code
  }
  t.is(await verify(before, keysOfNow), 0)
  t.is(await verify(after, keysOfNow), 0)
  t.is(await verify(before, keysOfBefore), 0)
  t.is(await verify(after, keysOfBefore), 1, 'the saved list knows nothing of the new key')
  await again.end('SIGTERM')
  t.is((await runArklog(t, ['audit'], settings)).code, 0)
})

/** Kills come at these events of the folder of keys: a key is made, written, put in its place. */
const killRounds = [1, 2, 3, 4, 5, 6]

test.serial('whatever moment a rotation is killed at, one key is in use and known', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), ...quiet }
  let server = await startServer(t, settings)
  const key = firstKey(server)
  const receipts: unknown[] = []
  for (const events of killRounds) {
    const known = (await parseKeyList(await keyList(server))).live.receiptKeys
    await killDuringRotation(server, events)
    server = await startServer(t, settings)
    receipts.push(await mintReceipt(t, server, key, `After the kill at event ${events}`))
    const { live } = await parseKeyList(await keyList(server))
    t.log(`killed at event ${events}: ${live.receiptKeys.length - known.length} new keys`)
    await assertOneKey(t, settings.DATA_DIR, known, live.receiptKeys)
    for (const receipt of receipts) t.true((await verifyReceipt(receipt, live)).valid)
  }
  await server.end('SIGTERM')
  t.is((await runArklog(t, ['audit'], settings)).code, 0)
})

async function killDuringRotation(server: Server, events: number): Promise<void> {
  const dataDir = server.started.data_dir
  const watcher = watch(path.join(dataDir, 'keys'))
  const client = new AdminClient(adminSocketPath(dataDir))
  try {
    const killed = new Promise<void>((resolve) => {
      let seen = 0
      watcher.on('change', () => {
        seen += 1
        if (seen === events) resolve()
      })
    })
    const answered = client.call('/receipt-keys/rotate', {}).catch(() => undefined)
    await Promise.race([killed, answered])
    await server.end('SIGKILL')
    await answered
  } finally {
    client.close()
    watcher.close()
  }
}

/** The key file is of the newest key of the list, which goes on from the one of before. */
async function assertOneKey(
  t: ExecutionContext,
  dataDir: string,
  before: readonly ReceiptKey[],
  now: readonly ReceiptKey[],
): Promise<void> {
  const folder = path.join(dataDir, 'keys')
  t.false((await fs.readdir(folder)).includes('live-receipt-next.pem'))
  const file = await readKeyFile(path.join(folder, 'live-receipt.pem'))
  t.is(publicKeyHex(file), now.at(-1)?.publicKey ?? '')
  t.true(now.length === before.length || now.length === before.length + 1)
  t.deepEqual(
    now.slice(0, before.length).map(({ publicKey }) => publicKey),
    before.map(({ publicKey }) => publicKey),
  )
  t.deepEqual(
    now.slice(1).map(({ validFromMs }) => validFromMs),
    now.slice(0, -1).map(({ validUntilMs }) => validUntilMs),
  )
}
