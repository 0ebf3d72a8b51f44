import test from 'ava'

import { AdminClient } from '#src/cli/admin_client.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { until } from '#test/_until.ts'
import { newDataDir, startServer } from '#test/scenario/_process.ts'
import { TestBrowser } from '#test/src/_browser.ts'
import { type MailReply, serveMail } from '#test/src/delivery/mail/_mail_server.ts'

const rounds = 4
const keysOfRound = 6
const password = 'a sentence of some length'

test('news are told after every kill, and a mail that comes twice has one id', async (t) => {
  const replies: MailReply[] = []
  const { received, refused, smtpUrl } = await serveMail(t, replies)
  const DATA_DIR = await newDataDir(t)
  const settings = {
    DATA_DIR,
    LOG_LEVEL: 'warn',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Registry <registry@example.org>',
  }
  const texts = () => received.map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))
  let server = await startServer(t, settings)
  const issuer = `${server.started.local_url}/auth`
  const browser = new TestBrowser(server.started.local_url)
  const person = { name: 'Ada', email: 'ada@example.org', password, seen_by: 'public' }
  await browser.send(await browser.go(`${issuer}/sign-up`), person)
  const link = () => /\S+\/auth\/verify\/\S+/.exec(texts().join('\n'))?.[0]
  await until('the link', () => link() !== undefined)
  await browser.submit(await browser.go(link() ?? ''), {}, new URL(link() ?? '').pathname)

  const admin = () => new AdminClient(adminSocketPath(DATA_DIR))
  const [account] = (await admin().call('/accounts/list', {})).accounts
  const { ppid = '' } = account ?? {}
  await admin().call('/organizations/add-member', { slug: 'demo', ppid, role: 'owner' })
  const keys: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < keysOfRound; count += 1) {
      const wish = { owner: 'org:demo', scopes: ['works:read'] }
      keys.push((await admin().call('/keys/create', wish)).id)
    }
    await server.end('SIGKILL')
    server = await startServer(t, settings)
  }
  // A link that somebody asked for, and that the server put off when the process was killed.
  const reset = /^Subject: Choose a new password\r$/m
  replies.push({ code: 451, text: 'come back', only: reset })
  const before = refused()
  const stranger = new TestBrowser(server.started.local_url)
  const form = await stranger.go(`${server.started.local_url}/auth/reset`)
  await stranger.submit(form, { email: person.email })
  await until('it is put off', () => refused() > before)
  await server.end('SIGKILL')
  server = await startServer(t, settings)
  const resets = () => received.filter((mail) => reset.test(mail))
  await until('it is sent by the next start', () => resets().length > 0)
  t.is(resets().length, 1)
  const idsOf = (key: string) =>
    texts()
      .filter((mail) => mail.includes(`the API key ${key} of `))
      .map((mail) => /^Message-ID: (.*)\r$/m.exec(mail)?.[1] ?? '')
  await until('all are told', () => keys.every((key) => idsOf(key).length > 0))
  for (const key of keys) t.is(new Set(idsOf(key)).size, 1, `${key} is told by one mail`)
  const twice = keys.filter((key) => idsOf(key).length > 1)
  t.true(twice.length <= rounds, 'a kill repeats the mail that was on its way, and no other')
})
