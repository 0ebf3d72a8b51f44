// Writes every mail as text and as HTML into a folder, to look at:
// npm run mails -- FOLDER [LANGUAGE]

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { mailOf } from '#src/delivery/mail/mailer.ts'
import * as messages from '#src/delivery/mail/message.ts'
import { newsKinds, weekText } from '#src/delivery/mail/news.ts'
import { english } from '#src/words/language.ts'
import { languageOf } from '#src/words/languages.ts'

const [folder = 'mails', language = 'en'] = process.argv.slice(2)
const [to, base] = ['ada@example.org', 'https://registry.example']
const link = `${base}/auth/reset/once_0123456789`
const page = `${base}/auth/account/security`
const ours = {
  from: 'Registry <registry@example.org>',
  registry: `Registry, ${base}, desk@example.org`,
}
const names = {
  owner: 'A Press',
  person: 'Ada Lovelace (ada@example.org)',
  doer: 'Grace Hopper (grace@example.org)',
  organization: 'A Consortium',
  title: 'On the order of things',
  path: '/organizations/press',
  registry: base,
  contact: 'desk@example.org',
}
const entry = {
  seq: 1,
  at: '2026-11-29T12:00:00.000Z',
  ark: '12345/x6np1wh8k',
  slug: 'press',
  key_id: 'a1b2c3d4e5',
  works_count: 7,
  bulk_change_id: '019a2b3c4d5e0123456789abcdef',
  changed: 'all that key a1b2c3d4e5 did since 2026-11-28T15:00Z',
  because: 'District Court, 4 O 12/26.',
} as const

const reader = { email: to, language: languageOf(language) ?? english }
const week = {
  newWorks: 12,
  resolutions: 3_456,
  pageViews: 789,
  failing: 2,
  claims: 1,
  keysEnding: 1,
  mostUsed: [
    { title: 'On the order of things', uses: 120 },
    { title: 'On other things', uses: 80 },
  ],
  failingCsv: 'ark,title,content,updated_at\r\n',
}

/** Why or when it was, where that is not the reason of a takedown. */
const reasons: Readonly<Record<string, string>> = {
  week_ended: '2026-11-23',
  searches_found: '2026-11-23',
  key_ending: '2026-12-10',
  content_failing: 'press.example (5), example.org (2)',
  organization_declined: 'The short name is that of another press.',
  work_registered_again: 'ark:/12345/k2bcd45g7h3',
  work_reported: 'The second author is missing.',
  works_undone: 'A key was stolen.',
}

/** What is done to works is a mail of its own, where it is done to more than works. */
const ofWorks: Readonly<Record<string, string>> = { suspended: 'withheld', resumed: 'shown_again' }
const kinds = Object.entries(newsKinds).flatMap(([action, kind]) => {
  const ofWork = ofWorks[action]
  const { ark: _ark, ...ofOthers } = entry
  if (ofWork === undefined) return [{ file: action, action, kind, entry }]
  return [
    { file: action, action, kind, entry: ofOthers },
    { file: ofWork, action, kind, entry },
  ]
})

const news = kinds.map(({ file, action, kind, entry: known }) => {
  const because = reasons[action]
  const about = {
    ...known,
    action: action as keyof typeof newsKinds,
    ...(because !== undefined && { because }),
  }
  const isOfPerson = /^(?:organization_|made_admin|admin_ended)/.test(action)
  // Who accepts an invitation is the new member.
  const doer = action === 'invitation_accepted' ? names.person : names.doer
  const named = { ...names, doer, ...(isOfPerson && { owner: names.person }) }
  const told = {
    id: '0123456789abcdef',
    subject: kind.subject(about, named, 3),
    text: kind.text(about, named, 3),
    more: action === 'week_ended' ? weekText(week) : (kind.more?.(about, named) ?? []),
    toDo: kind.toDo,
    page: `${base}${kind.isPublic === true ? '' : '/auth'}${kind.path(about, named)}`,
    switches: `${base}/auth/account/mail`,
  }
  return [file, messages.newsMessage(reader, told)] as const
})

const webhook = { url: 'https://press.example/hook', owner: 'A Press', reason: 'timeout', page }
const invitation = { organization: 'A Press', role: 'editor', by: 'Grace Hopper', link }
const others = [
  ['verification', messages.verificationMessage(reader, link, base)],
  ['reset', messages.resetMessage(reader, link, base)],
  ['unlock', messages.unlockMessage(reader, link, base)],
  ['password_changed', messages.passwordChangedMessage(reader, page, base)],
  ['password_reset', messages.passwordResetMessage(reader, { page, hasEnded: true }, base)],
  ['address_changed', messages.addressChangedMessage(reader, base)],
  ['second_factor', messages.secondFactorMessage(reader, { state: 'on', page }, base)],
  ['passkey', messages.passkeyMessage(reader, { name: 'Phone', change: 'added', page }, base)],
  ['recovery_code', messages.recoveryCodeMessage(reader, { left: 7, page }, base)],
  ['webhook_failed', messages.webhookFailedMessage(reader, webhook, base)],
  ['invitation', messages.invitationMessage(reader, invitation, base)],
  [
    'write_notice',
    messages.writeNotice(reader, { by: 'Deposit', what: 'WorkRegistered', page }, base),
  ],
  [
    'report_answer',
    messages.reportAnswerMessage(
      reader,
      { ark: '12345/k2bcd45g7h3', registrant: 'A Press', answer: 'We corrected the record.' },
      base,
    ),
  ],
] as const

await mkdir(folder, { recursive: true })
for (const [name, message] of [...others, ...news]) {
  const { subject, text, html } = mailOf(message, ours)
  await writeFile(path.join(folder, `${name}.txt`), `Subject: ${subject}\n\n${text}`)
  await writeFile(path.join(folder, `${name}.html`), html)
}
process.stdout.write(`${others.length + news.length} mails in ${folder}\n`)
