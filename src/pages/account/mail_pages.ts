import { type NewsGroup, newsGroups } from '#src/identity/accounts/news_switches.ts'
import type { AccountContext, AccountVisit } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { checkbox, formCard } from '#src/pages/kit/form.ts'
import { html } from '#src/pages/kit/html.ts'
import { redirectDone, routesIn } from '#src/pages/kit/pages.ts'

const path = '/account/mail'

/** Adds the page on which people choose which news they get by mail. */
export function addMailPages(context: AccountContext): void {
  const { member } = routesIn(context)
  const { switches } = context.service
  member.get(path, mailPage)
  member.post(path, async ({ account }, body) => {
    const off = groups.filter((group) => !body.has(group))
    await switches.set(account.ppid, off)
    return redirectDone(path, 'saved')
  })
}

const groups = Object.keys(newsGroups) as NewsGroup[]

function mailPage({ context, account, csrf }: AccountVisit): AccountPage {
  const off = context.service.switches.offFor(account.ppid)
  const boxes = groups.map((name) =>
    checkbox({ name, label: newsGroups[name], checked: !off.includes(name) }),
  )
  return {
    title: 'News by mail',
    current: '/account/security',
    flashes: { saved: 'Your choice is saved.' },
    lead: `We write to ${account.email ?? 'your address'} once it is confirmed. You always get mails
about your password, your address and your sign-in.`,
    content: html`${formCard({
      action: context.pages.prefix + path,
      csrf,
      fields: html`${boxes}`,
      submit: 'Save choice',
    })}
<p><a href="${context.pages.prefix}/account/notices">Notices</a> show all news, also those without a
mail.</p>`,
  }
}
