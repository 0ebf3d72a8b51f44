import { hash } from 'node:crypto'

import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import { doiUrl, urlCharactersMax } from '#actors/values/identifier.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { assert } from '#log/tlog/errors.ts'

const doiHosts = new Set(['doi.org', 'dx.doi.org', 'www.doi.org'])

/** Where a work is found: at its own address, or else at its DOI's. */
export function workAddress(metadata: Pick<Metadata, 'work_url' | 'existing_doi'>): string {
  if (metadata.work_url !== undefined) return metadata.work_url
  assert(metadata.existing_doi !== undefined, 'a work has an address or a DOI')
  return doiUrl(metadata.existing_doi)
}

/**
 * Which of the `files` of a version is its content, by its place from 0. Absent if the content is
 * at the address of the work, as it is in all versions that were written before files could be it.
 */
export type ContentPlace = { readonly content_file?: number }

/** Where the content of a version is found, of whose bytes the receipt has the hash. */
export function contentUrl(
  metadata: Pick<Metadata, 'work_url' | 'existing_doi' | 'files'>,
  { content_file: place }: ContentPlace,
): string {
  if (place === undefined) return workAddress(metadata)
  const file = metadata.files?.[place]
  assert(file !== undefined, 'a version has the file that is its content')
  return file.url
}

/** The content of a new version: where it is, and the hash that was declared for it. */
export type PlacedContent = ContentPlace & { readonly content_hash: string | null }

/**
 * Finds the content that new metadata tells of: a file of the kind `content`, since the work's own
 * address leads to a page then. That address is the content if it is such a file itself. Of
 * several, the one with the declared hash is taken, or else the first.
 */
export function placeContent({
  work_url,
  content_hash: declared,
  files = [],
}: Pick<Metadata, 'work_url' | 'content_hash' | 'files'>): PlacedContent {
  const contents = [...files.entries()].filter(([, { kind }]) => kind === 'content')
  const [place, file] =
    contents.find(([, { url }]) => url === work_url) ??
    contents.find(([, { sha256 }]) => `sha256:${sha256}` === declared) ??
    contents[0] ??
    []
  if (place === undefined) return { content_hash: declared ?? null }
  const own = file?.sha256 === undefined ? null : `sha256:${file.sha256}`
  return { content_hash: declared ?? own, content_file: place }
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
  return hash('sha256', hostOf(url)).slice(0, 16)
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

/** A whole body that was read and hashed. Hashes are lower-case hex without a prefix. */
export type FetchedContent = {
  readonly type: 'fetched'
  readonly sha256: string
  readonly sha512: string
  readonly bytes: number
  /** Without parameters, lower case; undefined if the server names none that is well-formed. */
  readonly mediaType: string | undefined
  /** The address that answered, after all redirects. */
  readonly finalUrl: string
}

/** There was no content to read. */
export type UnavailableContent = {
  readonly type: 'unavailable'
  /** A word for programs, such as `http_status` or `timed_out`. */
  readonly reason: string
  /** A clause for people, such as `the server answered 404`. */
  readonly message: string
  /** The address at which the fetch ended. */
  readonly url: string
  readonly httpStatus: number | undefined
  /** When the server wants to be asked again, in milliseconds from now. */
  readonly retryAfterMs: number | undefined
}

/** What a check can find: `pending` is content that nobody has looked at yet. */
export type CheckedStatus = Exclude<FixityStatus, 'pending'>

/** Where the hash of content is from: its registrant's word, or the bytes themselves. */
export type HashSource = 'declared' | 'fetched'

/**
 * One check, as an element of `fixity_checks[]`. What is not known is null: a check that got no
 * content has no hashes, one whose server did not answer no `http_status`. `final_url` has no user
 * name, no fragment, and no query that may hold a secret. `reason` is a word for programs, null if
 * all is well, and `message` says the same to people.
 */
export type FixityCheck = {
  readonly timestamp: string
  readonly status: CheckedStatus
  readonly method: 'remote_fetch'
  readonly version: number
  readonly final_url: string | null
  readonly http_status: number | null
  readonly bytes: number | null
  readonly media_type: string | null
  readonly sha256: string | null
  readonly sha512: string | null
  readonly reason: string | null
  readonly message: string | null
}

/**
 * What a check is about: the content at `url`. `hash`, `sha256:<hex>`, is what it should have, null
 * if nobody knows yet; `isStable` says that it was found there before and not merely declared.
 */
export type CheckTarget = {
  readonly url: string
  readonly hash: string | null
  readonly isStable: boolean
}

/** There is content, but not twice the same, or none that the work means. */
export type UnstableContent = {
  readonly type: 'unstable'
  readonly message: string
  readonly content: FetchedContent
}

const pageTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** Whether what was fetched is a web page. */
export function isPage({ mediaType }: Pick<FetchedContent, 'mediaType'>): boolean {
  return mediaType !== undefined && pageTypes.has(mediaType)
}

/** A page that changes with each request is one about the work, and not its content. */
export function unstableReason({ content }: UnstableContent): string {
  return isPage(content) ? 'landing_page' : 'no_stable_content'
}

/** What a check found: `same` and `changed` are judged by what the content should be. */
export type Finding =
  | { readonly type: 'same'; readonly content: FetchedContent }
  | { readonly type: 'changed'; readonly content: FetchedContent }
  | UnstableContent
  | UnavailableContent

/** Whether two checks are about the same, so that what one has found serves the other. */
export function isSameTarget(a: CheckTarget, b: CheckTarget): boolean {
  return a.url === b.url && a.hash === b.hash && a.isStable === b.isStable
}

/** The hash by which statements name content. */
export function contentHash(content: FetchedContent): string {
  return `sha256:${content.sha256}`
}

const messageCharactersMax = 300

type Described = Omit<FixityCheck, 'timestamp' | 'status' | 'version'>

/** A finding as a check tells of it. */
export function describeFinding(finding: Finding): Described {
  const method = 'remote_fetch'
  if (finding.type === 'unavailable') {
    return {
      method,
      final_url: publicUrl(finding.url) ?? null,
      http_status: finding.httpStatus ?? null,
      bytes: null,
      media_type: null,
      sha256: null,
      sha512: null,
      reason: finding.reason,
      message: finding.message.slice(0, messageCharactersMax),
    }
  }
  const { sha512, bytes, mediaType, finalUrl } = finding.content
  return {
    method,
    final_url: publicUrl(finalUrl) ?? null,
    http_status: 200,
    bytes,
    media_type: mediaType ?? null,
    sha256: finding.content.sha256,
    sha512,
    ...explain(finding),
  }
}

function explain(
  finding: Exclude<Finding, { type: 'unavailable' }>,
): Pick<FixityCheck, 'reason' | 'message'> {
  switch (finding.type) {
    case 'same':
      return { reason: null, message: null }
    case 'changed':
      return { reason: 'hash_mismatch', message: 'the content does not have the hash it should' }
    case 'unstable':
      return { reason: unstableReason(finding), message: finding.message }
  }
}
