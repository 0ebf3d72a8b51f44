import { HttpError } from '#src/edge/errors.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
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
  takedownWords,
} from '#src/use_cases/takedown.ts'
import { workNamed } from '#src/use_cases/work_lookup.ts'
import { suspendable } from '#actors/values/authority.ts'
import type { Owner } from '#actors/values/agent.ts'
import type { Suspension } from '#src/identity/store/suspensions.ts'
import { reasonCharactersMax, resume, suspend } from '#src/use_cases/suspending.ts'

const path = `${adminPath}/takedowns`
const againPath = `${path}/again`

const flashes: Flashes = {
  taken: 'The work is taken down. Its page says that the operator of this registry did it.',
  again: 'The work is registered again. The page of its old ARK leads to the new one.',
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
  const { environments, realms, nowMs } = visit.context
  const registry = { environments, oauth: realms.live.oauth }
  const hand = { by: personOwner(visit.account.ppid), via: 'ui', nowMs: nowMs() } as const
  if (textOf(body, 'confirmed') !== 'yes') return previewPage(visit, { work, reason, note })
  try {
    await takeDown(registry, { work, reason, note }, hand)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const [fault] = error.details ?? []
    const known = fault ?? { field: 'reason', code: error.code, message: `${error.message}.` }
    return takedownPage(visit, work, { values: body, faults: [known] })
  }
  return { redirect: `${path}?${new URLSearchParams({ work, done: 'taken' })}` }
}

async function registerAgainAsked(visit: AdminVisit, body: FormBody): Promise<PageReply> {
  const { environments, realms, nowMs } = visit.context
  const registry = { environments, oauth: realms.live.oauth }
  const hand = { by: personOwner(visit.account.ppid), via: 'ui', nowMs: nowMs() } as const
  const { newArk: work } = await registerTakenDown(registry, textOf(body, 'work'), hand)
  return { redirect: `${path}?${new URLSearchParams({ work, done: 'again' })}` }
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
    title: 'Check before taking down',
    lead: 'A takedown is signed and written into the public log. Nobody can undo it.',
    content: html`${facts([
      ['Work', arkLink(context, identifier)],
      ['Title', titleOf(found)],
      ['Owner', ownerLink(context, owner, found.environment.name)],
      ['Reason', takedownWords[word]],
      ['Message to readers and to the owner', note.trim() === '' ? 'none' : note],
      ['Readers read', 'Withdrawn by the operator of this registry'],
    ])}
${formCard({
  action: context.pages.prefix + path,
  csrf,
  fields,
  submit: 'Take down for good',
  danger: true,
})}
<p><a href="${back}">Go back and edit</a></p>`,
  })
}

