import { HttpError } from '#src/edge/errors.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  form,
  type FormBody,
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { card, emptyState, table } from '#src/pages/kit/parts.ts'
import {
  hrefIn,
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  organizationsPath,
  type OrganizationVisit,
  pathIn,
} from '#src/pages/organization/context.ts'
import { allBelow, changeParent, type ParentStepOf } from '#src/use_cases/consortium.ts'
import { readUsage } from '#src/use_cases/usage_report.ts'
import { consortium as words } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

const section = '/consortium'

const flashes: Flashes = {
  invited: words.invited,
  joined: words.joined,
  left: words.left,
  declined: words.declined,
}

/** Adds the page of the organization above one, and of those below it. */
export function addConsortiumPage(context: OrganizationContext): void {
  const read = organizationRoutes(context, 'read')
  const leading = organizationRoutes(context, 'invite below')
  const choosing = organizationRoutes(context, 'choose parent')
  read.member.get(section, (visit) => consortiumPage(visit, emptyForm))
  leading.fresh.post(`${section}/invite`, (visit, body) =>
    step(visit, body, { ...below(visit, body), step: 'invite' }, 'invited'),
  )
  leading.fresh.post(`${section}/withdraw`, (visit, body) =>
    step(visit, body, { ...below(visit, body), step: 'end_invitation' }, 'declined'),
  )
  leading.fresh.post(`${section}/end`, (visit, body) =>
    step(visit, body, { ...below(visit, body), step: 'leave' }, 'left'),
  )
  choosing.fresh.post(`${section}/join`, (visit, body) =>
    step(visit, body, { ...above(visit, body), step: 'join' }, 'joined'),
  )
  choosing.fresh.post(`${section}/decline`, (visit, body) =>
    step(visit, body, { ...above(visit, body), step: 'end_invitation' }, 'declined'),
  )
  choosing.fresh.post(`${section}/leave`, (visit, body) =>
    step(visit, body, { ...above(visit, body), step: 'leave' }, 'left'),
  )
}

function below({ organization }: OrganizationVisit, body: FormBody) {
  return { slug: textOf(body, 'slug').trim(), parent: organization.slug }
}

function above({ organization }: OrganizationVisit, body: FormBody) {
  return { slug: organization.slug, parent: textOf(body, 'parent').trim() }
}

async function step(
  visit: OrganizationVisit,
  body: FormBody,
  asked: ParentStepOf,
  done: string,
): Promise<PageReply> {
  const { environments, audit, nowMs } = visit.context
  try {
    await changeParent({ live: environments.live, audit, nowMs }, asked, memberAgent(visit))
  } catch (error) {
    if (!(error instanceof HttpError) || error.code === 'forbidden') throw error
    const name = asked.slug === visit.organization.slug ? 'parent' : 'slug'
    const faults = [{ field: name, code: error.code, message: `${error.message}.` }]
    return consortiumPage(visit, { values: body, faults })
  }
  return redirectDone(pathIn(visit, section), done)
}

function consortiumPage(visit: OrganizationVisit, state: FormState): AccountPage {
  return organizationPage(visit, {
    section,
    title: words.heading,
    isOfDesk: false,
    flashes,
    state,
    lead: words.lead,
    content: html`${card(words.aboveHeading, abovePart(visit, state))}
${card(words.belowHeading, belowPart(visit))}
${mayDo(visit, 'invite below') ? invitePart(visit, state) : nothing}`,
  })
}

/** A button that sends a slug by one of the forms of this page. */
function button(
  visit: OrganizationVisit,
  path: string,
  given: Readonly<Record<string, string>>,
  submit: Text,
): Html {
  const fields = Object.entries(given).map(([name, value]) => hiddenField(name, value))
  const action = hrefIn(visit, `${section}/${path}`)
  return form({ action, csrf: visit.csrf, fields, submit, inline: true })
}

function abovePart(visit: OrganizationVisit, state: FormState): Html {
  const { organization, context } = visit
  const { organizations } = context.environments.live
  const { slug, name, parent } = organization
  const isOwner = mayDo(visit, 'choose parent')
  const nameOf = (each: string) => organizations.read(each)?.name ?? each
  if (parent !== undefined) {
    const lead = nameOf(parent)
    const leave = button(visit, 'leave', { parent }, words.leave({ lead }))
    const publisher = `${context.baseUrl}/publishers/${parent}`
    return html`<p><a href="${publisher}">${words.partOf({ name, lead })}</a></p>
<p class="hint">${words.whatLeadsDo({ lead })}</p>
${isOwner ? html`<p class="hint">${words.keysStay}</p>${leave}` : nothing}`
  }
  const invitations = isOwner ? organizations.invitationsOf(slug) : []
  const asked = invitations.map((each) => {
    const lead = nameOf(each)
    return html`<p>${words.invitedBy({ lead })}</p>
<p class="hint">${words.whatLeadsDo({ lead })}</p>
<div class="buttons">${button(visit, 'join', { parent: each }, words.accept)}
${button(visit, 'decline', { parent: each }, words.decline)}</div>`
  })
  return html`${asked.length === 0 ? html`<p>${words.notPart}</p>` : asked}
${visit.isAdmin ? setForm(visit, state) : nothing}`
}

