import { ConnectionError } from '#src/client/errors.ts'
import { isObject } from '#src/client/verify/receipt_form.js'
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
}

/**
 * Lists what a call answers page by page, along `links.next`. Of a link only path and query are
 * followed, at the client's own address: a credential goes nowhere else.
 */
export function listing<T, P extends object>(
  transport: Transport,
  { call, recordsOf }: ListingOptions<T, P>,
): Listing<T, P> {
  async function* pages(): AsyncGenerator<Answered<P>> {
    for (let next: Call | undefined = call; next !== undefined; ) {
      const page: Answered<P> = await transport.send<P>(next)
      yield page
      next = callAfter(page, next)
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

function callAfter(page: object, call: Call): Call | undefined {
  const { links } = page as { readonly links?: unknown }
  const link = isObject(links) ? links['next'] : undefined
  if (typeof link !== 'string') return undefined
  const { pathname, search } = new URL(link, 'https://registry.invalid')
  const path = pathname + search
  if (path !== call.path) return { ...call, path, query: {} }
  throw new ConnectionError('malformed_reply', `The page after ${path} is that page again`)
}
