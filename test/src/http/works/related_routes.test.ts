import type { ExecutionContext } from 'ava'

import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

type Item = Readonly<Record<string, unknown>>

const test = testWith(async () => {
  const registry = await serveRegistry()
  registry.search.live.start()
  const scopes = ['works:write', 'search:read']
  return { registry, key: await registry.key({ scopes }) }
})

type Context = Opened<typeof test>

async function made({ context }: ExecutionContext<Context>, record: Item): Promise<string> {
  return (await mint(context.registry, context.key, record)).ark_identifier
}

/** What is told of a work, page by page. */
async function relatedTo(t: ExecutionContext<Context>, ark: string, limit = 200) {
  const items: Item[] = []
  let next: string | null = `/api/v1/works/${ark}/related?limit=${limit}`
  while (next !== null) {
    const answer = await t.context.registry.call(next)
    t.is(answer.status, 200, answer.body)
    const page = answer.json() as { related: Item[]; links: { next: string | null } }
    items.push(...page.related)
    next = page.links.next?.slice(t.context.registry.baseUrl.length) ?? null
  }
  return items
}

/** The direction, the relation and the other work of each. */
function briefly(items: readonly Item[]): string[] {
  return items.map(({ direction, relation, ark_identifier, identifier, title }) => {
    return [direction, relation, ark_identifier ?? identifier ?? title].join(' ')
  })
}

async function change({ context }: ExecutionContext<Context>, path: string, body: Item) {
  const method = path.endsWith('/withdraw') ? 'POST' : 'PUT'
  const answer = await context.registry.call(`/v1/works/${path}`, {
    method,
    key: context.key,
    body,
  })
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`)
}

test('a work that is named by its DOI and by its ARK comes once', async (t) => {
  const existing_doi = '10.5555/named.twice'
  const data = await made(t, { work_title: 'Data twice', work_type: 'dataset', existing_doi })
  const named = [
    { relation: 'IsSupplementedBy', scheme: 'DOI', identifier: existing_doi },
    { relation: 'IsSupplementedBy', scheme: 'ARK', identifier: data },
    { relation: 'Cites', scheme: 'ARK', identifier: data },
  ]
  const paper = await made(t, { work_title: 'Paper twice', related_identifiers: named })
  t.deepEqual(briefly(await relatedTo(t, paper)), [
    `out IsSupplementedBy ${data}`,
    `out Cites ${data}`,
  ])
  const back = { relation: 'IsSupplementTo', scheme: 'ARK', identifier: paper }
  await change(t, data, { related_identifiers: [back] })
  const page = await t.context.registry.call(`/${paper}`)
  t.is(page.body.match(/<bdi>Data twice<\/bdi>/g)?.length, 2, page.body)
  t.notRegex(page.body, new RegExp(`<bdi>[^<]*${data.slice('ark:/'.length)}</bdi>`))
})

test('a work is found from all that others name it by, and from where it names them', async (t) => {
  const existing_doi = '10.5555/found.from'
  const data = await made(t, { work_title: 'Data', work_type: 'dataset', existing_doi })
  const name = data.slice('ark:/'.length)
  const spellings = [
    { scheme: 'ARK', identifier: data },
    { scheme: 'ARK', identifier: `ark:${name.toUpperCase().replace('/', '/-')}`.toLowerCase() },
    { scheme: 'URL', identifier: `https://elsewhere.example.org/${data}?info#top` },
    { scheme: 'URL', identifier: `https://registry.example.org/ark%3A%2F${name}/v1` },
    { scheme: 'URL', identifier: 'https://doi.org/10.5555/FOUND.From' },
    { scheme: 'DOI', identifier: '10.5555/Found.From' },
    { scheme: 'Handle', identifier: '10.5555/found.from' },
  ]
  const papers: string[] = []
  for (const [index, spelling] of spellings.entries()) {
    const related_identifiers = [{ relation: 'IsSupplementedBy', ...spelling }]
    papers.push(await made(t, { work_title: `Paper ${index}`, related_identifiers }))
  }
  const titles = [{ title: 'Their data' }]
  const items = [
    { relation: 'References', titles, identifier: existing_doi, identifier_type: 'DOI' },
    { relation: 'IsPublishedIn', titles: [{ title: 'A journal' }], type: 'journal' },
  ]
  papers.push(await made(t, { work_title: 'Items', related_items: items }))

  const found = await relatedTo(t, data)
  t.deepEqual(
    found.map(({ ark_identifier }) => ark_identifier),
    papers.toReversed(),
  )
  t.like(found[0], { direction: 'in', relation: 'References', inverse: 'IsReferencedBy' })
  t.like(found.at(-1), {
    relation: 'IsSupplementedBy',
    inverse: 'IsSupplementTo',
    stated_in: 'related_identifiers',
    title: 'Paper 0',
    status: 'registered',
    version: 1,
  })
  for (const [index, paper] of papers.slice(0, -1).entries()) {
    const [item] = await relatedTo(t, paper)
    t.like(item, { direction: 'out', ark_identifier: data, title: 'Data', type: 'dataset' })
    t.truthy(item?.['identifier'], String(index))
  }
  t.deepEqual(briefly(await relatedTo(t, papers.at(-1) ?? '')), [
    `out References ${data}`,
    'out IsPublishedIn A journal',
  ])
})

