import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { cslItem } from '#src/discovery/formats/csl_json.ts'
import { ark, describedWork } from '#test/src/discovery/formats/_works.ts'

const least: Metadata = { work_title: 'T', work_type: 'article', authors: 'Ada Ox' }

test('what is not known is left out', (t) => {
  t.deepEqual(cslItem(describedWork(least, { publisher: undefined })), {
    id: ark,
    type: 'article-journal',
    title: 'T',
    author: [{ family: 'Ox', given: 'Ada' }],
    URL: `https://registry.example/${ark}`,
  })
})

test('a work is cited with the subtitle that its record has for itself, once', (t) => {
  const titles = [
    { title: 'Ein T', kind: 'translated' as const },
    { title: 'S', kind: 'subtitle' as const },
  ]
  const titleOf = (work_title: string) =>
    cslItem(describedWork({ ...least, work_title, titles })).title
  t.is(titleOf('T'), 'T: S')
  t.is(titleOf('T?'), 'T? S')
  t.is(titleOf('T: S'), 'T: S')
})

test('fields come under the names of CSL, a date in as many parts as are known', (t) => {
  const work = describedWork({
    ...least,
    work_type: 'book_chapter',
    published_date: '1905-06',
    existing_doi: '10.1234/x',
    container_title: 'Annals',
    pages: '891-921',
    description: 'Abstract.',
  })
  t.like(cslItem(work), {
    type: 'chapter',
    issued: { 'date-parts': [[1905, 6]] },
    DOI: '10.1234/x',
    'container-title': 'Annals',
    page: '891-921',
    abstract: 'Abstract.',
    publisher: 'A Press',
  })
})

test('a work stands in a series, in an event, or in what it is a part of', (t) => {
  const item = (changes: Partial<Metadata>) => {
    const numbers = { container_title: 'C', volume: '3', issue: '12' }
    return cslItem(describedWork({ ...least, ...numbers, ...changes }))
  }
  t.like(item({}), { 'container-title': 'C', volume: '3', issue: '12' })
  const book = item({ work_type: 'book' })
  t.like(book, { type: 'book', 'collection-title': 'C', 'collection-number': '3' })
  t.false('container-title' in book)
  const paper = item({ work_type: 'working_paper' })
  t.like(paper, { genre: 'Working Paper', 'collection-title': 'C', number: '12' })
  const poster = item({ work_type: 'poster' })
  t.like(poster, { type: 'speech', genre: 'Poster', 'event-title': 'C' })
  const alone = cslItem(describedWork({ ...least, work_type: 'book', volume: '3' }))
  t.is(alone.volume, '3')
  t.false('collection-number' in alone)
})

test('those who are named of proceedings are their editors', (t) => {
  const item = cslItem(describedWork({ ...least, work_type: 'proceedings' }))
  t.deepEqual(item.editor, [{ family: 'Ox', given: 'Ada' }])
  t.false('author' in item)
})

test('a work that is cited as one of its versions has it in its ID and as its version', (t) => {
  const item = cslItem(describedWork(least, { isPinned: true, version: 4 }))
  t.like(item, { id: `${ark}/v4`, version: '4' })
})
