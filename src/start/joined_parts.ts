import { randomBytes } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'

import type { Remote } from '#actors/kernel/remote.ts'
import {
  type EnvironmentName,
  environmentLimits,
  type Environments,
} from '#actors/registry/environment.ts'
import { type JoinedEnvironment, joinEnvironment } from '#actors/registry/join_environment.ts'
import type { Share } from '#actors/registry/publication.ts'
import type { Config } from '#config/schema.ts'
import { type DataFolders, identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { identityPart, type IdentityStore } from '#src/identity/store/identity_rows.ts'
import { shareIdentity } from '#src/identity/store/identity_sharing.ts'
import type { IdentityShare, OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { joinIdentityStore } from '#src/identity/store/identity_sharing.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { environmentSettings } from '#src/start/environment_settings.ts'

/** What an environment is joined with: the origin of its log, and the key that verifies it. */
type JoinedPart = { readonly share: Share; readonly origin: string; readonly vkey: string }

/** What a thread joins the stores of a registry with that another one runs. */
export type JoinedParts = Readonly<Record<EnvironmentName, JoinedPart>> & {
  readonly identity: IdentityShare
}

/**
 * Lets the thread on the other side of a connection join all stores (`joinParts`). The ports of
 * what it gives (`portsOf`) are to be transferred to it.
 */
export function shareParts(
  {
    environments: { live, sandbox },
    identity,
  }: { readonly environments: Environments; readonly identity: OpenedIdentityStore },
  remote: Remote,
): JoinedParts {
  return {
    identity: shareIdentity(identity, remote),
    live: { share: live.share(remote), origin: live.origin, vkey: live.vkey },
    sandbox: { share: sandbox.share(remote), origin: sandbox.origin, vkey: sandbox.vkey },
  }
}

/** The ports of what a thread joins the stores with. */
export function portsOf({ identity, live, sandbox }: JoinedParts): MessagePort[] {
  return [identity, live.share, sandbox.share].map(({ port }) => port)
}

/** What the stores are joined by. */
export type JoiningThread = {
  readonly config: Config
  readonly baseUrl: string
  readonly folders: DataFolders
  readonly joined: JoinedParts
  /** The connection to the thread that runs the registry. */
  readonly remote: Remote
}

/** An environment that was joined, its part of the identity store, and the keys of its people. */
export type OpenedPart = {
  readonly environment: JoinedEnvironment
  readonly store: IdentityStore
  readonly personKeys: PersonKeys
}

/**
 * Joins all stores of a registry, and leaves them with `opened`. Errors: those of `joinLevelStore`.
 */
export async function joinParts(
  thread: JoiningThread,
  opened: AsyncDisposableStack,
): Promise<Readonly<Record<EnvironmentName, OpenedPart>> & { readonly store: IdentityStore }> {
  const { folders, joined, remote } = thread
  const { dir } = identityPaths(folders)
  const store = await joinIdentityStore({ dir, share: joined.identity, remote, elapsedMs })
  opened.defer(() => store.close())
  const live = await joinPart('live', store, thread, opened)
  const sandbox = await joinPart('sandbox', identityPart(store, 'sandbox'), thread, opened)
  return { store, live, sandbox }
}

async function joinPart(
  name: EnvironmentName,
  store: IdentityStore,
  { config, baseUrl, folders, joined, remote }: JoiningThread,
  opened: AsyncDisposableStack,
): Promise<OpenedPart> {
  const { share, origin, vkey } = joined[name]
  const personKeys = new PersonKeys(store, randomBytes)
  const environment = await joinEnvironment({
    ...environmentSettings(name, { config, folders, baseUrl, origin }),
    vkey,
    personSeal: personKeys,
    personIndexKey: store.deriveKey('person index'),
    limits: { ...environmentLimits, replyCacheBytesMax: config.REPLY_CACHE_BYTES },
    share,
    remote,
  })
  opened.defer(() => environment.close())
  return { environment, store, personKeys }
}
