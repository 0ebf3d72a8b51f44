import type { ExecutionContext, TestFn } from 'ava'

import { indexShapes } from '#src/discovery/search/index_shape.ts'
import { parseQueryText } from '#src/discovery/search/query_text.ts'
import type {
  EnginePage,
  EngineQuery,
  FacetValue,
  IndexBatch,
  IndexTarget,
  SearchDocument,
  SearchEngine,
  SearchPlace,
} from '#src/discovery/search/search_engine.ts'
import { standingWork } from '#test/contracts/_standing_work.ts'

/** Opens one and the same index each time; each opening follows a close. */
export type OpenEngine = () => Promise<SearchEngine>

/** What a work is made of that differs. */
export type Draft = {
  readonly title?: string
  readonly authors?: string
  readonly abstract?: string
  readonly keywords?: string
  readonly type?: string
  readonly status?: 'active' | 'withdrawn'
  readonly year?: number
  readonly orcid?: readonly string[]
  readonly updated?: number
  readonly journal?: FacetValue
  readonly affiliation?: readonly FacetValue[]
}

/** A work that is the `seq`th. */
export function documentOf(seq: number, draft: Draft = {}): SearchDocument {
  const { title = `Work ${seq}`, authors = '', abstract = '', keywords = '', orcid = [] } = draft
  const { type = 'article', status = 'active', year, updated = 0 } = draft
  const named = {
    journal: draft.journal === undefined ? [] : [draft.journal],
    affiliation: draft.affiliation ?? [],
  }
  return {
    id: `12345_k2w${seq}`,
    seq,
    texts: { title, authors, identifiers: '', keywords, venue: '', abstract },
    values: {
      type,
      status,
      fixity_status: 'pending',
      has_doi: 'false',
      sort_title: title.toLowerCase(),
    },
    lists: {
      doi: [],
      orcid,
      ppid: [],
      keyword: [],
      journal: named.journal.map(({ value }) => value),
      affiliation: named.affiliation.map(({ value }) => value),
    },
    named,
    numbers: { published: (year ?? 0) * 10_000, created: seq, updated, ...(year && { year }) },
  }
}

const none = { works: [], people: [], organizations: [] }

/** A batch of works, after which the journal goes on at `position`. */
export function batchOf(
  works: readonly SearchDocument[],
  position = 1,
  removes: readonly string[] = [],
): IndexBatch {
  return {
    puts: { ...none, works },
    works: [],
    removes: { ...none, works: removes },
    position,
    purges: false,
  }
}

/** Writes a batch so that it is seen. */
export async function put(
  engine: SearchEngine,
  batch: IndexBatch,
  target: IndexTarget = 'current',
): Promise<void> {
  await engine.write(batch, target)
  await engine.commit(target)
}

/** A query of what is typed, of which each part can be told. */
export function queryOf(text: string, more: Partial<EngineQuery> = {}): EngineQuery {
  const clauses = parseQueryText(text)
  return { clauses, filters: [], sort: 'relevance', limit: 50, facets: [], ...more }
}

/** The numbers of the works on a page, in its order. */
export function seqsOf({ ids }: EnginePage): number[] {
  return ids.map((id) => Number(id.slice('12345_k2w'.length)))
}

/**
 * The contract of the SearchEngine port: what every adapter does alike. Opening one takes as long
 * as many searches, so that the tests share one and come after one another.
 */
export function testSearchEngine(test: TestFn, open: OpenEngine): void {
  const filled = shareEngine(test, open)
  testWords(test, filled)
  testSpellings(test, filled)
  testChoices(test, filled)
  testFacets(test, filled)
  testRank(test, filled)
  testAnyWord(test, filled)
  testStatus(test, filled)
  testPages(test, filled)
  testWrites(test, filled)
  testHostileTexts(test, filled)
}

/** An engine that holds these works alone, and what they are found by: their numbers, sorted. */
export type Filled = (
  t: ExecutionContext,
  drafts: readonly Draft[],
) => Promise<{
  readonly engine: SearchEngine
  readonly reopen: () => Promise<SearchEngine>
  readonly find: (text: string, more?: Partial<EngineQuery>) => Promise<number[]>
}>

