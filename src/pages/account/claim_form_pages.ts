import { parseArkReference } from '#actors/values/ark.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { queryWordsMax } from '#src/discovery/search/query_text.ts'
import { SearchError } from '#src/discovery/search/search_engine.ts'
import { HttpError } from '#src/edge/errors.ts'
import { QueryError } from '#src/edge/query_string.ts'
import {
  type AccountContext,
  type AccountVisit,
  pageAgent,
  personOf,
} from '#src/pages/account/context.ts'
import { statusBadge } from '#src/pages/account/work_pages.ts'
import { faultOf } from '#src/pages/kit/account_fields.ts'
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
  type PageFault,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { type MemberVisit, type PageReply, redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { asLink, badge, emptyState, facts } from '#src/pages/kit/parts.ts'
import { typeName } from '#src/pages/kit/words.ts'
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
import { claims as words, frame, search as searchWords } from '#src/words/english.ts'
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
    const label = words.placeOfMany({ count: authors.length })
    const [first = ''] = authors
    const hint =
      position === undefined
        ? words.placeHint({ first })
        : words.placeHintLikely({ first, place: position, name: authors[position - 1] ?? '' })
    return field({ name, label, required: true, hint }, shown)
  }
  const choices = authors.map((author, index) => ({
    value: `${index + 1}`,
    label: `${index + 1}. ${author}`,
  }))
  const options = [{ value: '', label: words.chooseName }, ...choices]
  return selectField({ name, label: words.youAre, options }, shown)
}

/** What a claim lacks, in the words of a form that has these names for its fields. */
function claimFaults(
  answer: Parameters<typeof refusedClaim>[0],
  { ark, place }: { readonly ark: string; readonly place: string },
): readonly PageFault[] {
  const { message } = refusedClaim(answer)
  if (answer.type !== 'invalid') {
    const text = refusalWords[answer.type]
    return [{ field: ark, code: answer.type, message: `${message}.`, ...(text && { text }) }]
  }
  return answer.faults.map((fault) =>
    fault.field === 'author_position' ? { ...fault, field: place, text: words.placeNeeded } : fault,
  )
}

const refusalWords: Readonly<Partial<Record<Parameters<typeof refusedClaim>[0]['type'], Text>>> = {
  no_work: words.noWork,
  work_gone: words.workGone,
  blocked: words.blocked,
  rejected: words.rejected,
  too_many_claims: words.tooMany,
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
  label: words.messageTo,
  type: 'textarea',
  hint: words.messageHint,
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
    const missing = faultOf('ark_identifier', 'not_found', words.noWork)
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
    title: words.isYours,
    current: worksPath,
    state,
    lead: html`<a href="${baseUrl}/${ark_identifier}"><bdi>${work.work_title}</bdi></a>`,
    content: html`${facts([
      [words.authors, html`<bdi>${firstAuthors(found)}</bdi>`],
      [words.yourAccount, accountFact(visit, author)],
      [words.whatFollows, consequence(found)],
    ])}
${formCard({
  action: pages.prefix + worksPath,
  csrf: visit.csrf,
  fields,
  submit: words.claim,
  beside: html`<a href="${baseUrl}/${ark_identifier}">${words.leave}</a>`,
})}`,
  }
}

const namedMax = 5

function firstAuthors({ authors }: ClaimableWork): Text {
  const names = authors.slice(0, namedMax).join('; ')
  const count = authors.length - namedMax
  return count > 0 ? words.namesAndMore({ names, count }) : names
}

function accountFact(visit: AccountVisit, { name, orcid }: Author): Html {
  const { prefix } = visit.context.pages
  const { visibility } = personOf(visit).profile
  const shown = html`<bdi>${name}</bdi>`
  const known = orcid === undefined ? shown : words.withOrcid({ name: shown, orcid })
  if (visibility.name === 'public') return html`${known}`
  const link = asLink(`${prefix}/account`)
  return html`${known}<br>${words.nameHidden({ link })}`
}

function consequence({ namesOrcid, position, authors, work }: ClaimableWork): Text {
  if (namesOrcid) return words.atOnce
  const publisher = work.registrant ?? words.itsPublisher
  const isPlaced = position !== undefined || authors.length === 1
  return isPlaced ? words.onceAgreed({ publisher }) : words.onceAgreedUnplaced({ publisher })
}

