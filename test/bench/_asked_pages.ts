import { readFile } from 'node:fs/promises'

import type { PageReader } from '#test/bench/_page_reader.ts'
import { madeUpTitle, press, type Reader } from '#test/bench/_page_store.ts'

/** Pages of one kind, that are asked for one after another; `isShown`: with a stylesheet. */
export type AskedPages = {
  readonly name: string
  readonly paths: readonly string[]
  readonly isShown: boolean
}

const judgedFile = new URL('../src/discovery/search/judged_queries.jsonl', import.meta.url)

/** Queries where the works are made up. */
const madeUpQueries = 150

const facets = [
  'type=conference_paper',
  'language=en',
  'type=conference_paper&language=en',
  'type=article,book',
]

const filters = [
  'sort=title',
  'sort=updated',
  'sort=published',
  'sort=oldest',
  'type=conference_paper',
  'type=book&sort=title',
  'content=pending',
  'state=registered&sort=updated',
  'state=withdrawn',
  'registered=2026',
]

/** The address of the table of the organization's works. */
export const tablePath = `/auth/organizations/${press}/works`

/** The searches that readers make: the judged ones, or, where works are made up, of their words. */
export async function readQueries(areMadeUp: boolean): Promise<readonly string[]> {
  if (areMadeUp) {
    const titles = Array.from({ length: madeUpQueries }, (_, nth) => madeUpTitle(nth * 7))
    return titles.map((title) => title.split(' ').slice(0, 3).join(' '))
  }
  const lines = (await readFile(judgedFile, 'utf8')).trim().split('\n')
  return lines.map((line) => (JSON.parse(line) as { readonly query: string }).query)
}

/** What the pages lead to: searches, works, and the pages of the table one after another. */
export type AskedFor = {
  readonly queries: readonly string[]
  readonly arks: readonly string[]
  readonly reader: Reader
  readonly tables: { readonly newest: readonly string[]; readonly title: readonly string[] }
}

/** The most visited pages. */
export function askedPages({ queries, arks, reader, tables }: AskedFor): readonly AskedPages[] {
  const shown = (name: string, paths: readonly string[]) => ({ name, paths, isShown: true })
  const searches = searchesOf(queries)
  const typed = queries.map((query) => query.slice(0, Math.max(3, query.length * 0.7)))
  return [
    shown('first page', ['/']),
    shown(
      'page of a work',
      arks.map((ark) => `/ark:/${ark}`),
    ),
    shown('search by words', searches),
    shown(
      'search with a facet',
      searches.flatMap((path) => facets.map((one) => `${path}&${one}`)),
    ),
    shown(
      'facet without words',
      facets.map((facet) => `/search?${facet}`),
    ),
    shown('publisher', [`/publishers/${press}`]),
    shown('people', ['/people', `/people/${reader.ppid}`]),
    shown('log', ['/log']),
    shown('documentation', ['/docs', '/docs/reference', '/docs/errors', '/docs/limits']),
    shown('start of an organization', [`/auth/organizations/${press}`]),
    shown('table of works', [tablePath]),
    shown('table, filtered', [
      ...filters.map((filter) => `${tablePath}?${filter}`),
      ...queries.slice(0, 50).map((query) => `${tablePath}?q=${encodeURIComponent(query)}`),
    ]),
    shown('table, each of its pages', lastFirst(tables.newest)),
    shown('table by title, each of its pages', lastFirst(tables.title)),
    {
      name: 'suggestions',
      paths: typed.map((text) => `/search/suggestions?q=${encodeURIComponent(text)}`),
      isShown: false,
    },
  ]
}

/** The addresses of searches. */
export function searchesOf(queries: readonly string[]): readonly string[] {
  return queries.map((query) => `/search?q=${encodeURIComponent(query)}`)
}

// The last page is one of those that are asked for, however few of them are.
function lastFirst(paths: readonly string[]): readonly string[] {
  return paths.toReversed()
}

/** The addresses of a list's pages, each of which leads to the next, and the works on them. */
export async function followPages(
  reader: PageReader,
  first: string,
): Promise<{ readonly paths: readonly string[]; readonly arks: readonly string[] }> {
  const paths = [first]
  const arks = new Set<string>()
  for (;;) {
    const { body } = await reader.ask(paths.at(-1) ?? first)
    for (const [, ark = ''] of body.matchAll(/name="work:([^"]+)"/g)) arks.add(ark)
    const next = /<a href="([^"]*)" rel="next"/.exec(body)?.[1]
    if (next === undefined) return { paths, arks: [...arks] }
    paths.push(unescapeHtml(next))
  }
}

function unescapeHtml(text: string): string {
  const characters = text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
  return characters.replaceAll('&amp;', '&')
}
