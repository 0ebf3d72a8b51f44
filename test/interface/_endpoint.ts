import { answered, refused, same } from '#test/interface/_expect.ts'
import { keyOf } from '#test/interface/_keys.ts'
import { researcher } from '#test/interface/_people.ts'
import type { Json, Reply } from '#test/interface/_request.ts'
import { filled, row, type Row } from '#test/interface/_row.ts'
import { changedWork, sampleWork } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** An endpoint of the interface, and how it is tried. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** With `{ark}`, `{version}` and `{ppid}`; `{changed}` is a work that is there to be changed. */
  readonly path: string
  /** Other spellings of the path. */
  readonly aliases?: readonly string[]
  readonly does: string
  /** The scope that it needs, as a refusal names it; none if it needs no credential. */
  readonly scope?: string
  /** Where the text does not say so, the place that does. */
  readonly anchor?: string
  /** Whose key has the scope; a key of the organization unless told. */
  readonly key?: (world: World) => Promise<string>
  readonly body?: (world: World) => Promise<Json>
  readonly status?: number
  /** Looks at what the endpoint answers. */
  readonly look: (body: Json, world: World, reply: Reply) => Promise<void> | void
}

/** A path with the records of this run in it. */
async function fill(world: World, path: string): Promise<string> {
  const values: Readonly<Record<string, () => Promise<string>>> = {
    '{ark}': async () => (await sampleWork(world)).ark,
    '{changed}': async () => (await changedWork(world)).ark,
    '{version}': async () => '1',
    '{ppid}': async () => (await researcher(world)).ppid,
  }
  let filledPath = path
  for (const [name, value] of Object.entries(values)) {
    if (path.includes(name)) filledPath = filledPath.replace(name, await value())
  }
  return filledPath
}

async function callWith(world: World, { method, body }: Endpoint, path: string, key?: string) {
  const sent = { key, ...(body !== undefined && { body: await body(world) }) }
  return world.call(`${method} ${await fill(world, path)}`, sent)
}

/** A key that may use an endpoint; none where none is needed. */
async function keyFor(world: World, { scope, key }: Endpoint): Promise<string | undefined> {
  if (key !== undefined) return key(world)
  return scope === undefined ? undefined : keyOf(world, scope)
}

/** Calls an endpoint at one of its paths, and looks at the answer. */
async function tryAt(world: World, endpoint: Endpoint, path: string): Promise<void> {
  const reply = await callWith(world, endpoint, path, await keyFor(world, endpoint))
  answered(reply, endpoint.status ?? 200)
  await endpoint.look(reply.body, world, reply)
}

/** The name of an endpoint as rows have it. */
function nameOf(method: string, path: string): string {
  return `${method} ${path.replace('{changed}', '{ark}')}`
}

/** The rows of an endpoint below `/v1`: what it does, its spellings, and whom it refuses. */
export function rowsOf(endpoint: Endpoint): Row[] {
  const { method, path, aliases = [], does, scope, anchor } = endpoint
  const name = nameOf(method, path)
  const stated = (claim: string, attempt: Row['attempt']) =>
    anchor === undefined ? row(claim, attempt) : filled(anchor, claim, attempt)
  const spellings = aliases.map((alias) =>
    row(`${nameOf(method, alias)} is the same as ${name}`, (world) =>
      tryAt(world, endpoint, alias),
    ),
  )
  const rows = [row(`${name} ${does}`, (world) => tryAt(world, endpoint, path)), ...spellings]
  if (scope === undefined) return rows
  return [
    ...rows,
    stated(`${name} needs a key`, async (world) => {
      const { body } = refused(await callWith(world, endpoint, path), 401, 'unauthorized')
      same(body.message, 'Invalid API key', 'message')
    }),
    stated(`${name} needs the scope ${scope}`, async (world) => {
      const other = await keyOf(world, scope === 'works:read' ? 'receipts:read' : 'works:read')
      const reply = await callWith(world, endpoint, path, other)
      const { body } = refused(reply, 403, 'forbidden')
      same(body.message, `API key lacks required scope: ${scope}`, 'message')
    }),
  ]
}

/** The row that says that an endpoint is below `/api/v1` too. */
export function twinOf(endpoint: Endpoint): Row {
  const { method, path } = endpoint
  return filled('two-families', `${nameOf(method, `/api${path}`)} does so too`, (world) =>
    tryAt(world, endpoint, `/api${path}`),
  )
}
