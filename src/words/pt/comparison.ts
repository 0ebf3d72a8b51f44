import type { comparison as english } from '#src/words/en/comparison.ts'
import type { Translation } from '#src/words/message.ts'

export const comparison: Translation<typeof english> = {
  title: 'Versões {$from} e {$to}',
  of: 'de {$title}',
  same: 'Os metadados são os mesmos nas duas versões.',
  marks: 'O texto removido está riscado, o texto acrescentado está sublinhado.',
  unchanged: `.input {$count :integer} .match $count
    one {{{$count} outro campo não mudou.}}
    * {{{$count} outros campos não mudaram.}}`,
  changed: 'O que mudou',
  others: 'Outras versões',
  older: 'Versão mais antiga',
  newer: 'Versão mais nova, até {$newest}',
}
