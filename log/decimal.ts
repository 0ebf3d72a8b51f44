/**
 * Reads a canonical ASCII decimal that is a safe integer: no sign, no leading zero, no exponent.
 * Anything else is undefined.
 */
export function parseDecimal(text: string): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}
