import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { html, type Html, joinHtml } from '#src/web/kit/html.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import type { Claim } from '#actors/claims/port.ts'
import type { OwnerListWork } from '#actors/catalogue/owner_lists.ts'
import { parseDecimal } from '#log/encoding.ts'
import { HttpError } from '#src/errors.ts'
import { isClaimed, refusedClaim } from '#src/api/claim_refusal.ts'
import { summarizeWork } from '#src/api/listed_works.ts'
import { type AccountContext, pageAgent, writerName } from '#src/web/account/context.ts'
import { answerAsked, askedClaims } from '#src/web/account/asked_claims.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import {
  emptyForm,
  field,
  fieldList,
  form,
  formCard,
  type FormState,
  hiddenField,
} from '#src/web/kit/form_field.ts'
import type { Flashes } from '#src/web/kit/page.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/web/kit/pages.ts'
import {
  badge,
  type BadgeKind,
  card,
  emptyState,
  facts,
  pagination,
  quietLink,
  table,
  time,
} from '#src/web/kit/parts.ts'
import { type ClaimStep, claimSteps } from '#actors/people/events.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

const path = '/account/works'
const askedPath = `${path}/asked`
const claimsOnPage = 50

const flashes: Flashes = {
  claimed: 'You have claimed the work. It counts as yours once whoever registered it agrees.',
  agreed: 'You have agreed: the work counts as yours.',
  exists: { kind: 'info', text: 'You have claimed this work before.' },
  confirm: 'You have agreed: the work counts as yours.',
  reject: 'You have said no: the work does not count as yours.',
  contest: 'You have contested it. An administrator will look at it.',
  withdraw: 'You have taken your claim back.',
  confirm_other: 'You have agreed: the person counts as an author.',
  reject_other: 'You have said no: the person is no author.',
  disclaim: 'You have said that the work is not yours: nobody can claim it for you any more.',
}

/** Adds the pages of the works that a person claims, and of those claims. */
export function addWorkPages(context: AccountContext): void {
  const { member } = context.pages
  member.post(askedPath, (visit, body) => {
    const refused = (state: FormState) => worksPage(context, visit, state)
    return answerAsked(context, visit, body, { worksPath: path, refused })
  })
  member.get(path, (visit) => worksPage(context, visit, emptyForm))
  member.post(path, (visit, body) => claimWork(context, visit, body))
  member.get(`${path}/:claim_id`, (visit) => claimPage(context, visit, emptyForm))
  member.post(`${path}/:claim_id`, (visit, body) => changeClaim(context, visit, body))
  member.get(`${path}/:claim_id/disclaim`, async (visit) => disclaimPage(context, visit))
}

async function claimWork(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { ppid } = visit.account
  const command = { ppid, body: readClaim(body), by: pageAgent(ppid) }
  const answer = await context.environment.claims.make(command)
  if (isClaimed(answer)) return redirectDone(path, answer.type)
  const { message } = refusedClaim(answer)
  const faults =
    answer.type === 'invalid'
      ? answer.faults.map(asFormFault)
      : [{ field: 'ark_identifier', code: answer.type, message: `${message}.` }]
  return worksPage(context, visit, { values: body, faults })
}

/** A fault of a claim in the words of the form, whose fields have labels. */
function asFormFault(fault: FieldFault): FieldFault {
  return { ...fault, message: fault.message.replace(/^author_position/, 'The place') }
}

/** The claim that a form makes. A place that is not a number is left for the rules to refuse. */
function readClaim(body: FormBody): Readonly<Record<string, unknown>> {
  const position = textOf(body, 'author_position').trim()
  const message = textOf(body, 'message').trim()
  return {
    ark_identifier: textOf(body, 'ark_identifier').trim(),
    ...(position !== '' && { author_position: parseDecimal(position) ?? position }),
    ...(message !== '' && { message }),
  }
}

async function changeClaim(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { ppid } = visit.account
  const claim = findClaim(context, visit)
  const step = claimSteps.find((name) => name === body.get('step'))
  if (step === undefined) throw new HttpError('bad_request', 'The form says nothing to do')
  const reason = textOf(body, 'reason').trim()
  const said = reason === '' ? {} : { reason }
  const command = { ppid, ark: claim.ark, step, body: said, by: pageAgent(ppid) }
  const answer = await context.environment.claims.change(command)
  if (isClaimed(answer)) return redirectDone(path, step)
  if (answer.type !== 'invalid') throw refusedClaim(answer)
  return claimPage(context, visit, { values: body, faults: answer.faults })
}

function findClaim({ environment }: AccountContext, { account, parameters }: MemberVisit): Claim {
  const claim = environment.claims.find(parameters['claim_id'] ?? '')
  if (claim?.ppid === account.ppid) return claim
  throw refusedClaim({ type: 'not_found' })
}

type ClaimedWork = { readonly claim: Claim; readonly work: OwnerListWork | undefined }

