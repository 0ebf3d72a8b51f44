import test from 'ava'

import { serve } from '#test/src/delivery/fetch/_servers.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { admin } from '#test/src/pages/_members.ts'

const content = '/auth/organizations/demo/content'

test('content that cannot be read is listed with the reason, and can be read again', async (t) => {
  let status = 404
  const server = await serve(t, (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain' })
    response.end('text')
  })
  const checksContent = Promise.resolve()
  const registry = await serveRegistry({ FETCH_ALLOW: server.hostPort }, { checksContent })
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const browser = new JarBrowser(registry.port, registry.baseUrl)
  const person = { name: 'Ed', email: 'ed@example.org', password: 'a long enough sentence' }
  const ppid = await browser.signUp(person)
  const { organizations, catalogue } = registry.environments.live
  await organizations.addMember({ slug: 'demo', ppid, role: 'editor', by: admin })
  t.regex((await browser.get(content)).body, /Nothing to do/)

  const { ark_identifier: ark } = await mint(registry, key, { work_url: `${server.url}/<b>` })
  let after = 0
  const fixity = async () => {
    for (;;) {
      const path = `/v1/changes?after=${after}&limit=1&wait=30`
      const page = (await registry.call(path, { key })).json()
      after = page['next'] as number
      const [change] = page['changes'] as Record<string, unknown>[]
      if (change?.['type'] === 'work.fixity_changed') return
    }
  }
  await fixity()
  const failing = (await browser.get(content)).body
  t.regex(failing, /Content was never confirmed/)
  t.regex(failing, /the server answered 404/)
  t.regex(failing, /Make the address return the file/)
  t.true(failing.includes(server.hostPort))
  const link = /href="[^"]*(\?standing[^"]*)"/.exec(failing)?.[1] ?? ''
  const query = link.replaceAll('&#38;', '&').replaceAll('&#61;', '=')
  const group = (await browser.get(content + query)).body
  t.true(group.includes(ark))
  t.notRegex(group, /<b>/)
  const start = (await browser.get('/auth/organizations/demo')).body
  t.regex(start, /1 work<\/a> has content that/)
  t.regex(start, /Newest failures/)

  status = 200
  const cause = Object.fromEntries(new URLSearchParams(query))
  const again = await browser.postThen(`${content}/recheck-group`, cause)
  t.regex(again.body, /We check the contents again/)
  await fixity()
  t.is(catalogue.state(ark.replace('ark:/', ''))?.fixity_status, 'verified')
  t.regex((await browser.get(content)).body, /Nothing to do/)
})
