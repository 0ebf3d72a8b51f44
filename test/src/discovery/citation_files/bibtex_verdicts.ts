/** A field of an entry of which all others say one thing, and we another. */
export type Disagreement = {
  readonly field: string
  /** The type of the entry. */
  readonly type: string
  /** The fields of the entry, in LaTeX. */
  readonly sources: ReadonlyMap<string, string>
  /** Those of the entry that its crossref names. */
  readonly inherited: ReadonlyMap<string, string>
  readonly ours: string
  readonly theirs: string
}

/** A kind of disagreement in which we are right: what it is, and the text that decides it. */
export type Verdict = {
  readonly fields: readonly string[]
  readonly what: string
  readonly by: string
  readonly isOurs: (about: Disagreement) => boolean
}

/** A field without what two readers write in two ways that say the same. */
export function foldField(field: string, text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\s~\u200b]+/g, ' ')
    .trim()
  const folding = foldings[field]
  return folding === undefined ? plain : folding(plain)
}

const foldings: Readonly<Record<string, (text: string) => string>> = {
  title: foldWords,
  container: foldWords,
  publisher: foldWords,
  families: foldNames,
  given: foldNames,
  doi: (text) => text.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi: ?)/i, '').toLowerCase(),
  // The start of a range is what a work has room for.
  year: (text) => text.replace(/^(\d{4}) ?[-–—/]+ ?\d{0,4}$/, '$1'),
  pages: (text) => foldDashes(text).replace(/ ?([-,]) ?/g, '$1'),
  volume: foldDashes,
  issue: foldDashes,
}

function foldDashes(text: string): string {
  return text.replace(/[-\u2010-\u2015\u2212]+/g, '-')
}

/** Quotation marks and dashes in one form, scripts on the line, no braces. */
function foldWords(text: string): string {
  return foldDashes(text)
    .replace(/[‘’`]/g, "'")
    .replace(/[“”]|''/g, '"')
    .replace(/\{([^{}\\]*)\}/g, '$1')
    .replace(/(?<=[\p{L}\p{N})\]}])[\^_](?=[\p{L}\p{N}({+−-])/gu, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
}

/** "others" is no name, and hyphens and apostrophes are of one form. */
function foldNames(text: string): string {
  return foldDashes(text)
    .replace(/; others$/, '')
    .replace(/[’`]/g, "'")
    .replace(/[{}]/g, '')
    .replace(/; $/, '')
}

/** How a title and its subtitle stand together. */
function withSubtitle(sources: ReadonlyMap<string, string>, name: string): string {
  const parts = [sources.get(name), sources.get(name.replace('title', 'subtitle'))]
  return foldField('container', parts.filter(Boolean).join(': '))
}

const namesInBibtex: Readonly<Record<string, readonly string[]>> = {
  container: ['journaltitle', 'journal', 'booktitle', 'series'],
  families: ['author'],
  given: ['author'],
}

/** What fields of the entry say, in LaTeX, that fill a field. */
function sourcesOf({ field, sources }: Disagreement): readonly string[] {
  return (namesInBibtex[field] ?? [field]).flatMap((name) => sources.get(name) ?? [])
}

const logos = /(?:BibTeX|LaTeX2ε|LaTeX|XeTeX|LuaTeX|pdfTeX|TeX|METAFONT)/g

function withoutCommands(text: string): string {
  return text
    .replace(/\\[A-Za-z]+(?:\{\})?/g, '')
    .replace(logos, '')
    .replace(/[\s-]+/g, '')
}

