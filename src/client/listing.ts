import { ConnectionError } from '#src/client/errors.ts'
import { isObject } from '#src/client/receipt_form.ts'
import type { Answered, Call, Transport } from '#src/client/transport.ts'

/** A list of the registry's: each record of it, or page after page. Nothing is asked before. */
export type Listing<T, P> = AsyncIterable<T> & {
  /** The pages as they were answered. */
  pages(): AsyncIterable<Answered<P>>
  /** The first records, all in memory. */
  take(count: number): Promise<T[]>
}

/** How a list is read: its first call, and the records of a page. */
type ListingOptions<T, P> = {
  readonly call: Call
  readonly recordsOf: (page: P) => readonly T[]
  /** The parameter that takes the `next` of a page, where a registry gives no `links.next`. */
  readonly nextIn?: 'after' | 'before'
}

/**
 * Lists what a call answers page by page, along `links.next`. Of a link only path and query are
 * followed, at the client's own address: a credential goes nowhere else.
 */
export function listing<T, P extends object>(
  transport: Transport,
  { call, recordsOf, nextIn }: ListingOptions<T, P>,
): Listing<T, P> {
  async function* pages(): AsyncGenerator<Answered<P>> {
    for (let next: Call | undefined = call; next !== undefined; ) {
      const page: Answered<P> = await transport.send<P>(next)
      yield page
      next = callAfter(page, next, nextIn)
    }
  }
  async function* records(): AsyncGenerator<T> {
    for await (const page of pages()) yield* recordsOf(page)
  }
  return {
    pages,
    [Symbol.asyncIterator]: records,
    async take(count) {
      const taken: T[] = []
      if (count <= 0) return taken
      for await (const record of records()) {
        taken.push(record)
        if (taken.length >= count) break
      }
      return taken
    },
  }
}

function callAfter(
  page: object,
  call: Call,
  nextIn: 'after' | 'before' | undefined,
): Call | undefined {
  const { links, next } = page as { readonly links?: unknown; readonly next?: unknown }
  const link = isObject(links) ? links['next'] : undefined
  if (link === undefined && nextIn !== undefined) {
    const isNext = typeof next === 'number' || typeof next === 'string'
    return isNext ? { ...call, query: { ...call.query, [nextIn]: next } } : undefined
  }
  if (typeof link !== 'string') return undefined
  const { pathname, search } = new URL(link, 'https://registry.invalid')
  const path = pathname + search
  if (path !== call.path) return { ...call, path, query: {} }
  throw new ConnectionError('malformed_reply', `The page after ${path} is that page again`)
}
