import { metadataHash, type Statement } from '#actors/receipts/statement.ts'
import { canonicalJson } from '#actors/values/serialization.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { getBytes, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import type { WatchedFacts } from '#src/tlog_tools/monitor/watch.ts'
import { isObject } from '#src/verify/receipt_form.ts'

/** A statement about a version of a work. */
export type StatementOfWork = Extract<Statement, { readonly ark: string }>

/** The longest records have thousands of authors. */
const recordBytesMax = 32_000_000

/** The address of the registry whose log is at `url`, or that `url` itself is of. */
export function registryOf(url: string): string {
  return url.replace(/\/+$/, '').replace(/(?:\/sandbox)?\/log$/, '')
}

/**
 * What the registry's public record of a version says that can be watched for. The metadata must
 * hash to what the statement has, otherwise LogAlarm `bad_record`; the organization is what the
 * record says. `withdrawn` if there is a tombstone in its place. Throws SourceError.
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
