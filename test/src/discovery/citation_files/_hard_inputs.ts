type Hard = { readonly name: string; readonly make: (size: number) => string }

const depth = (open: string, middle: string, close: string) => (size: number) =>
  open.repeat(size) + middle + close.repeat(size)

const entry = (field: string) => `@misc{k, title={T}, author={A B}, ${field}}`
const bibtexOf = (make: (size: number) => string) => (size: number) => entry(make(size))
const risOf = (make: (size: number) => string) => (size: number) =>
  `TY  - JOUR\nTI  - T\nAU  - Roe, Jane\n${make(size)}\nER  - \n`
const cslOf = (make: (size: number) => unknown) => (size: number) =>
  JSON.stringify([{ type: 'book', title: 'T', author: [{ family: 'Roe' }], ...Object(make(size)) }])
const dataciteOf = (make: (size: number) => string) => (size: number) =>
  '<resource xmlns="http://datacite.org/schema/kernel-4"><titles><title>T</title></titles>' +
  `${make(size)}</resource>`
const jatsOf = (make: (size: number) => string) => (size: number) =>
  `<article><front><article-meta>${make(size)}</article-meta></front></article>`
const csvOf = (make: (size: number) => string) => (size: number) =>
  `title,type,authors\n${make(size)}\n`
const many = (text: string) => (size: number) => text.repeat(size)

/** An array in an array in an array …, as JSON, which no writer of JSON can make so deep. */
const deepJson = (size: number) => depth('{"message":[', '{"title":"T"}', ']}')(size)

