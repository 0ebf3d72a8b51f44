import { mkdir, open, rename } from 'node:fs/promises'
import path from 'node:path'

/**
 * Replaces a file that only its owner reads, and its folder if need be: after a crash there is the
 * old content or the new one, whole.
 */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true })
  const draft = `${file}.new`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await syncFolder(folder)
}

/** Makes the names in a folder durable; file systems that cannot do it are let be. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!['EINVAL', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle.close()
  }
}
