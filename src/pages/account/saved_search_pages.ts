import { formatTimestamp } from '#actors/values/clock.ts'
import { newest } from '#src/discovery/search/index_shape.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type SavedSearch, savedSearchesMax } from '#src/identity/accounts/saved_searches.ts'
import type { AccountContext, AccountVisit } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { form, formCard, hiddenField, textOf } from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { savedSearchesPath as path } from '#src/pages/kit/page_address.ts'
import { redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { card, emptyState, time } from '#src/pages/kit/parts.ts'
import { countNew, savedQuery } from '#src/use_cases/record_search.ts'
import { savedSearches as words } from '#src/words/english.ts'

/** Adds the page on which people save searches, and see what is new in them. */
export function addSavedSearchPages(context: AccountContext): void {
  const { member } = routesIn(context)
  const { savedSearches } = context.service
  member.get(path, savedSearchesPage)
  member.post(path, async ({ account: { ppid } }, body) => {
    const query = savedQuery(textOf(body, 'query'))
    const isSeen = savedSearches.list(ppid).some((one) => one.query === query)
    const new_since = formatTimestamp(context.nowMs())
    const isSaved = await savedSearches.save(ppid, { query, new_since })
    return redirectDone(path, isSaved ? (isSeen ? 'seen' : 'saved') : 'full')
  })
  member.post(`${path}/remove`, async ({ account: { ppid } }, body) => {
    await savedSearches.remove(ppid, textOf(body, 'query'))
    return redirectDone(path, 'removed')
  })
}

async function savedSearchesPage(visit: AccountVisit): Promise<AccountPage> {
  const { context, account, csrf, query } = visit
  const saved = context.service.savedSearches.list(account.ppid)
  const asked = query.get('save')
  const offered = asked === null ? undefined : savedQuery(asked)
  const isNew = offered !== undefined && !saved.some((one) => one.query === offered)
  const cards = await Promise.all(saved.map((one) => savedCard(visit, one)))
  const offer = isNew
    ? formCard({
        action: context.pages.prefix + path,
        csrf,
        fields: html`<p><bdi>${described(offered)}</bdi></p>${hiddenField('query', offered)}`,
        submit: words.saveThis,
      })
    : ''
  return {
    title: words.title,
    isTranslated: true,
    current: path,
    flashes: {
      saved: words.saved,
      seen: words.seen,
      removed: words.removed,
      full: { kind: 'error', text: words.full({ count: savedSearchesMax }) },
    },
    lead: words.lead,
    content: html`${offer}
${cards.length === 0 && !isNew ? emptyState(words.none, words.noneText) : cards}`,
  }
}

async function savedCard(visit: AccountVisit, saved: SavedSearch): Promise<Html> {
  const { context, csrf } = visit
  const { query } = saved
  const action = context.pages.prefix + path
  const fields = hiddenField('query', query)
  const seen = form({ action, csrf, fields, submit: words.markSeen, inline: true })
  const remove = form({
    action: `${action}/remove`,
    csrf,
    fields,
    submit: words.remove,
    inline: true,
  })
  return card(
    described(query),
    html`<p>${await newWorks(visit, saved)}</p>
${seen} ${remove}
<p><a href="${context.baseUrl}/search?${query}">${words.all}</a></p>`,
  )
}

async function newWorks(
  { context, account }: AccountVisit,
  { query, new_since: since }: SavedSearch,
) {
  const source = { service: context.search?.live, searcher: { caller: account.ppid } }
  try {
    const count = await countNew(source, query, { fromMs: Date.parse(since) })
    const found = new URLSearchParams(query)
    found.set('created_from', since)
    found.set('sort', newest)
    const address = `${context.baseUrl}/search?${found}`
    return words.newSince({
      count,
      time: time(since),
      link: (text) => html`<a href="${address}">${text}</a>`,
    })
  } catch (error) {
    if (error instanceof HttpError) return words.unavailable
    throw error
  }
}

/** A search as people read it: its words, then its filters. */
function described(query: string): string {
  const { q, ...filters } = Object.fromEntries(new URLSearchParams(query))
  const rest = Object.entries(filters).map(([name, value]) => `${name}: ${value}`)
  return [...(q === undefined ? [] : [q]), ...rest].join(' · ')
}
