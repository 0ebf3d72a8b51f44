// Works of kinds at which readers of formats have failed: in their names, their titles, their
// numbers, their types.

import { workTypeNames } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'

const names: readonly Pick<Metadata, 'authors' | 'author_details'>[] = [
  {
    authors: 'Roe, Jane; Doe, Ann',
    author_details: [
      { given: 'Jane', family: 'Roe', orcid: '0000-0002-1825-0097' },
      { given: 'Ann', family: 'Doe' },
    ],
  },
  {
    authors: 'Bank, Ada B.; Roe, Jane',
    author_details: [
      { given: 'Ada B.', family: 'Bank' },
      { given: 'Jane', family: 'Roe' },
    ],
  },
  {
    authors: 'Wayan; Roe, Jane',
    author_details: [{ family: 'Wayan' }, { given: 'Jane', family: 'Roe' }],
  },
  { authors: 'Łukasiewicz, Żak; O’Neil, Zoë' },
  { authors: 'van der Berg, Ada; d’Orsi, Tommaso' },
  { authors: 'Global Moss Office; Roe, Jane' },
  { authors: 'World Health Organization;' },
  { authors: '山田, 太郎; Roe, Jane' },
  { authors: 'King, Martin Luther, Jr.; Roe, Jane' },
]

const titles = [
  'Plain title of examples',
  'On DNA & RNA: 50 % of {braces}',
  'Of α-decay and m³ in München',
  'Underscores a_b, hashes #1 and $5',
  'What is truth?',
  'A title <with> signs & "quotes"',
  'Заглавие на русском',
  '日本語の題名',
]

const dois = [
  '10.1000/plain.1',
  '10.1000/(sici)1097(199806)49:8<693::aid-x4>3.0.co;2-o',
  '10.1000/with_underscore',
  '10.1000/a,b;c',
]

const licenses = ['CC-BY-4.0', 'CC0-1.0', 'MIT', 'CC-BY-NC-ND-3.0', 'https://press.example/terms']

const pages = ['108–248', 'pp. 3-7', '123‐130', '123−130', '12', 'e1001']

const keywords = [
  'thermodynamics; chemical potential',
  'Diabetes Mellitus, Type 2; Models, Biological',
]

const languages = ['en', 'de', 'ja', 'pt-BR']

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

/** So many works, each with an address of its own; the same ones at every call. */
export function hardWorks(count: number): readonly Metadata[] {
  return Array.from({ length: count }, (_, n): Metadata => {
    const inDoi = n % 3 === 0 ? {} : { existing_doi: `${at(dois, n)}${n}` }
    return {
      work_title: `${at(titles, n)} ${n}`,
      work_type: at(workTypeNames, n),
      ...at(names, Math.floor(n / 2)),
      work_url: `https://example.org/${n}`,
      ...inDoi,
      keywords: at(keywords, n),
      language: at(languages, n),
      license: at(licenses, n),
      published_date: at(['1998', '1998-06', '2020-05-06'], n),
      publisher_name: 'Example Press',
      container_title: at(['Journal of Examples', 'Lecture Notes in Examples & Others'], n),
      ...(n % 4 !== 0 && { volume: String(n), issue: '2' }),
      pages: at(pages, n),
      description: 'What it is about.',
    }
  })
}
