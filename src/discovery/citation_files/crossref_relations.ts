import { closedTable } from '#actors/values/lazy_table.ts'
import { type RelatedIdentifier, relations } from '#actors/values/related_identifier.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { readDoi } from '#src/discovery/citation_files/addresses.ts'
import { FieldNotes, type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import { readCslDate } from '#src/discovery/citation_files/dates.ts'
import { isEmpty, listOf, objectOf, textOf } from '#src/discovery/citation_files/field_rows.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { relatedOf } from '#src/discovery/citation_files/related_things.ts'
import type { SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import { relationInDatacite } from '#src/discovery/formats/crossref_terms.ts'

const idTypes: Readonly<Record<string, string>> = closedTable({ uri: 'URL', purl: 'PURL' })

/**
 * What a work has to do with other things. A relation that DataCite has not exactly keeps its name
 * in the note; a thing whose identifier is of none of our schemes is a related item.
 */
export function relationParts(value: unknown, at: FieldNotes): Partial<SourceWork> {
  const identifiers: RelatedIdentifier[] = []
  const items: unknown[] = []
  for (const [name, related] of Object.entries(objectOf(value))) {
    const named = relationInDatacite(name)
    for (const each of listOf(related)) {
      const { id, 'id-type': given, description, namespace } = objectOf(each)
      const identifier = textOf(id)
      if (identifier === undefined) continue
      const type = textOf(given) ?? 'doi'
      const { relation, note } = saidOf(named, textOf(description))
      const known = relatedOf(relation, idTypes[type] ?? type, identifier, { note })
      if (known !== undefined) {
        identifiers.push(known)
        continue
      }
      const scheme = textOf(namespace)
      const shown = scheme === undefined ? note : [note, scheme].filter(Boolean).join(': ')
      items.push(
        definedOf({ type: 'other', relation, note: shown, identifier, identifier_type: type }),
      )
      at.add(
        'taken_as',
        `${name} ${identifier}: a related item, as its kind of identifier is none of ours.`,
      )
    }
  }
  return { related_identifiers: identifiers, related_items: items }
}

/** The relation that is said, and what is said of it; a description may begin with DataCite's. */
function saidOf(
  { relation, isExact, camel }: ReturnType<typeof relationInDatacite>,
  description: string | undefined,
): Pick<RelatedIdentifier, 'relation' | 'note'> {
  const said = description === undefined ? '' : plainText(description)
  const [, word = '', words = ''] = /^(\w+)(?:: (.*))?$/s.exec(said) ?? []
  const own = relations.find((each) => each === word)
  const parts = own === undefined ? [isExact ? '' : camel, said] : [words]
  const note = parts.filter((part) => part !== '').join(': ')
  return { relation: own ?? relation, ...(note !== '' && { note }) }
}

type Json = Readonly<Record<string, unknown>>

// Kinds of updates that Crossref knows, and shorter names that stand in older records.
const kinds: Readonly<Record<string, string>> = closedTable({
  addendum: 'addendum',
  clarification: 'clarification',
  correction: 'correction',
  corrigendum: 'corrigendum',
  erratum: 'erratum',
  err: 'erratum',
  expression_of_concern: 'expression_of_concern',
  concern: 'expression_of_concern',
  new_edition: 'new_edition',
  new_version: 'new_version',
  partial_retraction: 'partial_retraction',
  removal: 'removal',
  retraction: 'retraction',
  withdrawal: 'withdrawal',
})

/**
 * The notices on a work, and what it is itself a notice on. The same notice from several sources is
 * one, with the date of the publisher.
 */
export function noticesOf(record: Json, notes: NoteList): readonly unknown[] {
  const reason = reasonIn(record)
  const told = [
    ...noticesIn(record, 'updated-by', 'of_this', notes),
    ...noticesIn(record, 'update-to', 'by_this', notes),
    ...statusOf(record),
  ]
  const distinct = new Map<string, Json>()
  for (const notice of told) {
    const key = [notice['direction'], notice['kind'], notice['doi']].join(' ')
    const known = distinct.get(key)
    distinct.set(key, known === undefined ? notice : merged(known, notice))
  }
  return [...distinct.values()].map((notice) => {
    const isRetracted = notice['direction'] === 'of_this' && notice['kind'] === 'retraction'
    return isRetracted && reason !== undefined ? { ...notice, reason } : notice
  })
}

function merged(one: Json, other: Json): Json {
  const sources = [one, other].flatMap((each) => listOf(each['sources']))
  const isOwn = listOf(other['sources']).includes('publisher')
  const both = isOwn ? { ...one, ...other } : { ...other, ...one }
  return sources.length === 0 ? both : { ...both, sources: [...new Set(sources)] }
}

/** The reason of a retraction, which is one of the assertions of its work. */
function reasonIn(record: Json): string | undefined {
  const assertion = listOf(record['assertion'])
    .map(objectOf)
    .find(({ name }) => name === 'retraction_reason')
  const text = textOf(assertion?.['value'])
  return text === undefined ? undefined : plainText(text)
}

function noticesIn(
  record: Json,
  member: string,
  direction: 'of_this' | 'by_this',
  notes: NoteList,
): readonly Json[] {
  const at = new FieldNotes(notes, { name: member })
  const own = readDoi(textOf(record['DOI']) ?? '')
  return listOf(record[member]).flatMap((each) => {
    const { DOI, type, updated, source, 'record-id': record_id } = objectOf(each)
    if (isEmpty(each)) return []
    const doi = readDoi(textOf(DOI) ?? '')
    const name = (textOf(type) ?? '').toLowerCase().replaceAll(/[\s-]+/g, '_')
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) {
      at.add('taken_as', `The update "${quote(name)}" is taken as correction.`, true)
    } else if (kind !== name) {
      at.add('taken_as', `The update "${name}" is taken as ${kind}.`)
    }
    if (kind === 'new_version' && doi !== undefined && doi === own) {
      at.add('left_out', 'Left out: that the work is a new version of itself.', false)
      return []
    }
    const { date } = readCslDate(updated)
    const told = sourceOf(source)
    return [
      definedOf({
        kind: kind ?? 'correction',
        doi,
        date,
        direction,
        sources: told === undefined ? undefined : [told],
        record_id: textOf(record_id),
      }),
    ]
  })
}

const sources: Readonly<Record<string, string>> = closedTable({
  publisher: 'publisher',
  'retraction-watch': 'Retraction Watch',
})

function sourceOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : (sources[text] ?? text)
}

/** That a preprint was withdrawn or removed, which its own record says. */
function statusOf(record: Json): readonly Json[] {
  const { type, update, 'status-description': descriptions } = objectOf(record['status'])
  const kind = { withdrawn: 'withdrawal', removed: 'removal' }[textOf(type) ?? '']
  if (kind === undefined) return []
  const reasons = listOf(descriptions).flatMap((each) => {
    return textOf(objectOf(each)['description']) ?? textOf(each) ?? []
  })
  const reason = plainText(reasons.join(' '))
  const { date } = readCslDate(update)
  return [definedOf({ kind, date, reason: reason || undefined, direction: 'of_this' })]
}
