// Tells owners of organizations of their week by mail, from the store of a folder, until all are
// told: node _digest_process.ts FOLDER SMTP_URL OWNERS. A test kills it on the way.

import { pino } from 'pino'

import { Mailer } from '#src/delivery/mail/mailer.ts'
import { MailLog } from '#src/delivery/mail/mail_log.ts'
import { Newsroom } from '#src/delivery/mail/newsroom.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { NewsSwitches } from '#src/identity/accounts/news_switches.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { digestAddress, openDigestStore } from '#test/long/_digest_store.ts'

const [folder = '', smtpUrl = '', owners = ''] = process.argv.slice(2)
const clock = { nowMs: () => Date.now() }
const store = await openDigestStore(folder)
const audit = new AuditLog(store)
const mailLog = new MailLog({ store, clock })
const mail = new Mailer({
  smtpUrl,
  from: 'Registry <registry@example.org>',
  registry: 'Registry, https://registry.example, desk@registry.example',
  logger: pino({ level: 'silent' }),
  note: (message, outcome) => mailLog.note(message, outcome),
})

/** The owners of an organization are numbered: their ppid says which organization and which one. */
function accountOf(ppid: string): Account {
  return {
    ppid,
    state: 'active',
    email: digestAddress(ppid),
    email_verified: true,
    password: null,
    roles: [],
    links: [],
    created_at: '2026-01-01T00:00:00.000Z',
  }
}

const newsroom = new Newsroom({
  audit,
  accounts: { find: accountOf, list: () => Promise.resolve([]) },
  organizations: {
    read: (slug) => ({ name: `The press ${slug}` }),
    members: (slug) =>
      Array.from({ length: Number(owners) }, (_, index) => {
        return { ppid: `${slug}-${index}`, role: 'owner' }
      }),
  },
  nameOf: (ppid) => ppid,
  titleOf: () => undefined,
  switches: new NewsSwitches(store),
  mail,
  bounced: (address) => mailLog.isSuppressed(address),
  weekOf: () =>
    Promise.resolve({
      newWorks: 12,
      resolutions: 3_456,
      pageViews: 789,
      failing: 1,
      claims: 1,
      keysEnding: 0,
      mostUsed: [{ title: 'On the order of things', uses: 120 }],
      failingCsv: 'ark,title,content,updated_at\r\n',
    }),
  authUrl: 'https://registry.example/auth',
  baseUrl: 'https://registry.example',
  contact: 'desk@registry.example',
  clock,
  report(fault) {
    throw fault
  },
})
// Waits between attempts keep no process alive, as that of a registry has others to live for.
const living = setInterval(() => undefined, 1_000)
await newsroom.settled()
clearInterval(living)
await newsroom.close()
await mail.close()
await store.close()
