import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type AsyncBuffer, parquetMetadataAsync, parquetRead, type SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'

import { splitAuthors } from '#actors/values/author_name.ts'
import { parseJson } from '#actors/values/serialization.ts'
import { parseEntry } from '#actors/works/receipts/statement.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import {
  type DumpFile,
  type DumpTableFile,
  type DumpTableName,
  dumpTableNames,
  isThere,
  linesOf,
  measureFile,
  notProven,
  unusable,
} from '#src/discovery/dump/dump_file.ts'
import type { LoggedWork } from '#src/discovery/dump/logged_works.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'

/** Times are those of the log, `2026-01-31T12:00:00.000Z`. */
type ColumnType = 'text' | 'integer' | 'time'

type Cell = string | number | null | undefined

type DumpTable = {
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Which files it is made from, and the rows of one of their lines, the `nth` of all. */
  readonly of: DumpFile['holds']
  readonly rowsOf: (line: string, nth: number) => readonly (readonly Cell[])[]
}

type WorkLine = LoggedWork & { readonly metadata: Metadata | null }

function ofWork(rowsOf: (work: WorkLine, metadata: Metadata) => readonly (readonly Cell[])[]) {
  return (line: string) => {
    const work = parseJson(line) as WorkLine
    return work.metadata === null ? [] : rowsOf(work, work.metadata)
  }
}

const tables: Readonly<Record<DumpTableName, DumpTable>> = {
  works: {
    columns: {
      ark: 'text',
      status: 'text',
      version: 'integer',
      registered_at: 'time',
      version_registered_at: 'time',
      withdrawn_at: 'time',
      withdrawal_reason: 'text',
      changed_at: 'time',
      receipt_id: 'text',
      metadata_hash: 'text',
      content_hash: 'text',
      title: 'text',
      type: 'text',
      authors: 'text',
      published: 'text',
      year: 'integer',
      language: 'text',
      license: 'text',
      publisher: 'text',
      container_title: 'text',
      doi: 'text',
      url: 'text',
      keywords: 'text',
      abstract: 'text',
    },
    of: 'works',
    rowsOf: (line) => [workRow(parseJson(line) as WorkLine)],
  },
  authors: {
    columns: {
      ark: 'text',
      position: 'integer',
      name: 'text',
      given: 'text',
      family: 'text',
      orcid: 'text',
      affiliation: 'text',
      ror: 'text',
    },
    of: 'works',
    rowsOf: ofWork(({ ark }, { authors, author_details: details }) => {
      const known = details ?? splitAuthors(authors).map((name) => ({ name }))
      return known.map(({ name, given, family, orcid, affiliation, ror }: AuthorRow, nth) => {
        return [ark, nth + 1, name, given, family, orcid, affiliation, ror]
      })
    }),
  },
  funding: {
    columns: {
      ark: 'text',
      position: 'integer',
      funder: 'text',
      identifier: 'text',
      identifier_type: 'text',
      award: 'text',
      award_title: 'text',
      award_uri: 'text',
    },
    of: 'works',
    rowsOf: ofWork(({ ark }, { funding = [] }) =>
      funding.map((one, nth) => {
        const { funder, identifier, identifier_type, award, award_title, award_uri } = one
        return [ark, nth + 1, funder, identifier, identifier_type, award, award_title, award_uri]
      }),
    ),
  },
  relations: {
    columns: {
      ark: 'text',
      position: 'integer',
      relation: 'text',
      identifier: 'text',
      scheme: 'text',
    },
    of: 'works',
    rowsOf: ofWork(({ ark }, { related_identifiers: related = [] }) =>
      related.map(({ relation, identifier, scheme }, nth) => {
        return [ark, nth + 1, relation, identifier, scheme]
      }),
    ),
  },
  events: {
    columns: {
      leaf_index: 'integer',
      statement: 'text',
      ark: 'text',
      version: 'integer',
      stated_at: 'time',
      receipt_id: 'text',
      metadata_hash: 'text',
      content_hash: 'text',
      reason: 'text',
    },
    of: 'log',
    rowsOf: eventRows,
  },
}

type AuthorRow = NonNullable<Metadata['author_details']>[number]

