import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'

import { type OpenedIdentityStore, openIdentityStore } from '#src/identity/store/identity_store.ts'

/** Opens the store of a folder, which is made if it is new. */
export function openDigestStore(folder: string): Promise<OpenedIdentityStore> {
  const dir = path.join(folder, 'identity')
  return openIdentityStore({
    dir,
    headFile: path.join(folder, 'identity.head'),
    pepperPath: path.join(folder, 'pepper'),
    create: !existsSync(dir),
    random: (count) => randomBytes(count),
  })
}

/** The address of an owner. */
export function digestAddress(ppid: string): string {
  return `${ppid}@readers.example`
}
