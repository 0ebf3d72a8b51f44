import { HttpError } from '#src/edge/errors.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import { byCell } from '#src/pages/administration/audit_page.ts'
import { ownerLink } from '#src/pages/administration/key_pages.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
  hiddenField,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import {
  asLink,
  badge,
  emptyState,
  facts,
  listAfter,
  listFilter,
  pagination,
  table,
  textFilter,
  time,
} from '#src/pages/kit/parts.ts'
import { plainTitle } from '#src/pages/kit/words.ts'
import {
  arkLink,
  type OrganizationContext,
  organizationsPath,
} from '#src/pages/organization/context.ts'
import {
  registerTakenDown,
  takeDown,
  takedownReasons,
  type TakedownRequest,
} from '#src/use_cases/takedown.ts'
import { workNamed } from '#src/use_cases/work_lookup.ts'
import { suspendable } from '#actors/values/authority.ts'
import type { Suspension } from '#src/identity/store/suspensions.ts'
import { reasonCharactersMax, resume, suspend } from '#src/use_cases/suspending.ts'
import {
  adminAudit,
  administration,
  suspensions,
  takedowns as words,
} from '#src/words/administrator_desk.ts'
import { adminSections, claims, organizations } from '#src/words/english.ts'
import { inEnglish } from '#src/words/format.ts'
import { withdrawals } from '#src/words/publisher_desk.ts'
import type { Text, Wording } from '#src/words/wording.ts'

export const takedownPath = `${adminPath}/takedowns`
const path = takedownPath
const againPath = `${path}/again`

const flashes: Flashes = {
  taken: words.taken,
  erased: words.erased,
  again: words.again,
}

/** Adds the page on which administrators take down any work, whoever has registered it. */
export function addTakedownPages(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(path, (visit) =>
    takedownPage(visit, visit.query.get('work') ?? '', givenBack(takeForm(visit), emptyForm)),
  )
  fresh.post(path, takeDownAsked)
  fresh.post(againPath, registerAgainAsked)
}

function takeForm(visit: AdminVisit) {
  return visit.context.pages.takeForm(visit)
}

async function takeDownAsked(visit: AdminVisit, body: FormBody): Promise<PageReply> {
  const [work, reason, note] = [textOf(body, 'work'), textOf(body, 'reason'), textOf(body, 'note')]
  const { environments, realms } = visit.context
  const registry = { environments, oauth: realms.live.oauth }
  if (textOf(body, 'confirmed') !== 'yes') return previewPage(visit, { work, reason, note })
  try {
    await takeDown(registry, { work, reason, note }, workHand(visit))
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const [fault] = error.details ?? []
    const known = fault ?? { field: 'reason', code: error.code, message: `${error.message}.` }
    return takedownPage(visit, work, { values: body, faults: [known] })
  }
  return { redirect: `${path}?${new URLSearchParams({ work, done: 'taken' })}` }
}

async function registerAgainAsked(visit: AdminVisit, body: FormBody): Promise<PageReply> {
  const { environments, realms } = visit.context
  const registry = { environments, oauth: realms.live.oauth }
  const { newArk: work } = await registerTakenDown(registry, textOf(body, 'work'), workHand(visit))
  return { redirect: `${path}?${new URLSearchParams({ work, done: 'again' })}` }
}

/** By whose hand a page does something to a work of others, when, and from which address. */
export function workHand({ account, context, request }: AdminVisit) {
  const by = personOwner(account.ppid)
  return { by, via: 'ui', nowMs: context.nowMs(), ip: request.ip } as const
}

/** What the takedown will say, before it is said for good. */
function previewPage(
  visit: AdminVisit,
  { work, reason, note }: TakedownRequest & { readonly note: string },
): Promise<AccountPage> {
  const { context, csrf } = visit
  const found = workNamed(context.environments, work)
  const word = takedownReasons.find((known) => known === reason)
  if (word === undefined || found.state.status === 'withdrawn') {
    const message = `The reason must be one of ${takedownReasons.join(', ')}.`
    const values = new Map(Object.entries({ work, reason, note }))
    return takedownPage(visit, work, {
      values,
      faults: word === undefined ? [{ field: 'reason', code: 'bad_value', message }] : [],
    })
  }
  const { owner, identifier } = found.state
  const fields = html`${hiddenField('work', identifier)}${hiddenField('reason', word)}
${hiddenField('note', note)}${hiddenField('confirmed', 'yes')}`
  const back = `${context.pages.prefix}${path}?${new URLSearchParams({ work: identifier })}`
  return administrationPage(context, '/takedowns', {
    title: words.previewTitle,
    lead: words.previewLead,
    content: html`${facts([
      [claims.work, arkLink(context, identifier)],
      [words.title, titleOf(found)],
      [administration.owner, ownerLink(context, owner, found.environment.name)],
      [withdrawals.reason, reasonText(word)],
      [words.note, note.trim() === '' ? administration.none : note],
      [words.readersSee, words.withdrawnByOperator],
    ])}
${formCard({
  action: context.pages.prefix + path,
  csrf,
  fields,
  submit: words.submit,
  danger: true,
})}
<p><a href="${back}">${words.back}</a></p>`,
  })
}