/** Kinds of disagreement that are decided. */
export const verdicts: readonly Verdict[] = [
  {
    fields: ['title', 'container', 'publisher', 'families'],
    what: 'an abbreviation that nothing defines is no text: we leave it out, and say so',
    by: 'BibTeX 0.99d: it warns that the string name is undefined, and prints nothing for it',
    isOurs: (about) => {
      const { field, inherited } = about
      const sources = [...sourcesOf(about), inherited.get(field) ?? 'none']
      const isNothing = sources.some((source) => source.trim() === '')
      return about.ours === '' && isNothing && /^[^\s{}]+$/.test(about.theirs)
    },
  },
  {
    fields: ['title', 'container', 'publisher', 'families'],
    what: 'a command that prints a word is that word, or stays and is named; they drop it',
    by: 'LaTeX: \\TeX, \\LaTeXe, \\MF print a name; what is not defined is an error, and no blank',
    isOurs: (about) => {
      const { ours, theirs } = about
      const hasCommand = sourcesOf(about).some((source) => /\\[A-Za-z]+/.test(source))
      return hasCommand && withoutCommands(ours) === withoutCommands(theirs)
    },
  },
  {
    fields: ['container'],
    what: 'the booktitle of a whole book is its own title, and no container of it',
    by: 'BibTeXing, 3.2: a book has title instead of it; 2.1: it is there for what refers to it',
    isOurs: ({ ours, theirs, type, sources }) => {
      const isWhole = /^(?:book|collection|proceedings|manual|booklet)$/.test(type)
      const [own, series] = ['booktitle', 'series'].map((name) => {
        return withoutCommands(foldField('container', sources.get(name) ?? ''))
      })
      return isWhole && withoutCommands(theirs) === own && withoutCommands(ours) === series
    },
  },
  {
    fields: ['given'],
    what: 'a title before a name is no given name: we leave it out, and say so',
    by: 'BibTeXing, 4: First, von, Last and Jr are all parts; BibTeX prints a title with First',
    isOurs: ({ ours, theirs }) => ours === theirs.replace(/(^|; )(?:Prof|Dr)\.?(?= |;|$) ?/g, '$1'),
  },
  {
    fields: ['given'],
    what: 'a name whose words are those of a group is no person’s, and whole',
    by: 'BibTeXing, 4: a name without parts is meant whole; without braces, programs part it',
    isOurs: ({ ours, theirs, sources }) => {
      const isOne = !/\band\b/.test(sources.get('author') ?? ' and ')
      return ours === '' && isOne && /^\p{Lu}[\p{L}]+$/u.test(theirs)
    },
  },
  {
    fields: ['doi'],
    what: 'the DOI of a book is none of its chapters',
    by: 'DOI Handbook, 2.1: a DOI name identifies one entity; it is of the entry that has it',
    isOurs: ({ ours, sources, inherited }) => {
      return ours === '' && !sources.has('doi') && inherited.has('doi')
    },
  },
  {
    fields: ['year'],
    what: 'a year of which a digit is not known is none: we leave it out, and say so',
    by: 'BibTeXing, 2.2: the year consists of four numerals; EDTF, level 1: unspecified digits',
    isOurs: ({ ours, theirs }) => ours === '' && /^\d{2,3}[?xXu_-]{1,2}$/.test(theirs),
  },
  {
    fields: ['container'],
    what: 'a title that an entry inherits keeps its capitals; they put it into lower case',
    by: 'biblatex, B.1: the fields of the parent are copied; a style alone changes their case',
    isOurs: ({ ours, theirs, inherited }) => {
      const titles = ['booktitle', 'title'].map((name) =>
        foldField('container', inherited.get(name) ?? ''),
      )
      return titles.includes(ours) && ours.toLowerCase() === theirs.toLowerCase()
    },
  },
  {
    fields: ['container'],
    what: 'the booktitle of a parent is what its children stand in; they take its title',
    by: 'BibTeXing, 2.1: the booktitle of a book is there for what refers to it',
    isOurs: ({ ours, theirs, sources, inherited }) => {
      const [title, book] = ['title', 'booktitle'].map((name) => {
        return foldField('container', inherited.get(name) ?? '')
      })
      return (
        !sources.has('booktitle') && ours === book && theirs.toLowerCase() === title?.toLowerCase()
      )
    },
  },
  {
    fields: ['container'],
    what: 'the title of what holds a work has its subtitle behind it; they leave it out',
    by: 'biblatex, 2.2.2: a subtitle is one of its title, and printed with it',
    isOurs: ({ ours, theirs, sources, inherited }) => {
      const wholes = [
        withSubtitle(sources, 'booktitle'),
        withSubtitle(sources, 'journaltitle'),
        withSubtitle(inherited, 'title'),
      ]
      return ours.startsWith(`${theirs}: `) && wholes.includes(ours)
    },
  },
  {
    fields: ['families'],
    what: 'Jr. and III are a part of a name by themselves, and not of the family name',
    by: 'BibTeXing, 4: First, von, Last and Jr are the four parts of a name',
    isOurs: ({ ours, theirs }) => {
      return ours === theirs.replace(/,? (?:[JS]r\.?|I{1,3}|IV|\d(?:nd|rd|th))(?=;|$)/g, '')
    },
  },
  {
    fields: ['pages', 'volume', 'issue', 'year'],
    what: 'question marks and dashes are no number: we leave them out, and say so',
    by: 'BibTeXing, 2.2: pages are numbers or ranges of numbers',
    isOurs: ({ ours, theirs }) => ours === '' && !/[\p{L}\p{N}]/u.test(theirs),
  },
]