test('what one work says twice comes once, by whatever name', async (t) => {
  const part = await made(t, { work_title: 'Part', existing_doi: '10.5555/part' })
  const titles = [{ title: 'The part' }]
  const whole = await made(t, {
    work_title: 'Whole',
    related_identifiers: [
      { relation: 'HasPart', identifier: '10.5555/part', scheme: 'DOI' },
      { relation: 'HasPart', identifier: part, scheme: 'ARK' },
      { relation: 'Describes', identifier: part, scheme: 'ARK' },
    ],
    related_items: [
      { relation: 'HasPart', titles, identifier: '10.5555/part', identifier_type: 'DOI' },
    ],
  })
  const related_identifiers = [{ relation: 'IsPartOf', identifier: whole, scheme: 'ARK' }]
  await change(t, part, { related_identifiers })
  const expected = [`out IsPartOf ${whole}`, `in HasPart ${whole}`, `in Describes ${whole}`]
  t.deepEqual(briefly(await relatedTo(t, part)), expected)
  for (const limit of [1, 2, 3]) {
    t.deepEqual(briefly(await relatedTo(t, part, limit)), expected)
  }
  const address = `/api/v1/works/${part}/related?order=oldest`
  const oldest = (await t.context.registry.call(address)).json() as { related: Item[] }
  t.deepEqual(briefly(oldest.related), expected.toReversed())
})

test('works with one DOI are of each other’s lists, and a work is never of its own', async (t) => {
  const existing_doi = '10.5555/shared'
  const one = await made(t, { work_title: 'One', existing_doi })
  const self = [
    { relation: 'HasVersion', identifier: existing_doi, scheme: 'DOI' },
    { relation: 'Cites', identifier: one, scheme: 'ARK' },
  ]
  await change(t, one, { related_identifiers: self })
  t.deepEqual(await relatedTo(t, one), [])
  const other = await made(t, { work_title: 'Other', existing_doi })
  t.like((await relatedTo(t, one))[0], {
    direction: 'in',
    relation: 'IsIdenticalTo',
    inverse: 'IsIdenticalTo',
    stated_in: 'existing_doi',
    ark_identifier: other,
  })
  t.deepEqual(briefly(await relatedTo(t, other)), [`in IsIdenticalTo ${one}`])
})

test('a change takes back what was said; a withdrawn work stays, marked', async (t) => {
  const [first, second] = [await made(t, { work_title: 'A' }), await made(t, { work_title: 'B' })]
  const about = (identifier: string) => ({
    related_identifiers: [{ relation: 'Reviews', identifier, scheme: 'ARK' }],
  })
  const review = await made(t, { work_title: 'Review', ...about(first) })
  t.deepEqual(briefly(await relatedTo(t, first)), [`in Reviews ${review}`])
  await change(t, review, { work_title: 'Another review' })
  t.deepEqual(briefly(await relatedTo(t, first)), [`in Reviews ${review}`])
  await change(t, review, { ...about(second), work_title: 'Review' })
  t.deepEqual(await relatedTo(t, first), [])
  const { registry } = t.context
  const tagOf = async () => (await registry.call(`/api/v1/works/${second}/related`)).headers['etag']
  const tag = await tagOf()
  await change(t, `${review}/withdraw`, { reason: 'retraction' })
  t.like((await relatedTo(t, second))[0], {
    ark_identifier: review,
    status: 'withdrawn',
    title: 'Review',
  })
  t.not(await tagOf(), tag, 'readers who keep the list hear of it')
  await registry.admin.call('/works/erase', { ark: review, withdraw: false })
  t.deepEqual(await relatedTo(t, second), [])
  t.deepEqual(await relatedTo(t, review), [])
})

