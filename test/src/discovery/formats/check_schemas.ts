// Has xmllint check the XML that we write of works, beside schemas in a folder:
//   npm run check:schemas -- FOLDER [FILES…]
// The folder has the schemas that are named below; XML_CATALOG_FILES says where it has those that
// they import. Files have records: a work of ours
// a line as JSON (which may be packed with gzip), or what an import reads. Without one, the whole
// record of the tests is checked.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

import { checkNewWork } from '#actors/works/request_checks.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { checkEntry } from '#src/discovery/citation_files/citation_file.ts'
import {
  isJsonRecord,
  parseJsonRecords,
  readJson,
} from '#src/discovery/citation_files/json_records.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { formatJats } from '#src/discovery/formats/jats.ts'
import { formatMods } from '#src/discovery/formats/mods.ts'
import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { checkFiles } from '#test/src/discovery/oai/_reply_schema.ts'

const worksAtOnce = 1_000
const faultsShown = 5

const writers = [
  ['datacite-4.7/metadata.xsd', formatDataciteXml],
  ['oai_dc.xsd', formatDublinCore],
  ['jats-publishing.xsd', formatJats],
  ['mods/mods-3-6.xsd', formatMods],
] as const

const [schemas, ...files] = process.argv.slice(2)
if (schemas === undefined) throw new Error('Name the folder that has the schemas.')
const folder = await mkdtemp(path.join(tmpdir(), 'schemas-'))
try {
  const works: Metadata[] = files.length === 0 ? [wholeMetadata] : []
  for (const file of files) works.push(...(await readWorks(file)))
  for (const [schema, write] of writers) await check(path.join(schemas, schema), write, works)
} finally {
  await rm(folder, { recursive: true })
}

async function check(
  schema: string,
  write: (work: ReturnType<typeof describedWork>) => string,
  works: readonly Metadata[],
): Promise<void> {
  let wrong = 0
  for (let at = 0; at < works.length; at += worksAtOnce) {
    const some = works.slice(at, at + worksAtOnce)
    const written = await Promise.all(
      some.map(async (metadata, index) => {
        const file = path.join(folder, `${index}.xml`)
        await writeFile(file, write(describedWork(metadata)))
        return file
      }),
    )
    const faults = [...(await checkFiles(schema, written)).values()]
    for (const fault of faults.slice(0, Math.max(0, faultsShown - wrong))) print(fault)
    wrong += faults.length
  }
  print(`${schema}: ${works.length - wrong} of ${works.length} are valid`)
  if (wrong > 0) process.exitCode = 1
}

async function readWorks(file: string): Promise<readonly Metadata[]> {
  const bytes = await readFile(file)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8').trim()
  return bodiesIn(text).flatMap((body) => {
    const checked = checkNewWork(body)
    return checked.type === 'ok' ? [checked.metadata] : []
  })
}

function bodiesIn(text: string): readonly unknown[] {
  if (text.startsWith('<')) {
    const xml = new XmlReader()
    return [...xml.push(text), ...xml.end()].map((entry) => checkEntry(entry, 'xml').body)
  }
  const isList = !text.includes('\n{')
  const records = isList
    ? parseJsonRecords(text)
    : text.split('\n').map((line): unknown => JSON.parse(line))
  if (!records.some(isJsonRecord)) return records
  return readJson(records).map((entry) => checkEntry(entry, 'json').body)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
