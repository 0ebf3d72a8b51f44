import test, { type ExecutionContext } from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { newsMessage } from '#src/delivery/mail/message.ts'
import { newsKinds } from '#src/delivery/mail/news.ts'
import { english } from '#src/words/language.ts'
import { languageOf } from '#src/words/languages.ts'
import { textIn } from '#src/words/wording.ts'
import { NewsWatch } from '#src/delivery/mail/newsroom.ts'
import { operator, operatorAgent } from '#src/identity/store/owner_text.ts'
import { until } from '#test/_until.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { Browser } from '#test/src/pages/_browser.ts'
import { admin } from '#test/src/pages/_members.ts'
import { type MailReply, serveMail } from '#test/src/delivery/mail/_mail_server.ts'

/** The address of the registry, and whom to ask. */
const ours = { registry: 'https://registry.example', contact: 'desk@registry.example' }

const password = 'a long enough sentence'

async function open(t: ExecutionContext) {
  const replies: MailReply[] = []
  const { received, smtpUrl } = await serveMail(t, replies)
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
  const refuse = (reply: MailReply) => void replies.push(reply)
  return { registry, received, person, mailTo, refuse }
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
  t.regex(notices, /Organization lab: approved/)

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
  // What stops is told, whatever is switched off.
  const stopped = { type: 'organization', id: 'lab', reason: 'Unpaid since May' }
  await root.browser.submit('/auth/account', stopped, '/auth/admin/suspensions')
  const suspension = await mailTo('ada', /Subject: Suspended: organization The Lab/)
  t.regex(suspension, /\r\nUnpaid since May\r\n\r\nUntil it ends, /)
  t.regex(suspension, /\r\nhttps:\/\/registry\.example\/contact\r\n/)
  t.notRegex(suspension, /List-Unsubscribe/)
  t.regex((await ada.browser.get('/auth/account/notices')).body, /lab: Organization lab: suspended/)
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
  const members = '/auth/organizations/press/members'
  await root.browser.submit('/auth/account', { ppid: ada.ppid }, `${members}/remove`)
  const ended = await mailTo('ada', /Subject: You are no longer a member of A Press/)
  t.regex(ended, /no longer a member of A Press\. .*Ms root \(root@example\.org\)/)
  t.regex(ended, /https:\/\/registry\.example\/auth\/organizations\r\n/)
})

/** An organization with one owner. */
async function openNewsPress({ environments }: TestRegistry, ppid: string) {
  const { organizations } = environments.live
  const by = operatorAgent
  await organizations.create({ body: { slug: 'press', name: 'A Press' }, by })
  await organizations.addMember({ slug: 'press', ppid, role: 'owner', by })
  return { type: 'organization', id: 'press', name: 'A Press' } as const
}

function registerAs({ environments }: TestRegistry, owner: Owner, title: string) {
  return environments.live.works.register({
    metadata: { ...goodWork, work_type: 'article', work_title: title },
    by: { ...owner, via: 'ui' },
    warnings: [],
    allowDuplicate: true,
    allowRepeat: true,
    dryRun: false,
  })
}