test('notices are told from both sides', async (t) => {
  const paper = await made(t, { work_title: 'Paper', existing_doi: '10.5555/retracted' })
  const notice = await made(t, {
    work_title: 'Retraction of the paper',
    update_notices: [{ kind: 'retraction', direction: 'by_this', doi: '10.5555/retracted' }],
  })
  t.like((await relatedTo(t, paper))[0], {
    ark_identifier: notice,
    direction: 'in',
    relation: 'Other',
    inverse: null,
    notice: { kind: 'retraction', direction: 'of_this' },
  })
  t.like((await relatedTo(t, notice))[0], {
    ark_identifier: paper,
    direction: 'out',
    notice: { kind: 'retraction', direction: 'by_this' },
  })
})

test('what is no place, and no work, is refused or does no harm', async (t) => {
  const { registry } = t.context
  const ark = await made(t, { work_title: 'Alone' })
  for (const cursor of ['out/0', 'same/1', 'in/000000000001/0', 'in/', 'in/zz/9', '7']) {
    const answer = await registry.call(`/v1/works/${ark}/related?cursor=${cursor}`)
    t.is(answer.status, 200, cursor)
    t.deepEqual(answer.json()['related'], [])
  }
  t.is((await registry.call(`/v1/works/${ark}/related?cursor=Ä`)).status, 400)
  t.is((await registry.call('/v1/works/ark:/12345/zzzzzzzzzzz/related')).status, 404)
})

test('the page of a work shows both sides, and what was withdrawn as such', async (t) => {
  const data = await made(t, { work_title: 'Readings', work_type: 'dataset' })
  const about = { relation: 'IsSupplementedBy', identifier: data, scheme: 'ARK' }
  const paper = await made(t, { work_title: '<Paper>', related_identifiers: [about] })
  const pageOf = async (ark: string) => {
    return (await t.context.registry.call(`/${ark}`, { headers: [['accept', 'text/html']] })).body
  }
  t.regex(await pageOf(paper), /Is supplemented by <a href="\/ark:[^"]+"><bdi>Readings</)
  const { registry } = t.context
  const sides = async (side: string) => {
    const answer = await registry.call(`/v1/works/${data}/related?direction=${side}`)
    return (answer.json()['related'] as Item[]).length
  }
  t.deepEqual([await sides('in'), await sides('out')], [1, 0])
  await change(t, `${paper}/withdraw`, { reason: 'retraction' })
  const page = await pageOf(data)
  t.regex(page, /<h2[^>]*>Related works<\/h2>/)
  t.regex(page, /Is supplement to <a href="\/ark:[^"]+"><bdi>&#60;Paper&#62;<.*\n.*Withdrawn/)
})

test('what others say of a work stands in its descriptions, as it would say it', async (t) => {
  const { call } = t.context.registry
  const data = await made(t, { work_title: 'Described data', work_type: 'dataset' })
  const related_identifiers = [{ relation: 'Cites', scheme: 'ARK', identifier: data }]
  const paper = await made(t, { work_title: 'Citing paper', related_identifiers })
  const datacite = await call(`/${data}?format=datacite-xml`)
  t.true(
    datacite.body.includes(
      `<relatedIdentifier relatedIdentifierType="ARK" relationType="IsCitedBy">${paper}`,
    ),
    datacite.body,
  )
  const { '@reverse': reverse } = (await call(`/${data}?format=jsonld`)).json() as {
    readonly '@reverse'?: { readonly citation?: Item }
  }
  t.true(String(reverse?.citation?.['@id']).endsWith(paper), JSON.stringify(reverse))
  const linkset = await call(`/${data}?format=linkset`)
  t.regex(linkset.body, new RegExp(`"related":\\[\\{"href":"[^"]*/${paper}"`))
  const page = await call(`/${data}`)
  t.true(page.body.includes('"@reverse":{"citation":'))
  // The record says nothing of it.
  t.notRegex((await call(`/api/v1/resolve/${data}`)).body, /Citing paper|IsCitedBy/)
  t.notRegex((await call(`/${data}?format=ris`)).body, new RegExp(paper))
})

