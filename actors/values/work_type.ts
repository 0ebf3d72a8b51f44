/** What a kind of work is called in the vocabularies in which records are written. */
export type WorkTypeNames = {
  /** The end of a COAR Resource Type, `http://purl.org/coar/resource_type/…`; '' without one. */
  readonly coar: string
  readonly datacite: string
  readonly crossref: string
  readonly csl: string
  readonly schemaOrg: string
  readonly bibtex: string
  readonly ris: string
  /** The end of an OpenAIRE type, `info:eu-repo/semantics/…`. */
  readonly euRepo: string
}

const inJournal = {
  datacite: 'JournalArticle',
  crossref: 'journal-article',
  csl: 'article-journal',
  schemaOrg: 'ScholarlyArticle',
  bibtex: 'article',
  ris: 'JOUR',
  euRepo: 'article',
}

const asReport = {
  datacite: 'Text',
  crossref: 'report',
  csl: 'report',
  schemaOrg: 'ScholarlyArticle',
  bibtex: 'techreport',
  ris: 'RPRT',
}

const unpublished = {
  datacite: 'Other',
  crossref: 'other',
  csl: 'document',
  schemaOrg: 'CreativeWork',
  bibtex: 'misc',
  ris: 'GEN',
  euRepo: 'other',
}

/** The kinds of works by the value of `work_type`, with what each is called elsewhere. */
export const workTypes = {
  article: { ...inJournal, coar: 'c_6501' },
  preprint: {
    coar: 'c_816b',
    datacite: 'Preprint',
    crossref: 'posted-content',
    csl: 'article',
    schemaOrg: 'ScholarlyArticle',
    bibtex: 'misc',
    ris: 'UNPB',
    euRepo: 'preprint',
  },
  review_article: { ...inJournal, coar: 'c_dcae04bc', euRepo: 'review' },
  editorial: { ...inJournal, coar: 'c_b239', euRepo: 'other' },
  letter: { ...inJournal, coar: 'c_0857', datacite: 'Text', euRepo: 'other' },
  data_paper: { ...inJournal, coar: 'c_beb9', datacite: 'DataPaper' },
  book: {
    coar: 'c_2f33',
    datacite: 'Book',
    crossref: 'book',
    csl: 'book',
    schemaOrg: 'Book',
    bibtex: 'book',
    ris: 'BOOK',
    euRepo: 'book',
  },
  book_chapter: {
    coar: 'c_3248',
    datacite: 'BookChapter',
    crossref: 'book-chapter',
    csl: 'chapter',
    schemaOrg: 'Chapter',
    bibtex: 'incollection',
    ris: 'CHAP',
    euRepo: 'bookPart',
  },
  conference_paper: {
    coar: 'c_5794',
    datacite: 'ConferencePaper',
    crossref: 'proceedings-article',
    csl: 'paper-conference',
    schemaOrg: 'ScholarlyArticle',
    bibtex: 'inproceedings',
    ris: 'CPAPER',
    euRepo: 'conferencePaper',
  },
  proceedings: {
    coar: 'c_f744',
    datacite: 'ConferenceProceeding',
    crossref: 'proceedings',
    csl: 'book',
    schemaOrg: 'PublicationIssue',
    bibtex: 'proceedings',
    ris: 'CONF',
    euRepo: 'conferenceProceedings',
  },
  poster: {
    ...unpublished,
    coar: 'c_6670',
    datacite: 'Poster',
    csl: 'graphic',
    schemaOrg: 'Poster',
    euRepo: 'conferencePoster',
  },
  presentation: {
    ...unpublished,
    coar: 'R60J-J5BD',
    datacite: 'Presentation',
    csl: 'speech',
    schemaOrg: 'PresentationDigitalDocument',
    ris: 'SLIDE',
    euRepo: 'lecture',
  },
  thesis: {
    coar: 'c_46ec',
    datacite: 'Dissertation',
    crossref: 'dissertation',
    csl: 'thesis',
    schemaOrg: 'Thesis',
    bibtex: 'phdthesis',
    ris: 'THES',
    euRepo: 'doctoralThesis',
  },
  report: {
    ...asReport,
    coar: 'c_93fc',
    datacite: 'Report',
    schemaOrg: 'Report',
    euRepo: 'report',
  },
  working_paper: { ...asReport, coar: 'c_8042', euRepo: 'workingPaper' },
  dataset: {
    ...unpublished,
    coar: 'c_ddb1',
    datacite: 'Dataset',
    crossref: 'dataset',
    csl: 'dataset',
    schemaOrg: 'Dataset',
    ris: 'DATA',
  },
  software: {
    ...unpublished,
    coar: 'c_5ce6',
    datacite: 'Software',
    csl: 'software',
    schemaOrg: 'SoftwareSourceCode',
    ris: 'COMP',
  },
  workflow: {
    ...unpublished,
    coar: 'c_393c',
    datacite: 'Workflow',
    csl: 'software',
    schemaOrg: 'HowTo',
    ris: 'COMP',
  },
  peer_review: {
    ...unpublished,
    coar: 'H9BQ-739P',
    datacite: 'PeerReview',
    crossref: 'peer-review',
    csl: 'review',
    schemaOrg: 'Review',
    euRepo: 'review',
  },
  patent: {
    ...unpublished,
    coar: 'c_15cd',
    datacite: 'Text',
    csl: 'patent',
    ris: 'PAT',
    euRepo: 'patent',
  },
  standard: {
    ...unpublished,
    coar: '',
    datacite: 'Standard',
    crossref: 'standard',
    csl: 'standard',
    ris: 'STAND',
  },
  image: {
    ...unpublished,
    coar: 'c_c513',
    datacite: 'Image',
    csl: 'graphic',
    schemaOrg: 'ImageObject',
    ris: 'FIGURE',
  },
  video: {
    ...unpublished,
    coar: 'c_12ce',
    datacite: 'Audiovisual',
    csl: 'motion_picture',
    schemaOrg: 'VideoObject',
    ris: 'VIDEO',
  },
  audio: {
    ...unpublished,
    coar: 'c_18cc',
    datacite: 'Sound',
    csl: 'song',
    schemaOrg: 'AudioObject',
    ris: 'SOUND',
  },
  data_management_plan: {
    ...unpublished,
    coar: 'c_ab20',
    datacite: 'OutputManagementPlan',
    csl: 'report',
    ris: 'RPRT',
    euRepo: 'technicalDocumentation',
  },
  lecture: {
    ...unpublished,
    coar: 'c_8544',
    datacite: 'Text',
    csl: 'speech',
    euRepo: 'lecture',
  },
  other: { ...unpublished, coar: 'c_1843' },
} as const satisfies Record<string, WorkTypeNames>