function workRow({ metadata, ...logged }: WorkLine): readonly Cell[] {
  const said = metadata ?? ({} as Partial<Metadata>)
  const year = /^\d{4}/.exec(said.published_date ?? '')?.[0]
  return [
    logged.ark,
    logged.status,
    logged.version,
    logged.registered_at,
    logged.version_registered_at,
    logged.withdrawn_at,
    logged.withdrawal_reason,
    logged.changed_at,
    logged.receipt_id,
    logged.metadata_hash,
    logged.content_hash,
    said.work_title,
    said.work_type,
    said.authors,
    said.published_date,
    year === undefined ? undefined : Number(year),
    said.language,
    said.license,
    said.publisher_name,
    said.container_title,
    said.existing_doi,
    said.work_url,
    said.keywords,
    said.description,
  ]
}

// Entries that state nothing about a work, such as those of keys, have no row.
function eventRows(line: string, leafIndex: number): readonly (readonly Cell[])[] {
  const parsed = parseEntry(Buffer.from(line))
  if ('type' in parsed || parsed.statement.statement === 'key_rotated') return []
  const { statement } = parsed
  const { ark, version, timestamp, receipt_id, metadata_hash, content_hash } = statement
  const reason = statement.statement === 'tombstoned' ? statement.reason : undefined
  return [
    [
      leafIndex,
      statement.statement,
      ark,
      version,
      timestamp,
      receipt_id,
      metadata_hash,
      content_hash,
      reason,
    ],
  ]
}

function cellText(cell: Cell | Date): string | undefined {
  if (cell === null || cell === undefined) return undefined
  if (cell instanceof Date) return cell.toISOString()
  return String(cell)
}

function csvOf(row: readonly (Cell | Date)[]): string {
  return csvRow(row.map(cellText))
}

/** Rows of one group of a Parquet file: all of its columns are in memory while it is written. */
const groupRows = 5_000

/** The rows of a table, some thousand at a time. */
async function* groupsOf(
  folder: string,
  files: readonly DumpFile[],
  { of, rowsOf }: DumpTable,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  let group: (readonly Cell[])[] = []
  let nth = 0
  for (const file of files.filter(({ holds }) => holds === of)) {
    for await (const line of linesOf(folder, file)) {
      for (const row of rowsOf(line.toString('utf8'), nth)) {
        group.push(row)
      }
      nth += 1
      if (group.length < groupRows) continue
      yield group
      group = []
    }
  }
  if (group.length > 0) yield group
}

/** A folder with files, of which tables are made, and the size of the tree that they stand for. */
export type TablesTask = {
  readonly folder: string
  readonly files: readonly DumpFile[]
  readonly treeSize: number
}

/** The tables of the files of a dump, written beside them. Errors: those of the file system. */
export async function writeTables({
  folder,
  files,
  treeSize,
}: TablesTask): Promise<DumpTableFile[]> {
  const written: DumpTableFile[] = []
  for (const holds of dumpTableNames) {
    const about = await writeTable(folder, files, holds, `${holds}-${treeSize}`)
    for (const form of ['csv', 'parquet'] as const) {
      const name = `${holds}-${treeSize}.${endings[form]}`
      written.push({ name, holds, form, ...(await measureFile(path.join(folder, name))), ...about })
    }
  }
  return written
}

const endings = { csv: 'csv.gz', parquet: 'parquet' } as const

async function writeTable(
  folder: string,
  files: readonly DumpFile[],
  holds: DumpTableName,
  name: string,
): Promise<Pick<DumpTableFile, 'rows' | 'rows_sha256'>> {
  const table = tables[holds]
  const hash = createHash('sha256')
  const csv = new PassThrough()
  const target = createWriteStream(path.join(folder, `${name}.${endings.csv}`))
  const packed = pipeline(csv, createGzip(), target)
  const put = async (text: string) => {
    hash.update(text)
    if (!csv.write(text)) await new Promise((resolve) => csv.once('drain', resolve))
  }
  const parquet = await ParquetFile.create(path.join(folder, `${name}.${endings.parquet}`), table)
  let rows = 0
  try {
    await put(csvOf(Object.keys(table.columns)))
    for await (const group of groupsOf(folder, files, table)) {
      await put(group.map(csvOf).join(''))
      await parquet.write(group)
      rows += group.length
    }
    csv.end()
    await Promise.all([packed, parquet.end()])
  } finally {
    csv.destroy()
    await parquet.close()
  }
  return { rows, rows_sha256: hash.digest('hex') }
}

const elements = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
} as const satisfies Record<ColumnType, Partial<SchemaElement>>

/** A Parquet file that is written group by group. */
class ParquetFile {
  readonly #file: FileHandle
  readonly #bytes = new ByteWriter()
  readonly #writer: ParquetWriter
  readonly #columns: DumpTable['columns']

