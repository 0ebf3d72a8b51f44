const prefix = /^(?:https?:\/\/(?:www\.)?orcid\.org\/|orcid:\s*)/i
const grouped = /^(\d{4})(\d{4})(\d{4})(\d{3}[\dX])$/

/**
 * The stored form of an ORCID iD, `0000-0002-1825-0097`: without an address before it, X in upper
 * case. Undefined if it is not one or its check digit (ISO 7064, MOD 11-2) is wrong.
 */
export function foldOrcid(text: string): string | undefined {
  const digits = text.replace(prefix, '').replaceAll('-', '').toUpperCase()
  const groups = grouped.exec(digits)
  if (groups === null || checkDigit(digits.slice(0, 15)) !== digits.charAt(15)) return undefined
  return groups.slice(1).join('-')
}

function checkDigit(digits: string): string {
  let total = 0
  for (const digit of digits) total = (total + Number(digit)) * 2
  const check = (12 - (total % 11)) % 11
  return check === 10 ? 'X' : String(check)
}
