import type { account as english } from '#src/words/en/account.ts'
import type { Translation } from '#src/words/message.ts'

export const account: Translation<typeof english> = {
  languageTitle: 'Sprache',
  languageHint: 'Für Seiten und E-Mails.',
  languageSubmit: 'Sprache speichern',
  languageSaved: 'Ihre Sprache ist gespeichert.',
}
