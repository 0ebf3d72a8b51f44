import type { account as english } from '#src/words/en/account.ts'
import type { Translation } from '#src/words/message.ts'

export const account: Translation<typeof english> = {
  languageTitle: 'Idioma',
  languageHint: 'Para páginas e e-mails.',
  languageSubmit: 'Salvar idioma',
  languageSaved: 'Seu idioma foi salvo.',
}
