import { type Authenticator, credsAuthenticator } from '@nats-io/transport-node'

import { ClusterError } from '#src/cluster/cluster_error.ts'
import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'

/** How a node shows the engine who it is. */
export type Credentials =
  | { readonly user: string; readonly pass: string }
  | { readonly authenticator: Authenticator }

const credsMark = '-----BEGIN NATS USER JWT-----'

/**
 * Reads the file that `CLUSTER_CREDENTIALS` names, which only its owner may read: what `nsc` writes
 * (a .creds file), or one line `user:password`. Errors: `secret_missing` and `secret_exposed` as
 * `readSecretFile`, ClusterError `cluster_credentials_malformed`.
 */
export async function readCredentials(file: string): Promise<Credentials> {
  const bytes = await readSecretFile(file)
  const text = bytes.toString('utf8')
  if (text.includes(credsMark)) return { authenticator: credsAuthenticator(bytes) }
  const line = text.replace(/\r?\n$/, '')
  const colon = line.indexOf(':')
  if (colon > 0 && colon < line.length - 1 && !/[\r\n]/.test(line)) {
    return { user: line.slice(0, colon), pass: line.slice(colon + 1) }
  }
  throw new ClusterError(
    'cluster_credentials_malformed',
    `${file} holds neither a .creds file of NATS nor one line user:password.`,
  )
}
