import type { account as english } from '#src/words/en/account.ts'
import type { Translation } from '#src/words/message.ts'

export const account: Translation<typeof english> = {
  languageTitle: 'اللغة',
  languageHint: 'للصفحات والرسائل.',
  languageSubmit: 'حفظ اللغة',
  languageSaved: 'تم حفظ لغتك.',
}
