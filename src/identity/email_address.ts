/** Characters of an address, at most (RFC 5321 §4.5.3.1, as corrected). */
export const emailCharactersMax = 254

// One mailbox as people write it: no comment, no quoting, nothing that ends a header line.
const form =
  /^[^\s@"<>(),:;\\[\]\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u

/** An address as it is kept, trimmed; undefined for a text that is none. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC')
  return email.length <= emailCharactersMax && form.test(email) ? email : undefined
}

/** Addresses that are the same to people are the same text; never one to send mail to. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}
