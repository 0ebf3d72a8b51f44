import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import {
  type Asserter,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { share } from '#test/scenario/_shared_server.ts'
import { privateKey } from '#test/src/client/verify/_registry.ts'
import { hexKey, keyIdOf, signRotation } from '#test/src/client/verify/_rotation.ts'

// Who trusts a key file that was saved once must come to the newest key by the log's own entries,
// and by nothing that somebody else has put in their place.

const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

type Rotation = Record<string, unknown> & { chain_proof: Record<string, unknown> }
type ListedKey = Record<string, unknown> & { public_key: string; rotation: Rotation | null }
type KeyList = Record<string, unknown> & { receipt_keys: ListedKey[] }

async function mintReceipt(t: Asserter, server: Server, key: string, title: string) {
  const minted = await request(server, '/v1/works', { key, body: newWork(title) })
  t.is(minted.status, 201)
  const ark = String(minted.body['ark_identifier'])
  return (await request(server, `/api/v1/receipts/${ark}/v1`)).body
}

async function keyList(server: Server): Promise<KeyList> {
  return (await request<KeyList>(server, '/.well-known/svc-keys.json')).body
}

/** A registry that was rotated three times; the list saved before each, and a receipt after. */
async function openRotated(t: Asserter) {
  const settings = { DATA_DIR: await newDataDir(t), ...quiet }
  const folder = path.dirname(settings.DATA_DIR)
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const receipts = [await mintReceipt(t, server, key, 'Before any rotation')]
  const lists = [await keyList(server)]
  for (const title of ['After one', 'After two', 'After three']) {
    await runJson(t, ['receipt-key', 'rotate'], settings)
    receipts.push(await mintReceipt(t, server, key, title))
    lists.push(await keyList(server))
  }
  const write = async (name: string, value: unknown) => {
    const file = path.join(folder, name)
    await fs.writeFile(file, JSON.stringify(value))
    return file
  }
  return { server, folder, receipts, lists, write }
}

type Opened = Awaited<ReturnType<typeof openRotated>>

const rotated = share(openRotated)

/** Runs `verify` on a receipt, with the keys that were saved and what is said of newer ones. */
async function verify(
  t: ExecutionContext,
  { write }: Opened,
  { receipt, keys, rotations }: { receipt: unknown; keys: unknown; rotations?: unknown },
) {
  const args = ['verify', await write('r.json', receipt), '--keys', await write('k.json', keys)]
  const newer =
    typeof rotations === 'string' || rotations === undefined
      ? rotations
      : await write('n.json', rotations)
  return runArklog(t, newer === undefined ? args : [...args, '--rotations', newer], {})
}

test.serial('a saved key file leads to every newer key by the entries of the log', async (t) => {
  t.timeout(600_000)
  const opened = rotated()
  const { server, receipts, lists } = opened
  const [newest, address] = [lists.at(-1), server.started.local_url]
  for (const [saved, keys] of lists.entries()) {
    // The newest that these keys prove by themselves, and the ones that need rotations.
    for (const [age, receipt] of receipts.entries()) {
      if (age < saved || (saved > 0 && age > saved + 1)) continue
      const alone = await verify(t, opened, { receipt, keys })
      t.is(alone.code, age === saved ? 0 : 1, `receipt ${age}, keys ${saved}`)
      if (age === saved) continue
      const followed = await verify(t, opened, { receipt, keys, rotations: newest })
      t.is(followed.code, 0, `receipt ${age}, keys ${saved}: ${followed.stdout}${followed.stderr}`)
    }
  }
  // An older receipt needs none either, and newer ones take nothing from it.
  for (const rotations of [undefined, newest]) {
    const older = await verify(t, opened, { receipt: receipts[0], keys: newest, rotations })
    t.is(older.code, 0, older.stdout)
  }
  const fromRegistry = await verify(t, opened, {
    receipt: receipts.at(-1),
    keys: lists[0],
    rotations: address,
  })
  t.is(fromRegistry.code, 0, fromRegistry.stderr)
  t.regex(fromRegistry.stdout, /follows from the key file by 3 rotations in the log/)
  // The proofs are made anew against the newest checkpoint, and are all that is needed.
  t.is(newest?.receipt_keys[0]?.rotation, null)
  t.is(newest?.receipt_keys.length, 4)
})

const forger = privateKey(66)

/** What somebody who has neither the old key nor the log's puts in place of a rotation. */
const forgeries: readonly {
  readonly what: string
  readonly forge: (list: KeyList) => void
  readonly message: RegExp
}[] = [
  {
    what: 'a key of the forger in place of the new one',
    forge: ({ receipt_keys: [, second] }) => {
      if (second) second.public_key = hexKey(forger)
    },
    message: /it announces another key than the one that the newer list has next/,
  },
  {
    what: 'a rotation to the forger’s key that the forger has signed',
    forge: ({ receipt_keys: [, second] }) => {
      if (!second?.rotation) return
      second.public_key = hexKey(forger)
      const { signed } = signRotation(forger, hexKey(forger))
      second.rotation = { ...signed, chain_proof: second.rotation.chain_proof }
    },
    message: /another key has signed it, [0-9a-f]{16}/,
  },
  {
    what: 'another new key in the statement that the old key has signed',
    forge: ({ receipt_keys: [, second] }) => {
      if (!second?.rotation) return
      const publicKey = hexKey(forger)
      second.public_key = publicKey
      second.rotation['new_public_key'] = publicKey
      second.rotation['new_key_id'] = keyIdOf(publicKey)
    },
    message: /the signature is not one of it by that key/,
  },
  {
    what: 'another time',
    forge: ({ receipt_keys: [, second] }) => {
      if (second?.rotation) second.rotation['timestamp'] = '2030-01-01T00:00:00.000Z'
    },
    message: /the signature is not one of it by that key/,
  },
  {
    what: 'the place of another entry',
    forge: ({ receipt_keys: [, second] }) => {
      if (second?.rotation) second.rotation.chain_proof['leaf_index'] = 0
    },
    message: /the log does not have it/,
  },
  {
    what: 'another root',
    forge: ({ receipt_keys: [, second] }) => {
      if (second?.rotation) second.rotation.chain_proof['merkle_root'] = '0'.repeat(64)
    },
    message: /the log does not have it/,
  },
  {
    what: 'a checkpoint of another log',
    forge: ({ receipt_keys: [, second] }) => {
      if (!second?.rotation) return
      const { chain_proof: proof } = second.rotation
      proof['checkpoint'] = String(proof['checkpoint']).replaceAll('/log', '/other')
    },
    message: /the log does not have it/,
  },
  {
    what: 'a rotation left out',
    forge: ({ receipt_keys: keys }) => keys.splice(1, 1),
    message: /another key has signed it/,
  },
  {
    what: 'no proof',
    forge: ({ receipt_keys: [, second] }) => {
      if (second) second.rotation = null
    },
    message: /rotation must be a JSON object/,
  },
]

test.serial('a rotation that is forged in any part is refused, and says in which', async (t) => {
  t.timeout(600_000)
  const opened = rotated()
  const { receipts, lists } = opened
  for (const { what, forge, message } of forgeries) {
    const rotations = structuredClone(lists.at(-1)) as KeyList
    forge(rotations)
    const receipt = receipts.at(-1)
    const { code, stdout, stderr } = await verify(t, opened, { receipt, keys: lists[0], rotations })
    t.is(code, 2, `${what}: ${stdout}`)
    t.regex(stderr, /the rotations do not follow from the key file/, what)
    t.regex(stderr, message, what)
  }
})

test.serial('a monitor follows the keys that a log leads to, and remembers them', async (t) => {
  const opened = rotated()
  const { server, folder, lists, write } = opened
  const [saved, state] = [await write('k.json', lists[0]), path.join(folder, 'monitor')]
  const monitor = ['monitor', server.started.local_url, '--state', state, '--once', '--json']
  const { code, stdout, stderr } = await runArklog(t, [...monitor, '--keys', saved], {})
  t.is(code, 0, stdout + stderr)
  const lines = stdout.trim().split('\n')
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const rotations = told.filter(({ type }) => type === 'key_rotated')
  const keys = lists.at(-1)?.receipt_keys.map(({ public_key }) => public_key) ?? []
  t.deepEqual(
    rotations.map(({ old_public_key, new_public_key }) => [old_public_key, new_public_key]),
    [0, 1, 2].map((index) => [keys[index], keys[index + 1]]),
  )
  const remembered = JSON.parse(await fs.readFile(path.join(state, 'state.json'), 'utf8'))
  t.deepEqual(remembered.receiptKeys, keys)
  // Looking again, with the old file or the newest one, there is nothing new to tell.
  for (const list of [lists[0], lists.at(-1)]) {
    const again = await runArklog(t, [...monitor, '--keys', await write('k.json', list)], {})
    t.is(again.code, 0, again.stdout)
    t.like(JSON.parse(again.stdout), { type: 'unchanged' })
  }
  // Who trusts a key that this log has never led to is told.
  const strange = structuredClone(lists[0]) as KeyList
  for (const key of strange.receipt_keys) key.public_key = hexKey(forger)
  const other = await runArklog(t, [...monitor, '--keys', await write('k.json', strange)], {})
  t.is(other.code, 1)
  t.like(JSON.parse(other.stdout), { type: 'alarm', kind: 'bad_rotation' })
})
