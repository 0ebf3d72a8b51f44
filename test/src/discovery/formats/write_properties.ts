// Writes the table of DataCite's properties in docs/formats.md anew:
//   npm run docs:properties

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { markedTable } from '#test/src/discovery/formats/_datacite_properties.ts'

const file = path.join(import.meta.dirname, '../../../../docs/formats.md')
const text = await readFile(file, 'utf8')
const [before = ''] = text.split('<!-- properties -->')
const after = text.split('<!-- end of properties -->')[1] ?? '\n'
await writeFile(file, `${before}${markedTable()}${after}`)