test('claims that come together are told by one mail, and decisions to who claimed', async (t) => {
  const { registry, received, person, mailTo } = await open(t)
  const [root, ada] = [await person('root'), await person('ada')]
  const press = await openNewsPress(registry, root.ppid)
  const arks: string[] = []
  for (const title of ['One', 'Two', 'Three']) {
    const answer = await registerAs(registry, press, title)
    if (answer.type !== 'registered') return t.fail(answer.type)
    arks.push(answer.work.ark_identifier)
  }
  const claim = async (ark: string) => {
    const sent = { ark_identifier: ark, author_position: '1' }
    const form = '/auth/account/works'
    t.is((await ada.browser.submit('/auth/account', sent, form)).status, 303)
  }
  const [one = '', ...others] = arks
  await claim(one)
  const first = await mailTo('root', /Subject: A claim waits for A Press/)
  for (const ark of others) await claim(ark)
  t.regex(first, /Ms ada \(ada@example\.org\) says they wrote the work \w+ \(ark:/)
  t.regex(first, /Registry: Arklog, https:\/\/registry\.example, [\w.]+@[\w.]+/)
  registry.time.nowMs += 3_600_000
  await registry.createKey(['works:read'], { owner: press })
  t.regex(
    await mailTo('root', /Subject: 2 claims wait for A Press/),
    /about 1 more claim\. A Press decides\./,
  )
  const claims = registry.environments.live.claims.ofPerson(ada.ppid, { limit: 9 }).claims
  const wish = { step: 'confirm', confirm_mismatch: 'She wrote to us.' }
  const desk = '/auth/organizations/press/claims'
  for (const { claim_id: id } of claims.slice(0, 1)) {
    t.is((await root.browser.submit('/auth/account', wish, `${desk}/${id}`)).status, 303)
  }
  t.regex(await mailTo('ada', /Subject: A claim is confirmed/), /The claim of Ms ada/)
  const notices = (await root.browser.get('/auth/account/notices')).body
  t.regex(notices, /press: Work ark:[^<]*: a claim of authorship waits for an answer/)
  t.is(received.filter((mail) => /Subject: .*claims? waits? for/.test(mail)).length, 2)
})

test('many news that wait to be told together hold up no others', async (t) => {
  const { registry, person, mailTo } = await open(t)
  const root = await person('root')
  const press = await openNewsPress(registry, root.ppid)
  const { audit } = registry.oauth
  const waiting = (number: number) => {
    const at = formatTimestamp(registry.time.nowMs)
    const by = { type: 'person', id: `p${number}`, name: `Ms ${number}` } as const
    return { owner: press, at, action: 'claim_waiting', ark: `99999/s1${number}`, by } as const
  }
  await audit.write([waiting(0)])
  await mailTo('root', /Subject: A claim waits for/)
  await audit.write(Array.from({ length: 1_000 }, (_, index) => waiting(index + 1)))
  await registry.createKey(['works:read'], { owner: press })
  await mailTo('root', /Subject: .*key/)
  t.pass()
})

test('keys that end, failing content and a week are told once, whoever looks', async (t) => {
  const { registry, person, mailTo } = await open(t)
  const root = await person('root')
  const press = await openNewsPress(registry, root.ppid)
  const { organizations, holdings } = registry.environments.live
  await registerAs(registry, press, 'One')
  await registry.createKey(['works:read'], { owner: press })
  await mailTo('root', /Subject: An API key of A Press was created/)
  const { audit } = registry.oauth
  const clock = { nowMs: () => registry.time.nowMs }
  const failing: Pick<typeof holdings, 'counts' | 'failureCauses'> = {
    counts: (owner) => holdings.counts(owner),
    failureCauses: () =>
      Promise.resolve({
        causes: [
          {
            standing: 'unreachable',
            reason: 'http_404',
            host: 'h',
            hostName: 'press.example',
            message: null,
            count: 3,
          },
        ],
        isWhole: true,
      }),
  }
  const parts = {
    audit,
    isMade: () => false,
    keys: registry.keys,
    organizations,
    clock,
    report: (fault: unknown) => t.fail(String(fault)),
  }
  const watch = new NewsWatch({ ...parts, holdings: failing })
  const second = new NewsWatch({ ...parts, holdings: failing })
  t.teardown(() => Promise.all([watch.close(), second.close()]))
  await Promise.all([watch.look(), second.look(), watch.look()])
  const told = async () =>
    (await audit.read(press, { limit: 100 })).map(({ action }) => action).toSorted()
  const once = ['content_failing', 'created', 'key_ending', 'week_ended']
  t.deepEqual(await told(), once)
  t.regex(await mailTo('root', /Subject: An API key of A Press ends soon/), /ends on 2026-01-02/)
  t.regex(await mailTo('root', /Subject: Content of 3 works of A/), /press\.example \(3\)/)
  const week = await mailTo('root', /Subject: A Press: the week of 2025-12-22/)
  t.regex(week, /New works: 0[^]*Works with failing content: 0/)
  await until('all told', async () => (await audit.newsPlaces()).length === 0)
})

test('an address that refused a mail gets no news until an administrator allows it', async (t) => {
  const { registry, person, refuse } = await open(t)
  const root = await person('root')
  const press = await openNewsPress(registry, root.ppid)
  const { audit } = registry.oauth
  refuse({ code: 550, text: 'no such person' })
  await registry.createKey(['works:read'], { owner: press })
  const { mailLog } = registry.accounts
  await until('the bounce', () => mailLog.isSuppressed('root@example.org'))
  await registry.createKey(['works:read'], { owner: press })
  await until('all told', async () => (await audit.newsPlaces()).length === 0)
  const outcomes = (await mailLog.list()).map(({ outcome }) => outcome)
  t.is(outcomes.filter((outcome) => outcome === 'refused').length, 1)
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const page = (await root.browser.get('/auth/admin/mails?outcome=refused')).body
  t.regex(page, /root@example\.org[^]*bounced[^]*Addresses without mails/)
  const lift = '/auth/admin/mails/lift'
  await root.browser.submit('/auth/account', { address: 'root@example.org' }, lift)
  t.false(mailLog.isSuppressed('root@example.org'))

  // A bounce that came back later: the mail server takes mails, and none are news.
  const stop = '/auth/admin/mails/suppress'
  const wrong = { address: 'root@example.org', because: ' ' }
  t.is((await root.browser.submit('/auth/admin/mails', wrong, stop)).status, 422)
  await root.browser.submit('/auth/admin/mails', { ...wrong, because: 'Mailbox full' }, stop)
  await mailLog.note(
    { kind: 'reset', language: 'en', to: 'Root@example.org', subject: 'S', text: '' },
    'taken',
  )
  t.true(mailLog.isSuppressed('root@example.org'), 'only an administrator allows them again')
  t.regex((await root.browser.get('/auth/admin/mails')).body, /root@example\.org[^]*Mailbox full/)
  await root.browser.submit('/auth/account', { address: 'root@example.org' }, lift)
  t.false(mailLog.isSuppressed('root@example.org'))
})

test('every kind of news has words for all that an entry can lack', (t) => {
  const names = {
    owner: 'A Press',
    person: '',
    doer: '',
    organization: '',
    title: '',
    path: '/organizations/press',
    ...ours,
  }
  for (const [action, kind] of Object.entries(newsKinds)) {
    const entry = { seq: 1, at: '2026-01-01T00:00:00.000Z', action } as never
    for (const text of [
      kind.subject(entry, names, 1),
      kind.text(entry, names, 1),
      kind.text(entry, names, 3),
      ...(kind.more?.(entry, names) ?? []),
      kind.toDo,
    ]) {
      t.notRegex(textIn(english, text), /undefined|\n/)
    }
    t.regex(kind.path(entry, names), /^\/[a-z]/)
  }
})

test('news are in the language of their reader', (t) => {
  const about = { person: '', organization: 'Union', title: '', path: '/x', ...ours }
  const names = { ...about, owner: 'A Press', doer: 'Ada' }
  const mailOf = (action: 'consortium_joined' | 'created', tag: string) => {
    const kind = newsKinds[action]
    const entry = { seq: 1, at: '2026-01-01T00:00:00.000Z', action, key_id: 'abc' } as const
    const language = languageOf(tag)
    t.truthy(kind)
    t.truthy(language)
    if (kind === undefined || language === undefined) throw new Error('unreachable')
    const news = {
      id: '0',
      subject: kind.subject(entry, names, 1),
      text: kind.text(entry, names, 1),
      toDo: kind.toDo,
      page: 'https://registry.example/x',
      switches: 'https://registry.example/account/mail',
    }
    return newsMessage({ email: 'ada@example.org', language }, news)
  }
  t.like(mailOf('consortium_joined', 'fr'), {
    language: 'fr',
    subject: 'A Press fait maintenant partie de Union',
  })
  t.regex(mailOf('consortium_joined', 'fr').text, /^Bonjour,[^]*\n\nhttps:/)
  t.like(mailOf('consortium_joined', 'en'), { subject: 'A Press is part of Union now' })
  const created = mailOf('created', 'de')
  t.is(created.subject, 'Ein API-Schlüssel von A Press wurde erstellt')
  t.regex(created.text, /Ada hat den API-Schlüssel abc von A Press erstellt\./)
})
