import { createHash } from 'node:crypto'

import { call, firstKey, newWork, type Server } from '#test/scenario/_process.ts'

/** What the content server of the tests serves, and its hash. */
export const content = 'Note G computes the numbers of Bernoulli.'
const contentHash = `sha256:${createHash('sha256').update(content).digest('hex')}`

type Made = { readonly ark_identifier: string }

/** Works whose pages differ, by what is special about them. */
export type Works = {
  readonly full: string
  readonly older: string
  readonly plain: string
  readonly crowded: string
  readonly rightToLeft: string
  readonly withdrawn: string
}

const full = {
  work_title: 'Sketch of the Analytical Engine Invented by Charles Babbage, with Notes',
  work_type: 'article',
  authors: 'Menabrea, Luigi Federico; Lovelace, Ada',
  author_details: [
    {
      given: 'Luigi Federico',
      family: 'Menabrea',
      affiliation: 'Università di Torino',
      ror: 'https://ror.org/048tbm396',
    },
    { given: 'Ada', family: 'Lovelace', orcid: '0000-0002-1825-0097' },
  ],
  description: [
    'The Analytical Engine weaves algebraical patterns just as the Jacquard loom weaves flowers ' +
      'and leaves. It has no pretensions whatever to originate anything; it can do whatever we ' +
      'know how to order it to perform.',
    'The notes that follow are those of the translator, who has given them a length and a depth ' +
      'that the paper itself does not have.',
  ].join('\n\n'),
  existing_doi: '10.5555/12345678',
  keywords: 'analytical engine, Bernoulli numbers, computing, C++ & <HTML>',
  language: 'en',
  license: 'CC-BY-4.0',
  published_date: '1843-09',
  publisher_name: 'Richard and John E. Taylor',
  container_title: 'Taylor’s Scientific Memoirs',
  volume: '3',
  pages: '666–731',
  funding: [{ funder: 'Royal Society', award: 'RS-1843' }],
  related_identifiers: [
    { relation: 'IsTranslationOf', identifier: '10.5555/original', scheme: 'DOI' },
    { relation: 'IsCitedBy', identifier: '978-3-16-148410-0', scheme: 'ISBN' },
  ],
  content_hash: contentHash,
}

/** Registers the works; `contentUrl` is where the content of the first one is. */
export async function makeWorks(server: Server, contentUrl: string): Promise<Works> {
  const key = firstKey(server)
  const mint = async (body: object) => {
    const { body: made } = await call<Made>(server, '/v1/works', { key, body })
    if (made.ark_identifier === undefined) throw new Error(JSON.stringify(made))
    return made.ark_identifier
  }
  const write = (path: string, body: object) => call(server, path, { key, body })
  const names = Array.from({ length: 120 }, (_, index) => `Author ${index + 1}`)
  const crowded = {
    ...newWork('A measurement by very many people'.repeat(20)),
    authors: names.join('; '),
  }
  const works = {
    full: await mint({ ...full, work_url: contentUrl }),
    older: await mint(newWork('First thoughts')),
    plain: await mint(newWork('<b>Bold</b> & "quoted" <script>alert(1)</script>')),
    crowded: await mint(crowded),
    rightToLeft: await mint({
      ...newWork('كتاب المختصر في حساب الجبر والمقابلة'),
      authors: 'محمد بن موسى الخوارزمي',
      description: 'ألفت من حساب الجبر والمقابلة كتابا مختصرا.',
      language: 'ar',
    }),
    withdrawn: await mint({ ...newWork('Cold fusion'), description: 'It is not so.' }),
  }
  for (let version = 2; version <= 24; version += 1) {
    const change = { work_title: `Thoughts, revised ${version}`, version_note: 'Corrects table 3.' }
    await write(`/v1/works/${works.older}/versions`, change)
  }
  const reasons = { reason: 'fraud', note: 'The data were made up.', replaced_by: works.full }
  await write(`/v1/works/${works.withdrawn}/withdraw`, reasons)
  return works
}

/** A file of BibTeX with a work, and an entry that is none. */
export const citations = `@article{menabrea, title={Sketch of the Analytical Engine, in French},
  author={Menabrea, Luigi}, year={1842}, journal={Bibliothèque universelle de Genève},
  url={https://press.example/works/3}}
@misc{wrong, note={It has no title}}`
