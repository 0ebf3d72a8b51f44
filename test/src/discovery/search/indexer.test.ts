import test, { type ExecutionContext } from 'ava'

import type { Environment } from '#actors/registry/environment.ts'
import { EmbeddedEngine } from '#src/discovery/search/embedded/embedded_engine.ts'
import { Indexer } from '#src/discovery/search/indexer.ts'
import {
  type EngineQuery,
  type IndexKind,
  type SearchEngine,
  SearchError,
} from '#src/discovery/search/search_engine.ts'
import { until } from '#test/_until.ts'
import {
  admin,
  arkOf,
  demo,
  metadataOf,
  openRegistry,
  register,
} from '#test/actors/_environment.ts'
import { ada, createPerson, onPages, publisherFor, putItem } from '#test/actors/_person.ts'
import { put, queryOf } from '#test/contracts/search_engine.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

type Followed = {
  readonly environment: Environment
  readonly engine: SearchEngine
  readonly indexer: Indexer
  /** What is found when the index knows of all events. */
  find(kind: IndexKind, text: string, more?: Partial<EngineQuery>): Promise<readonly string[]>
}

async function follow(
  t: ExecutionContext,
  wrap = (engine: SearchEngine): SearchEngine => engine,
): Promise<Followed> {
  const environment = await openRegistry(t)
  return keep(t, environment, wrap(await engineOf(t, environment)))
}

async function engineOf(t: ExecutionContext, { origin: journal }: Environment) {
  return new EmbeddedEngine({ dir: await makeTempDir(t), journal, queryMsMax: 60_000 })
}

function keep(
  t: ExecutionContext,
  environment: Environment,
  engine: SearchEngine,
  hasRoom = () => true,
  commitWaitMs = 0,
): Followed {
  const report = (error: unknown) => t.log(error)
  const elapsedMs = () => performance.now()
  const options = { engine, environment, elapsedMs, hasRoom, report, commitWaitMs }
  const indexer = new Indexer(options)
  t.teardown(async () => {
    await indexer.close()
    await engine.close()
  })
  indexer.start()
  return {
    environment,
    engine,
    indexer,
    async find(kind, text, more) {
      await until('the index knows all', () => indexer.status().behind === 0, { pauseMs: 5 })
      return (await engine.search(kind, queryOf(text, more))).ids
    },
  }
}

function idOf(work: { readonly ark_identifier: string }): string {
  return arkOf(work).replace('/', '_')
}

function anyOf(field: string, value: string) {
  return { type: 'any_of', field, values: [value] } as const
}

test('works are found as they stand: new, changed, withdrawn, erased', async (t) => {
  const { environment, find } = await follow(t)
  const work = await register(environment, 'Photosynthesis')
  t.deepEqual(await find('works', 'photosynthesis'), [idOf(work)])
  const ark = arkOf(work)
  await environment.works.update({ ark, patch: metadataOf('Respiration'), by: demo })
  t.deepEqual(await find('works', 'photosynthesis'), [])
  t.deepEqual(await find('works', 'respiration'), [idOf(work)])
  const withdrawn = { filters: [anyOf('status', 'withdrawn')] }
  t.deepEqual(await find('works', 'respiration', withdrawn), [])
  await environment.works.withdraw({ ark, reason: 'test', by: admin })
  t.deepEqual(await find('works', 'respiration', withdrawn), [idOf(work)])
  t.deepEqual(await find('works', 'respiration', { filters: [anyOf('status', 'active')] }), [])
  await environment.works.erase({ ark, reason: 'legal', withdraws: false, by: admin })
  t.deepEqual(await find('works', 'respiration'), [])
})

test('indexing gives way to writes that wait, and goes on however long they do', async (t) => {
  const environment = await openRegistry(t)
  const engine = await engineOf(t, environment)
  const titles = Array.from({ length: 45 }, (_, index) => `Osmosis ${index}`)
  await Promise.all(titles.map((title) => register(environment, title)))
  let asked = 0
  const busy = Object.create(environment, {
    status: { value: () => ({ ...environment.status(), pooled: (asked += 1) }) },
    records: { value: environment.records },
  }) as Environment
  const { find } = keep(t, busy, engine)
  t.is((await find('works', 'osmosis', { limit: 100 })).length, titles.length)
  t.true(asked >= 2, 'it asks whether writes wait after every 20 records')
})

