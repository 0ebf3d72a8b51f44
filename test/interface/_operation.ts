import { Mismatch, same } from '#test/interface/_expect.ts'
import { researcher } from '#test/interface/_people.ts'
import type { Reply } from '#test/interface/_request.ts'
import { sampleWork } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** What a key or a token may or may not do; what is asked for does no harm if it may. */
const operations = {
  'read works': 'GET /v1/works/{ark}',
  'list versions': 'GET /v1/works/{ark}/versions',
  'follow changes': 'GET /v1/changes?limit=1',
  'create works': 'POST /v1/works?dry_run=true',
  'update works': 'PUT /v1/works/{ark}',
  'add versions': 'POST /v1/works/{ark}/versions',
  'delete works': 'DELETE /v1/works/{ark}',
  'read receipts': 'GET /v1/receipts/{ark}/v1',
  'read proofs': 'GET /v1/proofs/{ark}/v1',
  'verify receipts': 'POST /v1/receipts/{ark}/v1/verify',
  'read people': 'GET /v1/people/{ppid}',
  'update people': 'PUT /v1/people/{ppid}',
  'claim works': 'POST /v1/people/{ppid}/claim',
  'read claims': 'GET /v1/user/claims',
  'list own works': 'GET /v1/user/works',
  'list own receipts': 'GET /v1/user/receipts',
  'read affiliations': 'GET /v1/user/affiliations',
  'read education': 'GET /v1/user/education',
  'add affiliations': 'POST /v1/user/affiliations',
  'add education': 'POST /v1/user/education',
  'change affiliations': 'PUT /v1/user/affiliations/none',
  'change education': 'PUT /v1/user/education/none',
  'read the whole account': 'GET /v1/user/export',
  'undo writes': 'POST /v1/user/writes/0/undo',
  'search works': 'GET /v1/search/works?limit=1',
  'search people': 'GET /v1/search/people?limit=1',
  'search organizations': 'GET /v1/search/organizations?limit=1',
  'change organizations': 'PUT /v1/organizations/demo',
  'erase works': 'POST /v1/works/{ark}/erase',
} as const

export type Operation = keyof typeof operations

/** All operations. */
const allOperations = Object.keys(operations) as readonly Operation[]

// Nothing that a body with a field of no meaning asks for is carried out.
const harmless = { colour: 'blue' }

// These are looked at before it is asked who sends them. A work that stands cannot be erased.
const understood: Partial<Readonly<Record<Operation, unknown>>> = {
  'change organizations': {},
  'erase works': { reason: 'legal' },
}

/** Asks for an operation. */
export async function attempt(
  world: World,
  operation: Operation,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { ark } = await sampleWork(world)
  const { ppid } = await researcher(world)
  const request = operations[operation].replace('{ark}', ark).replace('{ppid}', ppid)
  const isRead = request.startsWith('GET ')
  return world.call(request, {
    key,
    headers,
    ...(!isRead && { body: understood[operation] ?? harmless }),
  })
}

/** Whether a reply says that a credential may not do this at all, and not just not like this. */
export function isLacking({ status, body }: Reply): boolean {
  return (
    status === 401 ||
    (status === 403 && /lacks required scope|^Only an administrator/.test(body.message))
  )
}

/** A credential may do these operations and no others. */
export async function mayDoOnly(
  world: World,
  key: string,
  granted: readonly Operation[],
): Promise<void> {
  const found: Operation[] = []
  for (const operation of allOperations) {
    const reply = await attempt(world, operation, key)
    if (reply.status >= 500) throw new Mismatch(`${reply.asked} is ${reply.status}`)
    if (!isLacking(reply)) found.push(operation)
  }
  const expected = allOperations.filter((operation) => granted.includes(operation))
  same(found, expected, 'what it may do')
}
