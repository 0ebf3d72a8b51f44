import type { ChangedWork, ChangeOrder } from '#actors/registry/catalogue/harvest.ts'
import { Stride } from '#actors/kernel/stride.ts'

/** A page for readers: its address and, where it is known, when it last changed. */
type SitemapUrl = { readonly url: string; readonly changedAt?: string }

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/**
 * A sitemap (sitemaps.org protocol 0.9). Text by text, since there are many: addresses are those of
 * this registry, which have no character that XML would have escaped.
 */
export function formatSitemap(urls: readonly SitemapUrl[]): string {
  return formatList('urlset', 'url', urls)
}

/** An index of sitemaps. */
export function formatSitemapIndex(urls: readonly SitemapUrl[]): string {
  return formatList('sitemapindex', 'sitemap', urls)
}

function formatList(root: string, name: string, urls: readonly SitemapUrl[]): string {
  const elements = urls.map(({ url, changedAt }) => {
    const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`
    return `<${name}><loc>${url}</loc>${changed}</${name}>\n`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<${root} xmlns="${namespace}">\n`,
    ...elements,
    `</${root}>\n`,
  ].join('')
}

/** How works are spread over sitemaps. */
export type SitemapLimits = {
  /** Positions of the journal that a sitemap covers, and so the most works that it has. */
  readonly positions: number
  /** Sitemaps at most, the oldest ones. */
  readonly sitemapsMax: number
}

/** A sitemap: its number, and when the newest of its works changed. */
type WorkSitemap = { readonly page: number; readonly changedAt: string }

/** Works that are read at a time to find the newest one that stands. */
const standingReads = 16

/** Bytes of the row of a work, about. */
const workBytes = 1_024

/**
 * The sitemaps with works that stand, oldest first. A work is in that of its last change: sitemaps
 * before the newest only lose works, and none is newer than those after it.
 */
export async function listWorkSitemaps(
  order: ChangeOrder,
  { positions, sitemapsMax }: SitemapLimits,
): Promise<readonly WorkSitemap[]> {
  const sitemaps: WorkSitemap[] = []
  let first = await order.firstFrom(0)
  while (first !== undefined && sitemaps.length < sitemapsMax) {
    const page = Math.floor(first / positions)
    const newest = await newestStanding(order, page * positions, (page + 1) * positions)
    if (newest !== undefined) sitemaps.push({ page, changedAt: newest.at })
    first = await order.firstFrom((page + 1) * positions)
  }
  return sitemaps
}

async function newestStanding(
  order: ChangeOrder,
  from: number,
  end: number,
): Promise<ChangedWork | undefined> {
  let before = end
  while (before > from) {
    const works = await order.newest({ before, limit: standingReads })
    const found = works.find((work) => work.position >= from && stands(work))
    if (found !== undefined) return found
    before = works.at(-1)?.position ?? from
  }
  return undefined
}

/** The works of a sitemap that stand, oldest change first; none if there is no such sitemap. */
export async function readWorkSitemap(
  order: ChangeOrder,
  page: number,
  { positions }: SitemapLimits,
): Promise<readonly ChangedWork[]> {
  const from = page * positions
  const end = from + positions
  if (!Number.isSafeInteger(end)) return []
  const standing: ChangedWork[] = []
  const stride = new Stride()
  for await (const works of order.between(from, end)) {
    standing.push(...works.filter(stands))
    await stride.step(works.length * workBytes)
  }
  return standing
}

function stands({ state }: ChangedWork): boolean {
  return state.status === 'registered'
}
