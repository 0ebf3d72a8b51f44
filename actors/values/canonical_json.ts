import canonicalize from 'canonicalize'
import { assert } from '#log/base/errors.ts'

/**
 * The canonical JSON of a value (RFC 8785). The value must be plain JSON: numbers that JSON cannot
 * spell, lone surrogates and cycles throw an Error.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  assert(text !== undefined, 'the value has a JSON form')
  return text
}

const orderedTexts = new WeakMap<object, string>()

/**
 * The canonical JSON (RFC 8785) of a value whose members stand in canonical order already, so that
 * no sorting is needed; properties of the tests hold this to the general algorithm. The text is
 * kept as long as the value is: metadata is hashed first, and then stored.
 */
export function orderedJson(value: object): string {
  const known = orderedTexts.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  orderedTexts.set(value, text)
  return text
}

/** Keeps the text of such a value, which another thread has made of it. */
export function rememberOrderedJson(value: object, text: string): void {
  orderedTexts.set(value, text)
}
