import canonicalize from 'canonicalize'
import { assert } from '#log/errors.ts'

/**
 * The canonical JSON of a value (RFC 8785). The value must be plain JSON: numbers that JSON cannot
 * spell, lone surrogates and cycles throw an Error.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  assert(text !== undefined, 'the value has a JSON form')
  return text
}
