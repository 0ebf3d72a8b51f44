import { foldWorkType, type WorkType } from '#actors/values/work_type.ts'

// The types of entries whose names are no names of ours.
const bibtexTypes: Readonly<Record<string, WorkType>> = {
  mvbook: 'book',
  booklet: 'book',
  collection: 'book',
  mvcollection: 'book',
  reference: 'book',
  mvreference: 'book',
  bookinbook: 'book_chapter',
  inbook: 'book_chapter',
  inreference: 'book_chapter',
  suppbook: 'book_chapter',
  suppcollection: 'book_chapter',
  conference: 'conference_paper',
  mvproceedings: 'proceedings',
  suppperiodical: 'article',
  manual: 'report',
  techreport: 'report',
  unpublished: 'preprint',
  review: 'review_article',
  artwork: 'image',
  movie: 'video',
  music: 'audio',
  misc: 'other',
  online: 'other',
  electronic: 'other',
  www: 'other',
}

const risTypes: Readonly<Record<string, WorkType>> = {
  JOUR: 'article',
  JOURN: 'article',
  EJOUR: 'article',
  JFULL: 'article',
  INPR: 'article',
  MGZN: 'article',
  NEWS: 'article',
  ABST: 'article',
  BOOK: 'book',
  EBOOK: 'book',
  EDBOOK: 'book',
  CHAP: 'book_chapter',
  ECHAP: 'book_chapter',
  CPAPER: 'conference_paper',
  CONF: 'proceedings',
  THES: 'thesis',
  RPRT: 'report',
  GOVDOC: 'report',
  UNPB: 'preprint',
  MANSCPT: 'preprint',
  DATA: 'dataset',
  DBASE: 'dataset',
  AGGR: 'dataset',
  COMP: 'software',
  PAT: 'patent',
  STAND: 'standard',
  FIGURE: 'image',
  CHART: 'image',
  ART: 'image',
  MAP: 'image',
  VIDEO: 'video',
  MPCT: 'video',
  SOUND: 'audio',
  MUSIC: 'audio',
  SLIDE: 'presentation',
}

/** Our name of a type of BibTeX and BibLaTeX entries; other types are `other`. */
export function bibtexWorkType(type: string): WorkType {
  return find(bibtexTypes, type.toLowerCase()) ?? foldWorkType(type) ?? 'other'
}

/** Our name of a type of RIS records; other types are `other`. */
export function risWorkType(type: string): WorkType {
  return find(risTypes, type.toUpperCase()) ?? 'other'
}

/** Whether a type of RIS records is one that we know. */
export function isRisType(type: string): boolean {
  return Object.hasOwn(risTypes, type.toUpperCase())
}

function find(types: Readonly<Record<string, WorkType>>, name: string): WorkType | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined
}
