import type { Server } from '#test/scenario/_process.ts'

/** A request: GET unless it has a body, then POST. */
export type Request = {
  readonly method?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A reply whose body was JSON. */
export type Reply<T> = {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** Sends a request to a server; fails with a TypeError if the server goes before its reply came. */
export async function request<T = Record<string, unknown>>(
  server: Server,
  path: string,
  { method, key, headers, body }: Request = {},
): Promise<Reply<T>> {
  const response = await fetch(`${server.started.local_url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}

/** Runs `work` on each item, a few at a time. */
export async function forEachOf<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
