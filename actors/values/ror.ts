import { foldedText } from '#actors/values/field_table.ts'

const prefix = /^(?:(?:https?:\/\/)?(?:www\.)?ror\.org\/|ror:\s*)/i
// Douglas Crockford's base 32: no i, l, o and u.
const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
const rorForm = /^0[0-9a-hjkmnp-tv-z]{6}\d\d$/

/**
 * The stored form of a ROR ID, `https://ror.org/05gq02987`. Undefined if it is not or its last two
 * digits are not those of its checksum (ISO 7064, MOD 97-10).
 */
export function foldRor(text: string): string | undefined {
  const id = text.replace(prefix, '').toLowerCase()
  if (!rorForm.test(id)) return undefined
  let number = 0
  for (const character of id.slice(0, 7)) number = number * 32 + base32.indexOf(character)
  const checksum = 98 - ((number * 100) % 97)
  return Number(id.slice(7)) === checksum ? `https://ror.org/${id}` : undefined
}

/** The kind of a ROR ID. */
export const rorKind = foldedText({
  max: 200,
  fold: foldRor,
  right: 'a ROR ID such as https://ror.org/05gq02987, with the right checksum',
})
