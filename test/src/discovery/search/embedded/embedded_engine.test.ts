import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type ExecutionContext } from 'ava'

import { nameBreak } from '#src/discovery/search/documents.ts'
import { EmbeddedEngine } from '#src/discovery/search/embedded/embedded_engine.ts'
import { IndexFile, openReader } from '#src/discovery/search/embedded/index_file.ts'
import {
  batchOf,
  documentOf,
  put,
  queryOf,
  testSearchEngine,
  walk,
} from '#test/contracts/search_engine.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const shared = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
test.after.always(() => rm(shared, { recursive: true }))

testSearchEngine(
  test,
  async () => new EmbeddedEngine({ dir: shared, journal: 'x', queryMsMax: 60_000 }),
)

async function filledFile(t: Parameters<typeof makeTempDir>[0]) {
  const dir = await makeTempDir(t)
  const engine = new EmbeddedEngine({ dir, journal: 'registry.example/log', queryMsMax: 60_000 })
  await put(engine, batchOf([documentOf(0, { title: 'Unforgettable' })], 4))
  await engine.close()
  const open = (journal = 'registry.example/log') => {
    const again = new EmbeddedEngine({ dir, journal, queryMsMax: 60_000 })
    t.teardown(() => again.close())
    return again
  }
  return { file: path.join(dir, 'index.db'), open }
}

test.serial('an index of another schema or another journal is made anew', async (t) => {
  const { file, open } = await filledFile(t)
  t.is(await open().open(), 4)
  t.is(await open('other.example/log').open(), 0)
  const changed = await filledFile(t)
  const db = new DatabaseSync(changed.file)
  db.exec('PRAGMA user_version = 99')
  db.close()
  t.is(await changed.open().open(), 0)
  t.truthy(file)
})

test.serial('an index that is no database any more is made anew', async (t) => {
  const { file, open } = await filledFile(t)
  await writeFile(file, 'not a database, and long enough to be read as one'.repeat(100))
  const engine = open()
  t.is(await engine.open(), 0)
  t.deepEqual((await engine.search('works', queryOf('unforgettable'))).ids, [])
})

test.serial('an index that is damaged while it is used says so, and can be emptied', async (t) => {
  const { file, open } = await filledFile(t)
  const engine = open()
  await engine.open()
  const damaged = Buffer.alloc((await readFile(file)).length, 0xa5)
  await writeFile(file, damaged)
  await t.throwsAsync(() => engine.search('works', queryOf('unforgettable')), {
    code: 'search_index_damaged',
    message: /^the index cannot be used: /,
  })
  await engine.reset()
  t.is(await engine.open(), 0)
  t.deepEqual((await engine.search('works', queryOf('unforgettable'))).ids, [])
})

test.serial('what is removed to be gone is not in the file any more', async (t) => {
  const { file, open } = await filledFile(t)
  t.true((await readFile(file)).includes('unforgettable'))
  const engine = open()
  await put(engine, { ...batchOf([], 5, ['12345_k2w0']), purges: true })
  await engine.close()
  t.false((await readFile(file)).includes('unforgettable'))
})

test.serial(
  'a purge that a search holds up is not said to be done, and is made again',
  async (t) => {
    const { file } = await filledFile(t)
    const index = IndexFile.open(file, 'registry.example/log', 1)
    const reader = openReader(file)
    reader.exec('BEGIN; SELECT count(*) FROM works')
    const batch = { ...batchOf([], 5, ['12345_k2w0']), purges: true }
    const before = index.position()
    t.throws(() => index.write(batch), { code: 'search_unavailable' })
    t.is(index.position(), before)
    reader.close()
    index.write(batch)
    t.is(index.position(), 5)
    for (const end of ['', '-wal']) t.false((await readFile(file + end)).includes('unforgettable'))
    index.close()
  },
)

test.serial('facets that no record has any more are not in the file after a purge', async (t) => {
  const { file, open } = await filledFile(t)
  const engine = open()
  await engine.open()
  const facets = { facets: ['type'] }
  await put(engine, batchOf([documentOf(1, { type: 'shortlived' })], 5))
  const [counted] = (await engine.search('works', queryOf('', facets))).facets['type'] ?? []
  t.deepEqual(counted, { value: 'article', count: 1 })
  // Its numbers are given anew to what is written after the purge, and readers have seen the old.
  await put(engine, { ...batchOf([], 6, ['12345_k2w1']), purges: true })
  await put(engine, batchOf([documentOf(2, { type: 'other' })], 7))
  t.deepEqual((await engine.search('works', queryOf('', facets))).facets['type'], [
    { value: 'article', count: 1 },
    { value: 'other', count: 1 },
  ])
  await engine.close()
  t.false((await readFile(file)).includes('shortlived'))
})