export type WorkType = keyof typeof workTypes

/** The values of `work_type` in the order of the table. */
export const workTypeNames = Object.keys(workTypes) as readonly WorkType[]

// Names of other vocabularies, reduced, that mean one type and do not follow from ours.
const aliases: Readonly<Record<string, WorkType>> = {
  journalarticle: 'article',
  scholarlyarticle: 'article',
  postedcontent: 'preprint',
  chapter: 'book_chapter',
  bookpart: 'book_chapter',
  incollection: 'book_chapter',
  proceedingsarticle: 'conference_paper',
  paperconference: 'conference_paper',
  inproceedings: 'conference_paper',
  conferenceproceeding: 'proceedings',
  conferenceproceedings: 'proceedings',
  conferenceposter: 'poster',
  dissertation: 'thesis',
  phdthesis: 'thesis',
  doctoralthesis: 'thesis',
  mastersthesis: 'thesis',
  techreport: 'report',
  softwaresourcecode: 'software',
  audiovisual: 'video',
  sound: 'audio',
  outputmanagementplan: 'data_management_plan',
}

const typesBySpelling = new Map<string, WorkType>([
  ...Object.entries(aliases),
  ...workTypeNames.map((name): [string, WorkType] => [reduce(name), name]),
])

/**
 * The stored form of a work type: its name with whatever capitals, hyphens, underscores or spaces
 * it was written, or a name from another vocabulary. Undefined if it is unknown.
 */
export function foldWorkType(text: string): WorkType | undefined {
  return Object.hasOwn(workTypes, text) ? (text as WorkType) : typesBySpelling.get(reduce(text))
}

function reduce(text: string): string {
  return text.toLowerCase().replace(/[-_\s]+/g, '')
}
