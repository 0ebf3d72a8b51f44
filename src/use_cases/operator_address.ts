/**
 * The e-mail address of who looks after the registry: as configured, else that of the sender of
 * mail, or of RFC 2142. Harvesters are told it, and those who are suspended.
 */
export function operatorAddress(
  { ADMIN_EMAIL, MAIL_FROM }: { readonly ADMIN_EMAIL?: string; readonly MAIL_FROM?: string },
  baseUrl: string,
): string {
  const [sender = ''] = /[^<>\s]+@[^<>\s]+/.exec(MAIL_FROM ?? '') ?? []
  const guesses = [sender, `webmaster@${new URL(baseUrl).hostname}`]
  // A malformed address would make the whole reply to a harvester invalid.
  const isAddress = (text: string) => /^\w[\w.-]+@[A-Za-z0-9.-]+\.[a-z]{2,}$/.test(text)
  return ADMIN_EMAIL ?? guesses.find(isAddress) ?? 'webmaster@example.org'
}

/** Where the promise is written that descriptions refer to (`erc-support`). */
export const policyPath = '/policy'
