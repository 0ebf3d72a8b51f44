// Words of the desk of publishers: of their pages, those that are in the languages of desks alone.
import { messages } from '#src/words/message.ts'

/** The page of people who say that they wrote works of an organization. */
export const organizationClaims = messages('organizationClaims', {
  heading: 'Claims of authorship',
  confirmed: 'You confirmed: the person counts as an author.',
  rejected: 'You declined: the person does not count as an author.',
  none: 'No claims to answer',
  noneText: 'When people say that they wrote works of this organization, you answer here.',
})

/** The page that undoes what a member, a key or an application did since a time. */
export const undoing = messages('undoing', {
  heading: 'Undo many changes',
  lead: 'For a stolen key or a misused account: first revoke the key or end the membership. Then undo here what it did to works. You see every work before anything changes.',
  by: 'Done by',
  since: 'Since',
  sinceHint: 'A day or a time in UTC, such as 2026-11-28T15:00.',
  reasonHint: 'Readers of withdrawn works see it.',
  whatHappens:
    'We withdraw works that were registered since then, permanently. We register withdrawn works again: they get a new ARK, and the page of the old ARK names it. Other works get a new version with their metadata from before. We leave out works that somebody else changed afterwards, and list them.',
  preview: 'Preview changes',
  other: 'Change works in another way',
})

/** The reasons for a withdrawal, by their codes, and what a form asks beside them. */
export const withdrawals = messages('withdrawals', {
  reason: 'Reason',
  choose: 'Choose one',
  author_request: 'The authors asked for it',
  retraction: 'Retraction: do not rely on its findings',
  duplicate: 'It is registered twice',
  copyright: 'Copyright',
  fraud: 'Fraud or misconduct',
  court_order: 'Court order',
  rights_of_others: 'Rights of others',
  personal_data: 'Personal data',
  legal: 'Another legal reason',
  test: 'It was a test',
  other: 'Another reason (explain in the note)',
  note: 'Note to readers',
})
