import { fields } from '#src/words/english.ts'
import { list } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'

/** What people call a field of metadata, in the middle of a sentence. */
export function fieldName(field: string): Text {
  return termOf(fields, field) ?? field.replaceAll('_', ' ')
}

/** Names fields as people do: `title, abstract and DOI`. */
export function nameFields(names: readonly string[]): Text {
  return list(names.map(fieldName))
}
