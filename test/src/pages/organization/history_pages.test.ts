import test from 'ava'

import { openPress, signUpMember } from '#test/src/pages/_members.ts'

const base = '/auth/organizations/press'

const citations = ['a', 'b', 'c']
  .map((key) => {
    const fields = `title={Title ${key} <i>}, author={Ox, Ada}, url={https://x.org/${key}}`
    return `@misc{${key}, ${fields}}`
  })
  .join('\n')

test('the history has works, members and keys, by kind, person and day', async (t) => {
  const registry = await openPress(t)
  const owner = await signUpMember(t, registry, 'owner')
  const editor = await signUpMember(t, registry, 'editor')
  const { works, holdings } = registry.environments.live
  const carry = async (path: string, fields: Record<string, string>) => {
    const { body } = await editor.browser.submit(`${base}${path}`, fields)
    const hidden = [...body.matchAll(/name="(csrf|once)" value="([^"]*)"/g)]
    return Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  }
  const hidden = await carry('/import', { citations })
  await editor.browser.post(`${base}/import/register`, { citations, ...hidden })
  const listed = await holdings.works({ type: 'organization', id: 'press' }, { limit: 3 })
  const [ark = ''] = listed.works.map(({ ark_identifier: each }) => each.slice('ark:/'.length))
  const press = { type: 'organization', id: 'press', name: 'A Press', via: 'ui' } as const
  await works.withdraw({ ark, reason: 'test', by: { ...press, member: owner.ppid } })

  const history = (query = '') => owner.browser.get(`${base}/history${query}`)
  const all = (await history()).body
  t.true(all.indexOf('Withdrawn') < all.indexOf('Import of 3 works'), 'the newest first')
  t.true(all.indexOf('Import of 3 works') < all.indexOf('New member'))
  t.regex(all, /and 2 more works/)
  t.notRegex(all, /<i>/)
  const byEditor = (await history(`?by=person:${editor.ppid}`)).body
  t.regex(byEditor, /Import of 3 works/)
  t.notRegex(byEditor, /Reason: It was a test|New member/)
  const ends = (await history('?kind=withdrawal')).body
  t.regex(ends, /Reason: It was a test/)
  t.notRegex(ends, /Import of/)
  t.regex((await history('?until=2020-01-01')).body, /Nothing matches/)
  t.regex((await history('?from=2026-02-30')).body, /is not a day/)

  const file = await history('/csv?kind=registration')
  t.is(file.headers['content-type'], 'text/csv; charset=utf-8')
  const [head, line, ...others] = file.body.trimEnd().split('\r\n')
  t.is(head, '\uFEFFtime,since,kind,what,detail,works,ark,title,by')
  t.regex(line ?? '', /,registration,Import of 3 works,,3,ark:\/12345\/k2\w+,Title \w/)
  t.deepEqual(others, [])
  t.is((await editor.browser.get(`${base}/history/csv`)).status, 403)
})
