import type { errors as english } from '#src/words/en/errors.ts'
import type { Translation } from '#src/words/message.ts'

export const errors: Translation<typeof english> = {
  not_found: 'الصفحة غير موجودة',
  not_acceptable: 'هذه الصيغة غير متاحة',
  forbidden: 'لا يمكنك القيام بذلك',
  suspended: 'هذا الحساب موقوف',
  gone: 'لم يعد هذا صالحًا',
  conflict: 'هذا يتعارض مع الحالة الراهنة',
  rate_limit_exceeded: 'محاولات كثيرة جدًا',
  withheld: 'هذا العمل محجوب',
  payload_too_large: 'الحجم كبير جدًا',
  unavailable: 'السجل مشغول',
  timeout: 'استغرق هذا وقتًا طويلًا',
  clock_wrong: 'لا يمكن إجراء تغييرات الآن',
  internal_error: 'حدث خطأ ما',
  record_damaged: 'تتعذر قراءة هذه التسجيلة',
  other: 'لم نتمكن من فهم هذا الطلب',
  nothingHere: 'لا يوجد شيء في هذا العنوان. تحقق من عدم وجود أخطاء في كتابته.',
  tryLater: 'يُرجى المحاولة مرة أخرى بعد قليل.',
  failed: 'هذا خطأ من جانبنا وقد دوّنّاه. يُرجى المحاولة مرة أخرى لاحقًا.',
  noChanges: 'ساعة السجل غير صحيحة، لذلك لا يمكن تغيير أي شيء. لا يزال بإمكانك قراءة كل شيء.',
  waitSeconds: `.input {$seconds :integer} .match $seconds
    one {{حاول مرة أخرى بعد ثانية واحدة.}}
    two {{حاول مرة أخرى بعد ثانيتين.}}
    few {{حاول مرة أخرى بعد {$seconds} ثوانٍ.}}
    * {{حاول مرة أخرى بعد {$seconds} ثانية.}}`,
  waitMinutes: `.input {$minutes :integer} .match $minutes
    one {{حاول مرة أخرى بعد دقيقة واحدة.}}
    two {{حاول مرة أخرى بعد دقيقتين.}}
    few {{حاول مرة أخرى بعد {$minutes} دقائق.}}
    * {{حاول مرة أخرى بعد {$minutes} دقيقة.}}`,
  report: 'إذا تكرر ذلك، فاتصل بمشغّل هذا السجل، واذكر الخطأ {$status} والطلب {$request}.',
  goTo: 'الانتقال إلى {$ark}',
  searchInstead: 'البحث في السجل بدلًا من ذلك',
}
