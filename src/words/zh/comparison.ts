import type { comparison as english } from '#src/words/en/comparison.ts'
import type { Translation } from '#src/words/message.ts'

export const comparison: Translation<typeof english> = {
  title: '第 {$from} 版和第 {$to} 版',
  of: '{$title}',
  same: '两个版本的元数据相同。',
  marks: '删除的文字带删除线，添加的文字带下划线。',
  unchanged: '其他 {$count :integer} 个字段未变。',
  changed: '更改的内容',
  others: '其他版本',
  older: '较早的版本',
  newer: '较新的版本，最高为 {$newest}',
}
