import type { account as english } from '#src/words/en/account.ts'
import type { Translation } from '#src/words/message.ts'

export const account: Translation<typeof english> = {
  languageTitle: '言語',
  languageHint: 'ページとメールに使います。',
  languageSubmit: '言語を保存',
  languageSaved: '言語を保存しました。',
}
