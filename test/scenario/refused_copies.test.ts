// Copies that a node that joins does not go on from, sent by a test over three NATS servers.

import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { encodeRow } from '#actors/journal/rows.ts'
import { viewsSchema } from '#actors/registry/views.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Row } from '#log/store/store.ts'
import { Invitations } from '#src/cluster/invitations.ts'
import { type SnapshotHead, writeSnapshot } from '#src/keeping/snapshot/snapshot.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import { copiedStores } from '#src/keeping/data_dir/copied_folder.ts'
import { readSharedSecrets } from '#src/keeping/data_dir/secret_file.ts'
import { leaseMs, nodeSettings } from '#test/scenario/_cluster.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { connected } from '#test/src/cluster/_journal_streams.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

type Stores = Record<(typeof copiedStores)[number], Row[]>
type Copy = { head: SnapshotHead; readonly stores: Stores }

/** What a registry of three works holds, with the place of a node. */
async function copyOfRegistry(t: ExecutionContext): Promise<Copy> {
  const dataDir = await newDataDir(t)
  const server = await startServer(t, { DATA_DIR: dataDir, SEARCH: 'off' })
  for (const title of ['One', 'Two', 'Three']) {
    await call(server, '/v1/works', { key: firstKey(server), body: newWork(title) })
  }
  await server.end('SIGTERM')
  const stores: Stores = { live: [], sandbox: [], identity: [] }
  for (const name of copiedStores) {
    const store = await openLevelStore(path.join(dataDir, name), { create: false })
    stores[name] = await Array.fromAsync(store.scan({}))
    await store.close()
  }
  const place: Row = ['journal_place', encodeRow({ sequence: 1, digest: 'ab' })]
  stores.live.push(place)
  stores.sandbox.push(place)
  const instance = await readInstance(dataDir)
  if (instance?.kind !== 'registry') throw new Error('a registry has been started')
  const settings = { ARK_NAAN: '12345', ARK_SHOULDER: 'k2', ARK_DATED: false }
  const head: SnapshotHead = {
    format: 1,
    views: viewsSchema,
    instance,
    secrets: await readSharedSecrets(path.join(dataDir, 'keys')),
    settings: { ...settings, BASE_URL: 'https://registry.example', CLUSTER_LEASE_MS: leaseMs },
    bytes: 100_000,
  }
  return { head, stores }
}

/** Changes the row of a store whose key begins like this. */
function changeRow(rows: Row[], prefix: string, change: (value: Buffer) => Buffer): void {
  const at = rows.findIndex(([key]) => key.startsWith(prefix))
  const [key, value] = rows[at] ?? []
  if (key === undefined || value === undefined) throw new Error(`no key begins with ${prefix}`)
  rows[at] = [key, change(Buffer.from(value))]
}

function dropRow(rows: Row[], prefix: string): void {
  const at = rows.findIndex(([key]) => key.startsWith(prefix))
  if (at < 0) throw new Error(`no key begins with ${prefix}`)
  rows.splice(at, 1)
}

function flipped(value: Buffer): Buffer {
  value[value.length - 1] = (value.at(-1) ?? 0) ^ 1
  return value
}

const faults: readonly (readonly [what: string, spoil: (copy: Copy) => void, message: RegExp])[] = [
  ['an entry', ({ stores }) => changeRow(stores.live, 'entry/', flipped), /cannot be used: live/],
  [
    'a checkpoint',
    ({ stores }) => changeRow(stores.sandbox, 'checkpoint/', flipped),
    /cannot be used: sandbox/,
  ],
  ['a leaf', ({ stores }) => dropRow(stores.live, 'leaf/'), /cannot be used: live/],
  ['a view', ({ stores }) => changeRow(stores.live, 'work/', flipped), /cannot be used: live/],
  ['a place', ({ stores }) => stores.live.pop(), /does not say how far it has come/],
  ['a version', (copy) => (copy.head = { ...copy.head, views: 1 }), /another version of Arklog/],
  [
    'a setting',
    (copy) => {
      copy.head = { ...copy.head, settings: { ...copy.head.settings, ARK_NAAN: '98765' } }
    },
    /set ARK_NAAN=98765/,
  ],
  [
    'room',
    (copy) => (copy.head = { ...copy.head, bytes: 2 ** 52 }),
    /has \d+ bytes free, and \d+ are needed/,
  ],
  [
    'a key',
    (copy) => {
      const { secrets } = copy.head
      const swapped = { ...secrets, 'live-log.pem': secrets['sandbox-log.pem'] ?? '' }
      copy.head = { ...copy.head, secrets: swapped }
    },
    /is not the key this data directory signs with/,
  ],
  [
    'the pepper',
    (copy) => {
      const other = randomBytes(32).toString('base64')
      copy.head = { ...copy.head, secrets: { ...copy.head.secrets, 'api-keys.pepper': other } }
    },
    /pepper/,
  ],
]

overServers((servers) => {
  test('a copy is put in place as it should be, and not with any fault in it', async (t) => {
    const sound = await copyOfRegistry(t)
    let sent = sound
    const invitations = new Invitations({
      connection: await connected(t, servers()),
      node: 'inviter',
      random: randomBytes,
      systemMs: Date.now,
      copy: () => {
        const { head, stores } = sent
        const batches = async function* (rows: readonly Row[]) {
          yield rows
        }
        return writeSnapshot(
          head,
          copiedStores.map((name) => ({ name, rows: batches(stores[name]) })),
        )
      },
      report: () => undefined,
    })
    t.teardown(() => invitations.close())
    const join = async () => {
      const settings = await nodeSettings(t, 'b', servers())
      const { token } = invitations.create()
      const ended = await runArklog(t, ['cluster', 'join', token], settings)
      const names = await fs.readdir(settings['DATA_DIR'] ?? '')
      return { ...ended, isNode: names.includes('instance.json') }
    }
    const joined = await join()
    t.is(joined.code, 0, joined.stderr)
    t.true(joined.isNode)
    for (const [what, spoil, message] of faults) {
      sent = { head: sound.head, stores: structuredClone(sound.stores) }
      spoil(sent)
      const { code, stderr, isNode } = await join()
      t.is(code, 1, what)
      t.regex(stderr, message, what)
      t.false(isNode, what)
    }
  })
})
