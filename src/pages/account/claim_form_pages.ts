import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import {
  type Author,
  type ClaimableWork,
  isClaimed,
  readClaimable,
  refusedClaim,
} from '#src/use_cases/claiming.ts'
import { type AccountContext, pageAgent, personOf } from '#src/pages/account/context.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import {
  emptyForm,
  field,
  formCard,
  type FormState,
  hiddenField,
  selectField,
} from '#src/pages/kit/form_field.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { facts } from '#src/pages/kit/parts.ts'

const worksPath = '/account/works'
const path = `${worksPath}/claim`

/** Authors of a work among whom somebody chooses; of more, they type their place. */
const choicesMax = 500

/** Adds the form by which a person claims one work, which other pages lead to with its ARK. */
export function addClaimFormPages(context: AccountContext): void {
  const { member } = context.pages
  member.get(path, (visit) => {
    const ark = visit.query.get('ark')?.trim() ?? ''
    return ark === '' ? arkPage(context, emptyForm) : formPage(context, visit, ark, emptyForm)
  })
  member.post(worksPath, (visit, body) => claimWork(context, visit, body))
}

/** The person of a visit as the author that they may be. */
export function authorOf(context: AccountContext, visit: MemberVisit): Author {
  const { ppid, profile } = personOf(context, visit)
  const { name, orcid, orcid_authenticated } = profile
  return { ppid, name, ...(orcid_authenticated === true && orcid !== undefined && { orcid }) }
}

/**
 * Where a person says which author they are: of many authors by a number, of `max` at most by
 * choosing, with the likely one chosen; of one author nobody is asked.
 */
export function placeField(
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
export function claimFaults(
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
export function readWords(
  body: FormBody,
  placeName: string,
): { readonly author_position?: number | string; readonly message?: string } {
  const position = textOf(body, placeName).trim()
  const message = textOf(body, 'message').trim()
  return {
    ...(position !== '' && { author_position: parseDecimal(position) ?? position }),
    ...(message !== '' && { message }),
  }
}

/** The field for a word beside a claim. */
export const messageField = {
  name: 'message',
  label: 'A word to whoever registered it',
  type: 'textarea',
  hint: 'They decide whether the claim is right.',
} as const

async function claimWork(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { ppid } = visit.account
  const ark_identifier = textOf(body, 'ark_identifier').trim()
  const claim = { ark_identifier, ...readWords(body, 'author_position') }
  const by = pageAgent(ppid)
  const answer = await context.environment.claims.make({ ppid, body: claim, by })
  if (isClaimed(answer)) {
    const isSettled = answer.type === 'claimed' && answer.claim.status === 'verified'
    return redirectDone(worksPath, isSettled ? 'verified' : answer.type)
  }
  const faults = claimFaults(answer, { ark: 'ark_identifier', place: 'author_position' })
  return formPage(context, visit, ark_identifier, { values: body, faults })
}

async function formPage(
  context: AccountContext,
  visit: MemberVisit,
  typed: string,
  state: FormState,
): Promise<PageReply> {
  const { environment, baseUrl, pages } = context
  const parsed = parseArkReference(typed, environment.naan)
  const ark = parsed.type === 'malformed' ? undefined : parsed.ark
  const author = authorOf(context, visit)
  const registry = { environment, baseUrl }
  const found = ark === undefined ? ark : await readClaimable(ark, author, registry)
  if (found === undefined) {
    const message = 'There is no work with this ARK.'
    const missing = { field: 'ark_identifier', code: 'not_found', message }
    const faults = state.faults.length > 0 ? state.faults : [missing]
    return arkPage(context, { values: new Map([['ark_identifier', typed]]), faults })
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
      ['Your account', accountFact(context, visit, author)],
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

/** Authors that are named before a choice of all of them. */
const namedMax = 5

function firstAuthors({ authors }: ClaimableWork): string {
  const named = authors.slice(0, namedMax).join('; ')
  return authors.length > namedMax ? `${named} and ${authors.length - namedMax} more` : named
}

function accountFact(context: AccountContext, visit: MemberVisit, { name, orcid }: Author): Html {
  const { visibility } = personOf(context, visit).profile
  const iD = orcid === undefined ? '' : html`, signed in with the ORCID iD ${orcid}`
  if (visibility.name === 'public') return html`<bdi>${name}</bdi>${iD}`
  return html`<bdi>${name}</bdi>${iD}. <a href="${context.pages.prefix}/account">Your profile</a>
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
