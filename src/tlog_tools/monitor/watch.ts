import { metadataHash, type Statement } from '#actors/receipts/statement.ts'
import { parseArk } from '#actors/values/ark.ts'
import { foldDoi, foldDoiPrefix, foldOrcid } from '#actors/values/identifier.ts'
import { canonicalJson } from '#actors/values/serialization.ts'
import { isObject } from '#src/client/verify/receipt_form.js'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { getBytes, SourceError } from '#src/tlog_tools/monitor/log_source.ts'

/** A name or person that is watched for. `name` is its spelling, the same for all spellings. */
export type Watch = {
  readonly type: 'organization' | 'doi' | 'doi_prefix' | 'orcid' | 'ark'
  readonly name: string
  readonly value: string
}

/** The parts of a record that can be watched for. */
export type WatchedFacts = {
  /** The slug of the organization that has registered it; the registry's word, not hashed. */
  readonly organization: string | undefined
  readonly doi: string | undefined
  readonly orcids: readonly string[]
}

/**
 * Reads what is to be watched for: `org:demo`, `10.1234/` (all DOIs of a prefix), a DOI, an ORCID
 * iD or an ARK. Undefined if it is none of these.
 */
export function parseWatch(text: string): Watch | undefined {
  const slug = /^org:([a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(text)?.[1]
  if (slug !== undefined) return { type: 'organization', name: `org:${slug}`, value: slug }
  const prefix = foldDoiPrefix(text)
  if (prefix !== undefined) return { type: 'doi_prefix', name: prefix, value: prefix }
  const orcid = foldOrcid(text)
  if (orcid !== undefined) return { type: 'orcid', name: orcid, value: orcid }
  const doi = foldDoi(text)
  if (doi !== undefined) return { type: 'doi', name: doi, value: doi }
  const parsed = parseArk(text)
  if (parsed.type !== 'ark') return undefined
  return { type: 'ark', name: `ark:/${parsed.ark}`, value: parsed.ark }
}

/** Whether a watch can be judged by the statement alone, without the record. */
export function isOfStatement({ type }: Watch): boolean {
  return type === 'ark'
}

/** Whether a statement about an ARK (`ark:/naan/name`) is what an ARK watch is for. */
export function namesArk({ value }: Watch, ark: string): boolean {
  const parsed = parseArk(ark)
  return parsed.type === 'ark' && parsed.ark === value
}

/** Whether a record names what is watched for. */
export function namesFacts({ type, value }: Watch, facts: WatchedFacts): boolean {
  switch (type) {
    case 'organization':
      return facts.organization === value
    case 'doi':
      return facts.doi === value
    case 'doi_prefix':
      return facts.doi?.startsWith(value) ?? false
    case 'orcid':
      return facts.orcids.includes(value)
    case 'ark':
      return false
  }
}

/** A statement about a version of a work. */
export type StatementOfWork = Extract<Statement, { readonly ark: string }>

/** The longest records have thousands of authors. */
const recordBytesMax = 32_000_000

/** The address of the registry whose log is at `url`, or that `url` itself is of. */
export function registryOf(url: string): string {
  return url.replace(/\/+$/, '').replace(/(?:\/sandbox)?\/log$/, '')
}

/**
 * Reads the parts that can be watched for from the registry's public record of a version. The
 * metadata must have the hash in the statement, otherwise LogAlarm `bad_record`; the organization
 * is the one in the record. `withdrawn` if there is a tombstone in its place. Throws SourceError.
 */
export async function readPublicRecord(
  registry: string,
  statement: StatementOfWork,
  signal: AbortSignal,
): Promise<WatchedFacts | 'withdrawn'> {
  const { ark, version } = statement
  const url = `${registry}/api/v1/resolve/${ark.replace(/^ark:\//, 'ark:')}/v${version}`
  try {
    return factsIn(await getBytes(url, recordBytesMax, signal), statement)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    if (error.code === 'gone') return 'withdrawn'
    if (error.code === 'unreachable') throw error
    throw badRecord(statement, error.message, error)
  }
}

function factsIn(bytes: Uint8Array, statement: StatementOfWork): WatchedFacts {
  const record = parse(bytes, statement)
  const metadata = record['metadata']
  if (!isObject(metadata)) throw badRecord(statement, 'it has no metadata')
  if (hashOf(metadata) !== statement.metadata_hash) {
    throw badRecord(statement, 'its metadata does not hash to what was stated')
  }
  const { existing_doi: doi, author_details: authors } = metadata
  return {
    organization: organizationIn(record['source']),
    doi: typeof doi === 'string' ? doi.toLowerCase() : undefined,
    orcids: Array.isArray(authors) ? authors.flatMap(orcidOf) : [],
  }
}

function hashOf(metadata: object): string | undefined {
  try {
    return metadataHash(canonicalJson(metadata))
  } catch {
    // Half a character has no canonical form, and so no hash.
    return undefined
  }
}

function organizationIn(source: unknown): string | undefined {
  if (!isObject(source) || source['type'] !== 'organization') return undefined
  return typeof source['id'] === 'string' ? source['id'] : undefined
}

function orcidOf(author: unknown): string[] {
  if (!isObject(author) || typeof author['orcid'] !== 'string') return []
  return [author['orcid']]
}

function parse(bytes: Uint8Array, statement: StatementOfWork): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw badRecord(statement, 'it is no JSON object')
}

function badRecord({ ark, version }: StatementOfWork, what: string, cause?: unknown): LogAlarm {
  const message = `the public record of ${ark}, version ${version}, is not as stated: ${what}`
  return new LogAlarm('bad_record', message, { cause })
}
