import { doiUrl } from '#actors/values/doi.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { urlCharactersMax } from '#actors/values/url.ts'
import { assert } from '#log/errors.ts'
import { sha256 } from '#log/hash.ts'

const doiHosts = new Set(['doi.org', 'dx.doi.org', 'www.doi.org'])

/** Where the content of a work is found: at its own address, or else at its DOI's. */
export function contentUrl(metadata: Metadata): string {
  if (metadata.work_url !== undefined) return metadata.work_url
  assert(metadata.existing_doi !== undefined, 'a work has an address or a DOI')
  return doiUrl(metadata.existing_doi)
}

/** The host of an address, lower case. */
function hostOf(url: string): string {
  return new URL(url).hostname
}

/**
 * Tells hosts apart without naming them: 16 hex digits. Rows of the queue come and go, and what is
 * left of them in the store's files must not tell where erased content was.
 */
export function hostTag(url: string): string {
  return Buffer.from(sha256(Buffer.from(hostOf(url)))).toString('hex', 0, 8)
}

/** Whether an address is a DOI's: what stands there is the choice of its publisher. */
export function isDoiUrl(url: string): boolean {
  return doiHosts.has(hostOf(url))
}

// Parameters by which addresses that are meant for one reader, or for a time, are signed: of the
// large stores (X-Amz-…, X-Goog-…, Signature, sig, Policy, Key-Pair-Id, Expires, st, se, sv) and of
// sessions. A word of many meanings, such as `id` or `version`, is not taken for one.
const secretWord = /^x-(?:amz|goog|oss|cos)-|sig|token|secret|passw|credential|session|auth/i
const secretName = /^(?:(?:api[-_]?)?key|key-pair-id|policy|expires?|hmac|jwt|ticket|sid|s[eptv])$/i

/**
 * An address as everybody may see it: without user name and fragment, and without its query where
 * one of the parameters looks like a secret or a signature. Undefined if it is too long to keep.
 */
export function publicUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  url.username = ''
  url.password = ''
  url.hash = ''
  if ([...url.searchParams.keys()].some(isSecret)) url.search = ''
  return url.href.length <= urlCharactersMax ? url.href : undefined
}

function isSecret(parameter: string): boolean {
  return secretWord.test(parameter) || secretName.test(parameter)
}
