import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { formatBiblatex, formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { formatCitation, usualForm } from '#src/discovery/formats/citation_styles.ts'
import { cslItem } from '#src/discovery/formats/csl_json.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const paper: Metadata = {
  work_title: 'A paper',
  work_type: 'conference_paper',
  authors: 'Jane Roe',
  container_title: 'Papers on moss',
  resource_version: '3.1',
  contributors: [
    { role: 'editor', given: 'Ada', family: 'Ox' },
    { role: 'translator', family: 'Wayan' },
    { role: 'chair', name: 'Steering Group', name_type: 'organization' },
    { role: 'data_curator', name: 'Timo Brandt' },
  ],
  edition: '2',
  series_title: 'Notes on moss',
  series_number: '88',
  event: {
    name: 'Fifth Meeting',
    place: 'Providence',
    start_date: '2020-01-02',
    end_date: '2020-01-04',
  },
  publisher_place: 'Berlin',
  titles: [
    { title: 'Paper', kind: 'short' },
    { title: 'Ein Papier', kind: 'original' },
    { title: 'Un papier', kind: 'translated' },
  ],
}

const work = describedWork(paper)

function linesOf(entry: string): readonly string[] {
  return entry.split(/,?\r?\n/).map((line) => line.trim())
}

test('CSL has who edited a paper, its event and its series', (t) => {
  t.like(cslItem(work), {
    editor: [{ family: 'Ox', given: 'Ada' }],
    translator: [{ family: 'Wayan' }],
    chair: [{ literal: 'Steering Group' }],
    version: '3.1',
    edition: '2',
    'collection-title': 'Notes on moss',
    'collection-number': '88',
    'event-title': 'Fifth Meeting',
    'event-place': 'Providence',
    'event-date': {
      'date-parts': [
        [2020, 1, 2],
        [2020, 1, 4],
      ],
    },
    'publisher-place': 'Berlin',
    'title-short': 'Paper',
    'original-title': 'Ein Papier',
  })
  t.regex(formatCitation(work, usualForm), /Wayan, Trans\..*In A\. Ox \(Ed\.\), Papers on moss/)
})

test('the number of an article is that of CSL, and a field of its own elsewhere', (t) => {
  const article = describedWork({ ...paper, work_type: 'article', article_number: 'e7' })
  t.is(cslItem(article).number, 'e7')
  t.true(linesOf(formatBibtex(article)).includes('eid = {e7}'))
  t.true(linesOf(formatRis(article)).includes('C7  - e7'))
})

test('BibTeX and BibLaTeX have what they have fields for', (t) => {
  const shared = [
    'editor = {Ox, Ada}',
    'edition = {2}',
    'series = {Notes on moss}',
    'number = {88}',
  ]
  const bibtex = linesOf(formatBibtex(work))
  const biblatex = linesOf(formatBiblatex(work))
  for (const line of [...shared, 'address = {Berlin}']) t.true(bibtex.includes(line), line)
  const own = ['location = {Berlin}', 'eventtitle = {Fifth Meeting}', 'venue = {Providence}']
  const dated = 'eventdate = {2020-01-02/2020-01-04}'
  for (const line of [...shared, ...own, dated]) t.true(biblatex.includes(line), line)
})

test('RIS has editors, and where the conference was held', (t) => {
  const lines = linesOf(formatRis(work))
  const own = ['ED  - Ox, Ada', 'A4  - Wayan', 'C3  - Papers on moss']
  for (const line of [...own, 'CY  - Providence', 'T3  - Notes on moss', 'ST  - Paper']) {
    t.true(lines.includes(line), line)
  }
})

test('proceedings with editors of their own have authors beside them', (t) => {
  const proceedings = describedWork({ ...paper, work_type: 'proceedings' })
  const { author, editor } = cslItem(proceedings)
  t.deepEqual(author, [{ family: 'Roe', given: 'Jane' }])
  t.deepEqual(editor, [{ family: 'Ox', given: 'Ada' }])
  for (const lines of [formatBibtex, formatBiblatex].map((format) =>
    linesOf(format(proceedings)),
  )) {
    t.true(['author = {Roe, Jane}', 'editor = {Ox, Ada}'].every((line) => lines.includes(line)))
  }
  const { contributors: _, ...alone } = paper
  t.is(cslItem(describedWork({ ...alone, work_type: 'proceedings' })).editor?.length, 1)
})

test('a thesis is of the degree that its kind or its degree tells', (t) => {
  for (const [more, entry, kind, coar] of [
    [{ resource_type: "Master's thesis" }, 'mastersthesis', "Master's thesis", 'c_bdcc'],
    [{ resource_type: 'info:eu-repo/semantics/bachelorThesis' }, 'mastersthesis', undefined, ''],
    [{ resource_type: 'Tesis doctoral' }, 'phdthesis', 'Tesis doctoral', 'c_db06'],
    [{ degree: 'Master of Science' }, 'mastersthesis', "Master's thesis", 'c_bdcc'],
    [{ resource_type: 'Bachelorarbeit' }, 'mastersthesis', 'Bachelorarbeit', 'c_7a1f'],
  ] as const) {
    const name = kind ?? "Bachelor's thesis"
    const thesis = { ...paper, work_type: 'thesis', ...more } as const
    const described = describedWork(thesis)
    t.true(formatBibtex(described).startsWith(`@${entry}{`), name)
    t.true(linesOf(formatBibtex(described)).includes(`type = {${name}}`), name)
    t.true(linesOf(formatBiblatex(described)).includes(`type = {${name}}`), name)
    t.true(linesOf(formatRis(described)).includes(`M3  - ${name}`), name)
    t.is(cslItem(described).genre, name)
    t.true(formatDublinCore(described).includes(coar === '' ? 'c_7a1f' : coar), name)
  }
  // Of no degree that is known.
  const described = describedWork({ ...paper, work_type: 'thesis', resource_type: 'Memoir' })
  t.true(formatBibtex(described).startsWith('@phdthesis{'))
  t.is(cslItem(described).genre, undefined)
  t.false(formatRis(described).includes('M3  - '))
  t.true(formatDublinCore(described).includes('c_46ec'))
})
