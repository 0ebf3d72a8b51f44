import { parseArkReference } from '#actors/values/ark.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { SearchError } from '#src/discovery/search/search_engine.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  type AccountContext,
  type AccountVisit,
  pageAgent,
  personOf,
} from '#src/pages/account/context.ts'
import { statusBadge } from '#src/pages/account/work_pages.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  checkbox,
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { type MemberVisit, type PageReply, redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { badge, emptyState, facts } from '#src/pages/kit/parts.ts'
import { plural, typeName } from '#src/pages/kit/words.ts'
import {
  type Author,
  type ClaimablePage,
  type ClaimableWork,
  findClaimable,
  isClaimed,
  readClaimable,
  refusedClaim,
  tellOfClaim,
} from '#src/use_cases/claiming.ts'
import { joined } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'

const worksPath = '/account/works'
const path = `${worksPath}/claim`

/** Authors of a work among whom somebody chooses; of more, they type their place. */
const choicesMax = 500

/** Adds the form by which a person claims one work, which other pages lead to with its ARK. */
export function addClaimFormPages(context: AccountContext): void {
  const { member } = routesIn(context)
  member.get(path, (visit) => {
    const ark = visit.query.get('ark')?.trim() ?? ''
    return ark === '' ? arkPage(context, emptyForm) : formPage(visit, ark, emptyForm)
  })
  member.post(worksPath, claimWork)
}

/** The person of a visit as the author that they may be. */
function authorOf(visit: AccountVisit): Author {
  const { ppid, profile } = personOf(visit)
  const { name, orcid, orcid_authenticated } = profile
  return { ppid, name, ...(orcid_authenticated === true && orcid !== undefined && { orcid }) }
}

/**
 * Where a person says which author they are: of many authors by a number, of `max` at most by
 * choosing, with the likely one chosen; of one author nobody is asked.
 */
function placeField(
  name: string,
  { authors, position }: ClaimableWork,
  state: FormState,
  max: number,
): Html {
  if (authors.length === 1) return hiddenField(name, '1')
  const given = state.values.get(name) ?? (position === undefined ? '' : `${position}`)
  const shown = { ...state, values: new Map([[name, given]]) }
  if (authors.length > max) {
    const label = `Your place among the ${authors.length} authors`
    const named = position === undefined ? '' : `; ${position} is ${authors[position - 1] ?? ''}`
    return field({ name, label, required: true, hint: `1 is ${authors[0] ?? ''}${named}.` }, shown)
  }
  const choices = authors.map((author, index) => ({
    value: `${index + 1}`,
    label: `${index + 1}. ${author}`,
  }))
  const options = [{ value: '', label: 'Choose your name' }, ...choices]
  return selectField({ name, label: 'You are', options }, shown)
}

/** What a claim lacks, in the words of a form that has these names for its fields. */
function claimFaults(
  answer: Parameters<typeof refusedClaim>[0],
  { ark, place }: { readonly ark: string; readonly place: string },
): readonly FieldFault[] {
  const { message } = refusedClaim(answer)
  if (answer.type !== 'invalid') return [{ field: ark, code: answer.type, message: `${message}.` }]
  return answer.faults.map((fault) => ({
    ...fault,
    field: fault.field === 'author_position' ? place : fault.field,
    message: fault.message.replace(/^author_position/, 'The place'),
  }))
}

/** What a form says of a claim. A place that is not a number is left for the rules to refuse. */
function readWords(
  body: FormBody,
  place: string,
): { readonly author_position?: number | string; readonly message?: string } {
  const position = textOf(body, place).trim()
  const message = textOf(body, 'message').trim()
  return {
    ...(position !== '' && { author_position: parseDecimal(position) ?? position }),
    ...(message !== '' && { message }),
  }
}

const messageField = {
  name: 'message',
  label: 'A word to whoever registered it',
  type: 'textarea',
  hint: 'They decide whether the claim is right, and see your name and your e-mail address.',
} as const

async function claimWork(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { ppid } = visit.account
  const ark_identifier = textOf(body, 'ark_identifier').trim()
  const claim = { ark_identifier, ...readWords(body, 'author_position') }
  const by = pageAgent(ppid)
  const answer = await visit.context.environment.claims.make({ ppid, body: claim, by })
  if (isClaimed(answer)) {
    await tellOfClaim(visit.context, answer, 'make', by)
    const isSettled = answer.type === 'claimed' && answer.claim.status === 'verified'
    return redirectDone(worksPath, isSettled ? 'verified' : answer.type)
  }
  const faults = claimFaults(answer, { ark: 'ark_identifier', place: 'author_position' })
  return formPage(visit, ark_identifier, { values: body, faults })
}

async function formPage(visit: AccountVisit, typed: string, state: FormState): Promise<PageReply> {
  const { environment, baseUrl, pages } = visit.context
  const parsed = parseArkReference(typed, environment.naan)
  const ark = parsed.type === 'malformed' ? undefined : parsed.ark
  const author = authorOf(visit)
  const registry = { environment, baseUrl }
  const found = ark === undefined ? ark : await readClaimable(ark, author, registry)
  if (found === undefined) {
    const message = 'There is no work with this ARK.'
    const missing = { field: 'ark_identifier', code: 'not_found', message }
    const faults = state.faults.length > 0 ? state.faults : [missing]
    return arkPage(visit.context, { values: new Map([['ark_identifier', typed]]), faults })
  }
  const { work, claim } = found
  if (claim !== undefined && claim.status !== 'withdrawn') {
    return { redirect: `${worksPath}/${claim.claim_id}` }
  }
  const { ark_identifier } = work
  const fields = html`${hiddenField('ark_identifier', ark_identifier)}
${placeField('author_position', found, state, choicesMax)}
${field(messageField, state)}`
  return {
    title: 'Is this your work?',
    current: worksPath,
    state,
    lead: html`<a href="${baseUrl}/${ark_identifier}"><bdi>${work.work_title}</bdi></a>`,
    content: html`${facts([
      ['Authors', html`<bdi>${firstAuthors(found)}</bdi>`],
      ['Your account', accountFact(visit, author)],
      ['What follows', consequence(found)],
    ])}
${formCard({
  action: pages.prefix + worksPath,
  csrf: visit.csrf,
  fields,
  submit: 'Claim this work',
  beside: html`<a href="${baseUrl}/${ark_identifier}">Leave it as it is</a>`,
})}`,
  }
}

const namedMax = 5

function firstAuthors({ authors }: ClaimableWork): string {
  const named = authors.slice(0, namedMax).join('; ')
  return authors.length > namedMax ? `${named} and ${authors.length - namedMax} more` : named
}

function accountFact(visit: AccountVisit, { name, orcid }: Author): Html {
  const { prefix } = visit.context.pages
  const { visibility } = personOf(visit).profile
  const iD = orcid === undefined ? '' : html`, signed in with the ORCID iD ${orcid}`
  if (visibility.name === 'public') return html`<bdi>${name}</bdi>${iD}`
  return html`<bdi>${name}</bdi>${iD}. <a href="${prefix}/account">Your profile</a>
does not show your name: nobody can compare it.`
}

function consequence({ namesOrcid, position, authors, work }: ClaimableWork): string {
  if (namesOrcid) {
    return 'It counts as yours at once: it names the ORCID iD that you have signed in with.'
  }
  const publisher = work.registrant ?? 'whoever registered it'
  const waits = `It counts as yours once ${publisher} agrees.`
  if (position !== undefined || authors.length === 1) return waits
  return `${waits} No one author is called as you are: say below which one you are, and why.`
}

function arkPage({ pages }: AccountContext, state: FormState): AccountPage {
  const typed = field(
    {
      name: 'ark',
      label: 'ARK of the work',
      hint: 'Such as ark:/12345/k2bcd45g7h3: it stands on the page of the work.',
      required: true,
    },
    {
      values: new Map([['ark', state.values.get('ark_identifier') ?? '']]),
      faults: state.faults.map((fault) => ({ ...fault, field: 'ark' })),
    },
  )
  return {
    title: 'Claim a work',
    current: worksPath,
    lead: html`Or <a href="${pages.prefix}${worksPath}/find">find your works</a> by your name, your
ORCID iD or a DOI.`,
    state: { ...state, faults: state.faults.map((fault) => ({ ...fault, field: 'ark' })) },
    content: html`<form class="form card" method="get" action="${pages.prefix}${path}" novalidate>
${typed}
<div class="buttons"><button class="button" type="submit">Go on</button></div>
</form>`,
  }
}

const findPath = `${worksPath}/find`

/** Authors of a work among whom somebody chooses here, where there are many works. */
const choicesOfManyMax = 50

/** Adds the page on which a person looks for their works, and claims several in one step. */
export function addFindPages(context: AccountContext): void {
  const { member } = routesIn(context)
  const typedIn = ({ query }: MemberVisit): Asked => ({
    typed: query.get('q') ?? undefined,
    cursor: query.get('cursor') ?? undefined,
  })
  member.get(findPath, (visit) => findPage(visit, typedIn(visit), emptyForm), {
    limit: 'search_page',
  })
  member.post(findPath, claimTicked)
}

/** What is looked for: undefined if nobody has typed anything yet. */
type Asked = { readonly typed: string | undefined; readonly cursor: string | undefined }

/** What was found, or why nothing could be looked for. */
type Outcome = ClaimablePage | { readonly failed: string }

const ticks = 'claim:'

function placeName(ark: string): string {
  return `place:${ark}`
}

/** Claims the works that are ticked. Those that are claimed stay so if others cannot be. */
async function claimTicked(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { ppid } = visit.account
  const by = pageAgent(ppid)
  const ticked = [...body.keys()].filter((name) => name.startsWith(ticks))
  const faults: FieldFault[] = []
  for (const name of ticked) {
    const ark = name.slice(ticks.length)
    const claim = { ark_identifier: `ark:/${ark}`, ...readWords(body, placeName(ark)) }
    const answer = await visit.context.environment.claims.make({ ppid, body: claim, by })
    if (isClaimed(answer)) await tellOfClaim(visit.context, answer, 'make', by)
    else {
      faults.push(...claimFaults(answer, { ark: name, place: placeName(ark) }))
    }
  }
  if (ticked.length === 0) {
    faults.push({ field: 'works', code: 'required', message: 'Tick the works that are yours' })
  }
  if (faults.length === 0) {
    return redirectDone(worksPath, ticked.length === 1 ? 'found' : 'several')
  }
  const asked = {
    typed: body.get('q'),
    cursor: textOf(body, 'cursor') || undefined,
  }
  return findPage(visit, asked, { values: body, faults })
}

async function findPage(visit: AccountVisit, asked: Asked, state: FormState): Promise<AccountPage> {
  const { prefix } = visit.context.pages
  const author = authorOf(visit)
  const outcome = await find(visit, asked)
  const typed = asked.typed ?? author.name
  const own = author.orcid === undefined ? '' : html`, or your ORCID iD ${author.orcid}`
  return {
    title: 'Find my works',
    current: worksPath,
    state,
    lead: html`By your name as it stands on works, your ORCID iD, or a DOI. Tick those that are
yours, and claim them in one step.`,
    content: html`${searchForm(visit.context, typed)}
${
  'failed' in outcome
    ? emptyState('Nothing could be looked for', outcome.failed)
    : html`<p role="status">${plural(outcome.total, 'work')} found by “<bdi>${typed}</bdi>”${
        asked.typed === undefined ? own : ''
      }.</p>${results(visit, { outcome, asked, state })}`
}
<p>You know the ARK of a work? <a href="${prefix}${worksPath}/claim">Claim it by its
ARK</a>.</p>`,
  }
}

async function find(visit: AccountVisit, { typed, cursor }: Asked): Promise<Outcome> {
  const { environment, baseUrl, search } = visit.context
  const signal = visit.reply.standAside()
  const source = { service: search?.[environment.name], searcher: { caller: visit.from, signal } }
  const asked = { typed, ...(cursor !== undefined && { cursor }) }
  const author = authorOf(visit)
  try {
    return await findClaimable(source, asked, author, { environment, baseUrl })
  } catch (error) {
    if (error instanceof SearchError) return { failed: 'Search has failed.' }
    const isAnswer = error instanceof HttpError
    if (isAnswer && failures.has(error.code)) return { failed: `${error.message}.` }
    throw error
  }
}

const failures: ReadonlySet<string> = new Set(['bad_request', 'timeout', 'unavailable'])

function searchForm({ pages }: AccountContext, typed: string): Html {
  const values = new Map([['q', typed]])
  return html`<form class="form" method="get" action="${pages.prefix}${findPath}" role="search"
novalidate>
${field({ name: 'q', label: 'Name, ORCID iD or DOI', required: true }, { values, faults: [] })}
<div class="buttons"><button class="button button-quiet" type="submit">Find</button></div>
</form>`
}

function results(
  visit: AccountVisit,
  found: { readonly outcome: ClaimablePage; readonly asked: Asked; readonly state: FormState },
): Html {
  const { outcome, asked, state } = found
  const { works, nextCursor } = outcome
  if (works.length === 0) {
    return emptyState(
      'Nothing was found',
      'Try your family name alone, another spelling, words of a title, or the DOI of the work.',
    )
  }
  const { prefix } = visit.context.pages
  const rows = works.map((each) => row(visit.context, each, state))
  const list = html`<ul class="claimable" id="field-works">${rows}</ul>`
  const next = nextCursor === null ? '' : nextLink(visit, asked, nextCursor)
  if (works.every(isSaid)) return html`${list}${next}`
  const hidden = [['q', asked.typed] as const, ['cursor', asked.cursor] as const]
  const fields = html`${list}
${hidden.map(([name, value]) => (value === undefined ? '' : hiddenField(name, value)))}
${field({ ...messageField, label: 'A word to whoever registered them' }, state)}`
  const action = prefix + findPath
  return html`${form({ action, csrf: visit.csrf, fields, submit: 'Claim what is ticked' })}${next}`
}

function nextLink(visit: AccountVisit, { typed }: Asked, cursor: string): Html {
  const q = typed ?? authorOf(visit).name
  const href = `${visit.context.pages.prefix}${findPath}?${new URLSearchParams({ q, cursor })}`
  return html`<nav class="pagination" aria-label="Pages"><a href="${href}" rel="next">More
works</a></nav>`
}

/** Whether a claim stands, so that there is nothing to tick. */
function isSaid({ claim }: ClaimableWork): boolean {
  return claim !== undefined && claim.status !== 'withdrawn'
}

function row({ baseUrl, pages }: AccountContext, found: ClaimableWork, state: FormState): Html {
  const { ark, work, claim, namesOrcid } = found
  const { ark_identifier: shown } = work
  const look = html`<a href="${baseUrl}/${shown}"><code>${shown}</code></a>`
  if (claim !== undefined && isSaid(found)) {
    const answer = `${pages.prefix}${worksPath}/${claim.claim_id}`
    return html`<li><div role="group" aria-label="${work.work_title}">
<p><strong dir="auto">${work.work_title}</strong></p>
<p class="hint" dir="auto">${where(found)}</p>
<p>${statusBadge(claim)} <a href="${answer}">Your claim</a> ${look}</p></div></li>`
  }
  const name = ticks + ark
  const tick = { name, label: work.work_title, hint: where(found) }
  const mark = namesOrcid ? badge('names your ORCID iD: counts at once', 'good') : ''
  return html`<li><div role="group" aria-label="${work.work_title}">${checkbox(tick, state)}
<div class="under-box">${placeField(placeName(ark), found, state, choicesOfManyMax)}
<p>${mark} ${look}</p></div></div></li>`
}

/** Who wrote a work, when and where, and who registered it, in one line. */
function where({ work, authors }: ClaimableWork): Text {
  const named = authors.slice(0, namedMax).join('; ')
  const { published_date: published, container_title: container, registrant } = work
  const said = [
    authors.length > namedMax ? `${named} and ${authors.length - namedMax} more` : named,
    typeName(work.work_type),
    published?.slice(0, 4),
    container,
    registrant === undefined ? undefined : `registered by ${registrant}`,
  ]
  return joined(
    said.filter((part) => part !== undefined),
    ' · ',
  )
}
