import { type Html, html, joinHtml } from '#src/pages/kit/html.ts'
import type { Item, ItemKind, Person } from '#actors/people/port.ts'
import { type AccountContext, writerName } from '#src/pages/account/context.ts'
import { badge, buttonLink, card, time } from '#src/pages/kit/parts.ts'
import { itemTitle } from '#src/pages/kit/words.ts'
import { visibilityWords } from '#src/pages/kit/visibility_field.ts'

/** The two kinds of items, as paths and headings call them. */
export const itemKinds = {
  affiliation: {
    path: '/account/affiliations',
    heading: 'Affiliations',
    add: 'Add an affiliation',
    empty: 'No affiliations yet. Add one, or permit your institution to do it for you.',
  },
  education: {
    path: '/account/education',
    heading: 'Education',
    add: 'Add education',
    empty: 'No education yet. Add it, or permit your university to do it for you.',
  },
} as const satisfies Record<ItemKind, unknown>

/** The affiliations and the education of a person, each with its writer. */
export function itemCards(context: AccountContext, person: Person): Html {
  const cards = (['affiliation', 'education'] as const).map((kind) => {
    const { path, heading, add, empty } = itemKinds[kind]
    const items = person.items.filter((item) => item.kind === kind)
    const list =
      items.length === 0
        ? html`<p>${empty}</p>`
        : html`<ul>${items.map((item) => listed(context, person, item))}</ul>`
    return card(heading, [list, buttonLink(`${context.pages.prefix}${path}/new`, add)])
  })
  return html`${cards}`
}

function listed(context: AccountContext, { ppid }: Person, item: Item): Html {
  const path = `${context.pages.prefix}${itemKinds[item.kind].path}/${item.id}`
  return html`<li><a href="${path}">${itemTitle(item)}</a> ${itemBadges(item)}
<p class="hint">${writerName(context, item.source, ppid)}, ${time(item.created_at)}</p></li>`
}

/** How an item is marked, and who sees it. */
export function itemBadges({ status, visibility }: Item): Html {
  if (status === 'hidden') return badge('hidden from all others', 'waiting')
  const mark = status === 'contested' ? [badge('contested by you', 'bad')] : []
  const seen = badge(`seen by: ${visibilityWords[visibility].toLowerCase()}`)
  return joinHtml([...mark, seen], ' ')
}