test('a page shows each relation once, and another one has all of them', async (t) => {
  const { call } = t.context.registry
  const target = await made(t, { work_title: 'Shown once' })
  const related_identifiers = [
    { relation: 'Cites', scheme: 'ARK', identifier: target },
    { relation: 'Cites', scheme: 'DOI', identifier: '10.5555/elsewhere' },
  ]
  const citing: string[] = []
  for (let nth = 0; nth < 21; nth += 1) {
    citing.push(await made(t, { work_title: `Citing ${nth}`, related_identifiers }))
  }
  const { body } = await call(`/${citing[0]}`)
  t.is(body.split(`href="/${target}"`).length, 2, 'once')
  t.regex(body, /Cites <a[^>]*><bdi>DOI 10\.5555\/elsewhere/)
  const cited = await call(`/${target}`)
  const [, all = ''] = /href="(\/related\?ark[^"]*)"/.exec(cited.body) ?? []
  const listed = await call(all.replace('&#61;', '='))
  t.is(listed.status, 200, listed.body)
  for (const ark of citing) t.true(listed.body.includes(`href="/${ark}"`), ark)
  t.is((await call('/related?ark=ark:/12345/x')).status, 404)
  t.is((await call('/related')).status, 400)
})

test('works with words, keywords or authors of one are on a page that it leads to', async (t) => {
  const { registry } = t.context
  const { call } = registry
  const one = await made(t, { work_title: 'Weaving of tapestry by looms', authors: 'Ana Xyl' })
  const like = await made(t, { work_title: 'Looms and tapestry', authors: 'Bo Ny' })
  const byAuthor = await made(t, { work_title: 'Unlike it', authors: 'Cy Ro, Ana Xyl' })
  const other = await made(t, { work_title: 'Nothing of that', authors: 'Ana Ro, Bo Xyl' })
  await caughtUp(registry.search.live)
  const { body } = await call(`/${one}`)
  const [, address = ''] = /href="(\/similar\?ark[^"]*)"/.exec(body) ?? []
  const page = await call(address.replace('&#61;', '='))
  t.is(page.status, 200, page.body)
  const found = [...page.body.matchAll(/<li><a href="\/(ark:[^"]*)"/g)].map(([, ark]) => ark)
  t.is(found[0], like)
  t.true(found.includes(byAuthor))
  t.false(found.includes(one), 'itself')
  t.false(found.includes(other), 'names are looked for whole')
  t.is((await call('/similar?ark=ark:/12345/x')).status, 404)
  t.is((await call('/similar')).status, 400)
})

test('works are found by what they say they relate to', async (t) => {
  const { key, registry } = t.context
  const existing_doi = '10.5555/searched.relation'
  const target = await made(t, { work_title: 'Searched relation', existing_doi })
  const by = async (scheme: string, identifier: string) =>
    made(t, {
      work_title: `By ${scheme}`,
      related_identifiers: [{ relation: 'References', scheme, identifier }],
    })
  const [byArk, byDoi] = [await by('ARK', target), await by('DOI', existing_doi)]
  await caughtUp(registry.search.live)
  const find = async (related: string) => {
    const answer = await registry.call(`/v1/search/works?related_to=${related}`, { key })
    t.is(answer.status, 200, answer.body)
    const { results } = answer.json() as { readonly results: readonly Item[] }
    return results.map(({ ark_identifier }) => ark_identifier)
  }
  t.deepEqual(await find(target), [byArk])
  t.deepEqual(await find(existing_doi), [byDoi])
  t.deepEqual(await find(`${target},${existing_doi}`), [byDoi, byArk])
  // A DOI may have commas, and several DOIs are none.
  t.deepEqual(await find(`${existing_doi},${target},10.5555/nothing`), [byDoi, byArk])
  const comma = '10.5555/searched,relation'
  const byComma = await by('DOI', comma)
  await caughtUp(registry.search.live)
  t.deepEqual(await find(comma), [byComma])
  t.is((await registry.call('/v1/search/works?related_to=nothing', { key })).status, 400)
})

test('harvesters are told what others say of a work, in formats with a place for it', async (t) => {
  const { call } = t.context.registry
  const data = await made(t, { work_title: 'Harvested data', work_type: 'dataset' })
  const related_identifiers = [{ relation: 'Cites', scheme: 'ARK', identifier: data }]
  const paper = await made(t, { work_title: 'Harvested paper', related_identifiers })
  const record = async (prefix: string) => {
    const query = `verb=GetRecord&metadataPrefix=${prefix}&identifier=${encodeURIComponent(data)}`
    return (await call(`/api/v1/oai?${query}`)).body
  }
  const told = `relatedIdentifierType="ARK" relationType="IsCitedBy">${paper}<`
  t.true((await record('oai_datacite')).includes(told))
  t.false((await record('oai_dc')).includes(paper))
  t.false((await record('svc')).includes(paper))
})
