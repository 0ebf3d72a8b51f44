import { closedTable } from '#actors/values/lazy_table.ts'
import { type RelatedIdentifier, relations } from '#actors/values/related_identifier.ts'
import { definedOf } from '#actors/values/serialization.ts'
import type { FieldNotes } from '#src/discovery/citation_files/citation_file.ts'
import { listOf, objectOf, textOf } from '#src/discovery/citation_files/field_rows.ts'
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
