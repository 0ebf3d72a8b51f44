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
