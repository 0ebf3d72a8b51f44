import type { FailingWork } from '#actors/catalogue/owner_lists.ts'
import { readUsage } from '#src/use_cases/usage_report.ts'
import type { KeyInfo } from '#src/identity/keys/key_store.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { keyName } from '#src/pages/kit/key_parts.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { buttonLink, card, facts, quietLink, table, time } from '#src/pages/kit/parts.ts'
import { usageFigure } from '#src/pages/kit/usage_figure.ts'
import { plural, formatNumber } from '#src/pages/kit/words.ts'
import {
  mayDo,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  webLink,
} from '#src/pages/organization/context.ts'
import {
  contentFigure,
  monthFigure,
  monthsShown,
  monthsUntil,
  contentStateBadge,
  typeFigure,
} from '#src/pages/organization/start_figures.ts'

/** Claims and failures that are looked at; of more the page says that there are more. */
const claimsMax = 100
const failuresMax = 5

/** How long before its end a key is spoken of. */
const soonMs = 30 * 86_400_000

const flashes: Flashes = {
  saved: 'The description is saved.',
  joined: 'You are a member now.',
}

/** The start page of an organization: what waits for its members, and what it has, in numbers. */
export async function startPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
): Promise<AccountPage> {
  const { pages, environments, usage, nowMs } = context
  const { slug } = visit.organization
  const { holdings, claims } = environments.live
  const owner = { type: 'organization', id: slug } as const
  const base = pages.prefix + pathIn(visit)
  const months = monthsUntil(nowMs(), monthsShown)
  const { content, types, withdrawn } = holdings.breakdown(owner)
  const counts = holdings.counts(owner)
  const [waiting, failures] = await Promise.all([
    claims.awaiting(owner, { limit: claimsMax }),
    holdings.newestFailures(owner, failuresMax),
  ])
  const subject = { environment: 'live', of: { organization: slug } } as const
  const report = usage && readUsage(usage, subject, { granularity: 'month' }, nowMs())
  const href = `${context.baseUrl}/api/v1/organizations/${slug}/usage`
  const figure = report && usageFigure(report, { of: 'these works are used', href })
  const use = figure === undefined ? nothing : html`<div class="card">${figure}</div>`
  const claimsWaiting = { count: waiting.claims.length, isMore: waiting.next !== null }
  const ending = endingKeys(context, visit)
  const failing = counts.failing_count
  return organizationPage(visit, {
    section: '',
    title: 'Start',
    flashes,
    content: html`${todo(base, { claimsWaiting, ending, failing })}
${actions(base, visit)}
<div class="desk">
${card('Works registered', monthFigure(months, holdings.registered(owner, months)))}
${card('Content', contentFigure(content, withdrawn, `${base}/content`))}
${card('Types', Object.keys(types).length === 0 ? noWorks : typeFigure(types))}
${use}
</div>
${failures.length === 0 ? nothing : card('Newest failures', failureTable(base, failures))}
${description(context, visit)}`,
  })
}

const noWorks = html`<p class="aside">No works yet.</p>`

type Waiting = {
  readonly claimsWaiting: { readonly count: number; readonly isMore: boolean }
  readonly ending: readonly KeyInfo[]
  readonly failing: number
}

/** What somebody should look at, each with where to do so; a word that there is nothing. */
function todo(base: string, { claimsWaiting, ending, failing }: Waiting): Html {
  const { count, isMore } = claimsWaiting
  const items: Html[] = []
  if (count > 0) {
    const many = isMore ? `More than ${formatNumber(count)} claims` : plural(count, 'claim')
    items.push(html`<a href="${base}/claims">${many}</a> ${count === 1 ? 'waits' : 'wait'} for your
answer.`)
  }
  if (failing > 0) {
    const have = failing === 1 ? 'has' : 'have'
    items.push(html`<a href="${base}/content">${plural(failing, 'work')}</a> ${have} content that
is not as registered, or could not be read.`)
  }
  for (const key of ending) {
    items.push(html`The key <a href="${base}/keys">${keyName(key)}</a> ends on
${time(key.expires_at)}: make a new one before.`)
  }
  if (items.length === 0) return html`<p class="aside">Nothing waits for you.</p>`
  return html`<section class="flash flash-info todo" aria-labelledby="todo"><h2 id="todo">For you
to do</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`
}

/** Keys that work and end soon, the first to end first. */
function endingKeys(
  { keys, nowMs }: OrganizationContext,
  { organization }: OrganizationVisit,
): readonly KeyInfo[] {
  const owner = { type: 'organization', id: organization.slug } as const
  const now = nowMs()
  const soon = keys.list(owner).filter(({ state, expires_at }) => {
    const endMs = Date.parse(expires_at)
    return state === 'active' && endMs > now && endMs - now < soonMs
  })
  return soon.toSorted((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))
}

function actions(base: string, visit: OrganizationVisit): Html {
  if (!mayDo(visit, 'register works')) return nothing
  return html`<div class="buttons desk-buttons">
${buttonLink(`${base}/works/new`, 'Register a work')}
${quietLink(`${base}/import`, 'Import a file')}</div>`
}

function failureTable(base: string, failures: readonly FailingWork[]): Html {
  const columns = [
    {
      heading: 'Work',
      isRowHeading: true,
      cell: ({ work_title: title }: FailingWork) => html`${title ?? 'erased'}`,
    },
    { heading: 'Content', cell: ({ standing }: FailingWork) => contentStateBadge(standing) },
    {
      heading: 'Because',
      cell: ({ message, hostName }: FailingWork) => html`${message ?? ''} (${hostName})`,
    },
    { heading: 'Since', cell: ({ since }: FailingWork) => time(since) },
  ]
  return html`${table('Works that began to fail last', columns, failures)}
<p><a href="${base}/content">All of them, and what to do</a></p>`
}

function description(
  { environments, pages, baseUrl }: OrganizationContext,
  visit: OrganizationVisit,
): Html {
  const { organization, role, isAdmin } = visit
  const { slug, aliases, ror, country, url, created_at } = organization
  const counts = environments.live.holdings.counts({ type: 'organization', id: slug })
  const edit = mayDo(visit, 'describe')
    ? html`<p><a href="${pages.prefix}${pathIn(visit, '/edit')}">Edit the description</a></p>`
    : nothing
  return card(
    'Description',
    html`${facts([
      ['Works', formatNumber(counts.works_count)],
      ['People with a work here', formatNumber(counts.people_count)],
      ['Short name', html`<code>${slug}</code>`],
      ['Other names', aliases.length === 0 ? undefined : aliases.join('; ')],
      ['ROR ID', ror === undefined ? undefined : webLink(ror)],
      ['Country', country],
      ['Home page', url === undefined ? undefined : webLink(url)],
      ['Here since', time(created_at)],
      ['For readers', webLink(`${baseUrl}/publishers/${slug}`)],
      ['Public record', webLink(`${baseUrl}/api/v1/organizations/${slug}`)],
      ['You are', isAdmin ? 'an administrator of the registry' : html`its ${role}`],
    ])}${edit}`,
  )
}
