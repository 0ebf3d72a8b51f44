import test from 'ava'

import type { Agent } from '#actors/values/agent.ts'
import { openRegistry } from '#test/src/_registry.ts'
import { Browser } from '#test/src/pages/_browser.ts'

const ada = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'a long enough sentence' }

test('nobody sees who has just signed up, unless they chose so', async (t) => {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(() => registry.close())
  const { server, accounts, environments } = registry
  const form = (await new Browser(server).get('/auth/sign-up')).body
  t.regex(form, /Who sees your profile[^]*value="name" selected/)
  const reader = new Browser(server)
  const signUp = async (chosen: Record<string, string>) => {
    const email = `${Object.values(chosen).join('')}-ada@example.org`
    await new Browser(server).submit('/auth/sign-up', { ...ada, ...chosen, email })
    const { ppid = '' } = accounts.accounts.findByEmail(email) ?? {}
    const { body } = await reader.get(`/people/${ppid}`)
    return { ppid, body }
  }
  for (const chosen of [{}, { seen_by: 'private' }, { seen_by: 'trusted' }, { seen_by: 'all' }]) {
    const { ppid, body } = await signUp(chosen)
    t.false(body.includes(ada.name), JSON.stringify(chosen))
    t.true(body.includes(ppid))
  }
  const named = (await signUp({ seen_by: 'name' })).ppid
  const seen = environments.live.people.read(named)
  if (seen?.type !== 'person') return t.fail('nobody')
  t.like(seen.profile.visibility, { name: 'public', username: 'public', claims: 'private' })
  const { ppid, body } = await signUp({ seen_by: 'public' })
  t.true(body.includes(ada.name))
  t.false(body.includes('@example.org'))

  const press = { type: 'organization', id: 'press', name: 'A Press' } as const
  const by: Agent = { ...press, via: 'oauth', client_id: 'desk', on_behalf_of: ppid }
  const own: Agent = { type: 'person', id: ppid, name: ppid, via: 'ui' }
  const { people } = environments.live
  const item = { ppid, kind: 'affiliation' } as const
  await people.putItem({ ...item, body: { organization: 'University of London' }, by })
  await people.putItem({ ...item, body: { organization: 'Royal Society' }, by: own })
  const { body: shown } = await reader.get(`/people/${ppid}`)
  const said = (who: string) => `added by ${who} on <time datetime="[^"]+">1 Jan 2026</time>`
  const [, jsonLd = ''] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(shown) ?? []
  t.like(JSON.parse(jsonLd), {
    '@type': 'ProfilePage',
    mainEntity: {
      '@type': 'Person',
      name: ada.name,
      identifier: ppid,
      affiliation: [
        { '@type': 'Organization', name: 'University of London' },
        { '@type': 'Organization', name: 'Royal Society' },
      ],
    },
  })
  t.notRegex(shown, /search\/export/, 'nobody without works has them to be saved')
  t.regex(shown, new RegExp(`Royal Society[^]*${said('the person')}`))
  t.regex(shown, new RegExp(`University of London[^]*${said('A Press')}`))
  t.notRegex(shown, /changed on/)
})
