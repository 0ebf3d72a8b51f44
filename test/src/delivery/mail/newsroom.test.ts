import test, { type ExecutionContext } from 'ava'

import { newsKinds } from '#src/delivery/mail/news.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { until } from '#test/_until.ts'
import { openRegistry } from '#test/src/_registry.ts'
import { Browser } from '#test/src/pages/_browser.ts'
import { admin } from '#test/src/pages/_members.ts'
import { serveMail } from '#test/src/delivery/mail/_mail_server.ts'

const password = 'a long enough sentence'

async function open(t: ExecutionContext) {
  const { received, smtpUrl } = await serveMail(t)
  const mail = { SMTP_URL: smtpUrl, MAIL_FROM: 'Registry <registry@example.org>' }
  const registry = await openRegistry({ RATE_LIMITS: false, ...mail })
  t.teardown(() => registry.close())
  const { accounts } = registry.accounts
  const person = async (username: string) => {
    const email = `${username}@example.org`
    const profile = { name: `Ms ${username}`, username, email, password }
    const made = await accounts.signUp({ ...profile, email_verified: true })
    if (made.type !== 'signed_up') throw new Error(made.type)
    const browser = new Browser(registry.server)
    await browser.submit('/auth/sign-in', { email, password })
    return { browser, ppid: made.account.ppid }
  }
  /** Waits for a mail to somebody, and gives it as one line. */
  const mailTo = async (username: string, subject: RegExp): Promise<string> => {
    const find = () =>
      received
        .map((each) => each.replaceAll('=\r\n', '').replaceAll('=3D', '='))
        .find((each) => each.includes(`To: ${username}@example.org`) && subject.test(each))
    await until(`${subject} to ${username}`, () => find() !== undefined)
    return find() ?? ''
  }
  return { registry, received, person, mailTo }
}

test('who asks for an organization is told of it, and administrators are by whom', async (t) => {
  const { registry, received, person, mailTo } = await open(t)
  const [root, ada] = [await person('root'), await person('ada')]
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  await mailTo('root', /Subject: Ms root .*is an administrator now/)
  const wish = { slug: 'lab', name: 'The Lab', message: 'Please.' }
  const asked = await ada.browser.submit('/auth/organizations', wish, '/auth/organizations/request')
  t.is(asked.status, 303)
  const request = await mailTo('root', /Subject: Ms ada .*asks for an organization/)
  t.regex(request, /Ms ada \(ada@example\.org\) asks for the organization lab\./)
  t.regex(request, /Auto-Submitted: auto-generated/)
  t.regex(request, /List-Unsubscribe: <https:\/\/registry\.example\/auth\/account\/mail>/)
  t.regex(request, /\r\nhttps:\/\/registry\.example\/auth\/admin\/organizations\r\n/)
  t.regex(request, /Content-Type: text\/html/)
  const base = `/auth/admin/organizations/${ada.ppid}`
  await root.browser.submit('/auth/account', {}, `${base}/approve`)
  const approval = await mailTo('ada', /Subject: Your organization lab is approved/)
  t.regex(approval, /https:\/\/registry\.example\/auth\/organizations\/lab\r\n/)

  const lab = { type: 'organization', id: 'lab', name: 'The Lab' } as const
  await registry.createKey(['works:read'], { owner: lab })
  await mailTo('ada', /Subject: An API key of The Lab was created/)
  const notices = (await ada.browser.get('/auth/account/notices')).body
  t.regex(notices, /Organization lab was approved/)

  // Who does not want such mail gets none of it, and the next of another group all the same.
  t.is((await ada.browser.submit('/auth/account/mail', { works: 'on' })).status, 303)
  await registry.createKey(['works:read'], { owner: lab })
  const registered = await registry.environments.live.works.register({
    metadata: {
      work_title: 'W',
      work_type: 'article',
      authors: 'A',
      work_url: 'https://x.example',
    },
    by: { ...lab, via: 'ui' },
    warnings: [],
    allowDuplicate: false,
    allowRepeat: false,
    dryRun: false,
  })
  if (registered.type !== 'registered') return t.fail(registered.type)
  const { ark_identifier: work } = registered.work
  const taken = { work, reason: 'court_order', note: 'Court of X.', confirmed: 'yes' }
  await root.browser.submit('/auth/account', taken, '/auth/admin/takedowns')
  const told = await mailTo('ada', /Subject: The work ark:.* is taken down/)
  t.regex(told, /The operator of this registry withdrew the work .*The reason: Court of X\./)
  const subjects = received.map((mail) => /^Subject: (.*)\r$/m.exec(mail)?.[1] ?? '')
  t.is(subjects.filter((subject) => subject.startsWith('An API key')).length, 1)
  await until('all are told', async () => (await registry.oauth.audit.newsPlaces()).length === 0)
})

test('a refusal says why, and nobody is told of what they did themselves', async (t) => {
  const { registry, received, person, mailTo } = await open(t)
  const [root, ada] = [await person('root'), await person('ada')]
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const profile = { slug: 'lab', name: 'The Lab', aliases: [] }
  await registry.accounts.requests.make({ ppid: ada.ppid, profile, message: '' })
  const base = `/auth/admin/organizations/${ada.ppid}`
  await root.browser.submit('/auth/account', { reason: 'It exists.' }, `${base}/refuse`)
  t.regex(await mailTo('ada', /is declined/), /declined lab\. The reason: It exists\./)
  const { organizations } = registry.environments.live
  await organizations.create({ body: { slug: 'press', name: 'A Press' }, by: admin })
  await organizations.addMember({ slug: 'press', ppid: root.ppid, role: 'owner', by: admin })
  await root.browser.submit(
    '/auth/account',
    { person: ada.ppid, member_role: 'owner' },
    '/auth/organizations/press/members',
  )
  await until('news are told', async () => (await registry.oauth.audit.newsPlaces()).length === 0)
  t.false(received.some((mail) => /To: root@[^]*Subject: A Press/.test(mail)))
})

test('every kind of news has words for all that an entry can lack', (t) => {
  const names = { owner: 'A Press', person: '', path: '/organizations/press' }
  for (const [action, kind] of Object.entries(newsKinds)) {
    const entry = { seq: 1, at: '2026-01-01T00:00:00.000Z', action } as never
    for (const text of [kind.subject(entry, names), kind.text(entry, names), kind.toDo]) {
      t.notRegex(text, /undefined|\n/)
    }
    t.regex(kind.path(entry, names), /^\/[a-z]/)
  }
})
