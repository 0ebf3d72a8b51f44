import { formatTimestamp } from '#actors/values/clock.ts'
import { newest } from '#src/discovery/search/index_shape.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type SavedSearch, savedSearchesMax } from '#src/identity/accounts/saved_searches.ts'
import type { AccountContext, AccountVisit } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { field, form, formCard, hiddenField, selectField, textOf } from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { savedSearchesPath as path } from '#src/pages/kit/page_address.ts'
import { redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { asLink, card, emptyState, time } from '#src/pages/kit/parts.ts'
import { countNew, savedQuery } from '#src/use_cases/record_search.ts'
import { savedSearches as words, search } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

/** Adds the page on which people save searches and lists of works, and see what is new. */
export function addSavedSearchPages(context: AccountContext): void {
  const { member } = routesIn(context)
  const { savedSearches } = context.service
  member.get(path, savedSearchesPage)
  member.post(path, async ({ account: { ppid } }, body) => {
    const saved = savedSearches.list(ppid)
    const query = savedQuery(textOf(body, 'query'))
    const [how = '', ...rest] = textOf(body, 'into').split(' ')
    const chosen = savedOf(saved, rest.join(' '))
    // What was added to it in another window must not be lost with this.
    if (how !== '' && chosen === undefined) return redirectDone(path, 'changed', { save: query })
    const into = chosen ?? savedOf(saved, query)
    const name = nameOf(textOf(body, 'name')) ?? into?.name
    const wanted = {
      query: how === 'add' && into !== undefined ? savedQuery(joined(into.query, query)) : query,
      new_since: formatTimestamp(context.nowMs()),
      ...(name !== undefined && { name }),
    }
    const isSaved = await savedSearches.save(ppid, wanted, into?.query)
    const isSeen = into?.query === wanted.query
    return redirectDone(path, isSaved ? (isSeen ? 'seen' : 'saved') : 'full')
  })
  member.post(`${path}/remove`, async ({ account: { ppid } }, body) => {
    await savedSearches.remove(ppid, textOf(body, 'query'))
    return redirectDone(path, 'removed')
  })
}

function savedOf(saved: readonly SavedSearch[], wanted: string): SavedSearch | undefined {
  return saved.find(({ query }) => query === wanted)
}

/** Characters of a name. */
const nameMax = 100

/** The name that was typed; undefined if there is none. HttpError `bad_request` for a long one. */
function nameOf(typed: string): string | undefined {
  const name = typed.replaceAll(/\s+/g, ' ').trim()
  if (name.length <= nameMax) return name === '' ? undefined : name
  throw new HttpError('bad_request', `The name has ${nameMax} characters at most`)
}

/** The works of a list, by their ARKs; undefined of a search that looks for something else. */
function arksOf(query: string): readonly string[] | undefined {
  const [[name, value] = ['', ''], ...others] = new URLSearchParams(query)
  return name === 'ark' && others.length === 0 ? value.split(',') : undefined
}

/** The query of a list with the works of both. */
function joined(list: string, added: string): string {
  const arks = new Set([list, added].flatMap((query) => arksOf(query) ?? []))
  return new URLSearchParams({ ark: [...arks].join(',') }).toString()
}

async function savedSearchesPage(visit: AccountVisit): Promise<AccountPage> {
  const { context, account, query } = visit
  const saved = context.service.savedSearches.list(account.ppid)
  const asked = query.get('save')
  const offered = asked === null ? undefined : savedQuery(asked)
  const isNew = offered !== undefined && savedOf(saved, offered) === undefined
  const cards = await Promise.all(saved.map((one) => savedCard(visit, one)))
  return {
    title: words.title,
    current: path,
    flashes: {
      saved: words.saved,
      seen: words.seen,
      removed: words.removed,
      changed: { kind: 'error', text: words.changed },
      full: { kind: 'error', text: words.full({ count: savedSearchesMax }) },
    },
    lead: words.lead,
    content: html`${isNew ? offer(visit, offered, saved) : ''}
${cards.length === 0 && !isNew ? emptyState(words.none, words.noneText) : cards}`,
  }
}

/** Saves what was looked for; works that were selected also in a list that there is. */
function offer(
  { context, csrf }: AccountVisit,
  query: string,
  saved: readonly SavedSearch[],
): Html {
  const isList = arksOf(query) !== undefined
  const lists = isList ? saved.filter((one) => arksOf(one.query) !== undefined) : []
  const into = lists.flatMap((one) => [
    { value: `add ${one.query}`, label: words.addTo({ name: described(one) }) },
    { value: `replace ${one.query}`, label: words.replace({ name: described(one) }) },
  ])
  const options = [{ value: '', label: words.newList }, ...into]
  return formCard({
    action: context.pages.prefix + path,
    csrf,
    fields: html`<p><bdi>${described({ query })}</bdi></p>${hiddenField('query', query)}
${lists.length === 0 ? '' : selectField({ name: 'into', label: words.into, options })}
${field({ name: 'name', label: words.name, maxLength: nameMax })}`,
    submit: isList ? words.saveList : words.saveThis,
  })
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
  const all = html`<p><a href="${context.baseUrl}/search?${query}">${words.all}</a></p>`
  // Nothing is ever new in a list.
  if (arksOf(query) !== undefined) return card(described(saved), html`${all}${remove}`)
  return card(
    described(saved),
    html`<p>${await newWorks(visit, saved)}</p>
${seen} ${remove}
${all}`,
  )
}

async function newWorks(
  { context, account }: AccountVisit,
  { query, new_since: since }: SavedSearch,
) {
  const source = { service: context.search?.live, searcher: { caller: account.ppid } }
  try {
    const count = await countNew(source, query, { fromMs: Date.parse(since) })
    if (count === undefined) return words.noLonger
    const found = new URLSearchParams(query)
    found.set('created_from', since)
    found.set('sort', newest)
    const address = `${context.baseUrl}/search?${found}`
    return words.newSince({
      count,
      time: time(since),
      link: asLink(address),
    })
  } catch (error) {
    if (error instanceof HttpError) return words.unavailable
    throw error
  }
}

/** A search as people read it: its name, or its words, then its filters. */
function described({ name, query }: Pick<SavedSearch, 'name' | 'query'>): Text {
  const arks = arksOf(query)
  if (name !== undefined) return name
  if (arks !== undefined) return search.countWorks({ count: arks.length })
  const { q, ...filters } = Object.fromEntries(new URLSearchParams(query))
  const rest = Object.entries(filters).map(([filter, value]) => `${filter}: ${value}`)
  return [...(q === undefined ? [] : [q]), ...rest].join(' · ')
}
