import { randomBytes } from 'node:crypto'
import test from 'ava'

import type { Account } from '#src/identity/accounts/account.ts'
import { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import { AccountMail } from '#src/delivery/mail/account_mail.ts'
import { Outbox } from '#src/delivery/mail/outbox.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { lateView } from '#test/src/identity/_late_view.ts'

const account: Account = {
  ppid: 'pada',
  state: 'active',
  email: 'ada@example.org',
  email_verified: true,
  password: null,
  roles: [],
  links: [],
  created_at: '2026-01-01T00:00:00.000Z',
}

test('the owner of a locked account is told once an hour, by however many threads', async (t) => {
  const { clock, open } = await identityFixture(t)
  const store = await open()
  const threads = [lateView(store), lateView(store)].map((view) => {
    const links = new OneTimeLinks({ store: view, clock, random: randomBytes })
    return new AccountMail({
      outbox: new Outbox({ store: view, clock }),
      links,
      authUrl: 'https://example.org/auth',
      baseUrl: 'https://example.org',
      elapsedMs: () => clock.nowMs(),
      report: (fault) => t.fail(String(fault)),
    })
  })
  for (const hour of [1, 2]) {
    for (const mail of [...threads, ...threads]) mail.sendUnlock(account)
    for (const _ of threads) await settled()
    for (const mail of threads) mail.sendUnlock(account)
    await settled()
    t.is((await new Outbox({ store, clock }).places()).length, hour)
    clock.forward(3_600_001)
  }

  /** Waits for the links that are being made. */
  async function settled(): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) await lateView(store).inTurn(() => Promise.resolve())
  }
})