/** An engine that tests share, each of which fills it anew. */
export function shareEngine(test: TestFn, open: OpenEngine): Filled {
  let shared: SearchEngine | undefined
  test.after.always(() => shared?.close())
  return async (t, drafts) => {
    const engine = shared ?? (await open())
    shared = engine
    await engine.reset()
    t.is(await engine.open(), 0)
    await put(engine, batchOf(drafts.map((draft, seq) => documentOf(seq, draft))))
    const find = async (text: string, more: Partial<EngineQuery> = {}) =>
      seqsOf(await engine.search('works', queryOf(text, more))).toSorted((a, b) => a - b)
    const reopen = async () => {
      await engine.close()
      shared = await open()
      return shared
    }
    return { engine, reopen, find }
  }
}

function testWords(test: TestFn, filled: Filled): void {
  test.serial('an empty index finds nothing', async (t) => {
    const { engine, find } = await filled(t, [])
    t.deepEqual(await find('anything'), [])
    t.deepEqual(await find(''), [])
    const page = await engine.search('people', queryOf('anything'))
    t.like(page, { ids: [], total: 0, isExact: true, facetsOf: 0 })
    t.is(page.next, undefined)
  })

  test.serial('all words must occur, the last one may be a beginning', async (t) => {
    const { find } = await filled(t, [
      { title: 'Quantum computing', abstract: 'Of gates' },
      { title: 'Quantum gravity' },
      { title: 'Classical computing' },
    ])
    t.deepEqual(await find('quantum'), [0, 1])
    t.deepEqual(await find('computing quantum'), [0])
    t.deepEqual(await find('quantum comp'), [0])
    t.deepEqual(await find('quantum comp '), [])
    t.deepEqual(await find('gates quantum'), [0])
  })

  test.serial('phrases stand as they are, and a minus leaves out', async (t) => {
    const { find } = await filled(t, [
      { title: 'Neural networks of deep water' },
      { title: 'Networks neural and not' },
      { title: 'Deep neural networks' },
    ])
    t.deepEqual(await find('"neural networks"'), [0, 2])
    t.deepEqual(await find('"neural networks" -water'), [2])
    t.deepEqual(await find('networks -"deep neural"'), [0, 1])
    t.deepEqual(await find('-deep'), [1])
  })
}

function testSpellings(test: TestFn, filled: Filled): void {
  test.serial('case and diacritics make no difference, in any field', async (t) => {
    const { find } = await filled(t, [
      { title: 'Über die Größe' },
      { authors: 'Łukasz Ångström' },
      { abstract: 'naïve façade' },
      { keywords: 'CRÈME BRÛLÉE' },
    ])
    t.deepEqual(await find('uber GROSSE '), [0])
    t.deepEqual(await find('ÜBER'), [0])
    t.deepEqual(await find('lukasz angstrom '), [1])
    t.deepEqual(await find('naive facade '), [2])
    t.deepEqual(await find('crème brulee '), [3])
  })

  test.serial('scripts that part no words are searched by their characters', async (t) => {
    const { find } = await filled(t, [
      { title: '量子力学の基礎' },
      { title: '機械学習とニューラルネットワーク' },
      { title: '深度学习' },
    ])
    t.deepEqual(await find('量子'), [0])
    t.deepEqual(await find('機械学習'), [1])
    t.deepEqual(await find('深度学习'), [2])
    t.deepEqual(await find('"力学"'), [0])
  })

  test.serial('a letter that is wrong is forgiven in longer words', async (t) => {
    const { find } = await filled(t, [
      { title: 'Transformers in biology' },
      { title: 'Ants and cats' },
    ])
    t.deepEqual(await find('biolgy '), [0])
    t.deepEqual(await find('transfromers '), [0])
    t.deepEqual(await find('cots '), [])
    t.deepEqual(await find('"biolgy transformers"'), [])
  })
}

