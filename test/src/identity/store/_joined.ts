import type { ExecutionContext } from 'ava'

import { joinIdentityStore } from '#src/identity/store/identity_sharing.ts'
import { shareIdentity } from '#src/identity/store/identity_sharing.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { connect } from '#test/actors/kernel/_connected.ts'

/** Joins a store over real ports, as another thread does, until the end of the test. */
export async function joinHere(
  t: ExecutionContext,
  { store, dir }: { readonly store: OpenedIdentityStore; readonly dir: string },
): Promise<IdentityStore> {
  const { toJoined, toOwner } = connect(t)
  const share = shareIdentity(store, toJoined)
  const joined = await joinIdentityStore({ dir, share, remote: toOwner, elapsedMs })
  t.teardown(() => joined.close())
  return joined
}
