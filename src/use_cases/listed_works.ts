import type { OwnerListWork } from '#actors/registry/catalogue/owner_lists.ts'
import type { Catalogue } from '#actors/registry/catalogue/port.ts'
import { QueueError } from '#actors/kernel/fair_queue.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import { parseArk } from '#actors/values/ark.ts'
import { foldTitle } from '#actors/values/text.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { UpdateNotice } from '#actors/works/update_notices.ts'
import { documentId } from '#src/discovery/search/documents.ts'
import { isAllUnparted, lookedForWords, wordForm } from '#src/discovery/search/fold.ts'
import { countWords, parseQueryText, queryWordsMax } from '#src/discovery/search/query_text.ts'
import { readParameters } from '#src/edge/query_string.ts'
import { HttpError } from '#src/edge/errors.ts'
import { renderResults, searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import { activeWorks, filterParameters } from '#src/use_cases/search_parameters.ts'
import { workRecord } from '#src/use_cases/work_record.ts'

/** What a list of works shows of each: members of `GET /v1/works/{ark}`, and the registrant. */
export type ListedWork = {
  readonly ark_identifier: string
  readonly work_title: string
  readonly work_type: string
  readonly authors: string
  readonly published_date?: string
  readonly container_title?: string
  readonly description?: string
  readonly language?: string
  readonly existing_doi?: string
  readonly status: 'registered' | 'withdrawn'
  readonly fixity_status: FixityStatus
  readonly update_notices?: readonly UpdateNotice[]
  readonly created_at: string
  /** The name of the registrant, also if others have changed it since. */
  readonly registrant?: string
}

/** Works as a list shows them, by the ids of their index; those that were erased are left out. */
export async function readListedWorks(
  ids: readonly string[],
  registry: Registry,
): Promise<ListedWork[]> {
  const texts = await renderResults('works', ids, registry)
  return texts.map((text) => listedWork(text, registry))
}

/** A work as a list shows it, from its JSON. */
export function listedWork(
  text: string,
  { environment }: Pick<Registry, 'environment'>,
): ListedWork {
  const work = JSON.parse(text) as ListedWork
  const parsed = parseArk(work.ark_identifier)
  const state = parsed.type === 'malformed' ? undefined : environment.catalogue.state(parsed.ark)
  return { ...work, ...(state !== undefined && { registrant: state.owner.name }) }
}

/** A work as a line of a list; undefined if there is none. `ark` is `naan/name`. */
export async function summarizeWork(
  catalogue: Catalogue,
  ark: string,
): Promise<OwnerListWork | undefined> {
  const state = catalogue.state(ark)
  const found = await catalogue.work(ark)
  if (state === undefined || found.type === 'not_found') return undefined
  const { work_title = null } = JSON.parse(Buffer.from(found.body).toString('utf8')) as {
    readonly work_title?: string
  }
  const { identifier, version, status, fixity_status, created_at, updated_at } = state
  return {
    ark_identifier: identifier,
    work_title,
    version,
    status,
    fixity_status,
    created_at,
    updated_at,
  }
}

/** Similar works that are shown, and words and names of a work by which they are found. */
const similarMax = 10
const tellingWordsMax = 18
const similarNamesMax = 8

/**
 * Works that have words of the title, keywords, authors or the container in common with one, at
 * most ten, those with more and rarer ones first. `ark` is `naan/name`. HttpError as searches.
 */
export async function findSimilar(
  source: SearchSource,
  ark: string,
  registry: Registry,
): Promise<readonly ListedWork[]> {
  const text = await workRecord(registry.environment, ark)
  const q = text === undefined ? '' : similarText(JSON.parse(text) as Metadata)
  if (q === '') return []
  const values = { ...activeWorks, q, isAnyWord: true }
  const { ids } = await searchRecords(source, 'works', values, similarMax + 1)
  const own = documentId({ type: 'work', id: ark })
  const others = ids.filter((id) => id !== own).slice(0, similarMax)
  return readListedWorks(others, registry)
}

/** What is typed to find what has any of it, with no more words than a search may have. */
function similarText(work: Partial<Metadata>): string {
  const { work_title: title = '', keywords = '', authors = '', container_title: container } = work
  const words = `${title} ${keywords}`.match(wordForm) ?? []
  const telling = new Set(words.filter(isTelling).flatMap(lookedForWords))
  const names = splitAuthors(authors).slice(0, similarNamesMax)
  const phrases = [...names, ...(container === undefined ? [] : [container])]
  const parts = [
    ...[...telling].slice(0, tellingWordsMax),
    ...phrases.map((name) => `"${lookedForWords(name).join(' ')}"`),
  ]
  return parts.reduce((text, part) => {
    const longer = `${text}${part} `
    return countWords(parseQueryText(longer)) > queryWordsMax ? text : longer
  }, '')
}

/** A word of three letters is a name if it is written so, or says nothing. */
function isTelling(word: string): boolean {
  return word.length > 3 || isAllUnparted(word) || /\p{N}|\p{Lu}.*\p{Lu}/u.test(word)
}

/** Works that are looked at, and shown, of those whose titles have the same words. */
const lookedAtMax = 20
const shownMax = 3

/** Words of a long title that are looked for: the rest is compared. */
const wordsMax = 12

/**
 * Works that may be this one, registered before without a DOI or by somebody else: those whose
 * titles differ in nothing but case, accents and punctuation, three at most, newest first. None
 * where nothing can be searched now: what is registered already is no secret, and no obstacle.
 */
export async function findSameTitle(
  source: SearchSource,
  { work_title }: Pick<Metadata, 'work_title'>,
  registry: Registry,
): Promise<readonly ListedWork[]> {
  const folded = foldTitle(work_title)
  const title = folded.split(' ').slice(0, wordsMax).join(' ')
  try {
    const filters = readParameters({ title }, filterParameters.works)
    const { ids } = await searchRecords(
      source,
      'works',
      { ...activeWorks, ...filters, sort: 'newest' },
      lookedAtMax,
    )
    const works = await readListedWorks(ids, registry)
    return works.filter((work) => foldTitle(work.work_title) === folded).slice(0, shownMax)
  } catch (error) {
    if (error instanceof HttpError || error instanceof QueueError) return []
    throw error
  }
}
