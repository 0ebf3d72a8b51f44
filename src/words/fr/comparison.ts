import type { comparison as english } from '#src/words/en/comparison.ts'
import type { Translation } from '#src/words/message.ts'

export const comparison: Translation<typeof english> = {
  title: 'Versions {$from} et {$to}',
  of: 'de {$title}',
  same: 'Les métadonnées sont les mêmes dans les deux versions.',
  marks: 'Le texte supprimé est barré, le texte ajouté est souligné.',
  unchanged: `.input {$count :integer} .match $count
    one {{{$count} autre champ n’a pas changé.}}
    * {{{$count} autres champs n’ont pas changé.}}`,
  changed: 'Ce qui a changé',
  others: 'Autres versions',
  older: 'Version plus ancienne',
  newer: 'Version plus récente, jusqu’à {$newest}',
}
