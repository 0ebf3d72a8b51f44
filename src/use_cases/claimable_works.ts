import { likelyPosition, positionOf } from '#actors/claims/match.ts'
import type { Claim } from '#actors/claims/port.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { foldDoi } from '#actors/values/doi.ts'
import { foldOrcid } from '#actors/values/orcid.ts'
import { type ListedWork, readListedWorks } from '#src/use_cases/listed_works.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import { type RecordPage, searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import { filterParameters } from '#src/use_cases/search_parameters.ts'
import { readParameters } from '#src/edge/query_string.ts'
import { documentId } from '#src/discovery/search/documents.ts'

/** Who looks for their works; the ORCID iD is one that they have signed in with. */
export type Author = { readonly ppid: string; readonly name: string; readonly orcid?: string }

/** A work as somebody sees it who may be one of its authors. */
export type ClaimableWork = {
  /** `naan/name` */
  readonly ark: string
  readonly work: ListedWork
  readonly authors: readonly string[]
  /** The place, from 1, at which they probably stand. */
  readonly position: number | undefined
  /** Whether the work names the ORCID iD that they have signed in with. */
  readonly namesOrcid: boolean
  /** What is said of them and the work already. */
  readonly claim: Claim | undefined
}

/** Works that may be somebody's; `nextCursor` leads to the next ones, null at the end. */
export type ClaimablePage = {
  readonly works: readonly ClaimableWork[]
  readonly total: number
  readonly nextCursor: string | null
}

/** Works on one page. */
const worksMax = 20

/** A work by its ARK, `naan/name`; undefined if there is none, or if it was withdrawn. */
export async function readClaimable(
  ark: string,
  author: Author,
  registry: Registry,
): Promise<ClaimableWork | undefined> {
  const [work] = await readListedWorks([documentId({ type: 'work', id: ark })], registry)
  return work && claimable(work, author, registry)
}

/**
 * Works that may be somebody's: by an ARK, a DOI or an ORCID iD, or by the name of an author, or
 * else by other words of theirs. What nobody has typed are their own ORCID iD and name. Errors as
 * `searchRecords`.
 */
export async function findClaimable(
  source: SearchSource,
  { typed, cursor }: { readonly typed: string | undefined; readonly cursor?: string },
  author: Author,
  registry: Registry,
): Promise<ClaimablePage> {
  const text = (typed ?? author.name).trim()
  const parsed = parseArkReference(text, registry.environment.naan)
  if (typed !== undefined && parsed.type !== 'malformed') {
    const found = await readClaimable(parsed.ark, author, registry)
    if (found !== undefined) return { works: [found], total: 1, nextCursor: null }
  }
  const place = cursor !== undefined && { cursor }
  const first = cursor === undefined && typed === undefined && author.orcid !== undefined
  const own = first ? await search(source, { orcid: author.orcid ?? '' }) : undefined
  const page = await findByText(source, text, place || {})
  const ids = [...new Set([...(own?.ids ?? []), ...page.ids])]
  const works = await readListedWorks(ids, registry)
  return {
    works: works.map((work) => claimable(work, author, registry)),
    total: page.total + ids.length - page.ids.length,
    nextCursor: page.nextCursor,
  }
}

async function findByText(
  source: SearchSource,
  text: string,
  place: { readonly cursor?: string },
): Promise<RecordPage> {
  if (foldDoi(text) !== undefined) return search(source, { doi: text }, place)
  if (foldOrcid(text) !== undefined) return search(source, { orcid: text }, place)
  // Other words are looked for where no author is called so; the next page is of the same search.
  const { cursor } = place
  const isOfWords = cursor?.startsWith(wordsMark) === true
  const named = isOfWords ? undefined : await search(source, { author: text }, place)
  if (named !== undefined && (named.total > 0 || cursor !== undefined)) return named
  const after = cursor === undefined ? {} : { cursor: cursor.slice(wordsMark.length) }
  const found = await search(source, {}, { q: text, ...after })
  return { ...found, nextCursor: found.nextCursor && wordsMark + found.nextCursor }
}

/** What begins the place of a search for any words: that of one for names begins otherwise. */
const wordsMark = '-'

function search(
  source: SearchSource,
  filters: Readonly<Record<string, string>>,
  view: { readonly q?: string; readonly cursor?: string } = {},
): Promise<RecordPage> {
  const values = { ...readParameters(filters, filterParameters.works), ...view }
  return searchRecords(source, 'works', values, worksMax)
}

function claimable(
  work: ListedWork,
  author: Author,
  { environment }: Pick<Registry, 'environment'>,
): ClaimableWork {
  const metadata = work as ListedWork & Pick<Metadata, 'authors' | 'author_details'>
  const ark = work.ark_identifier.replace(/^ark:\/?/, '')
  return {
    ark,
    work,
    authors: splitAuthors(work.authors),
    position: likelyPosition(author, metadata),
    namesOrcid: positionOf(author.orcid, metadata) !== undefined,
    claim: environment.claims.read(author.ppid, ark),
  }
}
