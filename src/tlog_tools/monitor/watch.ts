import { parseArk } from '#actors/values/ark.ts'
import { foldDoi, foldDoiPrefix, foldOrcid } from '#actors/values/identifier.ts'

/** What is watched for. `name` is how it is written, the same for all spellings. */
export type Watch = {
  readonly type: 'organization' | 'doi' | 'doi_prefix' | 'orcid' | 'ark'
  readonly name: string
  readonly value: string
}

/** What a record says of a work that can be watched for. */
export type WatchedFacts = {
  /** The slug of the organization that has registered it; the registry's word, not hashed. */
  readonly organization: string | undefined
  readonly doi: string | undefined
  readonly orcids: readonly string[]
}

/**
 * Reads what is to be watched for: `org:demo`, `10.1234/` (all DOIs of a prefix), a DOI, an ORCID
 * iD or an ARK. Undefined if it is none of these.
 */
export function parseWatch(text: string): Watch | undefined {
  const slug = /^org:([a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(text)?.[1]
  if (slug !== undefined) return { type: 'organization', name: `org:${slug}`, value: slug }
  const prefix = foldDoiPrefix(text)
  if (prefix !== undefined) return { type: 'doi_prefix', name: prefix, value: prefix }
  const orcid = foldOrcid(text)
  if (orcid !== undefined) return { type: 'orcid', name: orcid, value: orcid }
  const doi = foldDoi(text)
  if (doi !== undefined) return { type: 'doi', name: doi, value: doi }
  const parsed = parseArk(text)
  if (parsed.type !== 'ark') return undefined
  return { type: 'ark', name: `ark:/${parsed.ark}`, value: parsed.ark }
}

/** Whether a watch can be judged by the statement alone, without the record. */
export function isOfStatement({ type }: Watch): boolean {
  return type === 'ark'
}

/** Whether a statement about an ARK (`ark:/naan/name`) is what an ARK watch is for. */
export function namesArk({ value }: Watch, ark: string): boolean {
  const parsed = parseArk(ark)
  return parsed.type === 'ark' && parsed.ark === value
}

/** Whether a record names what is watched for. */
export function namesFacts({ type, value }: Watch, facts: WatchedFacts): boolean {
  switch (type) {
    case 'organization':
      return facts.organization === value
    case 'doi':
      return facts.doi === value
    case 'doi_prefix':
      return facts.doi?.startsWith(value) ?? false
    case 'orcid':
      return facts.orcids.includes(value)
    case 'ark':
      return false
  }
}
