import { createHash } from 'node:crypto'

/** Hashes of a body as it was served, in lower-case hex, and its length. */
export type Digest = { readonly sha256: string; readonly sha512: string; readonly bytes: number }

/**
 * Reads a body to its end and hashes it in one pass. A chunk is hashed before the next is asked
 * for, so a body of any length takes the memory of one chunk. Undefined, and the rest unread, if
 * it is longer than `bytesMax`.
 */
export async function digestBody(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Digest | undefined> {
  const sha256 = createHash('sha256')
  const sha512 = createHash('sha512')
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    sha256.update(chunk)
    sha512.update(chunk)
  }
  return { sha256: sha256.digest('hex'), sha512: sha512.digest('hex'), bytes }
}
