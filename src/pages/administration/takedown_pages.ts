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
import type { PageReply } from '#src/pages/kit/pages.ts'
import { badge, facts, listFilter, textFilter, time } from '#src/pages/kit/parts.ts'
import { plainTitle } from '#src/pages/kit/words.ts'
import { arkLink, type OrganizationContext } from '#src/pages/organization/context.ts'
import { takeDown, takedownReasons, takedownWords } from '#src/use_cases/takedown.ts'
import { workNamed } from '#src/use_cases/work_lookup.ts'

const path = `${adminPath}/takedowns`

const flashes: Flashes = {
  taken: 'The work is taken down. Its page says that the operator of this registry did it.',
}

/** Adds the page on which administrators take down any work, whoever has registered it. */
export function addTakedownPages(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(path, (visit) =>
    takedownPage(visit, visit.query.get('work') ?? '', givenBack(takeForm(visit), emptyForm)),
  )
  fresh.post(path, takeDownAsked)
}

function takeForm(visit: AdminVisit) {
  return visit.context.pages.takeForm(visit)
}

async function takeDownAsked(visit: AdminVisit, body: FormBody): Promise<PageReply> {
  const [work, reason, note] = [textOf(body, 'work'), textOf(body, 'reason'), textOf(body, 'note')]
  const { environments, realms, nowMs } = visit.context
  const registry = { environments, oauth: realms.live.oauth }
  const hand = { by: personOwner(visit.account.ppid), via: 'ui', nowMs: nowMs() } as const
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
  const { owner, identifier, created_at, updated_at, status } = found.state
  const title = environment.holdings.work(owner, ark)?.work_title
  const isWithdrawn = status === 'withdrawn'
  const about = facts([
    ['Title', title === null || title === undefined ? 'erased' : plainTitle(title)],
    ['ARK', arkLink(context, identifier)],
    ['Registered', time(created_at)],
    ['Owner', ownerLink(context, owner, environment.name)],
    ['State', isWithdrawn ? html`${badge('withdrawn', 'bad')} ${time(updated_at)}` : 'registered'],
  ])
  if (isWithdrawn) return about
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
  submit: 'Take down',
  danger: true,
})}`
}
