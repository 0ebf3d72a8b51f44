import type { Metadata } from '#actors/works/metadata.ts'
import { noteCharactersMax } from '#actors/works/lengths.ts'
import { erasureReasons } from '#actors/works/port.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  administrationPage,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import { ownerLink } from '#src/pages/administration/key_pages.ts'
import { reasonText, takedownPath, workHand } from '#src/pages/administration/takedown_pages.ts'
import { faultOf } from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
  hiddenField,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import { facts } from '#src/pages/kit/parts.ts'
import { plainTitle } from '#src/pages/kit/words.ts'
import { arkLink, type OrganizationContext } from '#src/pages/organization/context.ts'
import { actingOperator, eraseWork } from '#src/use_cases/takedown.ts'
import { metadataLeft } from '#src/use_cases/work_again.ts'
import { changeRefusal } from '#src/use_cases/work_change.ts'
import { workNamed } from '#src/use_cases/work_lookup.ts'
import { administration, takedowns as words } from '#src/words/administrator_desk.ts'
import { claims } from '#src/words/english.ts'
import { list, number } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import { withdrawals } from '#src/words/publisher_desk.ts'
import { workFields } from '#src/words/record_desk.ts'

const path = `${takedownPath}/erase`

/**
 * Adds the page on which administrators erase the metadata of any work: after they have shown
 * again who they are, and for the ARK that they type.
 */
export function addErasurePages(context: OrganizationContext): void {
  const { fresh } = adminRoutes(context)
  fresh.get(path, (visit) => {
    const work = visit.query.get('work') ?? ''
    return erasurePage(visit, work, givenBack(context.pages.takeForm(visit), emptyForm))
  })
  fresh.post(path, eraseAsked)
}

async function eraseAsked(visit: AdminVisit, body: FormBody): Promise<PageReply> {
  const { environments, realms } = visit.context
  const named = workNamed(environments, textOf(body, 'work'))
  const { identifier } = named.state
  const reason = erasureReasons.find((each) => each === textOf(body, 'reason'))
  const faults = [
    ...(reason === undefined ? [faultOf('reason', 'required', withdrawals.choose)] : []),
    ...(textOf(body, 'ark').trim() === identifier
      ? []
      : [faultOf('ark', 'wrong', words.eraseArkWrong)]),
  ]
  if (reason === undefined || faults.length > 0) {
    return erasurePage(visit, identifier, { values: body, faults })
  }
  const hand = workHand(visit)
  const erasure = { reason, note: textOf(body, 'note') }
  const answer = await eraseWork(
    realms.live,
    named,
    { ...erasure, withdraws: true, by: actingOperator(hand.by, hand.via) },
    hand,
  )
  if (!('change' in answer)) throw changeRefusal(named, answer, 'key')
  const done = new URLSearchParams({ work: identifier, done: 'erased' })
  return { redirect: `${takedownPath}?${done}` }
}

/** What goes and what stays, before it is done for good. HttpErrors as of `workNamed`; `gone`. */
async function erasurePage(
  visit: AdminVisit,
  work: string,
  state: FormState,
): Promise<AccountPage> {
  const { context, csrf } = visit
  const { environment, state: known } = workNamed(context.environments, work)
  const { identifier, owner, status, version } = known
  const left = await metadataLeft(environment, known, version)
  if (left === undefined) throw new HttpError('gone', 'The metadata of this work was erased before')
  const back = `${context.pages.prefix}${takedownPath}?${new URLSearchParams({ work: identifier })}`
  return administrationPage(context, '/takedowns', {
    title: words.eraseHeading,
    state,
    lead: words.eraseLead,
    content: html`<h2>${words.goes}</h2>
${facts([
  [claims.work, arkLink(context, identifier)],
  [administration.owner, ownerLink(context, owner, environment.name)],
  [words.versions, number(version)],
  ...goneFields(left),
])}
${status === 'withdrawn' ? nothing : html`<p>${words.goesWithdrawn}</p>`}
<h2>${words.staysTitle}</h2>
<p>${words.stays}</p>
<p>${words.elsewhere}</p>
${formCard({
  action: context.pages.prefix + path,
  csrf,
  fields: formFields(identifier, state),
  submit: words.eraseSubmit,
  beside: html`<a href="${back}">${claims.leave}</a>`,
  danger: true,
})}`,
  })
}

/** What the newest version says in the fields by which people know a work, and which others go. */
function goneFields({ work_title, authors, work_url, existing_doi, ...others }: Metadata) {
  const names = Object.keys(others).map((name) => termOf(workFields, name) ?? name)
  return [
    [workFields.work_title, plainTitle(work_title)],
    [workFields.authors, authors],
    [workFields.work_url, work_url],
    [workFields.existing_doi, existing_doi],
    [words.otherFields, names.length === 0 ? undefined : list(names, 'unit')],
  ] as const
}

function formFields(identifier: string, state: FormState): Html {
  const options = erasureReasons.map((value) => ({ value, label: reasonText(value) }))
  const reason = { name: 'reason', label: withdrawals.reason, hint: words.reasonHint, options }
  return html`${hiddenField('work', identifier)}
${selectField(reason, state)}
${field(
  {
    name: 'note',
    label: words.eraseNote,
    type: 'textarea',
    hint: words.eraseNoteHint,
    maxLength: noteCharactersMax,
  },
  state,
)}
${field(
  {
    name: 'ark',
    label: words.eraseArk,
    hint: words.eraseArkHint({ ark: identifier }),
    required: true,
  },
  state,
)}`
}
