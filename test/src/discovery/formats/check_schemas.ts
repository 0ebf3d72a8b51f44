// Has xmllint check the XML that we write of works, beside schemas in a folder:
//   npm run check:schemas -- FOLDER [--generated=5000] [--datacite45=FILE] [FILES…]
// The folder has the schemas that are named below; XML_CATALOG_FILES says where it has those that
// they import. Files have records: a work of ours a line as JSON (which may be packed with gzip),
// or what an import reads. The whole record of the tests is checked, too, and as many works as are
// to be generated, with a value in every field. A work that a format cannot have is counted apart.
// Our DataCite JSON is checked where FILE has the JSON schema 4.5, the newest that there is.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
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
import { usualForm } from '#src/discovery/formats/citation_styles.ts'
import { type Format, type FormatName, formats } from '#src/discovery/formats/format_table.ts'
import { datacite45 } from '#test/src/discovery/formats/_json_schema.ts'
import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { checkFiles } from '#test/src/discovery/oai/_reply_schema.ts'
import { generateFullWorks } from '#test/vectors/_generated_works.ts'

const worksAtOnce = 5_000
const faultsShown = 5

const schemaFiles: readonly (readonly [file: string, format: FormatName])[] = [
  ['datacite-4.7/metadata.xsd', 'datacite-xml'],
  ['crossref/crossref5.4.0.xsd', 'crossref-xml'],
  ['oai_dc.xsd', 'dc'],
  ['jats-publishing.xsd', 'jats'],
  ['mods/mods-3-6.xsd', 'mods'],
  ['openaire/4.0/openaire.xsd', 'openaire'],
]
const seed = 38

const { values, positionals } = parseArgs({
  options: { generated: { type: 'string', default: '0' }, datacite45: { type: 'string' } },
  allowPositionals: true,
})
const [schemas, ...files] = positionals
if (schemas === undefined) throw new Error('Name the folder that has the schemas.')
const folder = await mkdtemp(path.join(tmpdir(), 'schemas-'))
try {
  const works: Metadata[] = [wholeMetadata]
  for (const file of files) works.push(...(await readWorks(file)))
  works.push(...generateFullWorks(seed, Number(values.generated)).flatMap(rightWorks))
  for (const [schema, format] of schemaFiles) await check(path.join(schemas, schema), format, works)
  if (values.datacite45 !== undefined) await checkJson(values.datacite45, works)
} finally {
  await rm(folder, { recursive: true })
}

async function check(schema: string, name: FormatName, works: readonly Metadata[]): Promise<void> {
  const { lacks, render }: Format = formats[name]
  let [wrong, given] = [0, 0]
  for (let at = 0; at < works.length; at += worksAtOnce) {
    const some = works.slice(at, at + worksAtOnce).map((metadata) => describedWork(metadata))
    const fit = some.filter((work) => lacks?.(work) === undefined)
    given += fit.length
    const written = await Promise.all(
      fit.map(async (work, index) => {
        const file = path.join(folder, `${index}.xml`)
        await writeFile(file, render(work, usualForm))
        return file
      }),
    )
    const faults = [...(await checkFiles(schema, written)).values()]
    for (const fault of faults.slice(0, Math.max(0, faultsShown - wrong))) print(fault)
    wrong += faults.length
  }
  const left = works.length - given
  const apart = left === 0 ? '' : `; ${left} works lack what ${name} must have`
  print(`${schema}: ${given - wrong} of ${given} are valid${apart}`)
  if (wrong > 0) process.exitCode = 1
}

async function checkJson(schema: string, works: readonly Metadata[]): Promise<void> {
  const faultOf = await datacite45(schema)
  const { render }: Format = formats['datacite-json']
  const faults = works.flatMap((metadata) => {
    const fault = faultOf(render(describedWork(metadata), usualForm))
    return fault === undefined ? [] : [`${metadata.work_title}: ${fault}`]
  })
  for (const fault of faults.slice(0, faultsShown)) print(fault)
  print(`${schema}: ${works.length - faults.length} of ${works.length} are valid`)
  if (faults.length > 0) process.exitCode = 1
}

async function readWorks(file: string): Promise<readonly Metadata[]> {
  const bytes = await readFile(file)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8').trim()
  return bodiesIn(text).flatMap(rightWorks)
}

function rightWorks(body: unknown): readonly Metadata[] {
  const checked = checkNewWork(body)
  return checked.type === 'ok' ? [checked.metadata] : []
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
