import type { HeldWork } from '#actors/catalogue/owner_lists.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { badge, table, time } from '#src/pages/kit/parts.ts'
import { plainTitle } from '#src/pages/kit/plain_title.ts'
import { typeName } from '#src/pages/kit/words.ts'
import {
  arkLink,
  mayDo,
  type OrganizationContext,
  type OrganizationVisit,
  pathIn,
} from '#src/pages/organization/context.ts'
import { plainArk } from '#src/pages/organization/held_works.ts'
import { contentStateBadge } from '#src/pages/organization/start_figures.ts'

/** What begins the names of the boxes by which works are chosen. */
export const ticks = 'work:'

/** Works with a box each, which is ticked if all are, and what the visitor may do to them. */
export function workTable(
  context: OrganizationContext,
  visit: OrganizationVisit,
  works: readonly HeldWork[],
  isTicked: boolean,
): Html {
  const base = context.pages.prefix + pathIn(visit, '/works')
  const columns = [
    {
      heading: 'Tick',
      cell: (work: HeldWork) => html`<input type="checkbox" value="on"
name="${ticks}${plainArk(work.ark_identifier)}" aria-label="Tick ${nameOf(work)}"
${isTicked ? 'checked' : ''}>`,
    },
    {
      heading: 'Title',
      isRowHeading: true,
      cell: (work: HeldWork) => html`${titleOf(work)}
<span class="aside">${arkLink(context, work.ark_identifier)}</span>`,
    },
    {
      heading: 'Type',
      cell: ({ work_type: type }: HeldWork) => (type === null ? '' : typeName(type)),
    },
    { heading: 'Content', cell: (work: HeldWork) => contentBadge(work) },
    {
      heading: 'Registered',
      cell: ({ created_at: at, version }: HeldWork) =>
        html`${time(at)}${version > 1 ? html` <span class="aside">version ${version}</span>` : ''}`,
    },
    ...(mayDo(visit, 'register works')
      ? [{ heading: 'Change', cell: (work: HeldWork) => changeLinks(base, work) }]
      : []),
  ]
  return html`<div class="works-table">${table('Works', columns, works)}</div>`
}

function changeLinks(base: string, work: HeldWork): Html {
  if (work.status === 'withdrawn') return html``
  const { ark_identifier: ark } = work
  const at = `${base}/${ark.slice(ark.lastIndexOf('/') + 1)}`
  // Out of its row, as in a list of links, a link still says which work it is about.
  const title = nameOf(work)
  const link = (way: string, text: string, label: string) =>
    html`<a href="${at}/${way}" aria-label="${label}">${text}</a>`
  return html`<span class="row-links">${link('edit', 'Edit', `Edit ${title}`)}
${link('new-version', 'New version', `New version of ${title}`)}
${link('withdraw', 'Withdraw', `Withdraw ${title}`)}</span>`
}

function nameOf({ work_title: title, ark_identifier: ark }: HeldWork): string {
  return title === null ? ark : plainTitle(title)
}

function titleOf(work: HeldWork): Html {
  return work.work_title === null
    ? html`<i>erased</i>`
    : html`<span class="work-title" dir="auto">${nameOf(work)}</span>`
}

function contentBadge({ status, standing }: HeldWork): Html {
  return status === 'withdrawn' ? badge('withdrawn') : contentStateBadge(standing)
}
