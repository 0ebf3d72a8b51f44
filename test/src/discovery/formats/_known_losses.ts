/** A field of a work that came back as another. */
export type Difference = { readonly field: string; readonly ours: string; readonly theirs: string }

/** A loss that is no fault of what we write; `by` whom, and in a few words `why`. */
type KnownLoss = {
  readonly reader: RegExp
  readonly format: RegExp
  readonly field: RegExp
  readonly when?: (difference: Difference) => boolean
  readonly by: 'format' | 'reader'
  readonly why: string
}

const isLost = ({ theirs }: Difference) => theirs === ''

/** All that readers are known to lose. */
export const known: readonly KnownLoss[] = [
  {
    reader: /^(?:pandoc|@citation-js\/core)$/,
    format: /^bib(?:la)?tex$/,
    field: /^language$/,
    by: 'reader',
    why: 'the language, which it has from `langid`',
  },
  {
    reader: /^pandoc$/,
    format: /^bibtex$/,
    field: /^title$/,
    when: ({ ours }) => /[{}<>³]/.test(ours),
    by: 'reader',
    why: 'braces in titles, written as commands; raised digits become plain ones',
  },
  {
    reader: /^(?:pandoc|bib2xml)$/,
    format: /^bibtex$/,
    field: /^(?:container|volume|issue|pages|publisher)$/,
    when: isLost,
    by: 'reader',
    why: 'where works stand whose type has no such field',
  },
  {
    reader: /^(?:pandoc|@retorquere\/bibtex-parser|biblatex-csl-converter)$/,
    format: /^bib(?:la)?tex$/,
    field: /^container$/,
    when: ({ ours, theirs }) => ours.toLowerCase() === theirs.toLowerCase(),
    by: 'reader',
    why: 'capitals of series and books',
  },
  {
    reader: /^biblatex-csl-converter$/,
    format: /^bib(?:la)?tex$/,
    field: /^volume$/,
    by: 'reader',
    why: 'the volume of reports and data beside a number: it has the number alone',
  },
  {
    reader: /^pandoc$/,
    format: /^csl-list$/,
    field: /^title$/,
    when: ({ ours }) => ours.includes('³'),
    by: 'reader',
    why: 'raised digits, which become plain ones',
  },
  {
    reader: /^pandoc$/,
    format: /./,
    field: /^authors$/,
    when: ({ ours, theirs }) => ours === theirs.replaceAll("' ", "'"),
    by: 'reader',
    why: 'the apostrophe of `d’Orsi`, after which it sets a space',
  },
  {
    reader: /^(?:bib2xml|ris2xml)$/,
    format: /./,
    field: /^title$/,
    when: ({ ours }) => /[{}\\<>³?]/.test(ours),
    by: 'reader',
    why: 'signs of titles written as commands',
  },
  {
    reader: /./,
    format: /^ris$/,
    field: /^pages$/,
    when: isLost,
    by: 'format',
    why: 'pages of proceedings, with which they would be a paper',
  },
  {
    reader: /^ris2xml$/,
    format: /^ris$/,
    field: /^container$/,
    when: isLost,
    by: 'reader',
    why: 'where works stand whose type has no such field',
  },
  {
    reader: /^datacite$/,
    format: /^datacite-json$/,
    field: /^error$/,
    when: ({ theirs }) => /^'(?:Award|Poster|Presentation|Project)' is not one of/.test(theirs),
    by: 'reader',
    why: 'types of DataCite 4.6 and 4.7: its schemas end at 4.5',
  },
  {
    reader: /^commonmeta-py$/,
    format: /^csl$/,
    field: /^license$/,
    by: 'format',
    why: 'the licence',
  },
  {
    reader: /^commonmeta-py$/,
    format: /./,
    field: /^license$/,
    when: ({ ours, theirs }) => theirs === '' || `${theirs}/`.startsWith(ours),
    by: 'reader',
    why: 'licences that are none of Creative Commons; of those it has the legal code',
  },
  {
    reader: /^commonmeta-py$/,
    format: /./,
    field: /^(?:pages|container|volume|issue)$/,
    when: isLost,
    by: 'reader',
    why: 'where works stand, in part',
  },
  {
    reader: /^commonmeta-py$/,
    format: /./,
    field: /^authors$/,
    when: ({ ours }) => ours.includes('Global Moss Office'),
    by: 'reader',
    why: 'groups: it parts some of their names',
  },
  {
    reader: /^ris2xml$/,
    format: /^ris$/,
    field: /^authors$/,
    when: ({ ours, theirs }) => theirs.replaceAll(',,', ',') === ours,
    by: 'reader',
    why: 'what follows a name, such as `Jr.`: it sets a second comma before it',
  },
  {
    reader: /^ris2xml$/,
    format: /^ris$/,
    field: /^authors$/,
    when: ({ ours }) => /Moss Office|Health Organization/.test(ours),
    by: 'reader',
    why: 'groups: it turns their names round, with a comma at their end, too',
  },
  {
    reader: /^(?:commonmeta-py|@citation-js\/core)$/,
    format: /^(?:csl|datacite-json|datacite-xml|ris)$/,
    field: /^authors$/,
    when: ({ ours, theirs }) => ours.replaceAll(', Jr.', '') === theirs,
    by: 'reader',
    why: 'what follows a name, such as `Jr.`',
  },
  {
    reader: /^commonmeta-py$/,
    format: /^datacite-json$/,
    field: /^error$/,
    when: ({ theirs }) => theirs.includes("no attribute 'contributors'"),
    by: 'reader',
    why: 'works without a DOI',
  },
  {
    reader: /^jbibtex$/,
    format: /^bibtex$/,
    field: /^error$/,
    when: ({ theirs }) => theirs.startsWith('org.jbibtex.TokenMgrException: Lexical error'),
    by: 'reader',
    why: 'entries with letters beyond Latin ones in a text: its LaTeX has none',
  },
  {
    reader: /^jbibtex$/,
    format: /^bibtex$/,
    field: /^error$/,
    when: ({ theirs }) => theirs.includes('Encountered unexpected token: "$"'),
    by: 'reader',
    why: 'entries with a formula: its LaTeX has none',
  },
  {
    reader: /^rdflib$/,
    format: /^(?:jsonld|turtle)$/,
    field: /^pages$/,
    when: isLost,
    by: 'format',
    why: 'pages of types that have none in schema.org',
  },
]
