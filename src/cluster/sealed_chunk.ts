import { createCipheriv, createDecipheriv } from 'node:crypto'

import { assert } from '#log/base/errors.ts'

/** Bytes that sealing adds to a chunk: whether it is the last one, and its tag. */
const flagBytes = 1
const tagBytes = 16

/** What a chunk holds once it is opened, and whether none comes after it. */
export type OpenedChunk = { readonly bytes: Buffer; readonly isLast: boolean }

/**
 * Seals a chunk of a stream (AES-256-GCM, `key` of 32 bytes). Its place, and whether it is the last
 * one, are in its nonce, as STREAM has them (Hoang, Reyhanitabar, Rogaway, Vizár, 2015): so of a
 * stream nothing can be left out, put elsewhere or cut off unnoticed. A key seals one stream.
 */
export function sealChunk(key: Uint8Array, index: number, { bytes, isLast }: OpenedChunk): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index, isLast))
  const sealed = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([Buffer.of(isLast ? 1 : 0), ...sealed, cipher.getAuthTag()])
}

/** Opens the chunk at a place of a stream; undefined if it is not that one, as it was sealed. */
export function openChunk(
  key: Uint8Array,
  index: number,
  sealed: Uint8Array,
): OpenedChunk | undefined {
  const [flag] = sealed
  if (sealed.length < flagBytes + tagBytes || (flag !== 0 && flag !== 1)) return undefined
  const isLast = flag === 1
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, isLast))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  try {
    const bytes = decipher.update(sealed.subarray(flagBytes, sealed.length - tagBytes))
    return { bytes: Buffer.concat([bytes, decipher.final()]), isLast }
  } catch {
    return undefined
  }
}

function nonceOf(index: number, isLast: boolean): Buffer {
  assert(Number.isSafeInteger(index) && index >= 0, 'a chunk has a place')
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 0)
  nonce[11] = isLast ? 1 : 0
  return nonce
}
