// What a verifier of its own would do with a receipt: written from the standards alone, so that it
// shares no mistake with the registry.

import { createHash, createPublicKey, verify } from 'node:crypto'

import type { Json } from '#test/interface/_request.ts'

/** SHA-256 of bytes, or of a text in UTF-8, as hex. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Canonical JSON (RFC 8785) of what receipts and metadata hold: texts, whole numbers, lists. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

/** Whether the signature of a receipt is one of its statement, by the key that is named. */
export function isSigned(receipt: Json, publicKey: string): boolean {
  const { signature, fixity_status: _, chain_proof: __, ...statement } = receipt
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const text = Buffer.from(`svc-receipt-v1\n${canonical(statement)}`)
  return verify(null, text, key, Buffer.from(signature.signature, 'hex'))
}

/** The root that a receipt's inclusion proof leads to (RFC 9162, section 2.1.3.2), as hex. */
export function provenRoot(receipt: Json): string {
  const { fixity_status: _, chain_proof: proof, ...entry } = receipt
  let hash = hashOf(0, Buffer.from(canonical(entry)))
  let [index, last] = [proof.leaf_index, proof.tree_size - 1]
  for (const sibling of proof.inclusion_proof) {
    const other = Buffer.from(sibling, 'hex')
    if (index % 2 === 1 || index === last) {
      hash = hashOf(1, other, hash)
      while (index % 2 === 0 && index !== 0) [index, last] = [index / 2, Math.floor(last / 2)]
    } else {
      hash = hashOf(1, hash, other)
    }
    ;[index, last] = [Math.floor(index / 2), Math.floor(last / 2)]
  }
  return last === 0 ? hash.toString('hex') : 'a proof that is too short'
}

function hashOf(prefix: number, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(Uint8Array.of(prefix))
  for (const part of parts) hash.update(part)
  return hash.digest()
}
