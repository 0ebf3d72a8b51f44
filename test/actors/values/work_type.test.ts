import test from 'ava'
import { foldWorkType, workTypeNames, workTypes } from '#actors/values/work_type.ts'

test('there are 27 types, each with all its names', (t) => {
  t.is(workTypeNames.length, 27)
  for (const [name, names] of Object.entries(workTypes)) {
    t.regex(name, /^[a-z_]+$/)
    t.is(Object.keys(names).length, 8, name)
    t.regex(names.coar, /^(?:c_[0-9a-f]{4,8}|[0-9A-Z]{4}-[0-9A-Z]{4}|)$/, name)
  }
})

test('maps types as the vocabularies do', (t) => {
  t.like(workTypes.article, { coar: 'c_6501', datacite: 'JournalArticle', ris: 'JOUR' })
  t.like(workTypes.thesis, { coar: 'c_46ec', bibtex: 'phdthesis', euRepo: 'doctoralThesis' })
  t.like(workTypes.data_management_plan, { coar: 'c_ab20', datacite: 'OutputManagementPlan' })
  t.like(workTypes.standard, { coar: '', crossref: 'standard', csl: 'standard' })
})

test('every name folds to itself, however it is written', (t) => {
  for (const name of workTypeNames) {
    t.is(foldWorkType(name), name)
    t.is(foldWorkType(name.toUpperCase()), name)
    t.is(foldWorkType(name.replaceAll('_', '-')), name)
    t.is(foldWorkType(name.replaceAll('_', '')), name)
  }
})

test('takes names of other vocabularies', (t) => {
  for (const [text, type] of [
    ['journal-article', 'article'],
    ['JournalArticle', 'article'],
    ['conference-paper', 'conference_paper'],
    ['proceedings-article', 'conference_paper'],
    ['dissertation', 'thesis'],
    ['book-chapter', 'book_chapter'],
    ['posted-content', 'preprint'],
    ['Sound', 'audio'],
  ] as const) {
    t.is(foldWorkType(text), type)
  }
})

test('does not know others, nor members of every object', (t) => {
  for (const text of ['sculpture', '', 'constructor', '__proto__', 'toString']) {
    t.is(foldWorkType(text), undefined, text)
  }
})
