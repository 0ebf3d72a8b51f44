import path from 'node:path'

import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** The file of the link with which the first administrator is made: it is good at all nodes. */
export const setupTokenName = 'setup.token'

/** The file of the secret under which API keys are hashed, and backups are authenticated. */
export const pepperName = 'api-keys.pepper'

/** Files of KEYS_DIR that all nodes of a registry have, and those that may not be there. */
const neededSecrets = [
  'live-log.pem',
  'live-receipt.pem',
  'sandbox-log.pem',
  'sandbox-receipt.pem',
  pepperName,
] as const
const furtherSecrets = ['token-keys.json', 'sandbox-token-keys.json', setupTokenName] as const

/** The file of a log's key, by the name of its environment. */
export function logKeyName(environment: string): string {
  return `${environment}-log.pem`
}

/**
 * The secrets that all nodes of a registry have, by their names: Base64 of each file's bytes. What
 * else lies in KEYS_DIR is this node's own. Errors as `readSecretFile`.
 */
export async function readSharedSecrets(keysDir: string): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const name of neededSecrets) secrets[name] = await readOne(keysDir, name)
  for (const name of furtherSecrets) {
    const text = await readOne(keysDir, name).catch(unlessMissing)
    if (text !== undefined) secrets[name] = text
  }
  return secrets
}

/** Whether these are the names of secrets that all nodes have, with none left out. */
export function areSharedSecrets(names: readonly string[]): boolean {
  const known: readonly string[] = [...neededSecrets, ...furtherSecrets]
  return (
    names.every((name) => known.includes(name)) && neededSecrets.every((n) => names.includes(n))
  )
}

async function readOne(keysDir: string, name: string): Promise<string> {
  return (await readSecretFile(path.join(keysDir, name))).toString('base64')
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof StartError && error.code === 'secret_missing') return undefined
  throw error
}
