import { html } from 'ghtml'

import type { Claim } from '#actors/claims.ts'
import { HttpError } from '#src/errors.ts'
import { askAgain } from '#src/http/ask_again.ts'
import { isClaimed, refusedClaim } from '#src/http/claim_refusal.ts'
import { everybody, sees } from '#src/http/person_audience.ts'
import { type AccountDesk, done, onPages } from '#src/web/account_desk.ts'
import { textOf } from '#src/web/entrance.ts'
import { form, hiddenField } from '#src/web/form_field.ts'
import type { Html } from '#src/web/page.ts'
import type { MemberVisit } from '#src/web/pages.ts'
import { card, time } from '#src/web/parts.ts'

const worksPath = '/account/works'
const path = `${worksPath}/asked`

/** Claims that are shown at one time; the others follow when these are answered. */
const claimsMax = 25

/** Adds what a person answers to others who claim works that the person has registered. */
export function addAskedClaims(desk: AccountDesk): void {
  desk.pages.member.post(path, async ({ account }, body) => {
    const { claims } = desk.environment
    const step = (['confirm', 'reject'] as const).find((each) => each === textOf(body, 'step'))
    const claim = claims.find(textOf(body, 'claim'))
    if (step === undefined || claim === undefined) {
      throw new HttpError('bad_request', 'A claim is confirmed or rejected')
    }
    const { ppid, ark } = claim
    const command = { ppid, ark, step, by: onPages(account.ppid) }
    const answer = await askAgain(() => claims.change(command))
    if (!isClaimed(answer)) throw refusedClaim(answer)
    return done(worksPath, `${step}_other`)
  })
}

/** Others who claim works that the person of a visit has registered; nothing without any. */
export async function askedClaims(desk: AccountDesk, visit: MemberVisit): Promise<Html> {
  const registrant = { type: 'person', id: visit.account.ppid } as const
  const { claims } = await desk.environment.claims.awaiting(registrant, { limit: claimsMax })
  if (claims.length === 0) return ''
  const items = claims.map((claim) => html`<li>!${askedClaim(desk, visit, claim)}</li>`)
  return card(
    'You are asked',
    html`<p>These people say that they are authors of works that you
have registered.</p><ul>!${items}</ul>`,
  )
}

function askedClaim(desk: AccountDesk, { csrf }: MemberVisit, claim: Claim): Html {
  const { ppid, ark_identifier: ark, message, created_at } = claim
  const answer = (step: 'confirm' | 'reject', submit: string) =>
    form({
      action: desk.pages.prefix + path,
      csrf,
      fields: hiddenField('step', step) + hiddenField('claim', claim.claim_id),
      submit,
      danger: step === 'reject',
      inline: true,
    })
  const said = message === undefined ? '' : html`<p>“${message}”</p>`
  return html`<p><a href="${desk.baseUrl}/people/${ppid}">${publicName(desk, ppid)}</a>:
<a href="${desk.baseUrl}/${ark}">${ark}</a>, !${time(created_at)}</p>
!${said}
<div class="buttons">!${answer('confirm', 'Yes, an author')}!${answer('reject', 'No')}</div>`
}

/** What another person is called, if they show it. */
function publicName({ environment }: AccountDesk, ppid: string): string {
  const person = environment.people.read(ppid)
  if (person?.type !== 'person') return ppid
  const { name, visibility } = person.profile
  return sees(everybody, visibility.name, 'read people') ? name : ppid
}
