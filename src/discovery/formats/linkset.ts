import {
  formatLink,
  pageUrl,
  type SignpostedWork,
  type TypedLink,
  typedLinks,
} from '#src/discovery/formats/signposting.ts'

/** The links of one page or file, its `anchor`. */
type Context = { readonly anchor: string; readonly links: readonly TypedLink[] }

/** A target in a link set as JSON. Attributes that RFC 8288 does not name are lists. */
type Target = {
  readonly href: string
  readonly type?: string
  readonly profile?: readonly [string]
}

/**
 * All typed links around a work as a link set in JSON (RFC 9264 §4.2): those of its page, and those
 * that lead from its content and its descriptions back to the page.
 */
export function linksetJson(work: SignpostedWork): string {
  const linkset = contextsOf(work).map(({ anchor, links }) => {
    const relations = Object.groupBy(links, ({ rel }) => rel)
    const targets = Object.entries(relations).map(
      ([rel, some = []]) => [rel, some.map(targetOf)] as const,
    )
    return { anchor, ...Object.fromEntries(targets) }
  })
  return JSON.stringify({ linkset })
}

/** The same as `application/linkset`: the text of a Link header, a link a line (RFC 9264 §4.1). */
export function linksetText(work: SignpostedWork): string {
  const links = contextsOf(work).flatMap((context) =>
    context.links.map((link) => formatLink(link, context.anchor)),
  )
  return `${links.join(',\n')}\n`
}

function contextsOf(work: SignpostedWork): readonly Context[] {
  const page = pageUrl(work)
  // A link set does not link to itself.
  const links = typedLinks(work).filter(({ rel }) => rel !== 'linkset')
  const back = { href: page, type: 'text/html' }
  return [
    { anchor: page, links },
    ...links.flatMap(({ rel, href }): Context[] => {
      if (rel === 'item') return [{ anchor: href, links: [{ rel: 'collection', ...back }] }]
      if (rel === 'describedby') return [{ anchor: href, links: [{ rel: 'describes', ...back }] }]
      return []
    }),
  ]
}

function targetOf({ href, type, profile }: TypedLink): Target {
  return {
    href,
    ...(type !== undefined && { type }),
    ...(profile !== undefined && { profile: [profile] }),
  }
}