function testChoices(test: TestFn, filled: Filled): void {
  test.serial('filters keep what has a value, is in the range, has the words', async (t) => {
    const orcid = ['0000-0002-1825-0097']
    const { find } = await filled(t, [
      { title: 'Alpha one', type: 'article', year: 2019, orcid },
      { title: 'Alpha two', type: 'book', year: 2021, authors: 'Ada Lovelace' },
      { title: 'Beta three', type: 'dataset', authors: 'Ada Pen' },
    ])
    const any = (field: string, ...values: string[]) => ({ type: 'any_of', field, values }) as const
    t.deepEqual(await find('', { filters: [any('type', 'book', 'dataset')] }), [1, 2])
    t.deepEqual(await find('alpha', { filters: [any('type', 'book')] }), [1])
    t.deepEqual(await find('', { filters: [any('orcid', ...orcid)] }), [0])
    t.deepEqual(await find('alpha', { filters: [any('orcid', ...orcid)] }), [0])
    t.deepEqual(await find('beta', { filters: [any('orcid', ...orcid)] }), [])
    t.deepEqual(await find('-one', { filters: [any('orcid', ...orcid)] }), [])
    const orcids = [...orcid, '0000-0001-5109-3700']
    t.deepEqual(await find('', { filters: [any('orcid', ...orcids), any('type', 'book')] }), [])
    t.deepEqual(await find('-two', { filters: [any('orcid', ...orcids)] }), [0])
    t.deepEqual(await find('', { filters: [any('orcid')] }), [])
    t.deepEqual(await find('-alpha', { filters: [any('type', 'dataset', 'book')] }), [2])
    t.deepEqual(await find('', { filters: [any('id', '12345_k2w2')] }), [2])
    const years = { type: 'range', field: 'year', from: 2019, to: 2020 } as const
    t.deepEqual(await find('', { filters: [years] }), [0])
    t.deepEqual(await find('', { filters: [{ type: 'range', field: 'year', from: 2020 }] }), [1])
    const words = { type: 'words', field: 'authors', text: 'ÁDA' } as const
    t.deepEqual(await find('', { filters: [words] }), [1, 2])
    t.deepEqual(await find('alpha', { filters: [words, any('type', 'book')] }), [1])
  })
}

function testFacets(test: TestFn, filled: Filled): void {
  test.serial('facets count the values of what is found', async (t) => {
    const { engine } = await filled(t, [
      { title: 'Alpha', type: 'article', year: 2019 },
      { title: 'Alpha', type: 'article' },
      { title: 'Alpha', type: 'book', year: 2019 },
      { title: 'Beta', type: 'book' },
    ])
    const page = await engine.search('works', queryOf('alpha', { facets: ['type', 'year'] }))
    t.deepEqual(page.facets, {
      type: [
        { value: 'article', count: 2 },
        { value: 'book', count: 1 },
      ],
      year: [{ value: '2019', count: 2 }],
    })
    t.is(page.facetsOf, 3)
  })

  test.serial('facets count what works name, each value once, with its name', async (t) => {
    const [brown, oslo] = ['https://ror.org/05gq02987', 'https://ror.org/01xtthb56']
    const nature = { value: 'nature', name: 'Nature' }
    const { engine, find } = await filled(t, [
      { title: 'Alpha', journal: nature, affiliation: [{ value: brown, name: 'Brown' }] },
      { title: 'Alpha', journal: { value: 'nature', name: 'NATURE' } },
      { title: 'Alpha', affiliation: [{ value: brown }, { value: oslo, name: 'Oslo' }] },
      { title: 'Beta', journal: nature },
    ])
    const facets = ['journal', 'affiliation']
    const page = await engine.search('works', queryOf('alpha', { facets }))
    t.like(page.facets['journal'], { 0: { value: 'nature', count: 2 }, length: 1 })
    t.regex(page.facets['journal']?.[0]?.name ?? '', /^nature$/i)
    t.deepEqual(page.facets['affiliation'], [
      { value: brown, name: 'Brown', count: 2 },
      { value: oslo, name: 'Oslo', count: 1 },
    ])
    const atBrown = { type: 'any_of', field: 'affiliation', values: [brown] } as const
    t.deepEqual(await find('', { filters: [atBrown] }), [0, 2])
    t.deepEqual(await find('', { filters: [atBrown], isCountedWhole: true, facets }), [0, 2])
  })

  test.serial('facets of a later page are those of the whole search', async (t) => {
    const drafts = Array.from({ length: 7 }, (_, seq) => ({
      title: 'Alpha',
      type: seq < 3 ? 'book' : 'article',
    }))
    const { engine } = await filled(t, drafts)
    for (const [text, sort] of [
      ['alpha', 'relevance'],
      ['', 'newest'],
    ] as const) {
      const asked = queryOf(text, { sort, limit: 3, facets: ['type'] })
      const first = await engine.search('works', asked)
      const after = first.next
      t.truthy(after)
      const second = await engine.search('works', { ...asked, ...(after && { after }) })
      t.is(second.ids.length, 3)
      t.deepEqual(second.facets, first.facets)
      t.is(second.facetsOf, 7)
    }
  })
}