function arkPage({ pages }: AccountContext, state: FormState): AccountPage {
  const typed = field(
    {
      name: 'ark',
      label: words.ark,
      hint: words.arkHint({ example: 'ark:/12345/k2bcd45g7h3' }),
      required: true,
    },
    {
      values: new Map([['ark', state.values.get('ark_identifier') ?? '']]),
      faults: state.faults.map((fault) => ({ ...fault, field: 'ark' })),
    },
  )
  return {
    title: words.arkTitle,
    current: worksPath,
    lead: words.arkLead({
      link: asLink(`${pages.prefix}${findPath}`),
    }),
    state: { ...state, faults: state.faults.map((fault) => ({ ...fault, field: 'ark' })) },
    content: html`<form class="form card" method="get" action="${pages.prefix}${path}" novalidate>
${typed}
<div class="buttons"><button class="button" type="submit">${words.goOn}</button></div>
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
type Outcome = ClaimablePage | { readonly failed: Text }

const ticks = 'claim:'
const places = 'place:'

/** The button that claims all works of a list, which each have a place. */
const allName = 'all'

function placeName(ark: string): string {
  return places + ark
}

/** The works of a list that are ticked, or all of those that can be. */
function tickedIn(body: FormBody): readonly string[] {
  const start = body.has(allName) ? places : ticks
  return [...body.keys()]
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length))
}

/** Claims the works that are ticked. Those that are claimed stay so if others cannot be. */
async function claimTicked(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { ppid } = visit.account
  const by = pageAgent(ppid)
  const ticked = tickedIn(body)
  const faults: PageFault[] = []
  for (const ark of ticked) {
    const name = ticks + ark
    const claim = { ark_identifier: `ark:/${ark}`, ...readWords(body, placeName(ark)) }
    const answer = await visit.context.environment.claims.make({ ppid, body: claim, by })
    if (isClaimed(answer)) await tellOfClaim(visit.context, answer, 'make', by)
    else {
      faults.push(...claimFaults(answer, { ark: name, place: placeName(ark) }))
    }
  }
  if (ticked.length === 0) {
    faults.push(faultOf('works', 'required', words.chooseWorks))
  }
  if (faults.length === 0) {
    return redirectDone(worksPath, ticked.length === 1 ? 'found' : 'several')
  }
  const asked = {
    typed: body.get('q'),
    cursor: textOf(body, 'cursor') || undefined,
  }
  const values = new Map([...body, ...ticked.map((ark) => [ticks + ark, 'on'] as const)])
  return findPage(visit, asked, { values, faults })
}

async function findPage(visit: AccountVisit, asked: Asked, state: FormState): Promise<AccountPage> {
  const { prefix } = visit.context.pages
  const author = authorOf(visit)
  const outcome = await find(visit, asked)
  const typed = asked.typed ?? author.name
  const { orcid } = asked.typed === undefined ? author : {}
  const found = (count: number) =>
    orcid === undefined
      ? words.foundBy({ count, typed: html`<bdi>${typed}</bdi>` })
      : words.foundByOrcid({ count, typed: html`<bdi>${typed}</bdi>`, orcid })
  return {
    title: words.find,
    current: worksPath,
    state,
    lead: words.findLead,
    content: html`${searchForm(visit.context, typed)}
${
  'failed' in outcome
    ? emptyState(words.notSearched, outcome.failed)
    : html`<p role="status">${found(outcome.total)}</p>${results(visit, { outcome, asked, state })}`
}
<p>${words.knowArk({ link: asLink(`${prefix}${path}`) })}</p>`,
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
    if (error instanceof SearchError) return { failed: words.searchFailed }
    if (error instanceof QueryError) {
      const isLong = error.fault === 'too_many_words'
      const failed = isLong
        ? searchWords.tooManyWords({ max: queryWordsMax })
        : searchWords.wrongPage
      return { failed }
    }
    if (!(error instanceof HttpError)) throw error
    if (error.code === 'unavailable') return { failed: words.searchOff }
    if (error.code === 'timeout') return { failed: words.searchFailed }
    throw error
  }
}

function searchForm({ pages }: AccountContext, typed: string): Html {
  const values = new Map([['q', typed]])
  return html`<form class="form" method="get" action="${pages.prefix}${findPath}" role="search"
novalidate>
${field({ name: 'q', label: words.searchLabel, required: true }, { values, faults: [] })}
<div class="buttons">
<button class="button button-quiet" type="submit">${words.search}</button></div>
</form>`
}

function results(
  visit: AccountVisit,
  found: { readonly outcome: ClaimablePage; readonly asked: Asked; readonly state: FormState },
): Html {
  const { outcome, asked, state } = found
  const { works, nextCursor } = outcome
  if (works.length === 0) {
    return emptyState(words.nothingFound, words.nothingFoundText)
  }
  const { prefix } = visit.context.pages
  const rows = works.map((each) => row(visit.context, each, state))
  const list = html`<ul class="claimable" id="field-works">${rows}</ul>`
  const next = nextCursor === null ? '' : nextLink(visit, asked, nextCursor)
  if (works.every(isSaid)) return html`${list}${next}`
  const hidden = [['q', asked.typed] as const, ['cursor', asked.cursor] as const]
  const fields = html`${list}
${hidden.map(([name, value]) => (value === undefined ? '' : hiddenField(name, value)))}
${field({ ...messageField, label: words.messageToAll }, state)}`
  const action = prefix + findPath
  const count = works.filter((each) => !isSaid(each)).length
  const all = html`<button class="button button-quiet" type="submit" name="${allName}"
value="on">${words.claimAll({ count })}</button>`
  const submit = words.claimSelected
  const beside = count > 1 ? { beside: all } : {}
  return html`${form({ action, csrf: visit.csrf, fields, submit, ...beside })}${next}`
}

function nextLink(visit: AccountVisit, { typed }: Asked, cursor: string): Html {
  const q = typed ?? authorOf(visit).name
  const href = `${visit.context.pages.prefix}${findPath}?${new URLSearchParams({ q, cursor })}`
  return html`<nav class="pagination" aria-label="${frame.pages}"><a href="${href}"
rel="next">${words.moreWorks}</a></nav>`
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
<p>${statusBadge(claim)} <a href="${answer}">${words.yourClaim}</a> ${look}</p></div></li>`
  }
  const name = ticks + ark
  const tick = { name, label: work.work_title, hint: where(found) }
  const mark = namesOrcid ? badge(words.namesOrcid, 'good') : ''
  return html`<li><div role="group" aria-label="${work.work_title}">${checkbox(tick, state)}
<div class="under-box">${placeField(placeName(ark), found, state, choicesOfManyMax)}
<p>${mark} ${look}</p></div></div></li>`
}

/** Who wrote a work, when and where, and who registered it, in one line. */
function where(found: ClaimableWork): Text {
  const { work } = found
  const { published_date: published, container_title: container, registrant } = work
  const said = [
    firstAuthors(found),
    typeName(work.work_type),
    published?.slice(0, 4),
    container,
    registrant === undefined ? undefined : words.registeredBy({ name: registrant }),
  ]
  return joined(
    said.filter((part) => part !== undefined),
    ' · ',
  )
}
