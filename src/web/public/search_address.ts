import { indexKinds, type IndexKind } from '#src/search/search_engine.ts'

/** What a search page is asked for: the kind of records, and parameters that are not empty. */
export type SearchAsked = {
  readonly kind: IndexKind
  /** By name: `q`, `sort` and filters, as they were given; never a cursor. */
  readonly given: ReadonlyMap<string, string>
}

/** The parameter that names the kind of records, unless they are works. */
const kindParameter = 'in'

/** What an address asks for, and its cursor; `kind` is undefined for one that there is not. */
export function readAsked(query: URLSearchParams): {
  readonly asked: SearchAsked | undefined
  readonly cursor: string | undefined
} {
  const filled = [...query].filter(([, value]) => value.trim() !== '')
  const given = new Map(filled)
  const name = given.get(kindParameter) ?? 'works'
  const kind = indexKinds.find((one) => one === name)
  const cursor = given.get('cursor')
  for (const own of [kindParameter, 'cursor', 'api_key']) given.delete(own)
  return { asked: kind && { kind, given }, cursor }
}

/** The address of a search that differs in some parameters: null takes one away. */
export function searchAddress(
  { kind, given }: SearchAsked,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const query = new URLSearchParams()
  if (kind !== 'works') query.set(kindParameter, kind)
  for (const [name, value] of new Map([...given, ...Object.entries(changes)])) {
    if (value !== null) query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? '/search' : `/search?${text}`
}

/** The address of the same words among records of another kind. */
export function sameWords({ given }: SearchAsked, kind: IndexKind): string {
  const q = given.get('q')
  return searchAddress({ kind, given: new Map(q === undefined ? [] : [['q', q]]) })
}
