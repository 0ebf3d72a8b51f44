/** Characters of an address, at most (RFC 5321 §4.5.3.1, as corrected). */
const emailCharactersMax = 254

// One mailbox as people write it: no comment, no quoting, nothing that ends a header line.
const mailbox = /^[^\s@"<>(),:;\\[\]\p{Cc}]{1,64}$/u
const domain = /^(?!.*--?\.)(?!.*\.-)[\p{L}\p{N}][\p{L}\p{N}.-]*\.[\p{L}\p{N}-]*[\p{L}\p{N}]$/u

/** An address as it is kept, trimmed; undefined for a text that is none. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC')
  if (email.length > emailCharactersMax) return undefined
  const [local = '', host = '', ...rest] = email.split('@')
  const isOne = rest.length === 0 && mailbox.test(local) && domain.test(host)
  return isOne && !host.includes('..') ? email : undefined
}

/** Addresses that are the same to people are the same text; never one to send mail to. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}
