import test, { type ExecutionContext } from 'ava'

import type { MemberRole } from '#actors/values/authority.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { admin } from '#test/src/pages/_members.ts'
import { openPage } from '#test/src/pages/_reader.ts'

const form = {
  work_title: 'Tides of the North',
  work_type: 'article',
  authors: 'Ada Lovelace',
  work_url: 'https://press.example/tides.pdf',
}

async function openWork(t: ExecutionContext) {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:write'] })
  const { ark_identifier: ark } = await mint(registry, key, form)
  return { registry, key, ark }
}

/** Somebody who is signed in, as a member of the organization that has the work, or of none. */
async function signUp(registry: ServedRegistry, name: string, role?: MemberRole) {
  const browser = new JarBrowser(registry.port, registry.baseUrl)
  const email = `${name.slice(0, 2).toLowerCase()}@example.org`
  const ppid = await browser.signUp({ name, email, password: 'a long enough sentence' })
  const { organizations } = registry.environments.live
  if (role !== undefined) await organizations.addMember({ slug: 'demo', ppid, role, by: admin })
  return browser
}

function headerOf(body: string): string {
  return body.slice(0, body.indexOf('</header>'))
}

test('public pages say who is signed in, and lead to what is theirs', async (t) => {
  const { registry, ark } = await openWork(t)
  const ed = await signUp(registry, 'Ed <i>', 'editor')
  for (const path of ['/', '/search', '/how-it-works', `/${ark}`, '/docs', '/log']) {
    const { body, headers } = await ed.get(path)
    t.true(body.includes('<summary><bdi>Ed &#60;i&#62;</bdi></summary>'), path)
    t.true(body.includes('<a href="/auth/organizations/demo"><bdi>Demo'), path)
    t.false(headerOf(body).includes('>Sign in</a>'), path)
    t.is(headers['cache-control'], 'private, no-store', path)
    t.regex(String(headers.vary), /\bCookie\b/, path)
    t.is(headers.etag, undefined, 'a tag would be that of the page for everybody')
  }
  await ed.get('/auth/account')
  await ed.postThen('/auth/sign-out', {})
  const { body, headers } = await ed.get('/')
  t.true(headerOf(body).includes('>Sign in</a>'))
  t.false(body.includes('Ed &#60;i&#62;'))
  t.not(headers['cache-control'], 'private, no-store')
})

test('nobody is sent the page of somebody else', async (t) => {
  const { registry, ark } = await openWork(t)
  const [ed, bo] = [await signUp(registry, 'Ed', 'editor'), await signUp(registry, 'Bo')]
  for (const path of ['/', `/${ark}`, '/search']) {
    for (let times = 0; times < 3; times += 1) {
      t.regex((await ed.get(path)).body, /<summary><bdi>Ed</)
      t.regex((await bo.get(path)).body, /<summary><bdi>Bo</)
      const { body, headers } = await openPage(registry, path)
      t.regex(String(headers.vary), /\bCookie\b/, path)
      t.notRegex(body, /<summary><bdi>(?:Ed|Bo)</, path)
      t.regex(body, />Sign in<\/a>/)
    }
  }
})

test('a work offers its page’s reader what the reader may do, and nothing else', async (t) => {
  const { registry, key, ark } = await openWork(t)
  const roles = { Ed: 'editor', Vi: 'viewer', Bo: undefined } as const
  const base = `/auth/organizations/demo/works/${ark.split('/').at(-1)}`
  const browsers = new Map<string, JarBrowser>()
  for (const [name, role] of Object.entries(roles)) {
    const browser = await signUp(registry, name, role)
    browsers.set(name, browser)
    const { body } = await browser.get(`/${ark}`)
    for (const way of ['edit', 'new-version', 'withdraw']) {
      const link = `href="${base}/${way}"`
      t.is(body.includes(link), name === 'Ed', `${name}: ${way}`)
      if (name === 'Ed') t.is((await browser.get(`${base}/${way}`)).status, 200)
    }
    const list = (await browser.get('/auth/organizations/demo/works')).body
    t.is(list.includes(`href="${base}/edit" aria-label="Edit Tides of the North"`), name === 'Ed')
  }
  const { body } = await openPage(registry, `/${ark}`)
  t.false(body.includes(base))
  await registry.call(`/v1/works/${ark}/withdraw`, {
    method: 'POST',
    key,
    body: { reason: 'test' },
  })
  t.false((await browsers.get('Ed')?.get(`/${ark}`))?.body.includes(base))
})
