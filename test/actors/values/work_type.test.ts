import test from 'ava'
import {
  explainWorkType,
  foldWorkType,
  ownWorkType,
  workTypeIn,
  workTypeNames,
  workTypes,
} from '#actors/values/work_type.ts'

test('there are 40 types, each with all its names', (t) => {
  t.is(workTypeNames.length, 40)
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
    ['article-journal', 'article'],
    ['motion_picture', 'video'],
    ['VideoObject', 'video'],
    ['PresentationDigitalDocument', 'presentation'],
    ['monograph', 'book'],
    ['edited-book', 'book'],
    ['master thesis', 'thesis'],
    ["Master's thesis", 'thesis'],
    ['Doktorarbeit', 'thesis'],
    ['tesis doctoral', 'thesis'],
    ['videorecording', 'video'],
    ['survey of literature', 'review_article'],
    ['Lecture / Speech', 'lecture'],
    ['standard or specification', 'standard'],
    ['technical report', 'report'],
    ['conference presentation', 'presentation'],
    ['research article', 'article'],
    ['http://purl.org/coar/resource_type/c_bdcc', 'thesis'],
    ['https://purl.org/coar/resource_type/R60J-J5BD/', 'presentation'],
    ['info:eu-repo/semantics/doctoralThesis', 'thesis'],
    ['info:eu-repo/semantics/article', 'article'],
    ['https://schema.org/ScholarlyArticle', 'article'],
    ['magazine article', 'article'],
    ['periodical', 'journal'],
    ['http://purl.org/coar/resource_type/c_2659', 'other'],
    ['@article', 'article'],
    ['http://purl.org/spar/fabio/ConferencePaper', 'conference_paper'],
    ['bibo:AcademicArticle', 'article'],
    ['Case Report', 'article'],
    ['encyclopedia entry', 'book_chapter'],
    ['http://purl.org/coar/resource_type/43KC-T6DC', 'article'],
    ['purl.org/coar/resource_type/c_ddb1', 'dataset'],
    ['EHVM-H119', 'dataset'],
    ['physical sample', 'other'],
    ['OpinionNewsArticle', 'article'],
    ['Text', 'text'],
    ['JOUR', 'article'],
    ['ComputationalNotebook', 'computational_notebook'],
    ['StudyRegistration', 'study_registration'],
    ['PhysicalObject', 'physical_object'],
    ['grant', 'award'],
  ] as const) {
    t.is(foldWorkType(text), type)
  }
})

test('does not know others, nor members of every object', (t) => {
  for (const text of ['ceramics', '', 'constructor', '__proto__', 'toString']) {
    t.is(foldWorkType(text), undefined, text)
  }
})

test('what a format of ours calls a work is read as the work type that it is of', (t) => {
  for (const type of workTypeNames) {
    const { csl, schemaOrg, coar, datacite, crossref } = workTypes[type]
    for (const name of [csl, schemaOrg, datacite, crossref, coar].filter((each) => each !== '')) {
      const read = foldWorkType(name)
      // Of types that share a name, it is of one, or of none in particular.
      const sharing = workTypeNames.filter((each) => {
        return Object.values<string>(workTypes[each]).includes(name)
      })
      t.true(read !== undefined && [...sharing, 'other', 'image'].includes(read), `${type} ${name}`)
    }
    if (coar !== '') t.is(foldWorkType(`http://purl.org/coar/resource_type/${coar}`), type)
  }
})

test('a word of several vocabularies is of the one that is asked', (t) => {
  t.is(workTypeIn('csl', 'article'), 'preprint')
  t.is(workTypeIn('bibtex', 'article'), 'article')
  t.is(workTypeIn('bibtex', 'review'), 'review_article')
  t.is(workTypeIn('csl', 'review'), 'peer_review')
  t.is(workTypeIn('ris', 'COMP'), 'software')
  t.is(workTypeIn('csl', 'toString'), undefined)
})

test('only our own names are taken without a word', (t) => {
  t.is(ownWorkType('Book Chapter'), 'book_chapter')
  t.is(ownWorkType('journal-article'), undefined)
})

test('an unknown name is refused with the nearest that is known', (t) => {
  const rule = `one of ${workTypeNames.join(', ')}`
  t.is(explainWorkType('artcle'), `${rule}; did you mean article?`)
  t.is(explainWorkType('jurnal-article'), `${rule}; did you mean article?`)
  for (const [text, wider] of [
    ['Novel', 'book'],
    ['clinical-trial', 'other'],
    ['Recorded Talk', 'presentation'],
    ['conference publication', 'proceedings'],
  ] as const) {
    t.is(foldWorkType(text), undefined, text)
    t.is(explainWorkType(text), `${rule}; did you mean ${wider}, with “${text}” in resource_type?`)
  }
  const help = 'for others, other, with your own word in resource_type'
  t.is(explainWorkType('ceramics'), `${rule}; ${help}`)
})

test('every general type of DataCite 4.7 has a type of ours', (t) => {
  const general =
    'Audiovisual Award Book BookChapter Collection ComputationalNotebook ConferencePaper ' +
    'ConferenceProceeding DataPaper Dataset Dissertation Event Image Instrument ' +
    'InteractiveResource Journal JournalArticle Model OutputManagementPlan PeerReview ' +
    'PhysicalObject Poster Preprint Presentation Project Report Service Software Sound Standard ' +
    'StudyRegistration Text Workflow Other'
  const names = general.split(' ')
  t.is(names.length, 34)
  for (const name of names) {
    const type = workTypeIn('datacite', name) ?? 'none'
    t.is(workTypes[type as keyof typeof workTypes]?.datacite, name)
  }
})
