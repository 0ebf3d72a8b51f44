// @ts-check

import { EvidenceError } from '#src/client/verify/evidence_error.js'

/**
 * The canonical JSON of a value (RFC 8785): members sorted by their UTF-16 code units, no white
 * space. Members that are undefined are left out, as `JSON.stringify` does. Throws EvidenceError
 * `no_canonical_form` for what has none: lone surrogates, numbers that are not finite.
 * @type {(value: unknown) => string}
 */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    members.sort(([left], [right]) => (left < right ? -1 : 1))
    const texts = members.map(([name, member]) => `${spell(name)}:${canonicalJson(member)}`)
    return `{${texts.join(',')}}`
  }
  return spell(value)
}

/** @type {(value: unknown) => string} */
function spell(value) {
  const isSpelled =
    value === null ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value)) ||
    (typeof value === 'string' && value.isWellFormed())
  if (isSpelled) return JSON.stringify(value)
  throw new EvidenceError('no_canonical_form', 'The value has no canonical JSON (RFC 8785)')
}