function setForm(visit: OrganizationVisit, state: FormState): Html {
  const label = words.shortName
  const typed = { name: 'parent', label, hint: words.setHint, required: true, maxLength: 63 }
  return html`<h3>${words.setHeading}</h3>${form({
    action: hrefIn(visit, `${section}/join`),
    csrf: visit.csrf,
    fields: field(typed, state),
    submit: words.set,
  })}`
}

function belowPart(visit: OrganizationVisit): Html {
  const { context, organization } = visit
  const { live } = context.environments
  const slugs = allBelow(live, organization.slug)
  const invited = mayDo(visit, 'invite below') ? live.organizations.invited(organization.slug) : []
  const waiting = invited.map(
    (slug) => html`<p><code>${slug}</code>
${button(visit, 'withdraw', { slug }, words.withdrawOf({ name: slug }))}</p>`,
  )
  const pending = waiting.length === 0 ? nothing : html`<h3>${words.invitedHeading}</h3>${waiting}`
  if (slugs.length === 0) {
    return html`${emptyState(words.noneBelow, words.noneBelowText)}${pending}`
  }
  const rows = slugs.flatMap((slug) => rowOf(visit, slug) ?? [])
  const works = [organization.slug, ...slugs].reduce((sum, id) => {
    return sum + live.holdings.counts({ type: 'organization', id }).works_count
  }, 0)
  return html`<p>${words.total({ count: slugs.length, works })}</p>
${belowTable(visit, rows)}${pending}`
}

type BelowRow = {
  readonly slug: string
  readonly name: string
  readonly parent: string
  readonly works: number
  readonly members: number
  readonly keys: number
  readonly links: number | undefined
}

function rowOf({ context }: OrganizationVisit, slug: string): BelowRow | undefined {
  const { environments, keys, usage, nowMs } = context
  const { organizations, holdings } = environments.live
  const organization = organizations.read(slug)
  if (organization === undefined) return undefined
  const owner = { type: 'organization', id: slug } as const
  const subject = { environment: 'live', of: { organization: slug } } as const
  const today = new Date(nowMs()).toISOString().slice(0, 10)
  const month = { granularity: 'month', from: today, to: today } as const
  return {
    slug,
    name: organization.name,
    parent: organization.parent ?? '',
    works: holdings.counts(owner).works_count,
    members: organizations.members(slug)?.length ?? 0,
    keys: keys.list(owner).filter(({ state }) => state === 'active').length,
    links: usage && readUsage(usage, subject, month, nowMs()).total.resolutions,
  }
}

function belowTable(visit: OrganizationVisit, rows: readonly BelowRow[]): Html {
  const { context, organization } = visit
  const base = context.pages.prefix + organizationsPath
  const isOwner = mayDo(visit, 'invite below')
  return table(words.belowHeading, rows, [
    [
      words.organization,
      ({ slug, name }) =>
        isOwner
          ? html`<a href="${base}/${slug}">${name}</a>`
          : html`<a href="${context.baseUrl}/publishers/${slug}">${name}</a>`,
    ],
    [words.level, ({ parent }) => html`<code>${parent}</code>`],
    [words.works, ({ works }) => words.number({ count: works })],
    [words.members, ({ members }) => words.number({ count: members })],
    [
      words.keys,
      ({ slug, name, keys }) => {
        const count = words.number({ count: keys })
        if (!isOwner) return count
        const label = words.openKeys({ name })
        return html`<a href="${base}/${slug}/keys" aria-label="${label}">${count}</a>`
      },
    ],
    [
      words.linksFollowed,
      ({ links }) => (links === undefined ? '–' : words.number({ count: links })),
    ],
    [
      words.end,
      ({ slug, name, parent }) =>
        isOwner && parent === organization.slug
          ? button(visit, 'end', { slug }, words.endOf({ name }))
          : nothing,
    ],
  ])
}

function invitePart(visit: OrganizationVisit, state: FormState): Html {
  const hint = words.shortNameHint
  const typed = { name: 'slug', label: words.shortName, hint, required: true, maxLength: 63 }
  return card(
    words.inviteHeading,
    html`<p class="hint">${words.inviteHint}</p>${form({
      action: hrefIn(visit, `${section}/invite`),
      csrf: visit.csrf,
      fields: field(typed, state),
      submit: words.invite,
    })}`,
  )
}