/** Inputs that have made readers of these formats fail or wait, each of any size. */
export const hardInputs: readonly Hard[] = [
  { name: 'braces in braces', make: bibtexOf((n) => `note={${depth('{', 'x', '}')(n)}}`) },
  { name: 'braces in a title', make: (n) => `@misc{k, title={${depth('{', 'x', '}')(n)}}}` },
  { name: 'braces in names', make: (n) => `@misc{k, author={${depth('{', 'x', '}')(n)}}}` },
  { name: 'braces that are never closed', make: bibtexOf((n) => `note={${'{'.repeat(n)}`) },
  { name: 'braces that were never opened', make: bibtexOf((n) => `note={x}${'}'.repeat(n)}`) },
  {
    name: 'commands in commands',
    make: (n) => `@misc{k, title={${depth('\\emph{', 'x', '}')(n)}}}`,
  },
  { name: 'accents on accents', make: (n) => `@misc{k, title={${many("\\'")(n)}a}}` },
  {
    name: 'superscripts in superscripts',
    make: (n) => `@misc{k, title={$${depth('x^{', 'y', '}')(n)}$}}`,
  },
  { name: 'dollars', make: (n) => `@misc{k, title={${'$'.repeat(n)}}}` },
  { name: 'backslashes', make: (n) => `@misc{k, title={${'\\'.repeat(n)}}}` },
  { name: 'environments', make: (n) => `@misc{k, abstract={${many('\\begin{x}')(n)}}}` },
  { name: 'macros of macros', make: (n) => macros(n) },
  {
    name: 'a macro of itself',
    make: (n) => `@string{a = a # a}\n${many('@misc{k, title=a # a}\n')(n)}`,
  },
  { name: 'macros that double', make: (n) => doubling(n) },
  { name: 'joined texts', make: bibtexOf((n) => `note = ${many('"a" # ')(n)} "b"`) },
  { name: 'entries without an end', make: many('@misc{k, title={T},\n') },
  { name: 'at signs', make: many('@') },
  { name: 'at signs with a brace', make: many('@a{') },
  { name: 'comments', make: many('@comment{x') },
  { name: 'a chain of crossrefs', make: (n) => crossrefs(n, n) },
  { name: 'a circle of crossrefs', make: (n) => crossrefs(n, 0) },
  { name: 'fields', make: bibtexOf((n) => many('x={y},')(n)) },
  {
    name: 'authors in BibTeX',
    make: (n) => `@misc{k, title={T}, author={${many('A B and ')(n)}C D}}`,
  },
  { name: 'commas in a name', make: (n) => `@misc{k, author={${','.repeat(n)}}}` },
  { name: 'ands', make: (n) => `@misc{k, author={${many('and ')(n)}}}` },
  { name: 'one line of BibTeX', make: (n) => `@misc{k, title={T}, abstract={${'a '.repeat(n)}}}` },
  { name: 'a word without an end', make: (n) => `@misc{k, title={${'a'.repeat(n)}}}` },
  {
    name: 'spaces',
    make: (n) => `@misc{k, title={a${' '.repeat(n)}b}, pages={1${' '.repeat(n)}2}}`,
  },
  {
    name: 'dashes',
    make: (n) => `@misc{k, title={T}, pages={1${'-'.repeat(n)}2}, year={1${'-'.repeat(n)}}}`,
  },
  { name: 'NULs in BibTeX', make: bibtexOf((n) => `note={${'\0'.repeat(n)}}`) },
  { name: 'lone carriage returns', make: bibtexOf((n) => many('x={y},\r')(n)) },
  { name: 'byte order marks', make: (n) => `${'\uFEFF'.repeat(n)}@misc{k, title={T}}` },
  {
    name: 'letters read in another encoding',
    make: bibtexOf((n) => `title={${'\u00c3\u00a9\u0080\ufffd'.repeat(n)}}`),
  },
  { name: 'halves of letters', make: (n) => `@misc{k, title={${'\uD83D'.repeat(n)}}}` },
  { name: 'combining marks', make: (n) => `@misc{k, title={a${'\u0301'.repeat(n)}}}` },
  { name: 'bidirectional marks', make: (n) => `@misc{k, title={${'\u202E'.repeat(n)}T}}` },
  { name: 'addresses', make: bibtexOf((n) => `url={${many('http://')(n)}}`) },
  { name: 'a DOI of slashes', make: bibtexOf((n) => `doi={10.1000/${'/'.repeat(n)}}`) },
  { name: 'authors in RIS', make: risOf(many('AU  - Roe, Jane\n')) },
  { name: 'no records in RIS', make: many('TY  - JOUR\n') },
  { name: 'ends in RIS', make: many('ER  - \n') },
  { name: 'one line of RIS', make: risOf((n) => `AB  - ${'a '.repeat(n)}`) },
  { name: 'lines that go on', make: risOf((n) => `AB  - a\n${many('b\n')(n)}`) },
  { name: 'NULs in RIS', make: risOf((n) => `AB  - ${'\0'.repeat(n)}`) },
  { name: 'tags without a text', make: risOf(many('KW  - \n')) },
  { name: 'a date of slashes', make: risOf((n) => `PY  - ${'/'.repeat(n)}`) },
  { name: 'pages of dashes', make: risOf((n) => `SP  - ${'1-'.repeat(n)}`) },
  { name: 'JSON in JSON', make: deepJson },
  { name: 'lists in lists', make: depth('[', '', ']') },
  { name: 'lists without an end', make: many('[') },
  {
    name: 'objects in a member',
    make: (n) => `[{"title":"T","author":${depth('[', '1', ']')(n)}}]`,
  },
  { name: 'objects in a title', make: (n) => `[{"titles":${depth('{"title":', '"T"', '}')(n)}}]` },
  {
    name: 'authors in CSL',
    make: cslOf((n) => ({ author: Array.from({ length: n }, () => ({ family: 'Roe' })) })),
  },
  {
    name: 'members of CSL',
    make: cslOf((n) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`m${at}`, 1]))),
  },
  { name: 'markup in a title', make: cslOf((n) => ({ title: depth('<i>', 'x', '</i>')(n) })) },
  { name: 'tags that are not closed', make: cslOf((n) => ({ abstract: many('<jats:p>')(n) })) },
  { name: 'angle brackets', make: cslOf((n) => ({ title: '<'.repeat(n) })) },
  { name: 'ampersands', make: cslOf((n) => ({ title: many('&amp;')(n) + '&'.repeat(n) })) },
  { name: 'a graph of itself', make: (n) => graph(n) },
  {
    name: 'things in things',
    make: (n) => `{"@type":"Book","name":"T","isPartOf":${depth('{"isPartOf":', '{}', '}')(n)}}`,
  },
  { name: 'elements in elements', make: dataciteOf(depth('<a>', 'x', '</a>')) },
  { name: 'titles in titles', make: dataciteOf(depth('<title>', 'x', '</title>')) },
  { name: 'elements without an end', make: many('<a>') },
  {
    name: 'attributes',
    make: dataciteOf((n) => `<a ${Array.from({ length: n }, (_, at) => `b${at}="x"`).join(' ')}/>`),
  },
  { name: 'an attribute without an end', make: dataciteOf((n) => `<a b="${'x'.repeat(n)}`) },
  {
    name: 'entities',
    make: (n) => `<!DOCTYPE r [${many('<!ENTITY a "&a;&a;">')(n)}]><resource>&a;</resource>`,
  },
  { name: 'a comment without an end', make: dataciteOf((n) => `<!--${'-'.repeat(n)}`) },
  { name: 'raw text without an end', make: dataciteOf((n) => `<![CDATA[${']]'.repeat(n)}`) },
  { name: 'namespaces', make: dataciteOf(many('<x:a xmlns:x="y"/>')) },
  {
    name: 'creators',
    make: dataciteOf(
      (n) =>
        `<creators>${many('<creator><creatorName>Roe, J</creatorName></creator>')(n)}</creators>`,
    ),
  },
  {
    name: 'face markup in JATS',
    make: jatsOf((n) => `<abstract><p>${depth('<sub>', 'x', '</sub>')(n)}</p></abstract>`),
  },
  {
    name: 'formulas in JATS',
    make: jatsOf(
      (n) => `<abstract><p>${depth('<mml:mrow>', 'x', '</mml:mrow>')(n)}</p></abstract>`,
    ),
  },
  { name: 'NULs in XML', make: dataciteOf((n) => '\0'.repeat(n)) },
  { name: 'cells', make: csvOf(many(',')) },
  { name: 'quotation marks', make: csvOf(many('"')) },
  { name: 'quoted lines', make: csvOf((n) => `"${many('a\n')(n)}`) },
  { name: 'columns', make: (n) => `title,type,authors${many(',x')(n)}\nT,book,A B\n` },
  { name: 'empty rows', make: csvOf(many('\n')) },
  { name: 'a row of NULs', make: csvOf((n) => `${'\0'.repeat(n)},book,A`) },
  { name: 'apostrophes', make: csvOf((n) => `${"'".repeat(n)}=1,book,A`) },
]

function macros(size: number): string {
  const defined = Array.from({ length: size }, (_, at) => `@string{m${at + 1} = m${at}}`)
  return `@string{m0 = "x"}\n${defined.join('\n')}\n@misc{k, title=m${size}}`
}

function doubling(size: number): string {
  const count = Math.min(size, 60)
  const defined = Array.from({ length: count }, (_, at) => `@string{m${at + 1} = m${at} # m${at}}`)
  return `@string{m0 = "x"}\n${defined.join('\n')}\n@misc{k, title=m${count}}`
}

function crossrefs(size: number, last: number): string {
  return Array.from({ length: size }, (_, at) => {
    const next = at + 1 < size ? at + 1 : last
    return `@misc{k${at}, crossref={k${next}}, xdata={k${next}}, title={T}}`
  }).join('\n')
}

function graph(size: number): string {
  const nodes = Array.from({ length: size }, (_, at) => ({
    '@id': `#${at}`,
    '@type': 'Book',
    name: 'T',
    isPartOf: [{ '@id': `#${(at + 1) % size}` }, { '@id': `#${(at + 2) % size}` }],
    citation: [{ '@id': `#${(at + 3) % size}` }],
  }))
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes })
}