test('nothing is indexed on a disk below its reserve, and all of it afterwards', async (t) => {
  const environment = await openRegistry(t)
  const engine = await engineOf(t, environment)
  const disk = { hasRoom: false }
  const { indexer, find } = keep(t, environment, engine, () => disk.hasRoom)
  const work = await register(environment, 'Entropy')
  await until('the indexing fails', () => indexer.status().failures > 0, { pauseMs: 5 })
  t.like(indexer.status(), {
    behind: 1,
    problem: 'the disk has less free than the reserve (DISK_RESERVE_BYTES): nothing is indexed',
  })
  disk.hasRoom = true
  t.deepEqual(await find('works', 'entropy'), [idOf(work)])
})

test('organizations are found by name and alias, as they are called now', async (t) => {
  const { environment, find } = await follow(t)
  const body = { slug: 'moon', name: 'University of the Moon', aliases: ['Luna'] }
  await environment.organizations.create({ body, by: admin })
  t.deepEqual(await find('organizations', 'luna'), ['moon'])
  await environment.organizations.update({ slug: 'moon', body: { name: 'Mars' }, by: admin })
  t.deepEqual(await find('organizations', 'university'), [])
  t.deepEqual(await find('organizations', 'mars'), ['moon'])
})

test('of people only what everybody may see is found', async (t) => {
  const { environment, find } = await follow(t)
  const by = onPages(ada)
  await createPerson(environment, ada, { name: 'Ada Lovelace', bio: 'Analytical engines' })
  await putItem(environment, by, { organization: 'Secret Bureau', visibility: 'private' })
  await putItem(environment, by, { organization: 'Royal Society', visibility: 'public' })
  const profile = { visibility: { name: 'public', bio: 'private' } }
  await environment.people.update({ ppid: ada, body: profile, by })
  t.deepEqual(await find('people', 'lovelace'), [ada])
  t.deepEqual(await find('people', 'royal society'), [ada])
  t.deepEqual(await find('people', 'secret'), [])
  t.deepEqual(await find('people', 'analytical'), [])
  const hidden = { visibility: { name: 'private', username: 'private' } }
  await environment.people.update({ ppid: ada, body: hidden, by })
  t.deepEqual(await find('people', 'lovelace'), [])
  const shown = { visibility: { name: 'public' } }
  await environment.people.update({ ppid: ada, body: shown, by })
  t.deepEqual(await find('people', 'lovelace'), [ada])
  await environment.people.erase({ ppid: ada, by })
  t.deepEqual(await find('people', ''), [])
})

test('a batch gathers while the index rests, until somebody waits for it', async (t) => {
  const environment = await openRegistry(t)
  const engine = await engineOf(t, environment)
  const hourMs = 3_600_000
  const { indexer } = keep(t, environment, engine, () => true, hourMs)
  await register(environment, 'Zero')
  // A batch is counted when it is written, and known when it is committed.
  await until('the first is indexed at once', () => {
    const { batches, behind } = indexer.status()
    return batches === 1 && behind === 0
  })
  for (const title of ['One', 'Two', 'Three']) await register(environment, title)
  t.like(indexer.status(), { batches: 1, behind: 3 })
  await indexer.knows(environment.records.events)
  t.like(indexer.status(), { batches: 2, behind: 0 })
  t.is((await engine.search('works', queryOf('three'))).ids.length, 1)
})

test('an index is behind for as long as what it lacks is old, in a flood too', async (t) => {
  const environment = await openRegistry(t)
  const engine = await engineOf(t, environment)
  let nowMs = 0
  const behindMs: number[] = []
  // With each batch a second goes by, and another work comes.
  const flooded = watched(engine, async () => {
    nowMs += 1_000
    behindMs.push(indexer.status().behindMs)
    if (behindMs.length < 8) await register(environment, `Work ${behindMs.length}`)
  })
  const options = { environment, elapsedMs: () => nowMs, hasRoom: () => true, report: t.log }
  const indexer = new Indexer({ ...options, engine: flooded, commitWaitMs: 0 })
  t.teardown(async () => {
    await indexer.close()
    await engine.close()
  })
  indexer.start()
  await register(environment, 'Work 0')
  await until('the flood is over', () => behindMs.length === 8, { pauseMs: 5 })
  t.true(Math.max(...behindMs) <= 2_000, behindMs.join(', '))
})

test('works are found by the people who show that they are theirs', async (t) => {
  const { environment, find } = await follow(t)
  await createPerson(environment, ada)
  const work = await register(environment, 'Notes', { by: publisherFor(ada) })
  const byAda = { filters: [{ type: 'any_of', field: 'ppid', values: [ada] }] } as const
  t.deepEqual(await find('works', '', byAda), [idOf(work)])
  const see = async (claims: string) => {
    await environment.people.update({
      ppid: ada,
      body: { visibility: { claims } },
      by: onPages(ada),
    })
    return find('works', '', byAda)
  }
  t.deepEqual(await see('private'), [])
  t.deepEqual(await see('public'), [idOf(work)])
  await environment.people.erase({ ppid: ada, by: onPages(ada) })
  t.deepEqual(await find('works', '', byAda), [])
  t.deepEqual(await find('works', 'notes'), [idOf(work)])
})

