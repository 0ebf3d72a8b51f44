import type { figures as english } from '#src/words/en/figures.ts'
import type { Translation } from '#src/words/message.ts'

export const figures: Translation<typeof english> = {
  workUsed: 'عدد مرات استخدام هذا العمل',
  theseWorksUsed: 'عدد مرات استخدام هذه الأعمال',
  allWorksUsed: 'عدد مرات استخدام الأعمال',
  notUsed: 'لا إحالة ولا قراءة من {$from} إلى {$to}. لا تُحتسب الروبوتات.',
  // Unsure: the term for resolving an identifier; here it is “إحالة”, what leads to the work.
  used: `.input {$count :integer} .match $count
    zero {{{#strong}لا{/strong} إحالة ولا قراءة من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}
    one {{إحالة أو قراءة {#strong}واحدة{/strong} من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}
    two {{إحالة أو قراءة {#strong}مرتين{/strong} من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}
    few {{إحالة أو قراءة {#strong}{$count}{/strong} مرات من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}
    * {{إحالة أو قراءة {#strong}{$count}{/strong} مرة من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}`,
  uses: 'مرات الاستخدام',
  asCsv: 'بصيغة CSV',
  table: 'كل الأعداد في جدول',
  howCounted: 'كيف نحتسب',
  byMonth: 'الاستخدام حسب الشهر',
  month: 'الشهر',
  soFar: '{$month}، حتى الآن',
  resolved: 'إحالات',
  pageRead: 'قراءات الصفحة',
  verified: 'عمليات التحقق',
  harvested: 'عمليات الحصاد',
  bars: '{$what} من {$from} إلى {$to}. أعلى قيمة: {$most} في {$when}.',
  bar: '{$label}: {$count :integer}',
  tree: 'شجرة من البصمات. انطلاقًا من إيصال واحد، تقود ثلاث بصمات متجاورة إلى بصمة الجذر التي يوقّعها سجل الشفافية.',
  rootLabel: 'بصمة الجذر، موقّعة من سجل الشفافية',
  receiptLabel: 'إيصال',
  computed: 'محسوب من الإيصال',
  proof: 'البرهان، ويأتي مع الإيصال',
  notNeeded: 'غير لازم',
}
