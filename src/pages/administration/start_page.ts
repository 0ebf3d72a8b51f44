import type { Readiness } from '#src/edge/metrics.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { badge, facts } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { endingKeys } from '#src/pages/administration/key_pages.ts'
import { adminPath, administrationPage, demandAdmin } from '#src/pages/administration/frame.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

/** Claims in dispute that are counted; beyond them the page says that there are more. */
const disputesCountedMax = 100

/** Adds the page on which administrators begin: what waits for them, and whether all is well. */
export function addAdminStartPage(context: OrganizationContext): void {
  context.pages.member.get(adminPath, (visit) => {
    demandAdmin(visit)
    return startPage(context)
  })
}

async function startPage(context: OrganizationContext): Promise<AccountPage> {
  const { requests, applications, environments, pages, readiness } = context
  const asked = await requests.open()
  const unverified = (await applications.list()).filter(({ state }) => state === 'unverified')
  const { claims } = await environments.live.claims.disputed({ limit: disputesCountedMax })
  const disputesMore = claims.length < disputesCountedMax ? '' : ' or more'
  const link = (path: string, count: number, more = '') =>
    html`<a href="${pages.prefix}${adminPath}${path}">${formatNumber(count)}${more}</a>`
  return administrationPage(context, '', {
    title: 'Administration',
    heading: 'What waits for an administrator',
    content: html`${facts([
      ['Requests for an organization', link('/organizations', asked.length)],
      [
        'Applications that nobody has verified',
        link('/applications?state=unverified', unverified.length),
      ],
      ['Claims in dispute', link('/claims', claims.length, disputesMore)],
      ['Keys that end within 30 days', link('/keys?state=soon', endingKeys(context).length)],
    ])}
<h2>Health</h2>
${health(await readiness())}`,
  })
}

function health({ ready, checks }: Readiness): Html {
  const problems = Object.entries(checks).filter(([, { ok }]) => !ok)
  if (ready && problems.length === 0) {
    return html`<p>${badge('All is well', 'good')} The registry reads and writes.</p>`
  }
  const lines = problems.map(
    ([name, { problem = 'is not as it should be' }]) =>
      html`<li>${badge(name, 'bad')} ${problem}</li>`,
  )
  return html`<ul>${lines}</ul>
<p>Run <code>arklog doctor</code> on the machine: it says of each what to do.</p>`
}
