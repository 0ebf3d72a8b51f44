import {
  NoteList,
  type ReadEntry,
  type ReadNote,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import { convertRis, type RisRecord } from '#src/discovery/citation_files/citation_library.ts'
import {
  draftWork,
  type FileFacts,
  isRisType,
  risWorkType,
} from '#src/discovery/citation_files/work_draft.ts'

/** A record of a RIS file: its tags with the texts that they have, in order. */
type RisChunk = {
  /** Where it begins, from 1. */
  readonly line: number
  readonly tags: ReadonlyMap<string, readonly string[]>
}

// Two spaces by the rules; some programs write one.
const tagForm = /^\s*([A-Z][A-Z0-9]) {2}-(?:\s+(.*))?$/
const shortTagForm = /^\s*([A-Z][A-Z0-9]) {1,2}-(?:\s+(.*))?$/

/**
 * The records of a RIS file, in order. A record begins with TY, or with what follows ER; a line
 * that begins with no tag goes on with the text before it.
 */
export function splitRis(text: string): readonly RisChunk[] {
  const lines = text.split(/\r\n|\n|\r/)
  const form = lines.some((line) => tagForm.exec(line)?.[1] === 'TY') ? tagForm : shortTagForm
  const records: { line: number; tags: Map<string, string[][]> }[] = []
  let record: (typeof records)[number] | undefined
  let texts: string[][] | undefined
  for (const [index, content] of lines.entries()) {
    const [, tag, value = ''] = form.exec(content) ?? []
    if (tag === undefined) {
      const more = content.trim()
      if (more !== '') texts?.at(-1)?.push(more)
      continue
    }
    if (tag === 'ER') {
      record = undefined
      texts = undefined
      continue
    }
    if (record === undefined || tag === 'TY') {
      record = { line: index + 1, tags: new Map() }
      records.push(record)
    }
    texts = record.tags.get(tag) ?? []
    record.tags.set(tag, texts)
    texts.push([value.trim()])
  }
  return records.map(joinLines)
}

function joinLines({ line, tags }: { line: number; tags: Map<string, string[][]> }): RisChunk {
  const joined = [...tags].map(([tag, texts]): [string, readonly string[]] => {
    return [tag, texts.map((lines) => lines.join(' ').trim())]
  })
  return { line, tags: new Map(joined) }
}

const recordCharactersMax = 500_000

// All that a record can say that a work has a place for.
const usedTags = new Set(
  (
    'TY TI T1 T2 CT BT JO JF JA J1 J2 AU A1 A2 A3 ED PY Y1 DA VL IS SP EP PB DO UR L1 L2 LK KW ' +
    'LA AB N2'
  ).split(' '),
)

// Only the first of these counts.
const singleTags = ['UR', 'DO', 'TI', 'PY', 'LA', 'AB', 'PB']

/** Reads the records of a RIS file, each on its own. */
export function readRis(records: readonly RisChunk[]): readonly ReadEntry[] {
  return records.map((chunk, index) => readRecord(chunk, `record ${index + 1}`))
}

function readRecord({ line, tags }: RisChunk, key: string): ReadEntry {
  const place = { line, key }
  const type = tags.get('TY')?.[0]
  if (type === undefined) {
    const message = `The record on line ${line} does not begin with "TY  - ".`
    return unreadable(place, [{ field: 'TY', code: 'required', message }])
  }
  const characters = [...tags.values()].flat().reduce((sum, { length }) => sum + length, 0)
  if (characters > recordCharactersMax) {
    const message = `The record has more than ${recordCharactersMax} characters.`
    return unreadable(place, [{ field: '', code: 'too_long', message }])
  }
  try {
    const draft = draftWork(convertRis(recordOf(tags, type)), factsOf(tags, type))
    return {
      ...place,
      body: draft.body,
      faults: [],
      notes: [...draft.notes, ...notesOn(tags, line)],
    }
  } catch {
    const message = `The record on line ${line} cannot be read.`
    return unreadable(place, [{ field: '', code: 'not_readable', message }])
  }
}

function recordOf(tags: RisChunk['tags'], type: string): RisRecord {
  const record: Record<string, string | readonly string[]> = {}
  for (const [tag, texts] of tags) {
    const [first, ...others] = texts.filter((text) => text !== '')
    if (first !== undefined) record[tag] = others.length === 0 ? first : [first, ...others]
  }
  return { ...record, TY: isRisType(type) ? type.toUpperCase() : 'GEN' }
}

/** What the library drops, or reads only of some types of records. */
function factsOf(tags: RisChunk['tags'], type: string): FileFacts {
  const first = (...names: readonly string[]) => {
    return names.flatMap((name) => tags.get(name) ?? []).find((text) => text !== '')
  }
  const start = first('SP')
  const end = first('EP')
  return {
    work_type: risWorkType(type),
    doi: first('DO'),
    url: first('UR', 'LK', 'L1', 'L2'),
    date: dateOf(first('DA'), first('PY', 'Y1')),
    keywords: tags.get('KW')?.join('; '),
    language: first('LA'),
    publisher: first('PB'),
    // Some programs write both pages in SP.
    pages: start && end && !/[-–]/.test(start) ? `${start}-${end}` : (start ?? end),
  }
}

/** `2005/03/12/other`, `2005///Spring` or `2005`; the day's date counts if it is of that year. */
function dateOf(day: string | undefined, year: string | undefined): string | undefined {
  const date = slashDate(day)
  const published = slashDate(year)
  if (published === undefined) return date
  return date !== undefined && date.startsWith(published) ? date : published
}

function slashDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, year, month, day] =
    /^(\d{4})(?:[/-](\d{1,2})?(?:[/-](\d{1,2})?)?)?(?:[/-].*)?$/.exec(text) ?? []
  if (year === undefined) return text
  const parts = [year, month, month && day].filter((part) => part !== undefined && part !== '')
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

function notesOn(tags: RisChunk['tags'], line: number): readonly ReadNote[] {
  const left = new NoteList(line)
  for (const tag of singleTags) {
    if ((tags.get(tag)?.length ?? 0) <= 1) continue
    left.add('repeated', tag, `It has ${tag} more than once; the first one counts.`)
  }
  const unused = [...tags.keys()].filter((tag) => !usedTags.has(tag))
  for (const tag of unused) left.add('left_out', tag, `${tag} is left out: no field fits.`)
  return left.notes
}