function takedownPage(visit: AdminVisit, work: string, state: FormState): Promise<AccountPage> {
  const { context } = visit
  return administrationPage(context, '/takedowns', {
    title: 'Takedowns',
    heading: 'Take down a work',
    flashes,
    state,
    lead: 'Find the work first. Its address then answers for ever that it was withdrawn, and why.',
    content: html`${listFilter(
      context.pages.prefix + path,
      'Work',
      [textFilter('work', 'ARK, address of the work’s page, or DOI', work, 'ark:/12345/x6np1wh8k')],
      'Find another work',
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
    return html`<p class="fault" role="alert">${error.message}.</p>`
  }
  const { environment, ark } = found
  const held = context.suspensions.first([{ type: 'work', id: ark }])
  const { owner, identifier, created_at, updated_at, status } = found.state
  const isWithdrawn = status === 'withdrawn'
  const about = facts([
    ['Title', titleOf(found)],
    ['ARK', arkLink(context, identifier)],
    ['Registered', time(created_at)],
    ['Owner', ownerLink(context, owner, environment.name)],
    ['State', isWithdrawn ? html`${badge('withdrawn', 'bad')} ${time(updated_at)}` : 'registered'],
    ...(held === undefined ? [] : [['Withheld', html`since ${time(held.since)}`] as const]),
  ])
  if (isWithdrawn) {
    const action = context.pages.prefix + againPath
    const fields = hiddenField('work', identifier)
    const again = form({ action, csrf, fields, submit: 'Register again' })
    return found.state.erased_at === undefined ? html`${about}${againHint}${again}` : about
  }
  const wish = new URLSearchParams({ type: 'work', id: identifier })
  const withhold = `${context.pages.prefix}${adminPath}/suspensions?${wish}`
  const reasons = takedownReasons.map((value) => ({ value, label: takedownWords[value] }))
  return html`${about}
${formCard({
  action: context.pages.prefix + path,
  csrf,
  fields: html`${hiddenField('work', identifier)}
${selectField(
  { name: 'reason', label: 'Reason', hint: 'Readers see it.', options: reasons },
  state,
)}
${field(
  {
    name: 'note',
    label: 'Message to readers and to the owner',
    type: 'textarea',
    hint: 'Such as the court and the number of the case.',
  },
  state,
)}
<p class="hint">The page of the work, its history, feeds and the signed statement say that the
operator of this registry did it. Your name is not published.</p>`,
  submit: 'Review takedown',
})}
<h2>Withhold it for now</h2>
<p>Nobody can undo a takedown. While a case is open, you can
<a href="${withhold}">withhold the work</a> from its readers instead, and show it again later.</p>`
}

const againHint = html`<h2>Register it again</h2>
<p>Nobody can undo a withdrawal. If it was a mistake, register the work again for its owner: with
the same metadata, under a new ARK. The page of the old ARK then leads to the new one. The owner is
told by mail.</p>`

function titleOf({ environment, ark, state }: ReturnType<typeof workNamed>): string {
  const title = environment.holdings.work(state.owner, ark)?.work_title
  return title === null || title === undefined ? 'erased' : plainTitle(title)
}

const suspensionsPath = `${adminPath}/suspensions`
const suspensionsOnPage = 100

const suspensionFlashes: Flashes = {
  suspended: 'It is suspended from now on, on every node, and those concerned are told.',
  resumed: 'The suspension has ended.',
}

const kinds = [
  { value: 'organization', label: 'Organization, by its short name' },
  { value: 'account', label: 'Account, by its identifier or e-mail address' },
  { value: 'application', label: 'Application, by its client ID' },
  { value: 'work', label: 'Work, by its ARK or DOI: it is withheld from readers' },
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
    await resume(registryOf(visit), { subject, by: byOf(visit) })
    return redirectDone(suspensionsPath, 'resumed')
  })
}

async function suspendAsked(visit: AdminVisit, body: FormBody): Promise<PageReply> {
  const subject = subjectOf(body)
  try {
    await suspend(registryOf(visit), { subject, by: byOf(visit) }, textOf(body, 'reason'))
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const [fault] = error.details ?? []
    const known = fault ?? { field: 'id', code: error.code, message: `${error.message}.` }
    return suspensionPage(visit, { values: body, faults: [known] })
  }
  return redirectDone(suspensionsPath, 'suspended')
}

function registryOf({ context }: AdminVisit) {
  const { realms, suspensions, environments, service: accounts } = context
  const { live, sandbox } = realms
  return { environments, suspensions, accounts, oauth: live.oauth, sandbox }
}

function subjectOf(body: FormBody) {
  const type = suspendable.find((each) => each === textOf(body, 'type')) ?? 'organization'
  return { type, id: textOf(body, 'id').trim() }
}

function byOf({ by: { type, id, name } }: AdminVisit): Owner {
  return { type, id, name }
}

function suspensionPage(visit: AdminVisit, state: FormState): Promise<AccountPage> {
  const { context, csrf, query } = visit
  const base = context.pages.prefix + suspensionsPath
  const { shown, ...rest } = listAfter(context.suspensions.list().toReversed(), {
    after: query.get('after') ?? '',
    max: suspensionsOnPage,
    idOf: ({ type, id }) => `${type}/${id}`,
  })
  const none = emptyState('Nothing is suspended', 'What is suspended stands here, with its reason.')
  const fields = html`${selectField({ name: 'type', label: 'What', options: kinds }, state)}
${field({ name: 'id', label: 'Which', required: true, maxLength: 254 }, state)}
${field(
  {
    name: 'reason',
    label: 'Reason',
    required: true,
    maxLength: reasonCharactersMax,
    hint: 'Those whom it stops read it, in every refusal. One line.',
  },
  state,
)}
<p class="hint">Keys, tokens, webhooks, forms and sign-ins are refused from the next request on.
Works stay readable, and events for webhooks are sent later. The page and the content of a work are
withheld from readers, who see the reason.</p>`
  return administrationPage(context, '/suspensions', {
    title: 'Suspensions',
    flashes: suspensionFlashes,
    state,
    content: html`${shown.length === 0 ? none : suspensionTable(visit, shown)}
${pagination({ path: base, parameter: 'after', ...rest })}
<h2>Suspend</h2>
${formCard({ action: base, csrf, fields, submit: 'Suspend', danger: true })}`,
  })
}

function suspensionTable(visit: AdminVisit, shown: readonly Suspension[]): Html {
  const { context, csrf } = visit
  const base = context.pages.prefix + suspensionsPath
  return table('What is suspended, newest first', shown, {
    What: (each) => subjectLink(context, each),
    Reason: ({ reason }) => reason,
    Since: ({ since }) => time(since),
    By: ({ by }) => html`<code>${by.id}</code>`,
    '': ({ type, id }) =>
      form({
        action: `${base}/resume`,
        csrf,
        fields: html`<input type="hidden" name="type" value="${type}">
<input type="hidden" name="id" value="${id}">`,
        submit: `Resume ${id}`,
        inline: true,
      }),
  })
}

function subjectLink(context: OrganizationContext, { type, id }: Suspension): Html {
  const { prefix } = context.pages
  if (type === 'work') return html`work ${arkLink(context, `ark:/${id}`)}`
  const pathsOf = {
    organization: organizationsPath,
    account: `${adminPath}/accounts`,
    application: `${adminPath}/applications`,
  } as const
  return html`${type} <a href="${prefix}${pathsOf[type]}/${id}"><code>${id}</code></a>`
}
