// Reads works in the formats that a registry gives out, with packages of npm:
//   node format_readers.mjs FOLDER
// as format_readers.py does with those of PyPI. FOLDER has works.json and a node_modules.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const [folder = '.'] = process.argv.slice(2)
const works = JSON.parse(readFileSync(path.join(folder, 'works.json'), 'utf8'))
const require = createRequire(path.join(folder, 'package.json'))

// Else it reads no header of more than 2,000 characters.
process.env.PARSE_LINK_HEADER_MAXLEN = '8192'

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

function every(reader, format, load) {
  let read
  let version
  try {
    version = JSON.parse(
      readFileSync(path.join(folder, 'node_modules', reader, 'package.json'), 'utf8'),
    ).version
    read = load()
  } catch {
    say({ reader, missing: `the package ${reader} is not installed` })
    return
  }
  works.forEach((work, number) => {
    let facts
    try {
      facts = read(work[format])
    } catch (error) {
      facts = { error: String(error).slice(0, 200) }
    }
    say({ reader, version, format, work: number, facts })
  })
}

function cslFacts(item) {
  const authors = (item.author ?? item.editor ?? []).map((one) => {
    const particles = [one['dropping-particle'], one['non-dropping-particle']]
    const family = [...particles, one.family].filter(Boolean).join(' ')
    return one.literal ?? [family, one.given, one.suffix].filter(Boolean).join(', ')
  })
  const number = item.volume ?? item['collection-number']
  return {
    title: (item.title ?? '').replaceAll(/<\/?(?:span|i|b|sub|sup)\b[^>]*>/g, ''),
    authors,
    year: String(item.issued?.['date-parts']?.[0]?.[0] ?? ''),
    doi: item.DOI,
    url: item.URL,
    container: item['container-title'] ?? item['collection-title'] ?? item['event-title'],
    volume: number === undefined ? undefined : String(number),
    publisher: item.publisher,
    language: item.language,
  }
}

function citationJs(forceType) {
  return () => {
    const { plugins } = require('@citation-js/core')
    require('@citation-js/plugin-bibtex')
    require('@citation-js/plugin-ris')
    return (text) => cslFacts(plugins.input.chain(text, { forceType, generateGraph: false })[0])
  }
}

every('@citation-js/core', 'bibtex', citationJs('@biblatex/text'))
every('@citation-js/core', 'ris', citationJs('@ris/file'))

const numbersOf = ({ volume, number, pages }) => ({
  volume,
  issue: number,
  pages: pages?.replace('–', '-'),
})

function betterBibtex() {
  const program = '@retorquere/bibtex-parser/dist/esm/index.js'
  const { parse } = require(path.join(folder, 'node_modules', program))
  const options = { sentenceCase: 'off', caseProtection: 'off', unsupported: 'ignore' }
  return (text) => {
    const [{ fields }] = parse(text, options).entries
    const people = fields.author ?? fields.editor ?? []
    const publishers = ['publisher', 'institution', 'school', 'howpublished', 'organization']
    const containers = ['journal', 'journaltitle', 'booktitle', 'eventtitle', 'series']
    const first = (names) => [names.map((name) => fields[name]).find(Boolean)].flat().join(' and ')
    return {
      title: plain(fields.title),
      authors: people.map(({ prefix, lastName, name, firstName, suffix }) => {
        const family = [prefix, lastName ?? name].filter(Boolean).join(' ')
        return [family, firstName, suffix].filter(Boolean).join(', ')
      }),
      year: (fields.date ?? fields.year ?? '').slice(0, 4),
      doi: fields.doi,
      url: fields.url,
      container: plain(first(containers)),
      publisher: plain(first(publishers)),
      ...numbersOf(fields),
    }
  }
}

const plain = (text = '') => text.replaceAll(/<\/?(?:span|i|b|sub|sup)\b[^>]*>/g, '')

function cslConverter() {
  const { BibLatexParser, CSLExporter } = require('biblatex-csl-converter')
  return (text) => {
    const { entries } = new BibLatexParser(text).parse()
    const [item] = Object.values(new CSLExporter(entries).parse())
    const { language: _, ...facts } = cslFacts(item)
    return facts
  }
}

for (const format of ['bibtex', 'biblatex']) {
  every('@retorquere/bibtex-parser', format, betterBibtex)
  every('biblatex-csl-converter', format, cslConverter)
}
every('@citation-js/core', 'biblatex', citationJs('@biblatex/text'))

every('n3', 'turtle', () => {
  const { Parser } = require('n3')
  return (text) => {
    const quads = new Parser().parse(text)
    const so = 'http://schema.org/'
    const work = quads.find(({ predicate }) => predicate.value === `${so}sdPublisher`).subject
    const of = (term) =>
      quads
        .filter((one) => one.subject.equals(work) && one.predicate.value === so + term)
        .map((one) => one.object.value)
    return {
      title: of('name')[0],
      url: of('url')[0],
      license: of('license')[0],
      keyword_set: of('keywords').toSorted(),
    }
  }
})

const linkFacts = (links) => {
  const target = (rel) => links.find((one) => one.rel === rel)?.url
  return { license: target('license'), item: target('item'), doi_address: target('related') }
}

every('http-link-header', 'link', () => {
  const { parse } = require('http-link-header')
  return (text) => linkFacts(parse(text).refs.map(({ rel, uri }) => ({ rel, url: uri })))
})

every('parse-link-header', 'link', () => {
  const parse = require('parse-link-header')
  return (text) => linkFacts(Object.values(parse(text)))
})

every('li', 'link', () => {
  const { parse } = require('li')
  return (text) =>
    linkFacts(Object.entries(parse(text)).map(([rel, url]) => ({ rel, url: [url].flat()[0] })))
})
