import { type FieldKind, foldedText } from '#actors/values/field_table.ts'
import { nearestName } from '#actors/values/nearest_name.ts'

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
    ris: 'MANSCPT',
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
    csl: 'speech',
    schemaOrg: 'Poster',
    ris: 'SLIDE',
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
    ris: 'SLIDE',
    euRepo: 'lecture',
  },
  award: { ...unpublished, coar: '', datacite: 'Award', crossref: 'grant', ris: 'GRANT' },
  collection: {
    ...unpublished,
    coar: 'RMP5-3GQ6',
    datacite: 'Collection',
    csl: 'collection',
    schemaOrg: 'Collection',
  },
  computational_notebook: {
    ...unpublished,
    coar: '',
    datacite: 'ComputationalNotebook',
    csl: 'software',
    schemaOrg: 'SoftwareSourceCode',
    ris: 'COMP',
  },
  event: { ...unpublished, coar: '', datacite: 'Event', csl: 'event', schemaOrg: 'Event' },
  instrument: { ...unpublished, coar: '', datacite: 'Instrument' },
  interactive_resource: {
    ...unpublished,
    coar: 'c_e9a0',
    datacite: 'InteractiveResource',
    csl: 'webpage',
    ris: 'ELEC',
  },
  journal: {
    ...unpublished,
    coar: 'c_0640',
    datacite: 'Journal',
    crossref: 'journal',
    csl: 'periodical',
    schemaOrg: 'Periodical',
    ris: 'JFULL',
  },
  model: { ...unpublished, coar: '', datacite: 'Model' },
  physical_object: { ...unpublished, coar: '', datacite: 'PhysicalObject' },
  project: { ...unpublished, coar: '', datacite: 'Project' },
  service: { ...unpublished, coar: '', datacite: 'Service' },
  study_registration: { ...unpublished, coar: '', datacite: 'StudyRegistration' },
  text: { ...unpublished, coar: 'c_18cf', datacite: 'Text' },
  other: { ...unpublished, coar: 'c_1843' },
} as const satisfies Record<string, WorkTypeNames>

export type WorkType = keyof typeof workTypes

// A longer text is no name, and is not compared with all of them.
const nameCharactersMax = 60

/** What a thesis of a degree is called, where a vocabulary parts theses by their degrees. */
export const thesisKinds = {
  bachelor: { name: "Bachelor's thesis", coar: 'c_7a1f', euRepo: 'bachelorThesis' },
  master: { name: "Master's thesis", coar: 'c_bdcc', euRepo: 'masterThesis' },
  doctor: { name: 'Doctoral thesis', coar: 'c_db06', euRepo: 'doctoralThesis' },
} as const

export type ThesisKind = keyof typeof thesisKinds

// The words and identifiers of degrees, in the languages of most theses.
const degreeWords: readonly (readonly [ThesisKind, RegExp])[] = [
  ['bachelor', /bachelor|bacharel|bathesis|undergrad|licenciatura|laurea triennale|c_7a1f/i],
  ['master', /master|m[aá]gist|mathesis|maestr|mestrad|diplom|mémoire|magistrale|c_bdcc/i],
  ['doctor', /doctor|doutor|doktor|dottor|ph\.? ?d|d\.? ?phil|phdthesis|c_db06/i],
  ['bachelor', /^b\.? ?(?:sc|a|s|eng)\b/i],
  ['master', /^m\.? ?(?:sc|a|s|eng|phil|res)\b/i],
]

/** The degree of a thesis that words tell, such as `masterThesis`, `PhD thesis` or `M.Sc.`. */
export function thesisKindOf(text: string): ThesisKind | undefined {
  if (text.length > nameCharactersMax) return undefined
  return degreeWords.find(([, form]) => form.test(text))?.[0]
}

/** The values of `work_type` in the order of the table. */
export const workTypeNames = Object.keys(workTypes) as readonly WorkType[]

/** The vocabularies that have names for kinds of works. */
export type TypeVocabulary = keyof WorkTypeNames

/**
 * What else the vocabularies have, and what it is here; and which of several types a name is of
 * that `workTypes` gives to more than one. What is none of ours is `other`. DataCite 4.7, types of
 * Crossref's API, CSL 1.0.2, COAR 3.2 (labels, and ends of their addresses), BibLaTeX 3, RIS.
 */
