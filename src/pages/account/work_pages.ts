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

const statusKinds: Readonly<Record<Claim['status'], BadgeKind>> = {
  verified: 'good',
  pending: 'waiting',
  disputed: 'bad',
  rejected: 'plain',
  withdrawn: 'plain',
}

/** How a claim stands, in words for its person. */
export function statusBadge({ status, waits_for, blocked, basis }: Claim): Html {
  if (blocked === true) return badge('not mine')
  const words = {
    verified: basis === 'admin' ? 'counts as mine, by an administrator' : 'counts as mine',
    pending: waits_for === 'researcher' ? 'waits for you' : 'waits for whoever registered it',
    disputed: 'contested',
    rejected: basis === 'admin' ? 'rejected by an administrator' : 'rejected',
    withdrawn: 'taken back',
  }
  return badge(words[status], statusKinds[status])
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
  return html`<section><h2>You are asked</h2><p>These people say that they are authors of works that
you have registered.</p>${waitingClaims(claims, deskOf(visit))}</section>`
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
const findWords = 'Find my works'

const flashes: Flashes = {
  claimed: 'You have claimed the work. It counts as yours once whoever registered it agrees.',
  found: 'You have claimed the work. How it stands is said below.',
  several: 'You have claimed the works. How each stands is said below.',
  verified: 'The work counts as yours.',
  agreed: 'You have agreed: the work counts as yours.',
  exists: { kind: 'info', text: 'You have claimed this work before.' },
  confirm: 'You have agreed: the work counts as yours.',
  reject: 'You have said no: the work does not count as yours.',
  contest: 'You have contested it. An administrator will look at it.',
  withdraw: 'You have taken your claim back.',
  confirm_other: 'You have agreed: the person counts as an author.',
  reject_other: 'You have refused: the person does not count as an author.',
  disclaim: 'You have said that the work is not yours: nobody can claim it for you any more.',
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
    title: 'My works',
    current: path,
    wide: true,
    flashes,
    lead: 'Works that name you as an author, and who says so.',
    content: html`<p class="buttons">${buttonLink(`${base}/find`, findWords)}
<a href="${visit.context.pages.prefix}${path}/claim">Claim one by its ARK</a></p>
${asked}
${rows.length === 0 ? nothingYet() : worksTable(visit.context, ppid, rows)}
${pagination({ path: visit.context.pages.prefix + path, parameter: 'after', next: page.next })}`,
  }
}

/** The ARK after which a page of claims begins, `naan/name`. */
function readAfter(text: string | null): string | undefined {
  if (text === null) return undefined
  const parsed = parseArkReference(text, '')
  return parsed.type === 'malformed' ? undefined : parsed.ark
}

function nothingYet(): Html {
  return emptyState(
    'No works yet',
    'Works come here when a publisher that you permit registers them for you, or when you claim ' +
      'those that are registered already.',
  )
}

function worksTable(context: AccountContext, ppid: string, rows: readonly ClaimedWork[]): Html {
  return table('Works that name me as an author', rows, {
    Work: ({ claim, work }) =>
      html`<a href="${context.baseUrl}/${claim.ark_identifier}">${titleOf(claim, work)}</a>`,
    'How it stands': ({ claim }) => statusBadge(claim),
    'Who says so': ({ claim }) => writerName(context, claim.source, ppid),
    Since: ({ claim }) => time(claim.created_at),
    'To do': ({ claim }) => {
      const link = `${context.pages.prefix}${path}/${claim.claim_id}`
      const isAsked = claim.status === 'pending' && claim.waits_for === 'researcher'
      return html`<a href="${link}">${isAsked ? 'Answer' : 'Change'}
<span class="hint">${claim.ark_identifier}</span></a>`
    },
  })
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
      ['ARK', html`<a href="${visit.context.baseUrl}/${ark}">${ark}</a>`],
      ['How it stands', statusBadge(claim)],
      ['Who says so', writerName(visit.context, claim.source, claim.ppid)],
      ['Since', time(claim.created_at)],
      ['Place among the authors', position],
      ['Message', message],
      ['Why it is contested', reason],
    ])}
${card('What you can do', steps(visit, claim, state))}`,
  }
}

/** The forms of what a person can say of a claim as it stands. */
function steps(visit: AccountVisit, claim: Claim, state: FormState): Html {
  const open = visit.context.environment.claims.steps(claim, pageAgent(claim.ppid))
  const one = (step: ClaimStep, submit: string, fields?: Html) =>
    form({
      action: `${visit.context.pages.prefix}${path}/${claim.claim_id}`,
      csrf: visit.csrf,
      fields: [hiddenField('step', step), fields],
      submit,
    })
  const forms: Html[] = []
  if (open.includes('confirm')) forms.push(one('confirm', 'Yes, I am an author'))
  if (open.includes('reject')) forms.push(one('reject', 'No, I am not'))
  if (open.includes('contest')) {
    const reason = field(
      { name: 'reason', label: 'What is wrong', type: 'textarea', required: true },
      state,
    )
    forms.push(one('contest', 'Contest it', reason))
  }
  // What was rejected is contested, or left: to take it back would only hide the answer.
  if (open.includes('withdraw') && claim.status !== 'rejected')
    forms.push(one('withdraw', 'Take it back'))
  if (open.includes('disclaim')) {
    const link = `${visit.context.pages.prefix}${path}/${claim.claim_id}/disclaim`
    forms.push(quietLink(link, 'This work is not mine…'))
  }
  return joinHtml(forms, '\n')
}

async function disclaimPage(visit: AccountVisit): Promise<AccountPage> {
  const claim = findClaim(visit)
  const work = await summarizeWork(visit.context.environment.catalogue, claim.ark)
  const back = `${visit.context.pages.prefix}${path}/${claim.claim_id}`
  const fields = html`${hiddenField('step', 'disclaim')}
<p>It goes from your works, and nobody can attach it to you again. This cannot be taken back
here.</p>`
  const beside = html`<a href="${back}">Leave it as it is</a>`
  const submit = 'This work is not mine'
  return {
    title: 'Not your work?',
    current: path,
    lead: titleOf(claim, work),
    content: formCard({ action: back, csrf: visit.csrf, fields, submit, beside, danger: true }),
  }
}
