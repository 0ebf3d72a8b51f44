// The people of one environment of a test's registry: everything real but for cheap hashes of
// passwords. The keys that sign ID tokens are made once for a process, because a key of RSA takes
// long.

import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import type { ThreadRole } from '#src/identity/store/identity_sharing.ts'
import { openRealm, type RealmOptions } from '#src/cli/start/realm.ts'
import type { Realm } from '#src/use_cases/registry_edge.ts'
import { testPasswordCost } from '#test/src/_accounts.ts'

let keyFile: Promise<Buffer> | undefined

export type TestRealmOptions = Omit<RealmOptions, 'role' | 'folders' | 'passwordCost'> & {
  /** Unless told, it runs. */
  readonly role?: ThreadRole
  readonly folder: string
}

/** Opens the people of an environment; `close` ends what they keep open. */
export async function openTestRealm({
  folder,
  role = { type: 'runs' },
  ...options
}: TestRealmOptions): Promise<{ realm: Realm; close(): Promise<void> }> {
  const isLive = options.environment.name === 'live'
  const file = path.join(folder, isLive ? 'token-keys.json' : 'sandbox-token-keys.json')
  const known = await keyFile
  if (known !== undefined && role.type === 'runs') {
    await writeFile(file, known)
    await chmod(file, 0o600)
  }
  const opened = new AsyncDisposableStack()
  const folders = { dataDir: folder, keysDir: folder }
  const own = { role, folders, passwordCost: testPasswordCost } as const
  const realm = await openRealm({ ...options, ...own }, opened)
  keyFile ??= readFile(file)
  return { realm, close: () => opened.disposeAsync() }
}
