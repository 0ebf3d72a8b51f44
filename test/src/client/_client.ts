import { Arklog, type ArklogOptions } from '#src/client/arklog.ts'
import type { ServedRegistry } from '#test/src/_served_registry.ts'

/** All that a key of an organization may do through the client. */
const keyScopes = [
  'works:read',
  'works:write',
  'receipts:read',
  'receipts:verify',
  'search:read',
  'people:read',
] as const

/** The registry's published keys, as somebody has saved them. */
async function savedKeys(registry: ServedRegistry): Promise<string> {
  return (await registry.call('/.well-known/svc-keys.json')).body
}

/** A client of a served registry, with a key that may do all. */
export async function newClient(
  registry: ServedRegistry,
  options: Partial<ArklogOptions> = {},
): Promise<Arklog> {
  const { baseUrl } = addressOf(registry)
  const key =
    options.token === undefined && !('key' in options)
      ? { key: await registry.key({ scopes: [...keyScopes] }) }
      : {}
  return new Arklog({ baseUrl, keys: await savedKeys(registry), ...key, ...options })
}

/** Where a served registry listens. */
function addressOf({ port }: ServedRegistry): { readonly baseUrl: string } {
  return { baseUrl: `http://127.0.0.1:${port}` }
}

/** A fetch that changes the JSON of answers to paths that match; others it leaves alone. */
export function changingFetch(
  pattern: RegExp,
  change: (body: Record<string, unknown>) => unknown,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { pathname, search } = new URL(input as string)
    if (!pattern.test(pathname + search)) return response
    const body = change((await response.json()) as Record<string, unknown>)
    return new Response(JSON.stringify(body), {
      status: response.status,
      headers: response.headers,
    })
  }
}
