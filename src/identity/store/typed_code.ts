/**
 * A code as it was meant, from what somebody typed: full-width digits and letters are the plain
 * ones (NFKC), and spaces, dashes and signs that nobody sees are left out.
 */
export function readTypedCode(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}\u2212]+/gu, '')
}
