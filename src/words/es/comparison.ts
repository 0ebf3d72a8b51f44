import type { comparison as english } from '#src/words/en/comparison.ts'
import type { Translation } from '#src/words/message.ts'

export const comparison: Translation<typeof english> = {
  title: 'Versiones {$from} y {$to}',
  of: 'de {$title}',
  same: 'Los metadatos son los mismos en las dos versiones.',
  marks: 'El texto eliminado está tachado, el texto añadido está subrayado.',
  unchanged: `.input {$count :integer} .match $count
    one {{{$count} campo más no cambió.}}
    * {{{$count} campos más no cambiaron.}}`,
  changed: 'Qué ha cambiado',
  others: 'Otras versiones',
  older: 'Versión anterior',
  newer: 'Versión más nueva, hasta {$newest}',
}
