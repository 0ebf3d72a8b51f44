import { mergeScans } from '#actors/registry/catalogue/harvest.ts'
import type { RelatedQuery, relationSides } from '#actors/registry/catalogue/port.ts'
import { workLinks } from '#actors/registry/catalogue/representation.ts'
import {
  EventText,
  keyPosition,
  positionPart,
  readerOf,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { Stride } from '#actors/kernel/stride.ts'
import { inverseOf } from '#actors/values/related_identifier.ts'
import { metadataIn } from '#actors/works/events.ts'
import { readVersion, readWork, type StoredWork } from '#actors/works/record.ts'
import {
  namesOf,
  relationLists,
  type RelationTarget,
  type StatedRelation,
  statedRelations,
} from '#actors/works/relations.ts'
import type { UpdateNotice } from '#actors/works/update_notices.ts'
import { doiKey, newestOf, relationPrefix, withdrawnKey, worksOf } from '#actors/works/views.ts'
import { scanSound } from '#log/store/damage.ts'
import { unlessDamaged } from '#log/tlog/errors.ts'
import type { ReadStore, Row } from '#log/store/store.ts'

/**
 * A page of what a work relates to; `next` is the place of its last entry, null if it is the last
 * page.
 */
export type RelatedList = {
  readonly related: readonly Record<string, unknown>[]
  readonly next: string | null
}

/** A relation of a work, and where it stands in the list. */
type Entry = {
  readonly place: string
  readonly stated: StatedRelation
  /** The work that states it, or undefined for the one whose list it is. */
  readonly by?: string
}

/** Other works with the DOI of a work that its list names, at most. */
const sameDoiMax = 20

/** Bytes of works that are read for one page; it ends there, and goes on. */
const readBytesEnough = 4 * 1_048_576

/** A work beside which others are listed: read at the newest of its versions. */
type Subject = Pick<StoredWork, 'state'> & {
  readonly stated: readonly Entry[]
  readonly names: readonly RelationTarget[]
}

/**
 * What a work relates to, in both directions: first what its newest version says, in the order of
 * its record, then other works with its DOI, then those works here that say they relate to it,
 * whose statement is the newest first. With `oldest` all is the other way round. What is damaged is
 * left out. `base` is the public address of the registry, of which links are made.
 */
export async function readRelated(
  store: ReadStore,
  stored: StoredWork,
  query: RelatedQuery,
  base: string,
): Promise<RelatedList> {
  const { limit } = query
  const read = readerOf(store)
  const subject = readSubject(stored, read, query.side)
  const related: Record<string, unknown>[] = []
  const stride = new Stride()
  let last: string | null = null
  let bytes = 0
  for await (const entry of entriesOf(store, subject, query)) {
    if (related.length === limit || bytes >= readBytesEnough) return { related, next: last }
    const described = unlessDamaged(() => describe(entry, read, base))
    last = entry.place
    if (described === undefined) continue
    related.push(described.item)
    bytes += described.bytes
    await stride.step(described.bytes)
  }
  return { related, next: null }
}

function readSubject(stored: StoredWork, read: ReadRow, side: RelatedQuery['side']): Subject {
  const { state } = stored
  const eventRow = readVersion(stored, state.version, read)?.eventRow
  const doi = eventRow && new EventText(eventRow).metadataText('existing_doi')
  const names = namesOf(state.ark, doi)
  const others = side === 'in' ? [] : statedIn(eventRow)
  const same = side === 'out' || doi === undefined ? [] : sameDoi(doi, state.ark, read)
  return {
    state,
    names,
    stated: [
      ...others
        .filter(({ target }) => target === undefined || !names.includes(target))
        .map((one, index) => ({ place: `out/${index}`, stated: one }))
        .filter(saidOnce(read)),
      ...same.map((by, index) => ({ place: `same/${index}`, stated: identical, by })),
    ],
  }
}

/** What a version says it relates to; one that says nothing of it is not parsed. */
function statedIn(eventRow: Uint8Array | undefined): readonly StatedRelation[] {
  if (eventRow === undefined) return []
  const { metadata: spelled } = new EventText(eventRow)
  if (!relationLists.some((name) => spelled.includes(`"${name}":[`))) return []
  const metadata = metadataIn(eventRow)
  return metadata === undefined ? [] : statedRelations(metadata)
}

/** Leaves out what names a work by its ARK, of which the same was said by its DOI. */
function saidOnce(read: ReadRow): (entry: { readonly stated: StatedRelation }) => boolean {
  const said = new Set<string>()
  return ({ stated: { target, relation, notice } }) => {
    const ark = target && workNamed(target, read)
    if (ark === undefined) return true
    const key = JSON.stringify([ark, relation, notice])
    // Volumes of one work share a DOI, and each may be named.
    const isAgain = said.has(key) && target?.startsWith('ark:') === true
    said.add(key)
    return !isAgain
  }
}

const identical: StatedRelation = { relation: 'IsIdenticalTo', stated_in: 'existing_doi' }

function sameDoi(doi: string, ark: string, read: ReadRow): readonly string[] {
  const lists = [doiKey(doi), withdrawnKey(doi)]
  const works = lists.flatMap((list) => [...worksOf(list, read).take(sameDoiMax + 1)])
  return works.filter((other) => other !== ark).slice(0, sameDoiMax)
}

/** The entries of a list after a place; a place that is none gives nothing. */
async function* entriesOf(
  store: ReadStore,
  subject: Subject,
  { cursor: after, order = 'newest', side }: RelatedQuery,
): AsyncGenerator<Entry> {
  const isNewestFirst = order === 'newest'
  const isIncoming = after?.startsWith('in/') === true
  const wanted = subject.stated.filter((entry) => side === undefined || side === sideOf(entry))
  const stated = isNewestFirst ? wanted : wanted.toReversed()
  const from = after === undefined ? -1 : stated.findIndex(({ place }) => place === after)
  if (after !== undefined && !isIncoming && from < 0) return
  const own = stated.slice(from + 1)
  if (isNewestFirst && !isIncoming) yield* own
  // Read forward, those that others say come first, and are behind a place of its own.
  const isBehind = !isNewestFirst && after !== undefined && !isIncoming
  if (side !== 'out' && !isBehind) {
    yield* incoming(store, subject, isIncoming ? after : undefined, isNewestFirst)
  }
  if (!isNewestFirst) yield* own
}

function sideOf({ by }: Entry): (typeof relationSides)[number] {
  return by === undefined ? 'out' : 'in'
}

/** What other works say, of which each stands at the position of its newest version. */
async function* incoming(
  store: ReadStore,
  { state, names }: Subject,
  after: string | undefined,
  isNewestFirst: boolean,
): AsyncGenerator<Entry> {
  const read = readerOf(store)
  const [, from = ''] = after?.split('/') ?? []
  const scans = names.map((name): AsyncIterable<Row> => {
    const prefix = relationPrefix(name)
    const bounds = isNewestFirst
      ? { gte: prefix, lte: prefix + (from === '' ? '~' : from) }
      : { gte: prefix + from, lt: `${prefix}~` }
    return scanSound(store, { ...bounds, reverse: isNewestFirst })
  })
  const [one, ...others] = scans as [AsyncIterable<Row>]
  const reverse = isNewestFirst
  const rows = others.reduce((merged, scan) => mergeScans([merged, scan], { reverse }), one)
  let seen = -1
  for await (const [key, row] of rows) {
    const position = keyPosition(key)
    const by = Buffer.from(row).toString('utf8')
    // A work that names this one by its ARK and by its DOI stands in both lists.
    if (position === seen || by === state.ark) continue
    seen = position
    const told = unlessDamaged(() => toldBy(by, names, read)) ?? []
    const entries = told.map((stated, index) => {
      return { place: `in/${positionPart(position)}/${index}`, stated, by }
    })
    const ordered = isNewestFirst ? entries : entries.toReversed()
    const at = ordered.findIndex(({ place }) => place === after)
    yield* ordered.slice(at + 1)
  }
}

/** What a work says of the one that has these names: the same by both of them is said once. */
function toldBy(ark: string, names: readonly RelationTarget[], read: ReadRow): StatedRelation[] {
  const stored = readWork(ark, read)
  const record = stored && readVersion(stored, stored.state.version, read)
  const told = statedIn(record?.eventRow).filter(
    ({ target }) => target !== undefined && names.includes(target),
  )
  const keyOf = ({ relation, notice }: StatedRelation) => JSON.stringify([relation, notice])
  return [...new Map(told.map((one) => [keyOf(one), one])).values()]
}

type Described = { readonly item: Record<string, unknown>; readonly bytes: number }

function describe(entry: Entry, read: ReadRow, base: string): Described {
  const { stated, by } = entry
  const { relation, stated_in, identifier, scheme, note, notice, target } = stated
  const ark = by ?? (target && workNamed(target, read))
  const isIncoming = by !== undefined
  const about = {
    direction: sideOf(entry),
    relation,
    inverse: inverseOf(relation) ?? null,
    stated_in,
    ...(identifier !== undefined && !isIncoming && { identifier }),
    ...(scheme !== undefined && !isIncoming && { scheme }),
    ...(note !== undefined && { note }),
    ...(notice && { notice: isIncoming ? seenFromThere(notice) : notice }),
  }
  const other = ark === undefined ? undefined : readWork(ark, read)
  if (other === undefined) {
    const { title = null, type = null } = stated
    return { item: { ...about, title, type, status: null }, bytes: 0 }
  }
  const { state } = other
  const record = readVersion(other, state.version, read)
  const row = record && new EventText(record.eventRow)
  const item = {
    ark_identifier: state.identifier,
    ...about,
    title: row?.metadataText('work_title') ?? null,
    type: row?.metadataText('work_type') ?? null,
    status: state.status,
    version: state.version,
    ...(state.status === 'withdrawn' && { withdrawn_at: state.updated_at }),
    links: workLinks(base, state.identifier, state.version),
  }
  return { item, bytes: record?.eventRow.length ?? 0 }
}

/** A notice as the other of the two works would tell it. */
function seenFromThere({ kind, direction }: Pick<UpdateNotice, 'kind' | 'direction'>) {
  return { kind, direction: direction === 'of_this' ? 'by_this' : 'of_this' }
}

/** The work that is named, `naan/name`: of several with a DOI the newest one that stands. */
function workNamed(target: RelationTarget, read: ReadRow): string | undefined {
  const name = target.slice('ark:'.length)
  if (target.startsWith('ark:')) return name
  const row = read(doiKey(name)) ?? read(withdrawnKey(name))
  return row && newestOf(row)
}