const otherNames: Readonly<Record<TypeVocabulary, Partial<Record<WorkType, string>>>> = {
  datacite: {
    article: 'Text/Journal article',
    book: 'Monograph',
    text: 'Text',
    other: 'Other',
  },
  crossref: {
    article: 'journal-article',
    book: 'monograph, edited-book, reference-book, book-set, book-series',
    book_chapter: 'book-section, book-part, book-track, reference-entry',
    proceedings: 'proceedings-series',
    report: 'report-component, report-series',
    dataset: 'database',
    standard: 'standard-series',
    other: 'other, component, journal-volume, journal-issue',
  },
  coar: {
    article:
      'journal article, research article, c_2df8fbb1, contribution to journal, c_3e5a, ' +
      'newspaper article, c_998f, magazine article, 43KC-T6DC, book review, c_ba08, ' +
      'software paper, c_7bab, ' +
      'corrigendum, c_7acd, commentary, D97F-VB57',
    letter: 'letter to the editor, c_545b',
    book_chapter: 'book part',
    conference_paper: 'conference paper not in proceedings, c_18cp, conference output, c_c94f',
    proceedings: 'conference proceedings',
    poster: 'conference poster, conference poster not in proceedings, c_18co',
    presentation: 'conference presentation',
    thesis: 'bachelor thesis, c_7a1f, master thesis, c_bdcc, doctoral thesis, c_db06, habilitation',
    report:
      'technical report, c_18gh, research report, c_18ws, policy report, c_186u, ' +
      'internal report, c_18ww, report to funding agency, c_18hj, project deliverable, c_18op, ' +
      'other type of report, c_18wq, report part, c_ba1f, memorandum, c_18wz, ' +
      'technical documentation, c_71bd, clinical study, c_7877',
    dataset:
      'research data, EHVM-H119, aggregated data, ACF7-8YT9, clinical trial data, c_cb28, ' +
      'compiled data, FXF3-D3G7, ' +
      'encoded data, AM6W-6QAW, experimental data, 63NG-B465, genomic data, A8F1-NPV9, ' +
      'geospatial data, 2H0M-X761, laboratory notebook, H41Y-FW7B, ' +
      'measurement and test data, DD58-GFSX, observational data, FF4C-28RK, ' +
      'recorded data, CQMR-7K63, simulation data, W2XT-7017, survey data, NHD0-W6SY',
    software: 'source code, QH80-2R4E, research software, c_c950',
    peer_review: 'review, c_efa0',
    patent:
      'design patent, C53B-JCY5, PCT application, SB3Y-W4EH, plant patent, Z907-YMBB, ' +
      'plant variety protection, GPQ7-G5VE, software patent, MW8G-3CR8, ' +
      'utility model, 9DKX-KSAF',
    image:
      'still image, c_ecc8, cartographic material, c_12cc, map, c_12cd, design, 542X-3S04, ' +
      'industrial design, JBNF-DYAD, layout design, BW7T-YM2G',
    video: 'moving image, c_8a7e',
    collection: 'collection',
    interactive_resource: 'interactive resource',
    journal: 'journal',
    text: 'text',
    other:
      'other, annotation, c_1162, bibliography, c_86bc, blog post, c_6947, ' +
      'periodical, c_2659, magazine, c_2cd9, newspaper, c_2fe3, ' +
      'other periodical, QX5C-AR31, manuscript, c_0040, musical notation, c_18cw, ' +
      'musical composition, c_18cd, website, c_7ad9, ' +
      'interview, c_26e4, learning object, c_e059, research proposal, c_baaf, ' +
      'research protocol, YZ1N-ZFT9, transcription, 6NC7-GK9S, trademark, H6QP-SC1X, ' +
      'court documents, 1YTN-RJZE, research instrument, 8KJG-QS0Y, ' +
      'knowledge synthesis protocol, DX5J-TA9R, artistic work, F8RT-TJK0, ' +
      'knowledge organization system, GSZA-Y7V7, ' +
      'physical sample, S7R1-K5P0, archival collection, YC9F-HGCF',
  },
  csl: {
    article: 'article-journal, article-magazine, article-newspaper, review-book',
    letter: 'personal_communication',
    book: 'book, classic, pamphlet',
    book_chapter: 'entry, entry-dictionary, entry-encyclopedia',
    preprint: 'article, manuscript',
    presentation: 'speech',
    image: 'graphic, figure, map',
    video: 'broadcast',
    other:
      'document, bill, hearing, interview, legal_case, legislation, ' +
      'musical_score, performance, post, post-weblog, regulation, ' +
      'treaty, webpage',
  },
  schemaOrg: {
    article:
      'Article, NewsArticle, MedicalScholarlyArticle, AdvertiserContentArticle, TechArticle, ' +
      'AnalysisNewsArticle, BackgroundNewsArticle, OpinionNewsArticle, ReportageNewsArticle, ' +
      'ReviewNewsArticle, SatiricalArticle',
    preprint: 'ScholarlyArticle/Preprint',
    book: 'Audiobook',
    dataset: 'DataDownload, DataFeed',
    software: 'SoftwareApplication, WebApplication, MobileApplication',
    peer_review: 'CriticReview, UserReview',
    image: 'Photograph, Painting, Drawing, Map, VisualArtwork, ImageGallery',
    video: 'Movie, Clip, VideoGallery, Episode, TVEpisode',
    audio: 'MusicRecording, PodcastEpisode, MusicAlbum',
    other:
      'CreativeWork, DigitalDocument, Thing, WebPage, WebSite, Blog, BlogPosting, ' +
      'CreativeWorkSeries, PublicationVolume, Course, LearningResource, Manuscript, ' +
      'SheetMusic, MediaObject, Message, Question, Legislation, ' +
      'DataCatalog, TextDigitalDocument, NoteDigitalDocument, SpreadsheetDigitalDocument, Guide, ' +
      'Atlas, MusicComposition, ShortStory, Syllabus, DefinedTermSet',
  },
  bibtex: {
    review_article: 'review',
    book: 'mvbook, booklet, collection, mvcollection, reference, mvreference, mvproceedings',
    book_chapter: 'bookinbook, inbook, inreference, suppbook, suppcollection',
    conference_paper: 'conference',
    thesis: 'mastersthesis, thesis',
    article: 'suppperiodical',
    preprint: 'unpublished',
    report: 'manual, report',
    dataset: 'dataset',
    software: 'software',
    patent: 'patent',
    standard: 'standard',
    image: 'artwork, image',
    video: 'movie, video',
    audio: 'music, audio',
    letter: 'letter',
    other:
      'misc, online, electronic, www, periodical, commentary, performance, legislation, ' +
      'legal, jurisdiction, bibnote, set, xdata',
  },
  ris: {
    article: 'JOURN, EJOUR, INPR, MGZN, NEWS, ABST',
    book: 'EBOOK, EDBOOK, PAMP, CLSWK, SER',
    book_chapter: 'ECHAP, ENCYC, DICT',
    preprint: 'UNPB',
    standard: 'STD',
    presentation: 'SLIDE',
    report: 'GOVDOC',
    dataset: 'DBASE, AGGR',
    image: 'CHART, ART, MAP',
    video: 'MPCT, ADVS',
    audio: 'MUSIC',
    award: 'GRNT',
    letter: 'PCOMM',
    other:
      'GEN, ANCIENT, BILL, BLOG, CASE, CTLG, ELEC, EQUA, HEAR, ICOMM, INTV, LEGAL, ' +
      'MULTI, POD, SLIDES, STAT, UNBILL, WEB',
  },
  euRepo: {
    article: 'contributionToPeriodical, annotation',
    book_chapter: 'conferenceContribution',
    conference_paper: 'conferenceItem, conferenceObject',
    lecture: 'lecture',
    thesis: 'bachelorThesis, masterThesis, studentThesis',
    report: 'technicalDocumentation, researchProposal, reportPart, bookReview',
    dataset: 'dataset',
    other: 'other',
  },
}

