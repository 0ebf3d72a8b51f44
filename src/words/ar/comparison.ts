import type { comparison as english } from '#src/words/en/comparison.ts'
import type { Translation } from '#src/words/message.ts'

export const comparison: Translation<typeof english> = {
  title: 'الإصداران {$from} و{$to}',
  of: 'من {$title}',
  same: 'البيانات الوصفية هي نفسها في الإصدارين.',
  marks: 'النص المحذوف مشطوب، والنص المضاف تحته خط.',
  unchanged: `.input {$count :integer} .match $count
    one {{لم يتغيّر حقل آخر واحد.}}
    two {{لم يتغيّر حقلان آخران.}}
    few {{لم تتغيّر {$count} حقول أخرى.}}
    many {{لم يتغيّر {$count} حقلًا آخر.}}
    * {{لم يتغيّر {$count} حقل آخر.}}`,
  changed: 'ما الذي تغيّر',
  others: 'إصدارات أخرى',
  older: 'إصدار أقدم',
  newer: 'إصدار أحدث، حتى {$newest}',
}
