import type { OwnerListWork } from '#actors/registry/catalogue/owner_lists.ts'
import type { Claim } from '#actors/people/claims/port.ts'
import { type ClaimStep, claimSteps } from '#actors/people/events.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import { HttpError } from '#src/edge/errors.ts'
import { addReviewPages, type ReviewDesk, waitingClaims } from '#src/pages/account/claim_review.ts'
import {
  nameAndAddress,
  type AccountContext,
  type AccountVisit,
  pageAgent,
  writerName,
} from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { type Html, html, joinHtml, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type PageReply, redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import {
  badge,
  type BadgeKind,
  buttonLink,
  card,
  emptyState,
  facts,
  pagination,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { isClaimed, refusedClaim, tellOfClaim } from '#src/use_cases/claiming.ts'
import { summarizeWork } from '#src/use_cases/listed_works.ts'
import { claims as words } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

const statusKinds: Readonly<Record<Claim['status'], BadgeKind>> = {
  verified: 'good',
  pending: 'waiting',
  disputed: 'bad',
  rejected: 'plain',
  withdrawn: 'plain',
}

/** How a claim stands, in words for its person. */
export function statusBadge({ status, waits_for, blocked, basis }: Claim): Html {
  if (blocked === true) return badge(words.notMine)
  const isByAdmin = basis === 'admin'
  const states = {
    verified: isByAdmin ? words.verifiedByAdmin : words.verified,
    pending: waits_for === 'researcher' ? words.waitsForYou : words.waitsForPublisher,
    disputed: words.disputed,
    rejected: isByAdmin ? words.declinedByAdmin : words.declined,
    withdrawn: words.withdrawn,
  }
  return badge(states[status], statusKinds[status])
}

/** Claims that are shown at once; the others follow when these are answered. */
const claimsMax = 25

const worksPath = '/account/works'
const askedPath = `${worksPath}/asked`

/** Adds the pages of claims by others on works that the visitor has registered. */
export function addAskedClaimPages(context: AccountContext): void {
  const { member } = routesIn(context)
  addReviewPages<AccountVisit>(
    askedPath,
    { read: member, review: member },
    {
      deskOf,
      isTheirs({ account }, { ark }) {
        const owner = context.environment.catalogue.state(ark)?.owner
        return owner?.type === 'person' && owner.id === account.ppid
      },
      show: (_visit, page) => ({ ...page, current: worksPath }),
      done: (_visit, step) => redirectDone(worksPath, `${step}_other`),
    },
  )
}

/** Claims by others on works that the visitor has registered; nothing if there are none. */
async function askedClaims(visit: AccountVisit): Promise<Html> {
  const registrant = { type: 'person', id: visit.account.ppid } as const
  const { claims } = await visit.context.environment.claims.awaiting(registrant, {
    limit: claimsMax,
  })
  if (claims.length === 0) return nothing
  return html`<section><h2>${words.asked}</h2><p>${words.askedText}</p>
${waitingClaims(claims, deskOf(visit))}</section>`
}

function deskOf({ context, account, csrf }: AccountVisit): ReviewDesk {
  const { environment, baseUrl, pages, audit, nowMs } = context
  const by = pageAgent(account.ppid)
  const askersName = (ppid: string) => nameAndAddress(context, ppid)
  const place = { environment, baseUrl, askersName }
  return { ...place, audit, nowMs, base: pages.prefix + askedPath, csrf, by, isAdmin: false }
}

const path = '/account/works'
const claimsOnPage = 50

const flashes: Flashes = {
  claimed: words.doneClaimed,
  found: words.doneFound,
  several: words.doneSeveral,
  verified: words.doneVerified,
  agreed: words.doneAgreed,
  exists: { kind: 'info', text: words.doneExists },
  confirm: words.doneAgreed,
  reject: words.doneDeclined,
  contest: words.doneContested,
  withdraw: words.doneWithdrawn,
  confirm_other: words.doneConfirmedOther,
  reject_other: words.doneDeclinedOther,
  disclaim: words.doneDisclaimed,
}

/** Adds the pages of the works that a person claims, and of those claims. */
export function addWorkPages(context: AccountContext): void {
  const { member } = routesIn(context)
  member.get(path, worksPage)
  member.get(`${path}/:claim_id`, (visit) => claimPage(visit, emptyForm))
  member.post(`${path}/:claim_id`, changeClaim)
  member.get(`${path}/:claim_id/disclaim`, disclaimPage)
}

function titleOf(claim: Claim, work: OwnerListWork | undefined): string {
  return work?.work_title ?? claim.ark_identifier
}

async function changeClaim(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { ppid } = visit.account
  const claim = findClaim(visit)
  const step = claimSteps.find((name) => name === body.get('step'))
  if (step === undefined) throw new HttpError('bad_request', 'The form says nothing to do')
  const reason = textOf(body, 'reason').trim()
  const said = reason === '' ? {} : { reason }
  const command = { ppid, ark: claim.ark, step, body: said, by: pageAgent(ppid) }
  const answer = await visit.context.environment.claims.change(command)
  if (isClaimed(answer)) {
    await tellOfClaim(visit.context, answer, step, command.by)
    return redirectDone(path, step)
  }
  if (answer.type !== 'invalid') throw refusedClaim(answer)
  return claimPage(visit, { values: body, faults: answer.faults })
}

function findClaim({ context: { environment }, account, parameters }: AccountVisit): Claim {
  const claim = environment.claims.find(parameters['claim_id'] ?? '')
  if (claim?.ppid === account.ppid) return claim
  throw refusedClaim({ type: 'not_found' })
}

type ClaimedWork = { readonly claim: Claim; readonly work: OwnerListWork | undefined }

async function worksPage(visit: AccountVisit): Promise<AccountPage> {
  const { claims, catalogue } = visit.context.environment
  const { ppid } = visit.account
  const after = readAfter(visit.query.get('after'))
  const page = claims.ofPerson(ppid, {
    limit: claimsOnPage,
    ...(after !== undefined && { cursor: after }),
  })
  const rows = await Promise.all(
    page.claims.map(async (claim) => ({
      claim,
      work: await summarizeWork(catalogue, claim.ark),
    })),
  )
  const asked = await askedClaims(visit)
  const base = visit.context.pages.prefix + path
  return {
    title: words.title,
    current: path,
    wide: true,
    flashes,
    lead: words.lead,
    content: html`<p class="buttons">${buttonLink(`${base}/find`, words.find)}
<a href="${base}/claim">${words.claimByArk}</a></p>
${asked}
${
  rows.length === 0 ? emptyState(words.none, words.noneText) : worksTable(visit.context, ppid, rows)
}
${pagination({ path: base, parameter: 'after', next: page.next })}`,
  }
}

/** The ARK after which a page of claims begins, `naan/name`. */
function readAfter(text: string | null): string | undefined {
  if (text === null) return undefined
  const parsed = parseArkReference(text, '')
  return parsed.type === 'malformed' ? undefined : parsed.ark
}

function worksTable(context: AccountContext, ppid: string, rows: readonly ClaimedWork[]): Html {
  return table(words.table, rows, [
    [
      words.work,
      ({ claim, work }) =>
        html`<a href="${context.baseUrl}/${claim.ark_identifier}"
><bdi>${titleOf(claim, work)}</bdi></a>`,
    ],
    [words.status, ({ claim }) => statusBadge(claim)],
    [words.saidBy, ({ claim }) => writerName(context, claim.source, ppid)],
    [words.since, ({ claim }) => time(claim.created_at)],
    [words.toDo, ({ claim }) => claimLink(context, claim)],
  ])
}

function claimLink({ pages }: AccountContext, claim: Claim): Html {
  const { claim_id: id, status, waits_for, ark_identifier: ark } = claim
  const isAsked = status === 'pending' && waits_for === 'researcher'
  return html`<a href="${pages.prefix}${path}/${id}">${isAsked ? words.answer : words.change}
<span class="hint"><bdi>${ark}</bdi></span></a>`
}

async function claimPage(visit: AccountVisit, state: FormState): Promise<AccountPage> {
  const claim = findClaim(visit)
  const work = await summarizeWork(visit.context.environment.catalogue, claim.ark)
  const { author_position: position, message, reason } = claim
  const { ark_identifier: ark } = claim
  return {
    title: titleOf(claim, work),
    current: path,
    state,
    content: html`${facts([
      ['ARK', html`<a href="${visit.context.baseUrl}/${ark}"><bdi>${ark}</bdi></a>`],
      [words.status, statusBadge(claim)],
      [words.saidBy, writerName(visit.context, claim.source, claim.ppid)],
      [words.since, time(claim.created_at)],
      [words.place, position],
      [words.message, message],
      [words.contestReason, reason],
    ])}
${card(words.whatYouCanDo, steps(visit, claim, state))}`,
  }
}

/** The forms of what a person can say of a claim as it stands. */
function steps(visit: AccountVisit, claim: Claim, state: FormState): Html {
  const open = visit.context.environment.claims.steps(claim, pageAgent(claim.ppid))
  const one = (step: ClaimStep, submit: Text, fields?: Html) =>
    form({
      action: `${visit.context.pages.prefix}${path}/${claim.claim_id}`,
      csrf: visit.csrf,
      fields: [hiddenField('step', step), fields],
      submit,
    })
  const forms: Html[] = []
  if (open.includes('confirm')) forms.push(one('confirm', words.yesIAm))
  if (open.includes('reject')) forms.push(one('reject', words.noIAmNot))
  if (open.includes('contest')) {
    const reason = field(
      { name: 'reason', label: words.whatIsWrong, type: 'textarea', required: true },
      state,
    )
    forms.push(one('contest', words.contest, reason))
  }
  // What was rejected is contested, or left: to take it back would only hide the answer.
  if (open.includes('withdraw') && claim.status !== 'rejected')
    forms.push(one('withdraw', words.withdraw))
  if (open.includes('disclaim')) {
    const link = `${visit.context.pages.prefix}${path}/${claim.claim_id}/disclaim`
    forms.push(quietLink(link, words.notMineLink))
  }
  return joinHtml(forms, '\n')
}

async function disclaimPage(visit: AccountVisit): Promise<AccountPage> {
  const claim = findClaim(visit)
  const work = await summarizeWork(visit.context.environment.catalogue, claim.ark)
  const back = `${visit.context.pages.prefix}${path}/${claim.claim_id}`
  const fields = html`${hiddenField('step', 'disclaim')}
<p>${words.notMineText}</p>`
  const beside = html`<a href="${back}">${words.leave}</a>`
  const submit = words.notMineSubmit
  return {
    title: words.notMineTitle,
    current: path,
    lead: titleOf(claim, work),
    content: formCard({ action: back, csrf: visit.csrf, fields, submit, beside, danger: true }),
  }
}