// What people write that no vocabulary has.
const everydayNames: Partial<Record<WorkType, string>> = {
  article:
    'paper, academic article, original article, journal paper, magazine article, brief report, ' +
    'article in a journal, case report, case reports, case study, short communication, ' +
    'rapid communication, brief communication, erratum, correction, retraction, addendum, ' +
    'expression of concern, article commentary, meeting report, obituary, reply, ' +
    'registered report',
  review_article:
    'review paper, literature review, systematic review, scoping review, meta-analysis, ' +
    'survey of literature',
  letter: 'correspondence',
  data_paper: 'data descriptor, data article',
  lecture: 'lecture notes, lecture speech',
  study_registration: 'pre-registration, trial registration',
  physical_object: 'sample, specimen',
  preprint: 'pre-print, eprint, e-print, postprint, accepted manuscript',
  book: 'e-book, ebook, textbook, anthology, edited volume',
  book_chapter:
    'chapter, chapter in a book, book section, encyclopedia entry, encyclopedia article, ' +
    'dictionary entry, part of book or chapter of book',
  conference_paper:
    'conference article, conference contribution, proceedings paper, conference abstract, ' +
    'meeting abstract, extended abstract',
  proceedings: 'conference proceeding, proceedings volume',
  presentation: 'slides, slide deck, talk, conference talk, presentation slides',
  thesis:
    "master's thesis, masters thesis, bachelor's thesis, bachelors thesis, diploma thesis, " +
    'phd, phd thesis, ph.d. thesis, thesis/dissertation, phd dissertation, ' +
    'doctoral dissertation, licentiate thesis, theses, academic thesis, msc thesis, ma thesis, ' +
    'bsc thesis, ba thesis, diplomarbeit, masterarbeit, bachelorarbeit, doktorarbeit, ' +
    'tesis, tesis doctoral, tesis de maestría, thèse, thèse de doctorat, tesi',
  report:
    'tech report, white paper, discussion paper, government document, technical note, policy brief',
  working_paper: 'workingpaper',
  dataset: 'data, data set, database',
  software: 'computer program, program, code',
  data_management_plan: 'dmp',
  peer_review: 'peer review report, referee report',
  standard: 'standard or specification',
  video: 'film, audiovisual, video recording',
  audio: 'podcast, sound recording, audio recording',
  image: 'photo, picture, figure',
  computational_notebook: 'jupyter, jupyter notebook, notebook',
  // Our own word for one in CSL and schema.org; COAR's is broader.
  journal: 'periodical',
  other: 'miscellaneous, protocol, study protocol, case law',
}

