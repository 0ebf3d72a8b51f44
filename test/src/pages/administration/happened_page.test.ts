import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { goodWork } from '#test/src/_registry.ts'
import { openPress, signUp } from '#test/src/pages/_members.ts'

const path = '/auth/admin/happened'

test('an administrator sees what happened in a time, to the minute', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  t.is((await root.browser.get(path)).status, 403)
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const press = { type: 'organization', id: 'press', name: 'A Press' } as const
  await registry.environments.live.works.register({
    metadata: { ...goodWork, work_type: 'article' },
    by: { ...press, via: 'ui' },
    warnings: [],
    allowDuplicate: false,
    allowRepeat: false,
    dryRun: false,
  })
  const [entry] = await registry.oauth.audit.readAll({ limit: 1 })
  const { at = '' } = entry?.entry ?? {}
  const [day, minute] = [at.slice(0, 10), at.slice(11, 16)]
  const page = async (query: Record<string, string>) =>
    (await root.browser.get(`${path}?${new URLSearchParams(query)}`)).body
  const now = await page({ day, from: minute, until: '23:59' })
  t.regex(now, /made an administrator|became an administrator|administrator/)
  t.regex(now, /Entries of the live log<\/dt>\s*<dd>1: <a href="[^"]*\/log\/entries\/0">0<\/a>/)
  t.regex(now, /Refused requests<\/dt>\s*<dd>not kept/)
  const before = await page({ day: '2020-01-01', from: '15:00', until: '15:59' })
  t.regex(before, /Entries of the live log<\/dt>\s*<dd>0<\/dd>/)
  t.regex(before, /<h2>Changes<\/h2>\s*<p>None\./)
  for (const wrong of [
    { day: 'yesterday', from: '15:00', until: '16:00' },
    { day, from: '16:00', until: '15:00' },
    { day: '2026-02-31', from: '25:00', until: '26:00' },
  ]) {
    t.regex(await page(wrong), /Enter a day such as 2026-11-28/)
  }
})
