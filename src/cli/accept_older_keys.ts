import { randomBytes } from 'node:crypto'
import { monotoneClock } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import { UnusableError } from '#src/cli/program.ts'
import { dataFolders, identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { identityPart } from '#src/identity/store/identity_rows.ts'
import { openIdentityStore } from '#src/identity/store/identity_store.ts'
import { KeyStore } from '#src/identity/keys/key_store.ts'
import { operator } from '#src/identity/store/owner_text.ts'

/** What to do with the keys of an older copy, of which nobody knows which were revoked since. */
export type OlderKeys = 'revoke' | 'keep'

/** The copy that was accepted: what it lacked, and how many keys were kept or revoked. */
export type AcceptedKeys = { readonly lost_changes: number; readonly keys: number }

/**
 * Makes an older copy of the identity store the one to go on from, in one change; the keys of test
 * people are ended in a second one. The data directory must not be in use. UnusableError if the
 * store is not an older copy.
 */
export async function acceptOlderKeys(config: Config, fate: OlderKeys): Promise<AcceptedKeys> {
  await using opened = new AsyncDisposableStack()
  const folders = dataFolders(config)
  const lock = lockDataDir(folders.dataDir)
  opened.defer(() => lock.release())
  const options = { ...identityPaths(folders), create: false, random: randomBytes }
  const store = await openIdentityStore({ ...options, acceptsOlder: true })
  opened.defer(() => store.close())
  const { lostChanges } = store
  if (lostChanges === 0) {
    throw new UnusableError(
      'The identity store is the newest one known, so there is nothing to accept, and nothing ' +
        'was changed. To revoke a key, run "arklog key revoke".',
    )
  }
  const clock = monotoneClock(Date.now, '')
  let count = 0
  for (const part of [store, identityPart(store, 'sandbox')]) {
    const keys = new KeyStore({ store: part, clock, random: randomBytes, report: rethrow })
    count += fate === 'revoke' ? await keys.revokeAll(operator) : (await keys.listAll()).length
  }
  // That the copy was accepted is a change too, whatever else there was to change.
  if (fate === 'keep') await store.inTurn(() => store.commit([]))
  return { lost_changes: lostChanges, keys: count }
}

function rethrow(fault: unknown): never {
  throw fault
}
