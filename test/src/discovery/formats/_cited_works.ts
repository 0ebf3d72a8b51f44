// Works of every kind, with what makes references hard: made up, and the same on every run.

import { workTypes, type WorkType } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

type Details = Omit<Metadata, 'work_type'>

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    return `F${String.fromCharCode(97 + index)}mson, Ada ${String.fromCharCode(65 + index)}.`
  }).join('; ')

const doi = { existing_doi: '10.1000/moss.1' }
const container = { container_title: 'Journal of Moss and Fern' }

/** What twenty works say of themselves, whatever kind they are of. */
const details: readonly Details[] = [
  {
    work_title: 'On the price of moss: a study',
    authors: 'Roe, Jane;',
    published_date: '2014-06-03',
    language: 'en',
    ...container,
    volume: '12',
    issue: '3',
    pages: '100-115',
    ...doi,
  },
  { work_title: 'Daily temperatures of moss', authors: 'Jane Roe', publisher_name: 'Moss Centre' },
  {
    work_title: 'What is moss?',
    authors: 'Roe, Jane Mary; Doe, Jean-Paul',
    published_date: '2020-05',
    ...container,
    volume: '7',
    pages: '1098-1102',
  },
  {
    work_title: 'A history of the "quiet" garden',
    authors: 'Roe, J. M.; Doe, John; Alpha, Ann',
    published_date: '1999',
    language: 'en-GB',
    publisher_name: 'Moss Press',
    ...container,
    issue: '4',
  },
  {
    work_title: 'Die Grundlagen der Mooskunde: Ein Lehrbuch',
    authors: 'Müller, Jürgen; Weiß, Änne',
    published_date: '1987-12-31',
    language: 'de',
    publisher_name: 'Moosverlag',
    container_title: 'Zeitschrift für Moos',
    volume: '101',
    issue: '1-2',
    pages: '107-108',
  },
  {
    work_title: 'Les mousses de la Bretagne et du Massif central',
    authors: 'de la Tour, Anne; d’Arc, Jeanne',
    published_date: '2001-02',
    language: 'fr',
    ...doi,
  },
  {
    work_title: 'Counting moss with CNN-based layout-aware self-attention',
    authors: many(4),
    published_date: '2024-09-01',
    container_title: 'Proceedings of the 3rd workshop on moss',
    pages: '71-72',
    publisher_name: 'Example Press',
    language: 'en',
  },
  {
    work_title: 'Moss of the world',
    authors: many(7),
    published_date: '2003',
    ...container,
    ...doi,
  },
  {
    work_title: 'Fern, moss and lichen in the long run',
    authors: many(11),
    published_date: '2011-07',
    language: 'en',
    volume: '3',
    pages: 'e1234',
  },
  {
    work_title: 'Atlas of ferns!',
    authors: many(22),
    published_date: '2018-01-09',
    ...container,
    volume: '55',
    issue: '10',
    pages: '321-328',
  },
  {
    work_title: 'Global moss report 2020',
    authors: 'Global Moss Office',
    published_date: '2020',
    publisher_name: 'Global Moss Office',
    container_title: 'Reports on Moss',
    issue: '12',
  },
  {
    work_title: 'Static regret of order $O(\\sqrt{T})$ in $\\mathcal{M}^4$',
    authors: 'Alpha, Ann; ATLAS Collaboration',
    published_date: '2022-11-30',
    container_title: 'Journal of Examples',
    volume: '9',
    pages: '12',
  },
  {
    work_title: 'Rates of p < 0.05 & 3 > 2 at 10 °C',
    authors: 'King, Martin Luther, Jr.; Abernathy, Ralph, III',
    published_date: '1963-08-28',
    language: 'en',
    ...container,
    volume: '2',
    issue: '1',
    pages: '99-104',
  },
  {
    work_title: 'the moss that was: “what now?”',
    authors: 'van der Berg, Jan; von Helmholtz, Hermann',
    published_date: '1876-10',
    ...container,
    volume: 'XII',
    pages: 'xi-xiv',
    ...doi,
  },
  {
    work_title: 'O musgo do Brasil',
    authors: 'Silva, João Carlos;',
    published_date: '2016-03-07',
    language: 'pt',
    publisher_name: 'Editora Musgo',
    container_title: 'Revista do Musgo',
    volume: '4',
    issue: '2',
    pages: '1003-1008',
  },
  {
    work_title: '苔の歴史',
    authors: '山田, 太郎; 鈴木, 花子',
    published_date: '2019-04-01',
    language: 'ja',
    container_title: '苔学研究',
    volume: '8',
    pages: '22-29',
  },
  {
    work_title: 'История мха',
    authors: 'Иванов, Иван Петрович;',
    published_date: '2010',
    language: 'ru',
    publisher_name: 'Издательство Мох',
    ...doi,
  },
  {
    work_title: 'Iron in moss – and in the iPhone of an RNA-world',
    authors: 'O’Neil, Seung-hyun; Doe-Smith, A.',
    published_date: '2009-05-17',
    language: 'en',
    ...container,
    volume: '31',
    issue: '5',
    pages: '200-215',
    ...doi,
  },
  {
    work_title: 'Moss, again.',
    authors: 'Teller',
    published_date: '2021-12',
    language: 'en',
    ...container,
    volume: '6',
    issue: 'Suppl. 2',
    pages: 'S12-S15',
  },
  {
    work_title: 'Supplement to “Moss, again”',
    authors: 'Roe, Jane; Doe, John',
    published_date: '2022-01-02',
    container_title: 'Moss Data',
    volume: '101',
    pages: '101-108, 120',
    publisher_name: 'Moss Data Centre',
    ...doi,
  },
]

/** A work, by its kind and its place among the twenty of it. */
export type CitedWork = { readonly name: string; readonly work: DescribedWork }

/** Twenty works of each kind. */
export const citedWorks: readonly CitedWork[] = Object.keys(workTypes).flatMap((kind) =>
  details.map((each, index) => {
    const work = describedWork({ ...each, work_type: kind as WorkType })
    return { name: `${kind} ${index + 1}`, work }
  }),
)