function testRank(test: TestFn, filled: Filled): void {
  test.serial('a title says more than an abstract', async (t) => {
    const { engine } = await filled(t, [
      { title: 'On something', abstract: 'Here entropy is named among much else.' },
      { title: 'Entropy' },
      { title: 'Nothing' },
    ])
    t.deepEqual(seqsOf(await engine.search('works', queryOf('entropy'))), [1, 0])
  })
}

function testAnyWord(test: TestFn, filled: Filled): void {
  test.serial(
    'one of the words is enough if that is asked, and more of them come first',
    async (t) => {
      const { engine } = await filled(t, [
        { title: 'Graphene membranes for desalination', authors: 'Ada Ruiz' },
        { title: 'Desalination by membranes of graphene oxide' },
        { title: 'Membranes of cells' },
        { title: 'Graphene membranes and desalination', status: 'withdrawn' },
        { title: 'A history of looms' },
        { title: 'Looms and membranes' },
      ])
      const filters = [{ type: 'any_of', field: 'status', values: ['active'] }] as const
      const asked = queryOf('graphene membranes desalination "Ada Ruiz" nowhere ', { filters })
      const page = await engine.search('works', { ...asked, isAnyWord: true })
      t.deepEqual(seqsOf(page).slice(0, 2), [0, 1])
      t.false(seqsOf(page).includes(3), 'filters hold')
      t.false(seqsOf(page).includes(4), 'one word at least')
      t.is(page.next, undefined)
      const nowhere = await engine.search('works', { ...queryOf('nowhere '), isAnyWord: true })
      t.deepEqual(nowhere.ids, [])
    },
  )
}

function testStatus(test: TestFn, filled: Filled): void {
  test.serial('withdrawn works are found beside the others, and told apart', async (t) => {
    const { engine, find } = await filled(t, [
      { title: 'Alpha one' },
      { title: 'Alpha two', status: 'withdrawn' },
      { title: 'Beta', status: 'withdrawn' },
    ])
    const only = (value: string) => ({
      filters: [{ type: 'any_of', field: 'status', values: [value] } as const],
    })
    t.deepEqual(await find('alpha'), [0, 1])
    t.deepEqual(await find('alpha', only('active')), [0])
    t.deepEqual(await find('', only('withdrawn')), [1, 2])
    const { facets } = await engine.search('works', queryOf('', { facets: ['status'] }))
    t.deepEqual(facets, {
      status: [
        { value: 'withdrawn', count: 2 },
        { value: 'active', count: 1 },
      ],
    })
    const first = await engine.search('works', queryOf('', { ...only('withdrawn'), limit: 1 }))
    const more = { ...only('withdrawn'), limit: 1, ...(first.next && { after: first.next }) }
    const second = await engine.search('works', queryOf('', more))
    const both = [...seqsOf(first), ...seqsOf(second)]
    t.deepEqual(
      both.toSorted((one, other) => one - other),
      [1, 2],
    )
  })
}

function testPages(test: TestFn, filled: Filled): void {
  test.serial('pages in every order give each hit once', async (t) => {
    const drafts = Array.from({ length: 17 }, (_, seq) => ({
      title: `Alpha, of which there are many, ${'cab'[seq % 3]}`,
      year: 2000 + (seq % 4),
      updated: seq % 5,
      abstract: 'word '.repeat(seq % 3),
    }))
    const { engine } = await filled(t, drafts)
    for (const text of ['', 'alpha', 'alhpa ']) {
      for (const sort of ['relevance', ...Object.keys(indexShapes.works.sorts)]) {
        const pages = await walk(engine, queryOf(text, { sort, limit: 4 }))
        const seqs = pages.flatMap(seqsOf)
        t.is(new Set(seqs).size, drafts.length, `${text} by ${sort}`)
        t.is(seqs.length, drafts.length, `${text} by ${sort}`)
        t.true(pages.every(({ total, isExact }) => total === drafts.length && isExact))
        if (sort === 'newest')
          t.deepEqual(
            seqs,
            seqs.toSorted((a, b) => b - a),
          )
        if (sort === 'title') {
          const titles = seqs.map((seq) => drafts[seq]?.title ?? '')
          t.deepEqual(titles, titles.toSorted())
        }
      }
    }
  })
}

