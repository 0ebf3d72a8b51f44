// The identity provider of a test's registry: all of it real. The keys that sign ID tokens are made
// once for a process, because a key of RSA takes long.

import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { openOAuthService, type OAuthServiceOptions } from '#src/start/oauth.ts'
import type { OAuthService } from '#src/identity/oauth/oauth.ts'

let keyFile: Promise<Buffer> | undefined

export type TestOAuthOptions = Omit<OAuthServiceOptions, 'folders'> & { readonly folder: string }

/** Opens the identity provider of a test's registry; `close` ends what it keeps open. */
export async function openTestOAuth({
  folder,
  ...options
}: TestOAuthOptions): Promise<{ service: OAuthService; close(): Promise<void> }> {
  const file = path.join(folder, 'token-keys.json')
  const known = await keyFile
  if (known !== undefined) {
    await writeFile(file, known)
    await chmod(file, 0o600)
  }
  const opened = new AsyncDisposableStack()
  const folders = { dataDir: folder, keysDir: folder }
  const service = await openOAuthService({ ...options, folders }, opened)
  keyFile ??= readFile(file)
  return { service, close: () => opened.disposeAsync() }
}
