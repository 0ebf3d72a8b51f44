import type { Owner } from '#actors/values/agent.ts'

/** What a key of a scope can be tried with first: each changes nothing. */
const trials = [
  ['works:write', '/v1/works/validate'],
  ['mint', '/v1/works/validate'],
  ['works:read', '/v1/changes?limit=1'],
  ['search:read', '/v1/search/works?q=engine'],
  ['people:read', '/v1/user'],
] as const

const validated = `{ "work_title": "A trial", "work_type": "article", "authors": "Ada Lovelace",
    "work_url": "https://press.example/trial" }`

/** A key that is to be tried: its text, whose it is, and what it may do. */
export type TriedKey = {
  readonly key: string
  readonly owner: Pick<Owner, 'type'>
  readonly scopes: readonly string[]
}

/** A command that tries a key and changes nothing; undefined if none is known for its scopes. */
export function keyCommand(baseUrl: string, { key, owner, scopes }: TriedKey): string | undefined {
  const trial = trials.find(([scope]) => {
    // An account is that of a person.
    return scopes.includes(scope) && (scope !== 'people:read' || owner.type === 'person')
  })
  if (trial === undefined) return undefined
  const [scope, path] = trial
  const call = `curl -s '${baseUrl}${path}' \\\n  -H 'authorization: Bearer ${key}'`
  if (scope !== 'works:write' && scope !== 'mint') return call
  return `${call} \\\n  -H 'content-type: application/json' \\\n  -d '${validated}'`
}