async function worksPage(
  context: AccountContext,
  visit: MemberVisit,
  state: FormState,
): Promise<AccountPage> {
  const { claims, catalogue } = context.environment
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
  const asked = await askedClaims(context, visit, askedPath, state)
  return {
    title: 'My works',
    current: path,
    wide: true,
    flashes,
    state,
    lead: 'Works that name you as an author, and who says so.',
    content: html`${asked}
${rows.length === 0 ? nothingYet() : worksTable(context, ppid, rows)}
${pagination({ path: context.pages.prefix + path, parameter: 'after', next: page.next })}
${card('Claim a work', claimForm(context, visit, state))}`,
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
      'one that is registered already.',
  )
}

function worksTable(context: AccountContext, ppid: string, rows: readonly ClaimedWork[]): Html {
  return table<ClaimedWork>(
    'Works that name me as an author',
    [
      {
        heading: 'Work',
        isRowHeading: true,
        cell: ({ claim, work }) =>
          html`<a href="${context.baseUrl}/${claim.ark_identifier}">${titleOf(claim, work)}</a>`,
      },
      { heading: 'How it stands', cell: ({ claim }) => statusBadge(claim) },
      {
        heading: 'Who says so',
        cell: ({ claim }) => writerName(context, claim.source, ppid),
      },
      { heading: 'Since', cell: ({ claim }) => time(claim.created_at) },
      {
        heading: 'To do',
        cell: ({ claim }) => {
          const link = `${context.pages.prefix}${path}/${claim.claim_id}`
          const isAsked = claim.status === 'pending' && claim.waits_for === 'researcher'
          return html`<a href="${link}">${isAsked ? 'Answer' : 'Change'}
<span class="hint">${claim.ark_identifier}</span></a>`
        },
      },
    ],
    rows,
  )
}

function titleOf(claim: Claim, work: OwnerListWork | undefined): string {
  return work?.work_title ?? claim.ark_identifier
}

const statusKinds: Readonly<Record<Claim['status'], BadgeKind>> = {
  verified: 'good',
  pending: 'waiting',
  disputed: 'bad',
  rejected: 'plain',
  withdrawn: 'plain',
}

/** How a claim stands, in words for its person. */
function statusBadge({ status, waits_for, blocked, basis }: Claim): Html {
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

function claimForm({ pages }: AccountContext, { csrf }: MemberVisit, state: FormState): Html {
  const fields = fieldList(state, [
    {
      name: 'ark_identifier',
      label: 'ARK of the work',
      hint: 'Such as ark:/12345/k2bcd45g7h3: it stands on the page of the work.',
      required: true,
    },
    {
      name: 'author_position',
      label: 'Your place among the authors',
      hint: '1 for the first author. Needed where there are several.',
    },
    {
      name: 'message',
      label: 'A word to whoever registered it',
      type: 'textarea',
      hint: 'They decide whether the claim is right.',
    },
  ])
  return form({ action: pages.prefix + path, csrf, fields, submit: 'Claim this work' })
}

async function claimPage(
  context: AccountContext,
  visit: MemberVisit,
  state: FormState,
): Promise<AccountPage> {
  const claim = findClaim(context, visit)
  const work = await summarizeWork(context.environment.catalogue, claim.ark)
  const { author_position: position, message, reason } = claim
  return {
    title: titleOf(claim, work),
    current: path,
    state,
    content: html`${facts([
      [
        'ARK',
        html`<a href="${context.baseUrl}/${claim.ark_identifier}">${claim.ark_identifier}</a>`,
      ],
      ['How it stands', statusBadge(claim)],
      ['Who says so', writerName(context, claim.source, claim.ppid)],
      ['Since', time(claim.created_at)],
      ['Place among the authors', position],
      ['Message', message],
      ['Why it is contested', reason],
    ])}
${card('What you can do', steps(context, visit, claim, state))}`,
  }
}

/** The forms of what a person can say of a claim as it stands. */
function steps(context: AccountContext, visit: MemberVisit, claim: Claim, state: FormState): Html {
  const { status, waits_for, blocked } = claim
  const one = (step: ClaimStep, submit: string, fields?: Html) =>
    form({
      action: `${context.pages.prefix}${path}/${claim.claim_id}`,
      csrf: visit.csrf,
      fields: [hiddenField('step', step), fields],
      submit,
    })
  const forms: Html[] = []
  if (status === 'pending' && waits_for === 'researcher') {
    forms.push(one('confirm', 'Yes, I am an author'), one('reject', 'No, I am not'))
  }
  if (status === 'rejected' || status === 'verified') {
    const reason = field(
      { name: 'reason', label: 'What is wrong', type: 'textarea', required: true },
      state,
    )
    forms.push(one('contest', 'Contest it', reason))
  }
  if (status === 'pending' || status === 'verified' || status === 'disputed') {
    forms.push(one('withdraw', 'Take it back'))
  }
  if (blocked !== true) {
    const link = `${context.pages.prefix}${path}/${claim.claim_id}/disclaim`
    forms.push(quietLink(link, 'This work is not mine…'))
  }
  return joinHtml(forms, '\n')
}

async function disclaimPage(context: AccountContext, visit: MemberVisit): Promise<AccountPage> {
  const claim = findClaim(context, visit)
  const work = await summarizeWork(context.environment.catalogue, claim.ark)
  const back = `${context.pages.prefix}${path}/${claim.claim_id}`
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