// Kinds of what a type is, which MARC, JATS, ORCID and Zotero have names for: they are told of.
const narrowerNames: Partial<Record<WorkType, string>> = {
  article:
    'essay, in brief, methods article, partial retraction, product review, legal article, ' +
    'newsletter article, contribution for newspaper or weekly magazine, offprint, discussion',
  book:
    'encyclopedia, dictionary, handbook, biography, autobiography, memoir, novel, fiction, ' +
    'poetry, festschrift, yearbook, directory, catalog, multivolume monograph, translation',
  proceedings: 'conference publication',
  presentation: 'recorded talk, oration',
  thesis:
    'supervised student publication, undergraduate thesis, honours thesis, habilitation thesis',
  report: 'government publication, guideline',
  dataset: 'numeric data, statistics, spreadsheet, table',
  software: 'script, game, font',
  image:
    'illustration, diagram, infographic, plot, technical drawing, art original, ' +
    'art reproduction, remote sensing image, slide, globe',
  video: 'tv broadcast, filmstrip',
  audio: 'radio broadcast',
  other:
    'tutorial, announcement, introduction, calendar, research tool, research technique, ' +
    'online resource, artistic performance, registered copyright, spin off company, test, ' +
    'forum post, email, statute, other literature type, clinical trial',
}

const vocabularies = Object.keys(otherNames) as readonly TypeVocabulary[]

const ownBySpelling = new Map(workTypeNames.map((name) => [reduce(name), name]))
const typesIn = new Map(vocabularies.map((vocabulary) => [vocabulary, spellNames(vocabulary)]))
const typesBySpelling = spellTypes()
const narrowerTypes = new Map(listed(narrowerNames))

/**
 * The stored form of a work type: its name with whatever capitals, hyphens, underscores or spaces
 * it was written. Undefined if it is none of ours.
 */
export function ownWorkType(text: string): WorkType | undefined {
  return Object.hasOwn(workTypes, text) ? (text as WorkType) : ownBySpelling.get(reduce(text))
}

