import type { comparison as english } from '#src/words/en/comparison.ts'
import type { Translation } from '#src/words/message.ts'

export const comparison: Translation<typeof english> = {
  title: 'Versionen {$from} und {$to}',
  of: 'von {$title}',
  same: 'Die Metadaten sind in beiden Versionen gleich.',
  marks: 'Entfernter Text ist durchgestrichen, neuer Text ist unterstrichen.',
  unchanged: `.input {$count :integer} .match $count
    one {{1 weiteres Feld wurde nicht geändert.}}
    * {{{$count} weitere Felder wurden nicht geändert.}}`,
  changed: 'Was sich geändert hat',
  others: 'Andere Versionen',
  older: 'Ältere Version',
  newer: 'Neuere Version, bis {$newest}',
}
