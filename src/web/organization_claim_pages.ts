import { html } from 'ghtml'

import type { Claim } from '#actors/claims.ts'
import { HttpError } from '#src/errors.ts'
import { askAgain } from '#src/http/ask_again.ts'
import { isClaimed, refusedClaim } from '#src/http/claim_refusal.ts'
import { done } from '#src/web/account_desk.ts'
import { flashOf, textOf } from '#src/web/entrance.ts'
import { form, hiddenField } from '#src/web/form_field.ts'
import {
  arkLink,
  mayDo,
  organizationAgent,
  organizationPage,
  type OrganizationDesk,
  type OrganizationVisit,
  pathIn,
  shownName,
  visitOrganization,
} from '#src/web/organization_desk.ts'
import { ownWork } from '#src/web/organization_work_pages.ts'
import type { Flash, Html, Page } from '#src/web/page.ts'
import { emptyState, facts, pagination, time } from '#src/web/parts.ts'

const claimsOnPage = 25

const flashes: Readonly<Record<string, Flash>> = {
  confirm: { kind: 'success', text: 'You have agreed: the person counts as an author.' },
  reject: { kind: 'success', text: 'You have said no: the person does not count as an author.' },
}

/** Adds the page of people who say that works of the organization are theirs. */
export function addOrganizationClaimPages(desk: OrganizationDesk): void {
  const { member } = desk.pages
  member.get('/organizations/:slug/claims', (visit) =>
    claimsPage(desk, visitOrganization(desk, visit, 'read')),
  )
  member.post('/organizations/:slug/claims', async (visit, body) => {
    const at = visitOrganization(desk, visit, 'review claims')
    const step = (['confirm', 'reject'] as const).find((each) => each === textOf(body, 'step'))
    if (step === undefined) throw new HttpError('bad_request', 'A claim is confirmed or rejected')
    const ark = ownWork(desk, at, textOf(body, 'ark'))
    const command = { ppid: textOf(body, 'ppid'), ark, step, by: organizationAgent(at) }
    const answer = await askAgain(() => desk.environments.live.claims.change(command))
    if (!isClaimed(answer)) throw refusedClaim(answer)
    return done(pathIn(at, '/claims'), step)
  })
}

async function claimsPage(desk: OrganizationDesk, visit: OrganizationVisit): Promise<Page> {
  const after = visit.query.get('after') ?? ''
  const registrant = { type: 'organization', id: visit.organization.slug } as const
  const page = { limit: claimsOnPage, ...(after !== '' && { after }) }
  const { claims, next } = await desk.environments.live.claims.awaiting(registrant, page)
  const base = desk.pages.prefix + pathIn(visit, '/claims')
  const flash = flashOf(visit, flashes)
  const older = next === null ? {} : { older: `${base}?${new URLSearchParams({ after: next })}` }
  const none = emptyState(
    'No claim waits',
    'When people say that they are authors of works of the organization, it is asked here.',
  )
  return organizationPage(desk, visit, {
    section: '/claims',
    title: 'Claims of authors',
    ...(flash !== undefined && { flash }),
    body: html`!${claims.length === 0 ? none : claims.map((claim) => claimCard(desk, visit, claim))}
!${pagination({ ...(after !== '' && { newer: base }), ...older })}`,
  })
}

function claimCard(desk: OrganizationDesk, visit: OrganizationVisit, claim: Claim): Html {
  const { ppid, ark_identifier: ark, author_position: place, message, created_at } = claim
  const answer = (step: 'confirm' | 'reject', submit: string) =>
    form({
      action: desk.pages.prefix + pathIn(visit, '/claims'),
      csrf: visit.csrf,
      fields: ['step', 'ppid', 'ark']
        .map((name, at) => hiddenField(name, [step, ppid, ark][at] ?? ''))
        .join(''),
      submit,
      danger: step === 'reject',
      inline: true,
    })
  const answers = html`<div class="buttons">!${answer('confirm', 'Confirm')}
!${answer('reject', 'Reject')}</div>`
  const name = shownName(desk, ppid, visit.account.ppid)
  return html`<section class="card"><h2>${name}</h2>
!${facts([
    ['Person', html`<code>${ppid}</code>`],
    ['Work', arkLink(desk, ark)],
    ['As author', html`${place ?? 'of any place'}`],
    ...(message === undefined ? [] : [['Says', html`${message}`] as const]),
    ['Since', time(created_at)],
  ])}
!${mayDo(visit, 'review claims') ? answers : ''}
</section>`
}