test.serial(
  'what only a removed work called a value is not in the file after a purge',
  async (t) => {
    const { file, open } = await filledFile(t)
    const engine = open()
    await engine.open()
    const called = (name: string) => ({ journal: { value: 'acta', name } })
    await put(engine, batchOf([documentOf(1, called('Shortlived Acta')), documentOf(2)], 5))
    await put(engine, batchOf([documentOf(2, called('ACTA'))], 6))
    await put(engine, { ...batchOf([], 7, ['12345_k2w1']), purges: true })
    await put(engine, batchOf([documentOf(3, called('Acta'))], 8))
    const { facets } = await engine.search('works', queryOf('', { facets: ['journal'] }))
    t.deepEqual(facets['journal'], [{ value: 'acta', name: 'Acta', count: 2 }])
    await engine.close()
    t.false((await readFile(file)).includes('Shortlived'))
  },
)

test.serial(
  'facets of a batch that is taken back are found when it is written again',
  async (t) => {
    const { file, open } = await filledFile(t)
    const index = IndexFile.open(file, 'registry.example/log')
    const batch = batchOf([documentOf(1, { type: 'book' })], 5)
    index.write(batch)
    index.rollback()
    index.write(batch)
    index.close()
    const engine = open()
    await engine.open()
    const { facets } = await engine.search('works', queryOf('', { facets: ['type'] }))
    t.deepEqual(facets['type'], [
      { value: 'article', count: 1 },
      { value: 'book', count: 1 },
    ])
  },
)

