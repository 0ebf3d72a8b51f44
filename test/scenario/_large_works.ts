import type { ExecutionContext } from 'ava'

import { call, newWork, type Server } from '#test/scenario/_process.ts'

// A text that names so many authors, as short as names can be.
function authorsOf(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index % 1_000}`).join(';')
}

/** Registers works fit for every format, of so many authors each, at once; gives their ARKs. */
export async function registerLarge(
  t: ExecutionContext,
  server: Server,
  {
    key,
    titles,
    authors,
  }: {
    readonly key: string
    readonly titles: readonly string[]
    readonly authors: number
  },
): Promise<string[]> {
  const works = titles.map((title) => ({
    ...newWork(title),
    authors: authorsOf(authors),
    existing_doi: `10.5555/${encodeURIComponent(title)}`,
    published_date: '1843',
    access: { right: 'open' },
  }))
  const { status, body } = await call<{ results: { readonly ark_identifier: string }[] }>(
    server,
    '/v1/works/bulk',
    { key, body: { works } },
  )
  t.is(status, 200)
  return body.results.map(({ ark_identifier }) => ark_identifier)
}

/** Registers a work like most others; gives its ARK. */
export async function registerSmall(server: Server, key: string): Promise<string> {
  const body = newWork('Few')
  const reply = await call<{ readonly ark_identifier: string }>(server, '/v1/works', { key, body })
  return reply.body.ark_identifier
}
