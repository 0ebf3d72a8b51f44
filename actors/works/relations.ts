import { parseArk } from '#actors/values/ark.ts'
import { recognizeDoi } from '#actors/values/identifier.ts'
import { schemeNamed } from '#actors/values/identifier_scheme.ts'
import type { Relation } from '#actors/values/related_identifier.ts'
import { definedOf } from '#actors/values/serialization.ts'
import type { WorkType } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { UpdateNotice } from '#actors/works/update_notices.ts'

/** The lists in which works say what they relate to. */
export const relationLists = ['related_identifiers', 'related_items', 'update_notices'] as const

/** The fields by which works say what they relate to. */
export const relationFields = [...relationLists, 'existing_doi'] as const

/** How a work of a registry is named by others: `ark:naan/name` or `doi:10.…`. */
export type RelationTarget = `ark:${string}` | `doi:${string}`

/** What a work says of another thing that it relates to. */
export type StatedRelation = {
  /** As DataCite names it; a notice is `Other`. */
  readonly relation: Relation
  readonly stated_in: (typeof relationFields)[number]
  readonly identifier?: string
  readonly scheme?: string
  readonly title?: string
  readonly type?: WorkType
  readonly note?: string
  readonly notice?: Pick<UpdateNotice, 'kind' | 'direction'>
  /** The work that it would be, if it is one of this registry. */
  readonly target?: RelationTarget
}

/** Works that are found from the other side for what one work says of them, at most. */
const targetsMax = 1_000

/**
 * The names of all that a work says it relates to, each once, the first `targetsMax` of them: from
 * the records of those works it is found.
 */
export function relationTargets(metadata: Metadata): readonly RelationTarget[] {
  // Most works name none.
  if (!relationLists.some((list) => metadata[list])) return noTargets
  const { existing_doi } = metadata
  const own = existing_doi && `doi:${existing_doi}`
  const targets = new Set<RelationTarget>()
  for (const [identifier, scheme] of namesIn(metadata)) {
    const target = identifier === undefined ? undefined : targetOf(identifier, scheme)
    if (target !== undefined && target !== own) targets.add(target)
    if (targets.size === targetsMax) break
  }
  return [...targets]
}

const noTargets: readonly RelationTarget[] = []

/** What a work relates to, each identifier with its scheme, in the order of its record. */
function* namesIn({
  related_identifiers = [],
  related_items = [],
  update_notices = [],
}: Metadata): Generator<readonly [identifier: string | undefined, scheme: string | undefined]> {
  for (const { identifier, scheme } of related_identifiers) yield [identifier, scheme]
  for (const { identifier, identifier_type } of related_items) yield [identifier, identifier_type]
  for (const { ark, doi } of update_notices) yield [ark ?? doi, ark === undefined ? 'DOI' : 'ARK']
}

/** The names by which others say that they relate to a work; `ark` is `naan/name`. */
export function namesOf(ark: string, doi: string | undefined): readonly RelationTarget[] {
  return doi === undefined ? [`ark:${ark}`] : [`ark:${ark}`, `doi:${doi}`]
}

/**
 * What a work says of all that it relates to, in the order of its record. What it says twice, as
 * records of DataCite do, comes once, with the title that one of both has.
 */
export function statedRelations(metadata: Metadata): readonly StatedRelation[] {
  const { related_identifiers = [], related_items = [], update_notices = [] } = metadata
  const stated: StatedRelation[] = [
    ...related_identifiers.map(({ relation, identifier, scheme, resource_type, note }) =>
      named(
        { relation, stated_in: 'related_identifiers', identifier, scheme },
        { type: resource_type, note },
      ),
    ),
    ...related_items.map(({ relation, identifier, identifier_type, titles, type, note }) =>
      named(
        { relation, stated_in: 'related_items' },
        { identifier, scheme: identifier_type, title: titles?.[0]?.title, type, note },
      ),
    ),
    ...update_notices.flatMap(noticeRelations),
  ]
  const distinct = new Map<string, StatedRelation>()
  for (const one of stated) {
    const { target, identifier, title, relation, notice } = one
    const key = JSON.stringify([target ?? identifier ?? title, relation, notice])
    distinct.set(key, { ...one, ...distinct.get(key) })
  }
  return [...distinct.values()]
}

type DetailName = 'identifier' | 'scheme' | 'title' | 'type' | 'note'
type Details = { readonly [Name in DetailName]?: StatedRelation[Name] | undefined }

function named(relation: StatedRelation, details: Details): StatedRelation {
  const stated: StatedRelation = { ...relation, ...definedOf(details) }
  const { identifier, scheme } = stated
  const target = identifier === undefined ? undefined : targetOf(identifier, scheme)
  return target === undefined ? stated : { ...stated, target }
}

/** A notice that names neither is about this work alone. */
function noticeRelations({ kind, direction, doi, ark, reason }: UpdateNotice): StatedRelation[] {
  const identifier = ark ?? doi
  if (identifier === undefined) return []
  const scheme = ark === undefined ? 'DOI' : 'ARK'
  const relation = { relation: 'Other', stated_in: 'update_notices', identifier, scheme } as const
  return [named({ ...relation, notice: { kind, direction } }, { note: reason })]
}

// Schemes whose identifiers may name a work of a registry, or be addresses that do.
const namingSchemes: ReadonlySet<string> = new Set(['ARK', 'DOI', 'Handle', 'PURL', 'URL', 'w3id'])

/**
 * The work that an identifier names if it is one of this registry. An address names one if its path
 * has the ARK, whatever its host (draft-kunze-ark: the host is no part of the identity), or if it
 * is that of a DOI. Identifiers of arXiv have DOIs, too.
 */
function targetOf(identifier: string, type: string | undefined): RelationTarget | undefined {
  const scheme = type === undefined ? undefined : schemeNamed(type)
  if (scheme === 'arXiv') return `doi:10.48550/arxiv.${withoutVersion(identifier).toLowerCase()}`
  // A type that is none of the list has a form of its own.
  if (type !== undefined && !namingSchemes.has(scheme ?? '')) return undefined
  const ark = scheme === 'DOI' ? undefined : arkIn(identifier)
  if (ark !== undefined) return `ark:${ark}`
  const doi = scheme === 'ARK' ? undefined : recognizeDoi(identifier)
  return doi === undefined ? undefined : `doi:${doi}`
}

function withoutVersion(identifier: string): string {
  return identifier.replace(/v\d+$/, '')
}

function arkIn(text: string): string | undefined {
  const [address = ''] = text.split('#')
  const parsed = parseArk(address.replaceAll(/%(?:3a|2f)/gi, decodeURIComponent))
  return parsed.type === 'ark' ? parsed.ark : undefined
}
