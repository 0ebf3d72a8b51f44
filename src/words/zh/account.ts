import type { account as english } from '#src/words/en/account.ts'
import type { Translation } from '#src/words/message.ts'

export const account: Translation<typeof english> = {
  languageTitle: '语言',
  languageHint: '用于页面和邮件。',
  languageSubmit: '保存语言',
  languageSaved: '您的语言已保存。',
}
