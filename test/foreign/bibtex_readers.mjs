// Reads a BibTeX file with a program of others, and prints what it says of each entry, as JSON:
//   node bibtex_readers.mjs MODULES better-bibtex|citation-js FILE
// MODULES is a folder whose node_modules has @retorquere/bibtex-parser, @citation-js/core and its
// plugin of BibTeX. Facts are texts by the names of fields, as those of bibtex_readers.py.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [modules, program, file] = process.argv.slice(2)
const folder = path.resolve(modules, 'node_modules')
const text = readFileSync(file, 'utf8')
const plain = (value) => String(value ?? '').replace(/<\/?[a-z]+[^<>]*>/g, '')

async function betterBibtex() {
  const main = path.join(folder, '@retorquere/bibtex-parser/dist/esm/index.js')
  const { parse } = await import(pathToFileURL(main).href)
  const options = { sentenceCase: 'off', caseProtection: 'off', unsupported: 'ignore' }
  return parse(text, options).entries.map(({ key, fields }) => {
    const people = (fields.author ?? []).map(({ prefix, lastName, name, firstName }) => {
      return [[prefix, lastName ?? name].filter(Boolean).join(' '), firstName ?? '']
    })
    const { journaltitle, journal, booktitle, publisher, date, year, number } = fields
    return [
      key,
      facts(people, {
        ...fields,
        container: journaltitle ?? journal ?? booktitle,
        issue: number,
        year: String(date ?? year ?? '').slice(0, 4),
        publisher: Array.isArray(publisher) ? publisher.join(' and ') : publisher,
      }),
    ]
  })
}

function facts(people, { title, year, doi, container, volume, issue, pages, publisher }) {
  const read = { title, year, doi, container, volume, issue, pages, publisher }
  const texts = Object.entries(read).map(([name, value]) => [name, plain(value)])
  const names = (at) => people.map((one) => plain(one[at])).join('; ')
  return { ...Object.fromEntries(texts), families: names(0), given: names(1) }
}

function citationJs() {
  const require = createRequire(path.join(folder, 'none.js'))
  const { plugins } = require('@citation-js/core')
  require('@citation-js/plugin-bibtex')
  plugins.config.get('@bibtex').parse.strict = false
  const items = plugins.input.chain(text, { generateGraph: false, forceType: '@biblatex/text' })
  return items.map((item) => {
    const people = (item.author ?? []).map((one) => {
      const { family, literal, given = '' } = one
      const particles = [one['dropping-particle'], one['non-dropping-particle'], family]
      return [literal ?? particles.filter(Boolean).join(' '), given]
    })
    const year = String(item.issued?.['date-parts']?.[0]?.[0] ?? '')
    return [
      item['citation-key'] ?? item.id,
      facts(people, {
        ...item,
        year,
        doi: item.DOI,
        container: item['container-title'],
        pages: item.page,
        issue: item.issue ?? item.number,
      }),
    ]
  })
}

const readers = { 'better-bibtex': betterBibtex, 'citation-js': citationJs }
const entries = await readers[program]()
process.stdout.write(JSON.stringify(Object.fromEntries(entries.toReversed())))
