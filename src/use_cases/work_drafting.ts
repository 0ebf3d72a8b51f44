import { bodyHashOf } from '#actors/journal/idempotency.ts'
import { digestOf, type MetadataDigest } from '#actors/works/receipts/statement.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { isJsonObject } from '#actors/values/serialization.ts'
import { checkNewWork, type NewWorkCheck } from '#actors/works/request_checks.ts'
import {
  type CitationFormat,
  judgeEntry,
  type JudgedEntry,
  type ReadEntry,
  type ReadNote,
} from '#src/discovery/citation_files/citation_file.ts'
import { type Agency, readRecordLine } from '#src/discovery/citation_files/record_line.ts'
import { type ErrorCode, HttpError } from '#src/edge/errors.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'

/**
 * What is made of a work without a look at the registry, as plain data: its metadata as the text
 * that is stored, for texts cross threads fast. `bodyHash`: the SHA-256 of the body, in hex.
 */
export type WorkDraft = {
  readonly bodyHash: string
  /** What became of things that its entry of a file says. */
  readonly notes?: readonly ReadNote[]
} & (
  | {
      readonly type: 'ok'
      readonly digest: MetadataDigest
      readonly warnings: readonly FieldFault[]
    }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }
)

/** What is no draft: a work that names one of ours, as it was sent; an entry to be left out. */
type OtherDraft =
  | { readonly type: 'named'; readonly body: unknown }
  | { readonly type: 'left_out'; readonly notes: readonly ReadNote[] }
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string }

/** What is made of one item of a body: of a line of a dump, each work that it has. */
export type Draft = WorkDraft | OtherDraft | readonly (WorkDraft | OtherDraft)[]

/** Checks the body of a work and digests what is to be stored of it. */
export function draftWork(body: unknown): WorkDraft {
  return draftOf(checkNewWork(body), bodyHashOf(body))
}

function draftOf(check: NewWorkCheck, bodyHash: string): WorkDraft {
  return check.type === 'ok'
    ? { type: 'ok', bodyHash, digest: digestOf(check.metadata), warnings: check.warnings }
    : { ...check, bodyHash }
}

/** Drafts a work, but for one that names one of ours, by `ark` or beside it. */
function draftUnnamed(body: unknown, ark: unknown): WorkDraft | OtherDraft {
  const isNamed = typeof body === 'object' && body !== null && Object.hasOwn(body, 'ark')
  return isNamed || (ark ?? null) !== null ? { type: 'named', body } : draftWork(body)
}

/** Drafts the works of a body of JSON, but for those that name one of ours. */
export function draftWorks(works: readonly unknown[], arks: readonly unknown[]): readonly Draft[] {
  return works.map((work, index) => draftUnnamed(work, arks[index]))
}

/**
 * What the lines of an import are: `work`, bodies of our interface; `record`, the records of dumps;
 * or bodies that were read of a file of a format, of which what does not fit is left out.
 */
export const lineForms = ['work', 'record', 'bibtex', 'ris', 'json', 'csv', 'xml'] as const

export type LineForm = (typeof lineForms)[number]

/** How the lines of an import are read: members of its first line. */
type LineReading = {
  readonly form?: LineForm
  /** What each is called in messages. */
  readonly keys?: readonly string[]
  readonly from?: Agency
  /** The works that lines change. */
  readonly arks?: readonly (string | null)[]
}

/** Drafts what one line brings, the nth of its body. */
function draftLine(line: Buffer, nth: number, reading: LineReading): Draft {
  const { form: named, keys, from, arks } = reading
  // What else the first line says is for its schema to refuse.
  const form = lineForms.find((known) => known === named) ?? 'work'
  const place = { line: 1, key: keys?.[nth] ?? `line ${nth + 1}` }
  if (form === 'record') {
    const entries = readRecordLine(line, place, from).map((entry) => draftEntry(entry, 'json'))
    const [only] = entries
    return entries.length === 1 && only !== undefined ? only : entries
  }
  const body = parseLine(line)
  if (body instanceof HttpError) return { type: 'refused', code: body.code, message: body.message }
  const ark = arks?.[nth]
  const isEntry = form !== 'work' && (ark ?? null) === null && isJsonObject(body)
  if (!isEntry) return draftUnnamed(body, ark)
  return draftEntry({ ...place, body, faults: [], notes: [] }, form)
}

function draftEntry(read: ReadEntry, format: CitationFormat): WorkDraft | OtherDraft {
  const { check, faults, notes }: JudgedEntry = judgeEntry(read, format)
  if (faults.length > 0) return { type: 'invalid', faults, notes, bodyHash: '' }
  if (check?.type !== 'ok') return { type: 'left_out', notes }
  const digest = digestOf(check.metadata)
  // What is to be stored tells one entry from another as well as all that is read of it.
  const bodyHash = digest.hash.slice(digest.hash.indexOf(':') + 1)
  // What the check warns of stands in the notes, in the words of the format.
  return { type: 'ok', bodyHash, digest, warnings: [], notes }
}

function parseLine(line: Buffer): unknown {
  try {
    return parseStrictJson(line)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

/**
 * How a body has its works: `value`, as `{"works": […], …}`; `lines`, a work on each; or
 * `headed_lines`, with the other members, and how the lines are read, on the first.
 */
export type BodyLayout = 'value' | 'lines' | 'headed_lines'

/** What a thread is given. */
export type BodyTask = { readonly bytes: Uint8Array; readonly layout: BodyLayout }

/** What a thread makes of a body: all of it but its works, and these; or why it is no JSON. */
export type BodyAnswer =
  | { readonly type: 'read'; readonly body: unknown; readonly works?: readonly Draft[] }
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string }

/** Bytes of lines after which others have a turn. */
const turnBytes = 32_768

/** Drafts the works of a body of lines; `rest` lets others go on between two. */
export async function draftLines(
  bytes: Buffer,
  layout: Exclude<BodyLayout, 'value'>,
  rest?: () => Promise<unknown>,
): Promise<BodyAnswer> {
  const works: Draft[] = []
  let head: unknown = {}
  let looked = 0
  let isHead = layout === 'headed_lines'
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start)
    const end = found < 0 ? bytes.length : found
    const line = bytes.subarray(start, end)
    start = end + 1
    if (line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) continue
    if (isHead) head = parseStrictJson(line)
    else works.push(draftLine(line, works.length, head ?? {}))
    isHead = false
    looked += line.length
    if (rest === undefined || looked < turnBytes) continue
    looked = 0
    await rest()
  }
  return { type: 'read', body: head, works }
}
