import type { ClaimMatch, Mismatch } from '#actors/people/claims/match.ts'
import type { Claim } from '#actors/people/claims/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { HttpError } from '#src/edge/errors.ts'
import { faultOf } from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  type PageFault,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { MemberVisit, PageReply, PageRoutes } from '#src/pages/kit/pages.ts'
import {
  badge,
  card,
  type Fact,
  facts,
  pagination,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { claimReview as words, claims } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'
import { type ClaimNews, isClaimed, refusedClaim, tellOfClaim } from '#src/use_cases/claiming.ts'

/** What a claim is shown from. `baseUrl` has no slash at its end. */
type EvidencePlace = {
  /** Name and address of who asks, for who decides. */
  readonly askersName: (ppid: string) => string
  readonly environment: Pick<ServedEnvironment, 'name' | 'claims' | 'people' | 'catalogue'>
  readonly baseUrl: string
}

/** Authors that stand open before and around the one who is claimed; the others are folded. */
const openAuthorsMax = 10

/** What a claim rests on: what of it holds, what does not, and what its person says. */
function claimEvidence(claim: Claim, place: EvidencePlace): Html {
  const { ark_identifier: ark, message, reason, created_at } = claim
  const { environment, baseUrl } = place
  const match = environment.claims.match(claim)
  const said = (text: string | undefined) => text && html`<span dir="auto">“${text}”</span>`
  return html`<p>${match === undefined ? '' : verdict(match)} ${orcidBadge(match)}</p>
${match === undefined ? '' : mismatchList(match)}
${facts([
  [words.claimedBy, claimantLink(claim, place)],
  [claims.message, said(message) ?? words.noMessage],
  [claims.contestReason, said(reason)],
  [claims.work, html`<a href="${baseUrl}/${ark}"><code>${ark}</code></a>`],
  [words.registeredBy, registrantOf(claim, place)],
  ...(match === undefined ? erased : [authorsFact(match)]),
  [words.knownAuthors, knownAuthors(claim, match, place)],
  [claims.status, reviewedStatus(claim)],
  [claims.since, time(created_at)],
])}
${match === undefined ? '' : comparison(claim, match, place)}`
}

const erased: readonly Fact[] = [[claims.authors, words.erased]]

function registrantOf({ ark }: Claim, { environment }: EvidencePlace): Html | undefined {
  const owner = environment.catalogue.state(ark)?.owner
  if (owner === undefined) return undefined
  const name = owner.type === 'person' ? shownName(owner.id, environment) : owner.name
  return html`<bdi>${name}</bdi>`
}

/** Others who count as authors of the work: two who are at one place cannot both be right. */
function knownAuthors(
  claim: Claim,
  match: ClaimMatch | undefined,
  { environment, baseUrl }: EvidencePlace,
): Html | undefined {
  const known = environment.claims.knownBeside(claim)
  if (known.length === 0) return undefined
  const items = known.map(({ ppid, author_position: place }) => {
    const isSame = place !== undefined && place === match?.author_position
    const name = html`<a href="${baseUrl}/people/${ppid}"><bdi>${shownName(
      ppid,
      environment,
    )}</bdi></a>`
    const mark = isSame ? badge(words.samePlace, 'bad') : ''
    const who = place === undefined ? name : words.asAuthor({ name, place })
    return html`<li>${who} ${mark}</li>`
  })
  return html`<ul>${items}</ul>`
}

function verdict({ mismatches }: ClaimMatch): Html {
  if (mismatches.length === 0) return badge(words.noMismatch, 'good')
  return badge(words.mismatches({ count: mismatches.length }), 'bad')
}

function claimantLink({ ppid }: Claim, { askersName, baseUrl }: EvidencePlace): Html {
  const profile = `${baseUrl}/people/${ppid}`
  return html`<a href="${profile}"><bdi>${askersName(ppid)}</bdi></a>
<code>${ppid}</code>`
}

/** The name that a person shows to everybody, or else their identifier. */
function shownName(ppid: string, { people }: Pick<ServedEnvironment, 'people'>): string {
  const person = people.read(ppid)
  if (person?.type !== 'person') return ppid
  const { name, visibility } = person.profile
  return visibility.name === 'public' ? name : ppid
}

/** How a claim stands, and by whose word, for those who review it. */
function reviewedStatus({ status, waits_for, basis = 'registrant' }: Claim): Html {
  switch (status) {
    case 'pending': {
      const isTheirs = waits_for === 'registrant'
      return badge(isTheirs ? claims.waitsForPublisher : words.waitsForPerson, 'waiting')
    }
    case 'verified':
      return html`${badge(words.confirmed, 'good')} ${confirmedBy[basis]}`
    case 'rejected':
      return badge(basis === 'admin' ? claims.declinedByAdmin : claims.declined)
    case 'disputed':
      return html`${badge(claims.disputed, 'waiting')} ${words.waitsForAdmin}`
    case 'withdrawn':
      return badge(claims.withdrawn)
  }
}

const confirmedBy = {
  registrant: words.byRegistrant,
  orcid: words.byOrcid,
  admin: words.byAdmin,
} as const

function orcidBadge(match: ClaimMatch | undefined): Html {
  return match?.claimant.orcid === undefined ? nothing : badge(words.orcidSignedIn, 'good')
}

function mismatchList(match: ClaimMatch): Html {
  if (match.mismatches.length === 0) return nothing
  const items = match.mismatches.map(({ code }) => html`<li>${mismatchText(code, match)}</li>`)
  return html`<div class="flash flash-error" role="note"><p>${words.mismatchHeading}</p>
<ul>${items}</ul></div>`
}

/** What does not match, as pages say it. */
function mismatchText(code: Mismatch['code'], match: ClaimMatch): Text {
  const { authors_count: count, author_position: place = 0, author, claimant } = match
  const { orcid = '', name = '' } = claimant
  switch (code) {
    case 'no_place':
      return words.noPlace({ count })
    case 'no_such_author':
      return words.noSuchAuthor({ place, count })
    case 'name_hidden':
      return words.nameHidden
    case 'name_differs':
      return words.nameDiffers({ author: author?.name ?? '', name })
    case 'orcid_differs':
      return author?.orcid === undefined || author.orcid === orcid
        ? words.orcidElsewhere({ orcid, place: match.orcid_position ?? 0 })
        : words.orcidDiffers({ own: author.orcid, orcid })
  }
}

/** The authors of the work, the one who is claimed marked, however many stand before them. */
function authorsFact(match: ClaimMatch): Fact {
  const { authors, authors_count: count, author, author_position: place } = match
  const shown = authors.map((name, index) => ({ name, position: index + 1 }))
  const isOpen = ({ position }: { readonly position: number }) =>
    position < openAuthorsMax || position === place
  const beyond = place !== undefined && place > authors.length && author !== undefined
  const open = [
    ...shown.filter(isOpen),
    ...(beyond ? [{ name: author.name, position: place }] : []),
  ]
  const folded = shown.filter((each) => !isOpen(each))
  const item = ({ name, position }: { readonly name: string; readonly position: number }) =>
    position === place
      ? html`<li value="${position}"><strong><bdi>${name}</bdi></strong>
${badge(words.claimedPlace({ place: position, count }), 'waiting')}</li>`
      : html`<li value="${position}"><bdi>${name}</bdi></li>`
  const unseen = count - shown.length - (beyond ? 1 : 0)
  const rest =
    folded.length === 0
      ? ''
      : html`<details class="fold"><summary>${words.moreAuthors({ count: folded.length })}</summary>
<ol>${folded.map(item)}</ol></details>`
  const more =
    unseen <= 0 ? '' : html`<p class="hint">${words.unseenAuthors({ count: unseen })}</p>`
  return [claims.authors, html`<ol>${open.map(item)}</ol>${rest}${more}`]
}

type Compared = {
  readonly what: Text
  readonly ofWork: string | undefined
  readonly ofAccount: string | undefined
  readonly found: Html
}

/** The author at the claimed place beside the account, with what was compared. */
function comparison({ ppid }: Claim, match: ClaimMatch, { environment }: EvidencePlace): Html {
  const { author, claimant, mismatches } = match
  const codes = new Set<string>(mismatches.map(({ code }) => code))
  const typed = typedOrcid(ppid, environment)
  const none = badge(words.notCompared)
  const name =
    author === undefined || claimant.name === undefined ? none : badge(words.fits, 'good')
  const isSame = author?.orcid !== undefined && author.orcid === claimant.orcid
  const rows: readonly Compared[] = [
    {
      what: words.name,
      ofWork: author?.name,
      ofAccount: claimant.name,
      found: codes.has('name_differs') ? badge(words.differs, 'bad') : name,
    },
    {
      what: 'ORCID iD',
      ofWork: author?.orcid,
      ofAccount: claimant.orcid ?? typed,
      found: codes.has('orcid_differs')
        ? badge(words.differs, 'bad')
        : isSame
          ? badge(words.sameOrcid, 'good')
          : claimant.orcid === undefined && typed !== undefined
            ? badge(words.typedOrcid)
            : none,
    },
  ]
  const cell = (text: string | undefined, nobody: Text) =>
    text === undefined ? html`<span class="hint">${nobody}</span>` : html`<bdi>${text}</bdi>`
  return table(words.comparison, rows, [
    [words.what, ({ what }) => what],
    [words.inWork, ({ ofWork }) => cell(ofWork, words.none)],
    [words.inAccount, ({ ofAccount }) => cell(ofAccount, words.noneShown)],
    [words.compared, ({ found }) => found],
  ])
}

/** The ORCID iD that a person shows and has never signed in with. */
function typedOrcid(ppid: string, { people }: EvidencePlace['environment']): string | undefined {
  const person = people.read(ppid)
  if (person?.type !== 'person') return undefined
  const { orcid, orcid_authenticated, visibility } = person.profile
  return orcid_authenticated !== true && visibility.orcid === 'public' ? orcid : undefined
}

const reviewSteps = ['confirm', 'reject'] as const

type ReviewStep = (typeof reviewSteps)[number]

/** Where claims are reviewed: for an organization, by a person, or by administrators. */
export type ReviewDesk = EvidencePlace &
  Pick<ClaimNews, 'audit' | 'nowMs'> & {
    /** Full path of the list, prefix included: the pages of its claims are below it. */
    readonly base: string
    readonly csrf: string
    /** As whom the visitor decides; undefined for who only reads. */
    readonly by: Agent | undefined
    /** Whether it is the desk of an administrator, who decides as one. */
    readonly isAdmin: boolean
  }

type DeskPage = Pick<AccountPage, 'lead' | 'content' | 'state' | 'isOfDesk'> & {
  readonly title: Text
}

/** The claims that wait, each with what speaks against it; a row leads to the page of its claim. */
export function waitingClaims(found: readonly Claim[], desk: ReviewDesk): Html {
  const { environment, base } = desk
  const rows = found.map((claim) => ({ claim, match: environment.claims.match(claim) }))
  const titleLink = ({ claim, match }: (typeof rows)[number]) => {
    const title = match?.work_title ?? claim.ark_identifier
    return html`<a href="${base}/${claim.claim_id}"><bdi>${title}</bdi></a>`
  }
  return table(words.table, rows, [
    [claims.work, titleLink],
    [words.claimedBy, ({ claim }) => claimantLink(claim, desk)],
    [words.compared, ({ match }) => (match === undefined ? '' : verdict(match))],
    [claims.since, ({ claim }) => time(claim.created_at)],
  ])
}

const claimsOnPage = 25

/** Where a visit asks for the claims of a desk, and what stands there where there are none. */
export type WaitingClaims = {
  readonly read: (page: {
    readonly limit: number
    readonly cursor?: number
  }) => Promise<{ readonly claims: readonly Claim[]; readonly next: number | null }>
  readonly none: Html
}

/** A page of the claims that wait at a desk. */
export async function claimList(
  { query }: MemberVisit,
  desk: ReviewDesk,
  { read, none }: WaitingClaims,
): Promise<Html> {
  const after = parseDecimal(query.get('after') ?? '')
  const page = { limit: claimsOnPage, ...(after !== undefined && { cursor: after }) }
  const { claims: found, next } = await read(page)
  return html`${found.length === 0 ? none : waitingClaims(found, desk)}
${pagination({ path: desk.base, parameter: 'after', next, isFirst: after === undefined })}`
}

/** Who reviews claims on visits of a kind, which claims, and where the pages of them belong. */
export type Reviewing<V extends MemberVisit> = {
  readonly deskOf: (visit: V) => ReviewDesk
  readonly isTheirs: (visit: V, claim: Claim) => boolean
  readonly show: (visit: V, page: DeskPage) => AccountPage | Promise<AccountPage>
  readonly done: (visit: V, step: ReviewStep) => PageReply
}

/** Adds the pages of single claims below a path: `read` shows them, and `review` decides. */
export function addReviewPages<V extends MemberVisit>(
  path: string,
  { read, review }: { readonly read: PageRoutes<V>; readonly review: PageRoutes<V> },
  { deskOf, isTheirs, show, done }: Reviewing<V>,
): void {
  const claimOf = (visit: V, { environment }: ReviewDesk): Claim => {
    const claim = environment.claims.find(visit.parameters['claim_id'] ?? '')
    if (claim !== undefined && isTheirs(visit, claim)) return claim
    throw refusedClaim({ type: 'not_found' })
  }
  read.get(`${path}/:claim_id`, (visit) => {
    const desk = deskOf(visit)
    return show(visit, reviewPage(claimOf(visit, desk), desk, emptyForm))
  })
  review.get(`${path}/:claim_id/refuse`, (visit) => {
    const desk = deskOf(visit)
    return show(visit, refusalPage(claimOf(visit, desk), desk))
  })
  review.post(`${path}/:claim_id`, async (visit, body) => {
    const desk = deskOf(visit)
    const claim = claimOf(visit, desk)
    const answer = await answerReview(claim, desk, body)
    if ('done' in answer) return done(visit, answer.done)
    return show(visit, reviewPage(claim, desk, answer.again))
  })
}

function reviewPage(claim: Claim, desk: ReviewDesk, state: FormState): DeskPage {
  const title = titleOf(claim, desk)
  const name = desk.askersName(claim.ppid)
  return {
    title,
    isOfDesk: false,
    state,
    lead: words.lead({ name: html`<bdi>${name}</bdi>` }),
    content: html`${claimEvidence(claim, desk)}
${decision(claim, desk, state)}`,
  }
}

/** Asks whether a claim is to be declined. HttpError `conflict` where that cannot be done now. */
function refusalPage(claim: Claim, desk: ReviewDesk): DeskPage {
  if (!openSteps(claim, desk).includes('reject')) {
    throw new HttpError('conflict', 'This claim cannot be declined as it stands')
  }
  const action = `${desk.base}/${claim.claim_id}`
  const fields = html`${hiddenField('step', 'reject')}
<p>${words.declineText({ name: html`<bdi>${desk.askersName(claim.ppid)}</bdi>` })}</p>
${adminNote(desk)}`
  const beside = html`<a href="${action}">${claims.leave}</a>`
  const submit = words.declineSubmit
  return {
    title: words.declineTitle,
    isOfDesk: false,
    lead: titleOf(claim, desk),
    content: formCard({ action, csrf: desk.csrf, fields, submit, beside, danger: true }),
  }
}

/**
 * Carries a reviewer's answer out: what was done, or the form again with what is wrong.
 * HttpErrors of the refusals that no field can mend.
 */
async function answerReview(
  { ppid, ark }: Claim,
  { environment, by, audit, nowMs }: ReviewDesk,
  body: FormBody,
): Promise<{ readonly done: ReviewStep } | { readonly again: FormState }> {
  const step = reviewSteps.find((each) => each === textOf(body, 'step'))
  if (step === undefined) throw new HttpError('bad_request', 'A claim is confirmed or refused')
  if (by === undefined) throw refusedClaim({ type: 'forbidden' })
  const why = textOf(body, mismatchWords).trim()
  const said = step === 'confirm' && why !== '' ? { confirm_mismatch: why } : {}
  const answer = await environment.claims.change({ ppid, ark, step, by, body: said })
  if (isClaimed(answer)) {
    await tellOfClaim({ environment, audit, nowMs }, answer, step, by)
    return { done: step }
  }
  if (answer.type !== 'mismatch' && answer.type !== 'invalid') throw refusedClaim(answer)
  const faults = answer.type === 'invalid' ? answer.faults : []
  return { again: { values: body, faults: [wordsFault(faults)] } }
}

const mismatchWords = 'confirm_mismatch'

function wordsFault([fault]: readonly FieldFault[]): PageFault {
  if (fault !== undefined) return { ...fault, field: mismatchWords }
  return faultOf(mismatchWords, 'required', words.whyNeeded)
}

function titleOf(claim: Claim, { environment }: ReviewDesk): string {
  return environment.claims.match(claim)?.work_title ?? claim.ark_identifier
}

function openSteps(claim: Claim, { environment, by }: ReviewDesk): readonly string[] {
  return by === undefined ? [] : environment.claims.steps(claim, by)
}

function decision(claim: Claim, desk: ReviewDesk, state: FormState): Html | '' {
  const open = openSteps(claim, desk)
  const action = `${desk.base}/${claim.claim_id}`
  const refuse = open.includes('reject') ? quietLink(`${action}/refuse`, words.declineLink) : html``
  if (!open.includes('confirm')) return open.includes('reject') ? card(words.decide, refuse) : ''
  const match = desk.environment.claims.match(claim)
  const isMatch = match === undefined || match.mismatches.length === 0
  const why = {
    name: mismatchWords,
    label: words.why,
    type: 'textarea',
    required: true,
    hint: words.whyHint,
  } as const
  const fields = html`${hiddenField('step', 'confirm')}${isMatch ? '' : field(why, state)}
${adminNote(desk)}`
  const submit = isMatch ? words.confirm : words.confirmAnyway
  return card(words.decide, form({ action, csrf: desk.csrf, fields, submit, beside: refuse }))
}

function adminNote({ isAdmin }: ReviewDesk): Html | '' {
  if (!isAdmin) return ''
  return html`<p class="hint">${words.adminNote}</p>`
}
