import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { citedNames, invertedParts, knownAuthor } from '#src/discovery/formats/author_names.ts'
import { keywordsOf } from '#src/discovery/formats/described_work.ts'

/** What a reader should find; a list where there are several. */
export type Facts = Readonly<Record<string, string | readonly string[] | undefined>>

const formats = [
  'bibtex',
  'biblatex',
  'ris',
  'csl',
  'jsonld',
  'turtle',
  'datacite-xml',
  'datacite-json',
  'dc',
  'csv',
  'linkset',
] as const

/**
 * Works as a registry gives them out, by the name of the format, and what they say; `oai` is the
 * address of its OAI-PMH.
 */
export async function servedFormats(works: readonly Metadata[]): Promise<{
  readonly texts: readonly Readonly<Record<string, string>>[]
  readonly facts: readonly Facts[]
  /** Ends the registry, which answers harvesters until then. */
  readonly close: () => Promise<void>
}> {
  const registry = await openRegistry({ RATE_LIMITS: false })
  const authorization = `Bearer ${await registry.createKey(['works:write'])}`
  const oai = `http://127.0.0.1:${await registry.listen()}/api/v1/oai`
  const texts: Readonly<Record<string, string>>[] = []
  const facts: Facts[] = []
  for (const payload of works) {
    const call = { method: 'POST', url: '/api/v1/works', headers: { authorization }, payload }
    const answer = await registry.server.inject(call as never)
    if (answer.statusCode !== 201) throw new Error(answer.body)
    const { ark_identifier: ark } = answer.json<{ ark_identifier: string }>()
    texts.push({ ...(await textsOf(registry, ark)), oai })
    const { metadata } = (await registry.server.inject(`/${ark}?format=json`)).json<{
      metadata: Metadata
    }>()
    facts.push(factsOf(metadata, ark))
  }
  return { texts, facts, close: registry.close }
}

async function textsOf({ server }: TestRegistry, ark: string) {
  const get = async (url: string, accept = '*/*') => server.inject({ url, headers: { accept } })
  const found: Record<string, string> = {}
  for (const name of formats) found[name] = (await get(`/${ark}?format=${name}`)).body
  const page = await get(`/${ark}`, 'text/html')
  const atom = await get('/feeds/works.atom')
  return {
    ...found,
    'csl-list': `[${found['csl']}]`,
    html: page.body,
    link: String(page.headers['link']),
    atom: firstEntry(atom.body),
  }
}

/** A feed with its newest entry alone. */
function firstEntry(feed: string): string {
  const end = feed.indexOf('</entry>')
  return end < 0 ? feed : `${feed.slice(0, end)}</entry></feed>`
}

function factsOf(metadata: Metadata, ark: string): Facts {
  const work = describedWork(metadata)
  const { existing_doi: doi, license = '' } = metadata
  const authors = citedNames(work.authors).map((name) =>
    'literal' in name ? name.literal : invertedParts(name),
  )
  const { address } = licenseNames(license)
  const [first = '', last] = (metadata.pages ?? '').replace(/^pp\. /, '').split(/[–‐−-]/)
  const words = keywordsOf(work.metadata)
  return {
    title: metadata.work_title,
    authors,
    author_set: authors.toSorted(),
    kinds: work.authors.map((one) =>
      knownAuthor(one).kind === 'group' ? 'Organizational' : 'Personal',
    ),
    year: metadata.published_date?.slice(0, 4),
    doi,
    doi_address: doi === undefined ? undefined : `https://doi.org/${encodeURIComponent(doi)}`,
    url: `https://registry.example/${ark}`,
    container: metadata.container_title,
    volume: metadata.volume,
    issue: metadata.issue,
    pages: last === undefined ? first : `${first}-${last}`,
    publisher: metadata.publisher_name,
    language: metadata.language,
    keywords: words,
    keyword_set: words.toSorted(),
    license: address,
    license_id: license.startsWith('http') ? undefined : license,
    item: metadata.work_url,
  }
}
