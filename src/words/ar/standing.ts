import type { standing as english } from '#src/words/en/standing.ts'
import type { Translation } from '#src/words/message.ts'

export const standing: Translation<typeof english> = {
  verified: 'المحتوى لم يتغيّر',
  pending: 'لم يُفحص المحتوى بعد',
  failed: 'تغيّر المحتوى',
  unreachable: 'لم يتأكد المحتوى',
  landingPage: 'صفحة العمل',
  active: 'مسجّل',
  withdrawn: 'مسحوب',
  all: 'الكل',
  // Unsure: Arabic often has one word, سحب, for a withdrawal and for a retraction.
  retraction: 'سُحب نشره',
  partial_retraction: 'سُحب نشره جزئيًا',
  removal: 'أُزيل',
  withdrawal: 'سحبه ناشره',
  expression_of_concern: 'إبداء قلق',
  correction: 'مصحَّح',
  corrigendum: 'مصحَّح',
  erratum: 'مصحَّح',
  addendum: 'ملحق',
  clarification: 'موضَّح',
  new_edition: 'طبعة جديدة',
  new_version: 'إصدار جديد',
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}سُحب نشر هذا العمل{/strong}{$when}{$who}.}}
    partial_retraction {{{#strong}سُحب نشر جزء من هذا العمل{/strong}{$when}{$who}.}}
    removal {{{#strong}أُزيل محتوى هذا العمل{/strong}{$when}{$who}.}}
    withdrawal {{{#strong}سحب الناشر هذا العمل{/strong}{$when}{$who}.}}
    expression_of_concern {{{#strong}أُبدي قلق بشأن هذا العمل{/strong}{$when}{$who}.}}
    addendum {{{#strong}لهذا العمل ملحق{/strong}{$when}{$who}.}}
    clarification {{{#strong}نُشر توضيح لهذا العمل{/strong}{$when}{$who}.}}
    new_edition {{{#strong}لهذا العمل طبعة جديدة{/strong}{$when}{$who}.}}
    new_version {{{#strong}لهذا العمل إصدار جديد{/strong}{$when}{$who}.}}
    * {{{#strong}صُحّح هذا العمل{/strong}{$when}{$who}.}}`,
  whenNoticed: ' في {$date}',
  whoNoticed: ' من قِبل {$name}',
  notice: 'الإشعار: {$link}.',
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{هذا العمل {#strong}يسحب نشر{/strong} {$other}{$when}.}}
    partial_retraction {{هذا العمل {#strong}يسحب نشر جزء من{/strong} {$other}{$when}.}}
    removal {{هذا العمل {#strong}يزيل{/strong} {$other}{$when}.}}
    withdrawal {{هذا العمل {#strong}يسحب{/strong} {$other}{$when}.}}
    expression_of_concern {{هذا العمل {#strong}يبدي قلقًا بشأن{/strong} {$other}{$when}.}}
    addendum {{هذا العمل {#strong}ملحق لـ{/strong} {$other}{$when}.}}
    clarification {{هذا العمل {#strong}يوضّح{/strong} {$other}{$when}.}}
    new_edition {{هذا العمل {#strong}طبعة جديدة من{/strong} {$other}{$when}.}}
    new_version {{هذا العمل {#strong}إصدار جديد من{/strong} {$other}{$when}.}}
    * {{هذا العمل {#strong}يصحّح{/strong} {$other}{$when}.}}`,
  because_author_request: 'بطلب من مؤلفيه',
  because_retraction: 'لأن نشره سُحب. لا تعتمد على نتائجه',
  because_duplicate: 'لأنه مسجّل أيضًا في مكان آخر',
  because_copyright: 'لأن لآخرين حقوقًا فيه',
  because_fraud: 'بسبب الاحتيال',
  because_court_order: 'بأمر من محكمة',
  because_rights_of_others: 'لأن لآخرين حقوقًا فيه',
  because_personal_data: 'لأنه يحتوي على بيانات شخصية',
  because_legal: 'لأسباب قانونية',
  because_test: 'لأنه كان اختبارًا',
  because_other: 'لسبب آخر',
  because_data_lost: 'لأن السجل فقد تسجيلته',
}
