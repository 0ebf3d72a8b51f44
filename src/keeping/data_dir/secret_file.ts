import { open } from 'node:fs/promises'

import { StartError } from '#src/keeping/data_dir/start_error.ts'

// Any right of the group or of others; the owner's own rights do not matter.
const othersMask = 0o077
const secretBytesMax = 64 * 1024

/**
 * The bytes of a secret file, at most 64 KiB. Refuses a file that anyone but its owner may read,
 * write or execute (`secret_exposed`): such a secret has to be taken for known. `secret_missing`
 * when there is no file.
 */
export async function readSecretFile(path: string): Promise<Buffer> {
  const file = await openSecret(path)
  try {
    const { mode, size } = await file.stat()
    if ((mode & othersMask) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0')
      throw new StartError(
        'secret_exposed',
        `${path} is open to others than its owner (mode ${shown}): run "chmod 600 ${path}", ` +
          'and replace the secret if anyone may have read it',
      )
    }
    if (size > secretBytesMax) {
      throw new StartError('secret_malformed', `${path} is too large to be a secret`)
    }
    return await file.readFile()
  } finally {
    await file.close()
  }
}

async function openSecret(path: string) {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new StartError('secret_missing', `${path} is missing: restore it from a backup`, {
      cause: error,
    })
  }
}

/** Writes a new secret file that only its owner can read, and syncs it; it must not exist yet. */
export async function createSecretFile(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