function takedownPage(visit: AdminVisit, work: string, state: FormState): Promise<AccountPage> {
  const { context } = visit
  return administrationPage(context, '/takedowns', {
    title: adminSections.takedowns,
    heading: words.heading,
    flashes,
    state,
    lead: words.lead,
    content: html`${listFilter(
      context.pages.prefix + path,
      claims.work,
      [textFilter('work', words.filter, work, 'ark:/12345/x6np1wh8k')],
      words.another,
    )}
${work.trim() === '' ? nothing : foundPart(visit, work, state)}`,
  })
}

function foundPart(visit: AdminVisit, work: string, state: FormState): Html {
  const { context, csrf } = visit
  let found: ReturnType<typeof workNamed>
  try {
    found = workNamed(context.environments, work)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return html`<p class="fault" role="alert">${inEnglish(`${error.message}.`)}</p>`
  }
  const { environment, ark } = found
  const held = context.suspensions.first([{ type: 'work', id: ark }])
  const { owner, identifier, created_at, updated_at, status } = found.state
  const isWithdrawn = status === 'withdrawn'
  const about = facts([
    [words.title, titleOf(found)],
    ['ARK', arkLink(context, identifier)],
    [words.registered, time(created_at)],
    [administration.owner, ownerLink(context, owner, environment.name)],
    [claims.status, isWithdrawn ? withdrawnAt(updated_at) : words.isRegistered],
    [words.withheld, held && words.since({ time: time(held.since) })],
  ])
  const named = new URLSearchParams({ work: identifier })
  const erasing = `${context.pages.prefix}${path}/erase?${named}`
  const erase = html`<h2>${words.eraseTitle}</h2>
<p>${words.eraseLink({ link: asLink(erasing) })}</p>`
  if (isWithdrawn) {
    const action = context.pages.prefix + againPath
    const fields = hiddenField('work', identifier)
    const again = form({ action, csrf, fields, submit: words.againSubmit })
    if (found.state.erased_at === undefined) return html`${about}${againHint}${again}${erase}`
    return html`${about}<p>${words.isErased({ time: time(found.state.erased_at) })}</p>`
  }
  const wish = new URLSearchParams({ type: 'work', id: identifier })
  const withhold = `${context.pages.prefix}${adminPath}/suspensions?${wish}`
  const reasons = takedownReasons.map((value) => ({ value, label: reasonText(value) }))
  return html`${about}
${formCard({
  action: context.pages.prefix + path,
  csrf,
  fields: html`${hiddenField('work', identifier)}
${selectField(
  { name: 'reason', label: withdrawals.reason, hint: words.reasonHint, options: reasons },
  state,
)}
${field(
  {
    name: 'note',
    label: words.note,
    type: 'textarea',
    hint: words.noteHint,
  },
  state,
)}
<p class="hint">${words.published}</p>`,
  submit: words.review,
})}
<h2>${words.withholdTitle}</h2>
<p>${words.withhold({ link: asLink(withhold) })}</p>
${erase}`
}

function withdrawnAt(at: string): Html {
  return html`${badge(organizations.withdrawn, 'bad')} ${time(at)}`
}

const againHint = html`<h2>${words.againTitle}</h2>
<p>${words.againText}</p>`

/** What a reason is called in a form. */
export function reasonText(reason: (typeof takedownReasons)[number]): Text {
  return withdrawals[reason]
}

function titleOf({ environment, ark, state }: ReturnType<typeof workNamed>): Text {
  const title = environment.holdings.work(state.owner, ark)?.work_title
  return title === null || title === undefined ? organizations.erased : plainTitle(title)
}

const suspensionsPath = `${adminPath}/suspensions`
const suspensionsOnPage = 100

const suspensionFlashes: Flashes = {
  suspended: suspensions.suspended,
  resumed: suspensions.resumed,
}

const kinds = [
  { value: 'organization', label: suspensions.kind_organization },
  { value: 'account', label: suspensions.kind_account },
  { value: 'application', label: suspensions.kind_application },
  { value: 'work', label: suspensions.kind_work },
] as const