test('who is erased is found by nothing, whatever had been read ahead by then', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada)
  // More than one batch; the work that is hers comes with the last one.
  for (let begun = 0; begun < 1_050; begun += 50) {
    const some = Array.from({ length: 50 }, (_, nth) => `Other ${begun + nth}`)
    await Promise.all(some.map((title) => register(environment, title)))
  }
  const work = await register(environment, 'Notes', { by: publisherFor(ada) })
  const engine = await engineOf(t, environment)
  let isErased = false
  const erasing = watched(engine, async () => {
    if (isErased) return
    isErased = true
    await environment.people.erase({ ppid: ada, by: onPages(ada) })
  })
  const { find } = keep(t, environment, erasing)
  const byAda = { filters: [{ type: 'any_of', field: 'ppid', values: [ada] }] } as const
  t.deepEqual(await find('works', '', byAda), [])
  t.deepEqual(await find('works', 'notes'), [idOf(work)])
  t.true(isErased)
})

/** An engine that says when it has written a batch, and waits for the answer. */
function watched(engine: SearchEngine, onWritten: () => Promise<void>): SearchEngine {
  return new Proxy(engine, {
    get(target, name: keyof SearchEngine) {
      const member = target[name]
      if (typeof member !== 'function') return member
      if (name !== 'write') return member.bind(target)
      return async (...args: Parameters<SearchEngine['write']>) => {
        await target.write(...args)
        await onWritten()
      }
    },
  })
}

test('an index goes on where it was, or anew if it is ahead of the journal', async (t) => {
  const environment = await openRegistry(t)
  const dir = await makeTempDir(t)
  await register(environment, 'First')
  const open = () => new EmbeddedEngine({ dir, journal: environment.origin, queryMsMax: 60_000 })
  const before = keep(t, environment, open())
  await before.find('works', 'first')
  await before.indexer.close()
  await before.engine.close()
  await register(environment, 'Second')
  const after = keep(t, environment, open())
  t.is((await after.find('works', '')).length, 2)
  t.is(after.indexer.status().batches, 1)
  await after.indexer.close()
  const { events } = environment.records
  const none = { works: [], people: [], organizations: [] }
  const beyond = {
    puts: none,
    works: [],
    removes: { ...none },
    position: events + 5,
    purges: false,
  }
  await put(after.engine, beyond)
  await after.engine.close()
  const anew = keep(t, environment, open())
  t.is((await anew.find('works', '')).length, 2)
  t.is(anew.indexer.status().position, events)
})

test('an index is made anew beside the one that is searched', async (t) => {
  const { environment, engine, indexer, find } = await follow(t)
  const works = await Promise.all(
    ['One', 'Two', 'Three'].map((title) => register(environment, title)),
  )
  await find('works', '')
  const rebuilt = indexer.rebuild()
  t.is((await engine.search('works', queryOf(''))).total, 3)
  await register(environment, 'Four')
  await rebuilt
  t.is((await find('works', '')).length, 4)
  t.deepEqual(await find('works', 'two'), [idOf(works[1] as (typeof works)[0])])
  t.is(indexer.status().rebuilding, undefined)
})

test('what cannot be written is tried again, and reported once', async (t) => {
  let failures = 2
  const { environment, indexer, find } = await follow(t, (engine) => ({
    name: engine.name,
    searchesMax: engine.searchesMax,
    open: () => engine.open(),
    async write(batch, target) {
      failures -= 1
      if (failures >= 0) throw new SearchError('search_unavailable', 'the disk is full')
      return engine.write(batch, target)
    },
    commit: (target) => engine.commit(target),
    search: (kind, query) => engine.search(kind, query),
    beginNext: () => engine.beginNext(),
    swap: () => engine.swap(),
    reset: () => engine.reset(),
    close: () => engine.close(),
  }))
  const work = await register(environment, 'Persistence')
  await until('the indexing fails', () => indexer.status().failures > 0, { pauseMs: 5 })
  t.is(indexer.status().problem, 'the disk is full')
  t.deepEqual(await find('works', 'persistence'), [idOf(work)])
  t.like(indexer.status(), { failures: 2, behind: 0 })
  t.is(indexer.status().problem, undefined)
})
