import type { account as english } from '#src/words/en/account.ts'
import type { Translation } from '#src/words/message.ts'

export const account: Translation<typeof english> = {
  languageTitle: 'Langue',
  languageHint: 'Pour les pages et les courriels.',
  languageSubmit: 'Enregistrer la langue',
  languageSaved: 'Votre langue est enregistrée.',
}