/** Adds the page on which administrators stop organizations, accounts and applications. */
export function addSuspensionPages(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(suspensionsPath, (visit) => {
    const { query } = visit
    const asked = new Map([
      ['type', query.get('type') ?? ''],
      ['id', query.get('id') ?? ''],
    ])
    return suspensionPage(
      visit,
      givenBack(context.pages.takeForm(visit), { ...emptyForm, values: asked }),
    )
  })
  fresh.post(suspensionsPath, (visit, body) => suspendAsked(visit, body))
  fresh.post(`${suspensionsPath}/resume`, async (visit, body) => {
    const subject = subjectOf(body)
    await resume(registryOf(visit), { subject, ...handOf(visit) })
    return redirectDone(suspensionsPath, 'resumed')
  })
}

async function suspendAsked(visit: AdminVisit, body: FormBody): Promise<PageReply> {
  const subject = subjectOf(body)
  try {
    await suspend(registryOf(visit), { subject, ...handOf(visit) }, textOf(body, 'reason'))
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const [fault] = error.details ?? []
    const known = fault ?? { field: 'id', code: error.code, message: `${error.message}.` }
    return suspensionPage(visit, { values: body, faults: [known] })
  }
  return redirectDone(suspensionsPath, 'suspended')
}

function registryOf({ context }: AdminVisit) {
  const { realms, environments, service: accounts } = context
  const { live, sandbox } = realms
  return { environments, suspensions: context.suspensions, accounts, oauth: live.oauth, sandbox }
}

function subjectOf(body: FormBody) {
  const type = suspendable.find((each) => each === textOf(body, 'type')) ?? 'organization'
  return { type, id: textOf(body, 'id').trim() }
}

function handOf({ by: { type, id, name }, request: { ip } }: AdminVisit) {
  return { by: { type, id, name }, ip }
}

function suspensionPage(visit: AdminVisit, state: FormState): Promise<AccountPage> {
  const { context, csrf, query } = visit
  const base = context.pages.prefix + suspensionsPath
  const { shown, ...rest } = listAfter(context.suspensions.list().toReversed(), {
    after: query.get('after') ?? '',
    max: suspensionsOnPage,
    idOf: ({ type, id }) => `${type}/${id}`,
  })
  const none = emptyState(suspensions.none, suspensions.noneText)
  const kind = { name: 'type', label: suspensions.what, options: kinds } as const
  const fields = html`${selectField(kind, state)}
${field({ name: 'id', label: suspensions.which, required: true, maxLength: 254 }, state)}
${field(
  {
    name: 'reason',
    label: withdrawals.reason,
    required: true,
    maxLength: reasonCharactersMax,
    hint: suspensions.reasonHint,
  },
  state,
)}
<p class="hint">${suspensions.hint}</p>`
  return administrationPage(context, '/suspensions', {
    title: adminSections.suspensions,
    flashes: suspensionFlashes,
    state,
    content: html`${shown.length === 0 ? none : suspensionTable(visit, shown)}
${pagination({ path: base, parameter: 'after', ...rest })}
<h2>${suspensions.suspend}</h2>
${formCard({ action: base, csrf, fields, submit: suspensions.suspend, danger: true })}`,
  })
}

function suspensionTable(visit: AdminVisit, shown: readonly Suspension[]): Html {
  const { context, csrf } = visit
  const base = context.pages.prefix + suspensionsPath
  const endForm = ({ type, id }: Suspension) =>
    form({
      action: `${base}/resume`,
      csrf,
      fields: html`${hiddenField('type', type)}${hiddenField('id', id)}`,
      submit: suspensions.resume({ id }),
      inline: true,
    })
  return table(suspensions.table, shown, [
    [suspensions.what, (each) => subjectLink(context, each)],
    [withdrawals.reason, ({ reason }) => html`<bdi>${reason}</bdi>`],
    [claims.since, ({ since }) => time(since)],
    [adminAudit.by, ({ by }) => byCell(context, { by })],
    ['', endForm],
  ])
}

function subjectLink(context: OrganizationContext, { type, id }: Suspension): Wording {
  const { prefix } = context.pages
  if (type === 'work') {
    return suspensions.subject({ kind: type, link: arkLink(context, `ark:/${id}`) })
  }
  const pathsOf = {
    organization: organizationsPath,
    account: `${adminPath}/accounts`,
    application: `${adminPath}/applications`,
  } as const
  const link = html`<a href="${prefix}${pathsOf[type]}/${id}"><code>${id}</code></a>`
  return suspensions.subject({ kind: type, link })
}
