import { messages } from '#src/words/message.ts'

/** The pages of an account: settings, security and what acts for its person. */
export const account = messages('account', {
  languageTitle: 'Language',
  languageHint: 'For pages and mails.',
  languageSubmit: 'Save language',
  languageSaved: 'Your language is saved.',
})