  static async create(file: string, table: DumpTable): Promise<ParquetFile> {
    return new ParquetFile(await open(file, 'w'), table)
  }

  private constructor(file: FileHandle, { columns }: DumpTable) {
    this.#file = file
    this.#columns = columns
    const all = Object.entries(columns)
    const schema: SchemaElement[] = [{ name: 'root', num_children: all.length }]
    for (const [name, type] of all) {
      schema.push({ name, repetition_type: 'OPTIONAL', ...elements[type] })
    }
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema,
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      createdBy: 'arklog',
    })
  }

  async write(rows: readonly (readonly Cell[])[]): Promise<void> {
    const columnData = Object.entries(this.#columns).map(([name, type], at) => {
      const cells = rows.map((row) => row[at] ?? null)
      const isTime = type === 'time'
      const data = isTime ? cells.map((cell) => (cell === null ? null : new Date(cell))) : cells
      return { name, data }
    })
    await this.#writer.write({ columnData, rowGroupSize: groupRows * 20 })
    await this.#flush()
  }

  async end(): Promise<void> {
    await this.#writer.finish()
    await this.#flush()
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #flush(): Promise<void> {
    await this.#file.write(this.#bytes.getBytes())
    this.#bytes.index = 0
  }
}

/**
 * Holds the tables that lie in a folder against the files that they are made from, which are proven
 * already; gives the names of the tables that were there. Errors: DumpError; those of the file
 * system.
 */
export async function checkTables(
  folder: string,
  files: readonly DumpFile[],
  named: readonly DumpTableFile[],
): Promise<readonly string[]> {
  const checked: string[] = []
  for (const holds of dumpTableNames) {
    const there: DumpTableFile[] = []
    for (const one of named.filter((table) => table.holds === holds)) {
      if (await isThere(path.join(folder, one.name))) there.push(one)
    }
    if (there.length === 0) continue
    const right = createHash('sha256').update(csvOf(Object.keys(tables[holds].columns)))
    let rows = 0
    for await (const group of groupsOf(folder, files, tables[holds])) {
      right.update(group.map(csvOf).join(''))
      rows += group.length
    }
    const digest = right.digest('hex')
    for (const one of there) {
      const isSaid = one.rows === rows && one.rows_sha256 === digest
      const file = path.join(folder, one.name)
      const { sha256 } = await measureFile(file)
      if (!isSaid || sha256 !== one.sha256 || (await rowsHash(file, one)) !== digest) {
        throw notProven(`${one.name} has not the rows that the works and the log have`)
      }
      checked.push(one.name)
    }
  }
  return checked
}

/** The hash of the rows of a table as CSV. Errors: DumpError for what cannot be read. */
async function rowsHash(file: string, { name, form, holds }: DumpTableFile): Promise<string> {
  const hash = createHash('sha256')
  try {
    if (form === 'csv') {
      const text = createReadStream(file).pipe(createGunzip()) as AsyncIterable<Buffer>
      for await (const chunk of text) hash.update(chunk)
      return hash.digest('hex')
    }
    await readParquet(file, tables[holds], (text) => hash.update(text))
    return hash.digest('hex')
  } catch (error) {
    throw unusable(`${name} cannot be read: ${(error as Error).message}`)
  }
}

async function readParquet(
  name: string,
  { columns }: DumpTable,
  put: (text: string) => void,
): Promise<void> {
  const handle = await open(name)
  try {
    const { size } = await handle.stat()
    const file: AsyncBuffer = {
      byteLength: size,
      async slice(start, end = size) {
        const bytes = new Uint8Array(end - start)
        await handle.read(bytes, 0, bytes.length, start)
        return bytes.buffer
      },
    }
    const metadata = await parquetMetadataAsync(file)
    const names = metadata.schema.slice(1).map((one) => one.name)
    put(csvOf(names))
    const expected = Object.keys(columns)
    if (names.join() !== expected.join()) throw new Error('it has other columns')
    let rowStart = 0
    for (const { num_rows: count } of metadata.row_groups) {
      const rowEnd = rowStart + Number(count)
      const groups: (Cell | Date)[][][] = []
      await parquetRead({
        file,
        metadata,
        rowStart,
        rowEnd,
        compressors: { ZSTD: (bytes) => new Uint8Array(zstdDecompressSync(bytes)) },
        onComplete: (rows) => void groups.push(rows as (Cell | Date)[][]),
      })
      put(groups.flat().map(csvOf).join(''))
      rowStart = rowEnd
    }
  } finally {
    await handle.close()
  }
}