function testWrites(test: TestFn, filled: Filled): void {
  test.serial('a work is put as the document that is made of it', async (t) => {
    const { engine, find } = await filled(t, [{ title: 'Quantum gates' }])
    const work = standingWork(1, { work_title: 'Quantum gravity', authors: 'Ada Ruiz' })
    await put(engine, { ...batchOf([documentOf(2, { title: 'Quantum optics' })]), works: [work] })
    t.deepEqual(await find('quantum'), [0, 1, 2])
    t.deepEqual(await find('ruiz gravity'), [1])
    const ofMoon = { type: 'any_of', field: 'organization', values: ['moon'] } as const
    t.deepEqual(await find('quantum', { filters: [ofMoon] }), [1])
  })

  test.serial('what is put again is replaced, and what is removed is gone', async (t) => {
    const { engine, reopen, find } = await filled(t, [
      { title: 'Alpha', type: 'book' },
      { title: 'Alpha' },
    ])
    await put(engine, batchOf([documentOf(0, { title: 'Beta' })], 7, ['12345_k2w1']))
    t.deepEqual(await find('alpha'), [])
    t.deepEqual(await find('beta'), [0])
    const books = { type: 'any_of', field: 'type', values: ['book'] } as const
    t.deepEqual(await find('', { filters: [books] }), [])
    await put(engine, { ...batchOf([], 8, ['12345_k2w9']), purges: true })
    t.deepEqual(await find(''), [0])
    const again = await reopen()
    t.is(await again.open(), 8)
    t.deepEqual(seqsOf(await again.search('works', queryOf('beta'))), [0])
  })

  test.serial('a new index is made unseen, and then takes the place of the old one', async (t) => {
    const { engine, reopen, find } = await filled(t, [{ title: 'Old' }])
    const write = (title: string, position: number, target: IndexTarget) =>
      put(engine, batchOf([documentOf(0, { title })], position), target)
    await engine.beginNext()
    await write('Abandoned', 3, 'next')
    await engine.beginNext()
    await write('New', 5, 'next')
    t.deepEqual(await find('old'), [0])
    t.deepEqual(await find('new'), [])
    await engine.swap()
    t.deepEqual(await find('old'), [])
    t.deepEqual(await find('new'), [0])
    t.deepEqual(await find('abandoned'), [])
    await write('Newer', 6, 'current')
    t.deepEqual(await find('newer'), [0])
    t.is(await (await reopen()).open(), 6)
  })

  test.serial('an index can be emptied', async (t) => {
    const { engine, reopen, find } = await filled(t, [{ title: 'Alpha' }])
    await engine.reset()
    t.deepEqual(await find('alpha'), [])
    t.is(await (await reopen()).open(), 0)
  })
}

function testHostileTexts(test: TestFn, filled: Filled): void {
  test.serial('nothing that is typed is a command', async (t) => {
    const { find } = await filled(t, [{ title: 'Alpha' }])
    for (const text of hostileTexts) {
      await t.notThrowsAsync(() => find(text), text)
      await t.notThrowsAsync(() => find(`alpha ${text}`), text)
    }
    t.deepEqual(await find('－alpha'), [0], 'a wide minus is no minus')
    const filters = [{ type: 'any_of', field: 'type', values: ['"] OR id EXISTS OR type IN ["'] }]
    t.deepEqual(await find('', { filters: filters as EngineQuery['filters'] }), [])
  })
}

const hostileTexts = [
  '"',
  '""',
  '-',
  '- -',
  '*',
  'a*',
  'title:alpha',
  '{title}: x',
  'NEAR(a b)',
  'a AND OR NOT b',
  "'; DROP TABLE works; --",
  '(((',
  'a" OR "b',
  '^alpha',
  'alpha + beta',
  '\\',
  '\u0000',
  '\ud800',
  '😀',
  'x'.repeat(900),
]

/** All pages of a query, a hundred at most. */
export async function walk(engine: SearchEngine, query: EngineQuery): Promise<EnginePage[]> {
  const pages: EnginePage[] = []
  let after: SearchPlace | undefined
  do {
    const page = await engine.search('works', { ...query, ...(after && { after }) })
    pages.push(page)
    after = page.next
  } while (after !== undefined && pages.length < 100)
  return pages
}
