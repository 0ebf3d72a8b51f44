import type { comparison as english } from '#src/words/en/comparison.ts'
import type { Translation } from '#src/words/message.ts'

export const comparison: Translation<typeof english> = {
  title: '第{$from}版と第{$to}版',
  of: '{$title}',
  same: '両方の版のメタデータは同じです。',
  marks: '削除された文字には取り消し線、追加された文字には下線が付きます。',
  unchanged: 'ほかの{$count :integer}項目は変わっていません。',
  changed: '変更点',
  others: 'ほかの版',
  older: '古い版',
  newer: '新しい版（第{$newest}版まで）',
}
