import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { checkOrganization } from '#actors/organizations/rules.ts'
import { HttpError } from '#src/errors.ts'
import type { OrganizationRequest } from '#src/identity/accounts/organization_requests.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, form, type FormState } from '#src/pages/kit/form_field.ts'
import { type OrganizationContext, organizationsPath } from '#src/pages/organization/context.ts'
import {
  asFormFault,
  descriptionFields,
  descriptionOf,
} from '#src/pages/organization/overview_pages.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'
import { badge, card, emptyState, facts, table, time } from '#src/pages/kit/parts.ts'

const messageCharactersMax = 2_000

const flashes: Flashes = {
  left: 'You are no longer a member of it.',
  requested: 'An administrator will look at it. You see here how it ends.',
}

/** Adds the page of a person's organizations, on which they can ask for one. */
export function addOwnOrganizationPages(context: OrganizationContext): void {
  const { member } = context.pages
  member.get(organizationsPath, (visit) => ownPage(context, visit, emptyForm))
  member.post(`${organizationsPath}/request`, async (visit, body) => {
    const faults = await request(context, visit, body)
    if (faults.length > 0) return ownPage(context, visit, { values: body, faults })
    return redirectDone(organizationsPath, 'requested')
  })
}

async function request(context: OrganizationContext, { account }: MemberVisit, body: FormBody) {
  const slug = textOf(body, 'slug').trim()
  const checked = checkOrganization({ slug, ...descriptionOf(body) })
  const message = textOf(body, 'message').trim()
  const faults = checked.type === 'invalid' ? checked.faults.map(asFormFault) : []
  if (message.length > messageCharactersMax) {
    const text = `It has at most ${messageCharactersMax} characters.`
    faults.push({ field: 'message', code: 'too_long', message: text })
  }
  if (context.environments.live.organizations.read(slug) !== undefined) {
    const text = `There is an organization ${slug} already: one of its owners can add you.`
    faults.push({ field: 'slug', code: 'taken', message: text })
  }
  if (checked.type === 'invalid' || faults.length > 0) return faults
  const { profile } = checked
  const answer = await context.requests.make({ ppid: account.ppid, profile, message })
  if (answer === 'waits_already') throw new HttpError('conflict', 'You have asked for one already')
  if (answer === 'too_many') throw new HttpError('unavailable', 'Too many requests wait: come back')
  return []
}

async function ownPage(
  context: OrganizationContext,
  visit: MemberVisit,
  state: FormState,
): Promise<AccountPage> {
  const { environments, requests, pages } = context
  const { ppid, roles } = visit.account
  const memberships = await environments.live.organizations.organizationsOf(ppid)
  const made = requests.find(ppid)
  const isOpen = made?.state === 'waiting' || made?.state === 'approving'
  const admin = html`<p><a href="${pages.prefix}/admin">What waits for an administrator</a></p>`
  return {
    title: 'Organizations',
    current: organizationsPath,
    flashes,
    state,
    lead: html`An organization registers works in its own name, has keys and applications, and
members who may do so.`,
    content: html`${roles.includes('admin') ? admin : ''}
${memberships.length === 0 ? nothingYet() : membershipTable(context, memberships)}
${made === undefined ? '' : requestCard(made)}
${isOpen ? '' : requestForm(context, visit, state)}`,
  }
}

function nothingYet(): Html {
  return emptyState(
    'You are not a member of an organization',
    'If yours is registered here, ask one of its owners to add you by your username. If it is ' +
      'not, ask for it below.',
  )
}

function membershipTable(
  { environments, pages }: OrganizationContext,
  memberships: readonly { readonly slug: string; readonly role: string }[],
): Html {
  const { organizations, holdings } = environments.live
  const columns = [
    {
      heading: 'Organization',
      isRowHeading: true,
      cell: ({ slug }: { slug: string }) =>
        html`<a href="${pages.prefix}${organizationsPath}/${slug}">${
          organizations.read(slug)?.name ?? slug
        }</a>`,
    },
    { heading: 'You are its', cell: ({ role }: { role: string }) => role },
    {
      heading: 'Works',
      cell: ({ slug }: { slug: string }) =>
        html`${holdings.counts({ type: 'organization', id: slug }).works_count}`,
    },
  ]
  return table('Organizations that you are a member of', columns, memberships)
}

const stateWords = {
  waiting: ['waits for an administrator', 'waiting'],
  approving: ['waits for an administrator', 'waiting'],
  approved: ['approved', 'good'],
  refused: ['refused', 'bad'],
} as const

function requestCard({ profile, state, created_at, reason }: OrganizationRequest): Html {
  const [word, kind] = stateWords[state]
  return card(
    'Your request',
    html`${facts([
      ['Organization', html`${profile.name} (<code>${profile.slug}</code>)`],
      ['Asked for', time(created_at)],
      ['It is', badge(word, kind)],
      ['Why', reason],
    ])}`,
  )
}

function requestForm(
  { pages }: OrganizationContext,
  { csrf }: MemberVisit,
  state: FormState,
): Html {
  const fields = [
    field(
      {
        name: 'slug',
        label: 'Short name',
        required: true,
        hint: 'Lower-case letters, digits and hyphens, such as brown-university. It never changes.',
      },
      state,
    ),
    descriptionFields(state),
    field(
      {
        name: 'message',
        label: 'Who you are there',
        type: 'textarea',
        hint: 'So that an administrator can see that you speak for it.',
      },
      state,
    ),
  ]
  const action = `${pages.prefix}${organizationsPath}/request`
  return card('Ask for an organization', form({ action, csrf, fields, submit: 'Ask for it' }))
}