/**
 * The work type that a text means: one of ours, or a name or an address of another vocabulary.
 * Where two vocabularies have one word, ours is stronger, then the one that is more exact.
 * Undefined if it is unknown.
 */
export function foldWorkType(text: string): WorkType | undefined {
  const own = ownWorkType(text)
  if (own !== undefined) return own
  // The word of one vocabulary may be another type in the others: `article` is a preprint in CSL.
  const [, vocabulary] = addressed.find(([address]) => address.test(text)) ?? []
  const named = vocabulary && workTypeIn(vocabulary, text)
  const bare = text.replace(vocabularyAddress, '')
  return named ?? ownWorkType(bare) ?? typesBySpelling.get(reduce(bare))
}

const addressed: readonly (readonly [RegExp, TypeVocabulary])[] = [
  [/^(?:info:)?eu-repo\//i, 'euRepo'],
  [
    /^(?:coar:|(?:https?:\/\/)?(?:purl\.org\/coar|vocabularies\.coar-repositories\.org)\/)/i,
    'coar',
  ],
  [/^(?:schema:|(?:https?:\/\/)?(?:www\.)?schema\.org\/)/i, 'schemaOrg'],
]

// http://purl.org/coar/resource_type/c_6501, info:eu-repo/semantics/article, schema:Dataset.
const vocabularyAddress = new RegExp(
  String.raw`^(?:(?:https?://)?(?:www\.)?(?:purl\.org/coar/resource_type|schema\.org|` +
    String.raw`vocabularies\.coar-repositories\.org/resource_types|purl\.org/dc/dcmitype|` +
    String.raw`purl\.org/spar/fabio|purl\.org/ontology/bibo)/|` +
    String.raw`(?:info:)?eu-repo/semantics/|(?:schema|coar|dcmitype|fabio|bibo):|@)`,
  'i',
)

/** The work type that one vocabulary means by a name of it; undefined if it has no such name. */
export function workTypeIn(vocabulary: TypeVocabulary, name: string): WorkType | undefined {
  return typesIn.get(vocabulary)?.get(reduce(name.replace(vocabularyAddress, '')))
}

/** What a text that is no work type would have to be, and which it may have meant. */
export function explainWorkType(text: string): string {
  const rule = `one of ${workTypeNames.join(', ')}`
  const name = reduce(text)
  const wider = narrowerTypes.get(name)
  if (wider !== undefined) {
    return `${rule}; did you mean ${wider}, with “${text}” in resource_type?`
  }
  const near = name.length > nameCharactersMax ? undefined : nearestName(name, spellings())
  const meant = near === undefined ? undefined : foldWorkType(near)
  if (meant !== undefined) return `${rule}; did you mean ${meant}?`
  return `${rule}; for others, other, with your own word in resource_type`
}

function spellings(): Iterable<string> {
  return [...ownBySpelling.keys(), ...typesBySpelling.keys()]
}

/** The names of one vocabulary; those of the table above are stronger than those we write. */
function spellNames(vocabulary: TypeVocabulary): ReadonlyMap<string, WorkType> {
  const written = workTypeNames.map((type) => [reduce(workTypes[type][vocabulary]), type] as const)
  const names = new Map([...written.toReversed(), ...listed(otherNames[vocabulary])])
  names.delete('')
  return names
}

function spellTypes(): ReadonlyMap<string, WorkType> {
  const byVocabulary = [...typesIn.values()].toReversed().flatMap((names) => [...names])
  return new Map([...byVocabulary, ...listed(everydayNames)])
}

function listed(names: Partial<Record<WorkType, string>>): (readonly [string, WorkType])[] {
  return workTypeNames.flatMap((type) => {
    const ofType = names[type]?.split(', ') ?? []
    return ofType.map((name) => [reduce(name), type] as const)
  })
}

function reduce(text: string): string {
  return text.toLowerCase().replace(/[-_\s.'’/]+/g, '')
}

/** The kind of a work type; `resource_type` of other things has the same words. */
export const workTypeKind: FieldKind<WorkType> = foldedText({
  max: 200,
  fold: ownWorkType,
  recognize: foldWorkType,
  right: explainWorkType,
  values: workTypeNames,
  title: 'WorkType',
})
