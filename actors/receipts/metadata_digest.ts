import { metadataHash } from '#actors/receipts/statement.ts'
import { orderedJson, rememberOrderedJson } from '#actors/values/canonical_json.ts'

/** The canonical JSON of metadata, and the hash by which statements name it. */
export type MetadataDigest = { readonly text: string; readonly hash: string }

const hashes = new WeakMap<object, string>()

/** The digest of metadata whose members stand in canonical order. */
export function digestOf(metadata: object): MetadataDigest {
  const text = orderedJson(metadata)
  return { text, hash: hashes.get(metadata) ?? metadataHash(text) }
}

/** Keeps the digest of metadata that another thread has made of it, as long as the metadata. */
export function rememberDigest(metadata: object, { text, hash }: MetadataDigest): void {
  rememberOrderedJson(metadata, text)
  hashes.set(metadata, hash)
}
