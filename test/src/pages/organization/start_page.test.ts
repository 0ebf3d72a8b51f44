import test from 'ava'

import { openPress, signUpMember } from '#test/src/pages/_members.ts'

const base = '/auth/organizations/press'

const work = {
  work_title: 'Notes',
  authors: 'Ada Lovelace',
  work_url: 'https://press.example/notes',
}

test('the start page tells works by month, type and content, and what ends soon', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'owner')
  const empty = (await browser.get(base)).body
  t.regex(empty, /Nothing to do\./)
  t.regex(empty, /None since \d{4}-\d{2}/)
  t.regex(empty, /No works yet/)

  const by = { type: 'organization', id: 'press', name: 'A Press', via: 'api_key' } as const
  const command = {
    by,
    warnings: [],
    allowDuplicate: false,
    allowRepeat: true,
    dryRun: false,
  }
  for (const [title, work_type] of [
    ['One', 'article'],
    ['Two', 'article'],
    ['Three', 'book'],
  ] as const) {
    const metadata = { ...work, work_title: title, work_type }
    const answer = await registry.environments.live.works.register({ ...command, metadata })
    t.is(answer.type, 'registered')
  }
  await browser.submit(`${base}/keys`, { 'works:read': 'on', label: 'Nightly', days: '3' })
  const { body } = await browser.get(base)
  t.regex(body, /<strong>3<\/strong> since/)
  t.regex(body, /aria-label="Works registered from [\d-]+ to [\d-]+\. Highest: 3 in [\d-]+\."/)
  t.regex(body, /<th scope="row">Article<\/th><td class="share-count">2<\/td>/)
  t.regex(body, /not checked yet<\/span><\/th><td class="share-count">3<\/td>/)
  t.regex(body, /The key <a [^>]+>Nightly<\/a> expires on/)
})

test('who would leave last is told what to do, and others are asked first', async (t) => {
  const registry = await openPress(t)
  const owner = await signUpMember(t, registry, 'owner')
  const viewer = await signUpMember(t, registry, 'viewer')
  const last = await owner.browser.get(`${base}/members/${owner.ppid}/remove`)
  t.regex(last.body, /You are the only owner/)
  t.regex(last.body, /make another member an owner/)
  t.notRegex(last.body, /Leave organization<\/button>/)

  const asked = await viewer.browser.get(`${base}/members/${viewer.ppid}/remove`)
  t.regex(asked.body, /Leave A Press\?/)
  const { organizations } = registry.environments.live
  t.is(organizations.members('press')?.length, 2, 'a question changes nothing')
  const others = await viewer.browser.get(`${base}/members/${owner.ppid}/remove`)
  t.is(others.status, 403)
  const left = await viewer.browser.submit(
    `${base}/members/${viewer.ppid}/remove`,
    { ppid: viewer.ppid },
    `${base}/members/remove`,
  )
  t.is(left.headers.location, '/auth/organizations?done=left')
  t.is(organizations.members('press')?.length, 1)
})