test.serial('more hits than can be ranked are given newest first', async (t) => {
  const engine = new EmbeddedEngine({ dir: await makeTempDir(t), journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  const works = Array.from({ length: 10_050 }, (_, seq) => documentOf(seq, { title: 'Common' }))
  await put(engine, batchOf(works))
  const page = await engine.search('works', queryOf('common', { limit: 3, facets: ['type'] }))
  t.like(page, { sort: 'newest', total: 10_050, isExact: true, facetsOf: 10_000 })
  const whole = { limit: 3, facets: ['type'], isCountedWhole: true }
  const all = await engine.search('works', queryOf('common', whole))
  t.is(all.facetsOf, 10_050)
  t.deepEqual(all.facets['type'], [{ value: 'article', count: 10_050 }])
  t.deepEqual(page.ids, ['12345_k2w10049', '12345_k2w10048', '12345_k2w10047'])
})

test.serial(
  'what filters leave comes in every order, be it much of the index or little',
  async (t) => {
    const engine = new EmbeddedEngine({
      dir: await makeTempDir(t),
      journal: 'x',
      queryMsMax: 60_000,
    })
    t.teardown(() => engine.close())
    const works = Array.from({ length: 300 }, (_, seq) => {
      const type = seq % 3 === 0 ? 'article' : seq % 100 === 1 ? 'dataset' : 'book'
      return documentOf(seq, {
        title: `Title ${(seq * 7) % 50}`,
        type,
        year: 1900 + ((seq * 11) % 40),
      })
    })
    await put(engine, batchOf(works))
    for (const type of ['book', 'dataset']) {
      const found = works.filter(({ values }) => values['type'] === type)
      const byTitle = found.toSorted(
        (a, b) =>
          String(a.values['sort_title']).localeCompare(String(b.values['sort_title']), 'en') ||
          a.seq - b.seq,
      )
      const byDate = found.toSorted(
        (a, b) => Number(b.numbers['published']) - Number(a.numbers['published']) || b.seq - a.seq,
      )
      const filters = [{ type: 'any_of', field: 'type', values: [type] } as const]
      for (const [sort, expected] of Object.entries({ title: byTitle, published: byDate })) {
        const pages = await walk(engine, queryOf('', { sort, filters, limit: 5 }))
        t.deepEqual(
          pages.flatMap(({ ids }) => ids),
          expected.map(({ id }) => id),
          `${type} by ${sort}`,
        )
      }
    }
  },
)

test.serial('words that were looked for in place of others are told', async (t) => {
  const engine = new EmbeddedEngine({ dir: await makeTempDir(t), journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  await put(engine, batchOf([documentOf(0, { title: 'Transformers' })]))
  const page = await engine.search('works', queryOf('trnsformers '))
  t.deepEqual(page.alsoSearchedFor, ['transformers'])
  t.is(page.total, 1)
  await put(engine, batchOf([documentOf(1, { title: 'Zymurgy' })], 2))
  t.is((await engine.search('works', queryOf('zymurgi '))).total, 1)
})

test.serial('of words that are spelled almost alike the nearest are looked for', async (t) => {
  const find = await finder(t, [
    'Diffusion models',
    'Models of diffusion',
    'Diffusions of a model',
    'Completion',
    'Compression',
    'Point cloud',
  ])
  const { ids, corrections } = await find('difusion models ')
  t.deepEqual(ids, [0, 1])
  t.deepEqual(corrections, [{ typed: 'difusion', meant: 'diffusion' }])
  t.deepEqual((await find('compresion')).ids, [4])
  // What is in the index is changed only where nothing else helps.
  t.deepEqual((await find('models completio ')).ids, [])
  // Other forms of what is in the index come before other words.
  t.deepEqual((await find('diffusions models ')).corrections, [
    { typed: 'diffusions', meant: 'diffusions OR diffusion' },
    { typed: 'models', meant: 'models OR model' },
  ])
  t.deepEqual((await find('pointcloud ')).corrections, [
    { typed: 'pointcloud', meant: 'point cloud' },
  ])
})

test.serial('a word that hardly any work has is found, and a likelier one is told', async (t) => {
  const titles = [...Array.from({ length: 30 }, () => 'Compression'), 'Compresion']
  const find = await finder(t, titles)
  const page = await find('compresion ')
  t.deepEqual(page.ids, [30])
  t.deepEqual(page.corrections, [{ typed: 'compresion', meant: 'compression' }])
  t.deepEqual((await find('compression ')).corrections, [])
})

test.serial(
  'a last word counts with all that begin like it as one that may be wrong',
  async (t) => {
    const many = (count: number, title: string) => Array.from({ length: count }, () => title)
    const find = await finder(t, [
      ...many(50, 'Transformer'),
      ...many(25, 'Zebras'),
      'Transfomers',
      'Transfomers again',
      ...many(5, 'Zebrafish'),
    ])
    for (const typed of ['transfomer', 'Transfomer']) {
      const page = await find(typed)
      t.deepEqual(page.ids, [75, 76])
      t.deepEqual(page.corrections, [{ typed, meant: 'transformer' }])
    }
    t.deepEqual((await find('zebraf')).corrections, [], 'a word that is not finished')
    t.deepEqual((await find('transforme')).corrections, [])
  },
)

test.serial('filters change nothing of what was probably meant', async (t) => {
  const engine = new EmbeddedEngine({ dir: await makeTempDir(t), journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  const works = [
    ...Array.from({ length: 30 }, (_, seq) => documentOf(seq, { title: 'Models' })),
    documentOf(30, { title: 'Modals', type: 'book' }),
    documentOf(31, { title: 'Modelz', type: 'book' }),
  ]
  await put(engine, batchOf(works))
  const filters = [{ type: 'any_of', field: 'type', values: ['book'] }] as const
  const ask = (text: string) => engine.search('works', { ...queryOf(text), filters })
  const known = await ask('models ')
  t.deepEqual([known.ids, known.alsoSearchedFor, known.corrections], [[], [], []])
  const typed = await ask('modalss ')
  t.deepEqual([typed.total, typed.alsoSearchedFor], [1, ['modals']])
  const rare = await ask('modelz ')
  t.is(rare.total, 1)
  t.deepEqual(rare.corrections, [{ typed: 'modelz', meant: 'models' }])
})

test.serial('what is remembered of a search is forgotten with the next work', async (t) => {
  const engine = new EmbeddedEngine({ dir: await makeTempDir(t), journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  const facets = ['type']
  for (let works = 1; works <= 3; works += 1) {
    const type = works === 3 ? 'book' : 'article'
    const work = documentOf(works, { title: 'Models', type })
    await put(engine, batchOf([work], works))
    for (const text of ['', 'models ']) {
      // Both processes that read have counted before the next work comes.
      const pages = await Promise.all(
        [0, 1].map(() => engine.search('works', { ...queryOf(text), facets })),
      )
      for (const page of pages) {
        t.is(page.total, works)
        const article = page.facets['type']?.find(({ value }) => value === 'article')
        t.is(article?.count, Math.min(works, 2))
      }
    }
  }
})

test.serial(
  'a last word of three letters finds all that begin like it, page by page',
  async (t) => {
    const engine = new EmbeddedEngine({
      dir: await makeTempDir(t),
      journal: 'x',
      queryMsMax: 60_000,
    })
    t.teardown(() => engine.close())
    // Seven words begin alike; the commonest are ranked by, and works with others come last.
    const words = ['mat', 'matrix', 'matter', 'match', 'material', 'mattress', 'matsutake']
    const titles = words.flatMap((word, rarer) => Array.from({ length: 8 - rarer }, () => word))
    const works = titles.map((title, seq) => documentOf(seq, { title, abstract: 'and' }))
    await put(engine, batchOf(works))
    for (const text of ['mat', 'and mat', '-zebra mat']) {
      const ids: string[] = []
      let page = await engine.search('works', queryOf(text, { limit: 3 }))
      for (;;) {
        t.is(page.total, titles.length)
        ids.push(...page.ids)
        if (page.next === undefined) break
        page = await engine.search('works', queryOf(text, { limit: 3, after: page.next }))
      }
      t.is(new Set(ids).size, titles.length, text)
      t.is(ids.length, titles.length, text)
      const last = ids.slice(-9).map((id) => titles[Number(id.slice(9))])
      t.is(
        [...new Set(last)].toSorted((a, b) => String(a).localeCompare(String(b))).join(' '),
        'material matsutake mattress',
        text,
      )
    }
  },
)

test.serial('of what begins with two letters, the commonest words are found', async (t) => {
  const words = Array.from({ length: 14 }, (_, index) => `wa${String.fromCodePoint(97 + index)}`)
  const common = words.slice(1).flatMap((word) => [`yang ${word}`, `other ${word}`])
  const find = await finder(t, [...common, 'yang waa', 'yang wa'])
  const { ids } = await find('yang wa')
  t.true(ids.includes(common.length + 1))
  t.false(ids.includes(common.length))
  t.is(ids.length, 12 + 1)
  t.true((await find('yang waa')).ids.includes(common.length))
})

test.serial('names as they stand come first, and none is made of two', async (t) => {
  const engine = new EmbeddedEngine({ dir: await makeTempDir(t), journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  const authors = [
    ['Bo Ling', 'Fei Wang', 'Ling Zhang'],
    ['Wang Lingyu'],
    ['Wang Ling', 'Ada Lovelace', 'Grace Hopper', 'Emmy Noether'],
    ['Ann Wang Ling Goh'],
  ].map((names) => ['', ...names, ''].join(nameBreak))
  const works = authors.map((names, seq) => documentOf(seq, { authors: names }))
  await put(engine, batchOf(works))
  const first = async (text: string) => (await engine.search('works', queryOf(text))).ids[0]
  t.is(await first('Wang Ling'), '12345_k2w2')
  t.is(await first('Ling, Wang'), '12345_k2w2')
})

/** Searches works of these titles; gives their numbers, those of the first first. */
async function finder(t: ExecutionContext, titles: readonly string[]) {
  const engine = new EmbeddedEngine({ dir: await makeTempDir(t), journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  await put(engine, batchOf(titles.map((title, seq) => documentOf(seq, { title }))))
  return async (text: string) => {
    const { ids, corrections } = await engine.search('works', queryOf(text))
    return { ids: ids.map((id) => Number(id.slice(9))).toSorted((a, b) => a - b), corrections }
  }
}

test.serial(
  'what is written is seen once it is committed, and taken back by an opening',
  async (t) => {
    const { open } = await filledFile(t)
    const engine = open()
    await engine.open()
    const find = async () => (await engine.search('works', queryOf(''))).total
    await engine.write(batchOf([documentOf(1)], 5), 'current')
    t.is(await find(), 1)
    t.is(await engine.open(), 4)
    await engine.commit('current')
    t.is(await find(), 1)
    await engine.write(batchOf([documentOf(1)], 5), 'current')
    await engine.write(batchOf([documentOf(2)], 6, ['12345_k2w1']), 'current')
    await engine.commit('current')
    t.is(await find(), 2)
    t.is(await engine.open(), 6)
  },
)
