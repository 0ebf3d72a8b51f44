// Prints works by LaTeX from our BibTeX and BibLaTeX, and compares what is printed with the works:
//   npm run check:latex -- [--works 2000] [--folder FOLDER] FILE
// The file has a work a line, as JSON, and may be packed with gzip; works of hard kinds are added.
// plain.bst and plainnat through BibTeX, and biblatex through biber, each by pdfLaTeX and LuaLaTeX.
// Needed are TeX Live with biblatex, biber and Latin Modern, and pdftotext. It fails at an error of
// any program, and where less than 0.995 of the fields are printed as they are in the work.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

import type { Metadata } from '#actors/works/metadata.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { formatBiblatex, formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { citedNames } from '#src/discovery/formats/author_names.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { hardWorks } from '#test/src/discovery/formats/_hard_works.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    works: { type: 'string', default: '2000' },
    folder: { type: 'string', default: path.join(os.tmpdir(), 'arklog-latex') },
  },
})
const hardCount = 54
const shareMin = 0.995
const outputBytesMax = 1 << 28
const shownMax = 20

const preamble = String.raw`\documentclass{article}
\usepackage[paperwidth=400cm,paperheight=100cm,margin=2cm]{geometry}
\usepackage{iftex,amsmath,amssymb,url}
\ifpdftex\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{textcomp}\fi
\usepackage{lmodern}
\pagestyle{empty}\raggedright
`
const withBibtex = (style: string) => ({
  format: formatBibtex,
  preamble: String.raw`${style === 'plainnat' ? '\\usepackage[numbers]{natbib}' : ''}
\AtBeginDocument{\renewcommand\bibitem[2][]{\item\relax KEY:\detokenize{#2}:KEY }}`,
  end: String.raw`\nocite{*}\bibliographystyle{${style}}\bibliography{works}`,
  program: 'bibtex',
})

const styles = {
  plain: withBibtex('plain'),
  plainnat: withBibtex('plainnat'),
  biblatex: {
    format: formatBiblatex,
    preamble: String.raw`\usepackage[backend=biber,maxnames=999,sorting=none]{biblatex}
\renewbibmacro*{begentry}{KEY:\thefield{entrykey}:KEY }
\addbibresource{works.bib}`,
    end: String.raw`\nocite{*}\printbibliography`,
    program: 'biber',
  },
} as const

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function worksOf(file: string): Promise<readonly DescribedWork[]> {
  const bytes = await readFile(file)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const lines = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')
  const bodies = lines.filter((line) => line !== '').slice(0, Number(values.works))
  const all = [...bodies.map((line): unknown => JSON.parse(line)), ...hardWorks(hardCount)]
  return all.flatMap((body, index) => {
    const check = checkNewWork(body)
    if (check.type !== 'ok') return []
    const ark = `ark:/12345/t${index}`
    return [describedWork(check.metadata, { ark, url: `https://registry.example/${ark}` })]
  })
}

/** Signs for which a classic font has no glyph stand in no field that is compared. */
function undeclared(bib: string): string {
  const signs = [...new Set(bib.match(/[^\x00-\x7f]/gu) ?? [])]
  const lines = signs.map((sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `\\@ifundefined{u8:\\detokenize{${sign}}}{\\DeclareUnicodeCharacter{${code}}{}}{}`
  })
  return `\\ifpdftex\\makeatletter\n${lines.join('\n')}\n\\makeatother\\fi\n`
}

function run(program: string, args: readonly string[], cwd: string): string {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: outputBytesMax })
  if (done.error !== undefined) throw done.error
  return done.stdout
}

/** The printed references by their keys, and the errors of the programs on the way there. */
function typeset(name: keyof typeof styles, engine: string, works: readonly DescribedWork[]) {
  const style = styles[name]
  const cwd = path.join(values.folder, `${name}-${engine}`)
  mkdirSync(cwd, { recursive: true })
  const bib = works.map((work) => style.format(work)).join('\n')
  writeFileSync(path.join(cwd, 'works.bib'), bib)
  const source = `${preamble}${style.preamble}\n${undeclared(bib)}\\begin{document}\n${style.end}\n\\end{document}\n`
  writeFileSync(path.join(cwd, 'refs.tex'), source)
  const latex = () => run(engine, ['-interaction=nonstopmode', 'refs.tex'], cwd)
  latex()
  const read = run(style.program, ['refs'], cwd)
  const printed = latex()
  const errors = [...errorsIn(read), ...errorsIn(printed)]
  run('pdftotext', ['-raw', 'refs.pdf'], cwd)
  const text = readFileSync(path.join(cwd, 'refs.txt'), 'utf8')
  const parts = text.split(/KEY:\s*(\S+?)\s*:KEY/)
  const found = new Map<string, string>()
  for (let at = 1; at < parts.length; at += 2) found.set(parts[at] ?? '', parts[at + 1] ?? '')
  return { found, errors }
}

