import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Seals a text under a key of 32 bytes for one place: base64 of nonce, ciphertext and tag. */
export function sealText(key: Uint8Array, place: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  sealing.setAAD(Buffer.from(place))
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([nonce, body, sealing.getAuthTag()]).toString('base64')
}

/** The inverse of `sealText`; undefined for what was not sealed with this key for this place. */
export function openText(key: Uint8Array, place: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < nonceBytes + tagBytes) return undefined
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  opening.setAAD(Buffer.from(place))
  opening.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const text = opening.update(bytes.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
