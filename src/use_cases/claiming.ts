import { likelyPosition, positionOf } from '#actors/people/claims/match.ts'
import type { ChangeClaimAnswer, Claim, MakeClaimAnswer } from '#actors/people/claims/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { ClaimStep } from '#actors/people/events.ts'
import { type Agent, personOf } from '#actors/values/agent.ts'
import { isAdministrator } from '#actors/values/authority.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { foldDoi, foldOrcid } from '#actors/values/identifier.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { documentId } from '#src/discovery/search/documents.ts'
import { readParameters } from '#src/edge/query_string.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import type { AuditLog } from '#src/identity/store/audit.ts'
import { type ListedWork, readListedWorks } from '#src/use_cases/listed_works.ts'
import { noPerson } from '#src/use_cases/person_reply.ts'
import { type RecordPage, searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import { activeWorks, filterParameters } from '#src/use_cases/search_parameters.ts'
import { goneWork } from '#src/use_cases/work_lookup.ts'

type Answer = MakeClaimAnswer | ChangeClaimAnswer

/** An answer with the claim that there is now. */
type Claimed = Extract<Answer, { type: 'claimed' | 'agreed' | 'exists' | 'changed' | 'unchanged' }>

type Refusal = Exclude<Answer, Claimed>

const claimedTypes: ReadonlySet<string> = new Set<Claimed['type']>([
  'claimed',
  'agreed',
  'exists',
  'changed',
  'unchanged',
])

/** Whether a claim was made or changed, or stands already as it was wanted. */
export function isClaimed<A extends Answer>(answer: A): answer is A & Claimed {
  return claimedTypes.has(answer.type)
}

/** The HttpError that a refusal of a claim, or of a change of one, is. */
export function refusedClaim(refusal: Refusal): HttpError {
  switch (refusal.type) {
    case 'no_person':
      return noPerson()
    case 'no_work':
      return new HttpError('not_found', 'There is no work with this ARK')
    case 'work_gone':
      return goneWork(refusal)
    case 'not_found':
      return new HttpError('not_found', 'There is no such claim')
    case 'forbidden':
      return new HttpError(
        'forbidden',
        'Only the person and the registrant of the work can say who its author is',
      )
    case 'blocked':
      return new HttpError('conflict', 'The person has said that this work is not theirs')
    case 'rejected':
      return new HttpError(
        'conflict',
        'This claim was rejected: contest it, and an administrator will decide',
        { extra: { claim_id: refusal.claim.claim_id } },
      )
    case 'too_many_claims':
      return new HttpError('conflict', 'The person has as many claims as a person can have')
    case 'mismatch':
      return new HttpError(
        'conflict',
        'The claim does not match its work: say in confirm_mismatch why it is right all the same',
        { extra: { mismatches: refusal.mismatches } },
      )
    case 'wrong_status':
      return new HttpError(
        'conflict',
        `This cannot be done with a claim that is ${refusal.claim.status}`,
      )
    case 'invalid':
      return invalidInput('The claim cannot be made or changed like this', refusal.faults)
  }
}

type ClaimAction = 'claim_waiting' | 'claim_confirmed' | 'claim_rejected' | 'claim_contested'

/** What claims are told with: the audit list of the live registry, which has the news. */
export type ClaimNews = {
  readonly environment: Pick<ServedEnvironment, 'name' | 'catalogue'>
  readonly audit: AuditLog
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/**
 * Tells whom a claim concerns of what was done with it: the side that has to answer, the side for
 * which it was decided, and both once an administrator did. Claims of the sandbox are told nobody.
 */
export async function tellOfClaim(
  { environment, audit, nowMs }: ClaimNews,
  { claim, type }: Claimed,
  step: ClaimStep | 'make',
  by: Agent,
): Promise<void> {
  const owner = environment.catalogue.state(claim.ark)?.owner
  const isNews = type === 'claimed' || type === 'agreed' || type === 'changed'
  if (environment.name !== 'live' || owner === undefined || !isNews) return
  const action = claimAction(claim, step)
  if (action === undefined) return
  const registrant = { type: owner.type, id: owner.id }
  const person = { type: 'person', id: claim.ppid } as const
  const isPersons = personOf(by) === claim.ppid
  const waiting = claim.waits_for === 'researcher' ? [person] : [registrant]
  const others = isAdministrator(by) ? [person, registrant] : [isPersons ? registrant : person]
  const at = formatTimestamp(nowMs())
  const doer = { type: by.type, id: by.member ?? by.id, name: by.name }
  const facts = { at, action, ark: claim.ark, ppid: claim.ppid, by: doer }
  const told = action === 'claim_waiting' ? waiting : others
  await audit.write(told.map((party) => ({ owner: party, ...facts })))
}

function claimAction({ status }: Claim, step: ClaimStep | 'make'): ClaimAction | undefined {
  if (status === 'pending') return step === 'make' ? 'claim_waiting' : undefined
  if (status === 'disputed') return 'claim_contested'
  if (step === 'make') return undefined
  if (step === 'confirm') return 'claim_confirmed'
  return step === 'reject' ? 'claim_rejected' : undefined
}

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
  return searchRecords(source, 'works', { ...activeWorks, ...values }, worksMax)
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