function errorsIn(output: string): readonly string[] {
  return output.match(/^(?:!.*|.*---line \d+.*|ERROR - .*|I (?:was|found no).*)$/gm) ?? []
}

/** Text without what typography changes: spaces, hyphens, quotation marks, other scripts. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/[^\p{Script=Latin}\p{N}]/gu, '')
}

/** Whether a title is printed: a word that has capitals within, or all of it, as it is. */
function isTitlePrinted(printed: string, { language, work_title }: Metadata): boolean {
  const plain = work_title.replaceAll(/\$[^$]*\$/g, ' ')
  const isEnglish = language === undefined || language === 'en'
  const [text, title] = [fold(printed), fold(plain)]
  if (!isEnglish && plain === work_title) return text.includes(title)
  const words = plain.match(/[\p{L}\p{N}]*[\p{L}\p{N}]\p{Lu}[\p{L}\p{N}]*/gu) ?? []
  const pieces = work_title.split(/\$[^$]*\$/).map((piece) => fold(piece).toLowerCase())
  const lower = text.toLowerCase()
  return (
    words.every((one) => text.includes(fold(one))) && pieces.every((one) => lower.includes(one))
  )
}

// Fields that the styles have no room for in a type, as the table of docs/citations.md says.
function isPublisherPrinted(name: string, { work_type }: Metadata): boolean {
  const inJournal = ['article', 'review_article', 'editorial', 'letter', 'data_paper']
  return !inJournal.includes(work_type) && !(name === 'biblatex' && work_type === 'patent')
}

type Field = 'title' | 'names' | 'container' | 'publisher'

function fieldsOf(
  name: string,
  work: DescribedWork,
  printed: string,
): readonly (readonly [Field, boolean, string])[] {
  const metadata = work.metadata as Metadata
  const text = fold(printed).toLowerCase()
  const has = (value: string) => text.includes(fold(value).toLowerCase())
  const { container_title: container } = metadata
  const publisher = isPublisherPrinted(name, metadata) ? work.publisher : undefined
  return [
    ['title', isTitlePrinted(printed, metadata), metadata.work_title],
    ...citedNames(work.authors).map((one) => {
      const shown = 'literal' in one ? one.literal : one.family
      return ['names', has(shown), shown] as const
    }),
    ...(container === undefined ? [] : [['container', has(container), container] as const]),
    ...(publisher === undefined ? [] : [['publisher', has(publisher), publisher] as const]),
  ]
}

const [file] = positionals
if (file === undefined) throw new Error('name a file of works, a JSON object a line')
const works = await worksOf(file)
print(`${works.length} works`)
for (const name of Object.keys(styles) as (keyof typeof styles)[]) {
  for (const engine of ['pdflatex', 'lualatex']) {
    const { errors, found } = typeset(name, engine, works)
    const counts = new Map<Field, { right: number; all: number }>()
    const wrong: string[] = []
    for (const work of works) {
      const key = work.ark.replaceAll(/[:/]+/g, '-')
      const printed = found.get(key) ?? ''
      for (const [field, isRight, value] of fieldsOf(name, work, printed)) {
        const count = counts.get(field) ?? { right: 0, all: 0 }
        counts.set(field, { right: count.right + Number(isRight), all: count.all + 1 })
        if (!isRight) wrong.push(`${key} ${field}: ${value}\n      ${printed.slice(0, 300).trim()}`)
      }
    }
    const shares = [...counts].map(([field, { right, all }]) => `${field} ${right} of ${all}`)
    print(`${name}, ${engine}: ${errors.length} errors; ${shares.join(', ')}`)
    for (const line of [...errors, ...wrong].slice(0, shownMax)) print(`    ${line}`)
    const isRight = [...counts.values()].every(({ right, all }) => right >= shareMin * all)
    if (errors.length > 0 || !isRight) process.exitCode = 1
  }
}
