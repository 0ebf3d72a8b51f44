import { newsGroups } from '#src/identity/accounts/news_switches.ts'
import type { AccountContext, AccountVisit } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { checkbox, formCard } from '#src/pages/kit/form.ts'
import { html } from '#src/pages/kit/html.ts'
import { redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { asLink } from '#src/pages/kit/parts.ts'
import { news } from '#src/words/english.ts'

const path = '/account/mail'

/** Adds the page on which people choose which news they get by mail. */
export function addMailPages(context: AccountContext): void {
  const { member } = routesIn(context)
  const { switches } = context.service
  member.get(path, mailPage)
  member.post(path, async ({ account }, body) => {
    const off = newsGroups.filter((group) => !body.has(group))
    await switches.set(account.ppid, off)
    return redirectDone(path, 'saved')
  })
}

function mailPage({ context, account, csrf }: AccountVisit): AccountPage {
  const off = context.service.switches.offFor(account.ppid)
  const boxes = newsGroups.map((name) =>
    checkbox({ name, label: news[`group_${name}`], checked: !off.includes(name) }),
  )
  return {
    title: news.title,
    current: '/account/security',
    flashes: { saved: news.saved },
    lead: news.lead({ address: account.email ?? news.yourAddress }),
    content: html`${formCard({
      action: context.pages.prefix + path,
      csrf,
      fields: html`${boxes}`,
      submit: news.save,
    })}
<p>${news.alsoNotices({
      link: asLink(`${context.pages.prefix}/account/notices`),
    })}</p>`,
  }
}
