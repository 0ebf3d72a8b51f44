import test, { type ExecutionContext } from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import type { TestRegistry } from '#test/src/_registry.ts'
import { openPress, type Signed, signUp, signUpMember } from '#test/src/pages/_members.ts'

const list = '/auth/organizations/press/claims'
const disputes = '/auth/admin/claims'
const press = { type: 'organization', id: 'press', name: 'A Press', via: 'api_key' } as const

/** Registers a work of the organization; gives its ARK, `ark:/…`. */
async function registerWork(
  t: ExecutionContext,
  { environments }: TestRegistry,
  authors = 'Ada',
): Promise<string> {
  const metadata = {
    work_title: 'On <i>the</i> order of things',
    work_type: 'article',
    authors,
    work_url: 'https://x.org/',
  } as const
  const allowed = { allowDuplicate: true, allowRepeat: true }
  const command = { metadata, warnings: [], by: press, ...allowed, dryRun: false }
  const registered = await environments.live.works.register(command)
  return registered.type === 'registered' ? registered.work.ark_identifier : t.fail()
}

/** Claims a work; gives the address of the claim's page for the organization. */
async function claimWork(
  t: ExecutionContext,
  { environments }: TestRegistry,
  { ppid }: Signed,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const by = { type: 'person', id: ppid, name: ppid, via: 'ui' } as const
  const made = await environments.live.claims.make({ ppid, body, by })
  return made.type === 'claimed' ? made.claim.claim_id : t.fail(made.type)
}

/** Says something of a claim as the organization. */
function say(
  { environments }: TestRegistry,
  { ppid }: Signed,
  ark: string,
  step: 'confirm' | 'reject',
) {
  const claim = environments.live.claims.read(ppid, ark.replace('ark:/', ''))
  const body = step === 'confirm' ? { confirm_mismatch: 'So it is' } : {}
  return environments.live.claims.change({ ppid, ark: claim?.ark ?? '', step, body, by: press })
}

async function signUpAdmin(t: ExecutionContext, registry: TestRegistry): Promise<Signed> {
  const chief = await signUp(t, registry, 'chief')
  await registry.accounts.accounts.setAdmin(chief.ppid, true, operator)
  return chief
}

test('an editor answers those who claim works of the organization', async (t) => {
  const registry = await openPress(t)
  const editor = await signUpMember(t, registry, 'editor')
  const viewer = await signUpMember(t, registry, 'viewer')
  const ada = await signUp(t, registry, 'ada')
  const { claims } = registry.environments.live
  const ark = await registerWork(t, registry)
  const id = await claimWork(t, registry, ada, { ark_identifier: ark, message: 'Mine <b>' })
  const rows = (await viewer.browser.get(list)).body
  t.regex(
    rows,
    new RegExp(`href="${list}/${id}"><bdi>On &#60;i&#62;the&#60;/i&#62; order of things<`),
  )
  t.regex(rows, /no mismatch</)
  const page = (await viewer.browser.get(`${list}/${id}`)).body
  t.regex(page, /Mine &#60;b&#62;/)
  t.notRegex(page, /Confirm|Refuse/, 'who only reads is offered nothing')
  t.is((await viewer.browser.get(`${list}/${id}/refuse`)).status, 403)
  t.is((await viewer.browser.submit(list, { step: 'confirm' }, `${list}/${id}`)).status, 403)
  const send = (step: string, to = `${list}/${id}`) => editor.browser.submit(list, { step }, to)
  t.is((await send('disclaim')).status, 400)
  t.is((await send('confirm', `${list}/claim_none`)).status, 404)
  t.is((await send('confirm')).headers.location, `${list}?done=confirm`)
  t.is(claims.find(id)?.status, 'verified')
  const decided = (await editor.browser.get(`${list}/${id}`)).body
  t.regex(decided, /confirmed<\/span> The publisher confirmed it\./)
  t.notRegex(decided, /Your decision/, 'what is decided is offered no more')
})

test('a claim is refused on a page that asks', async (t) => {
  const registry = await openPress(t)
  const editor = await signUpMember(t, registry, 'editor')
  const ada = await signUp(t, registry, 'ada')
  const { claims } = registry.environments.live
  const id = await claimWork(t, registry, ada, { ark_identifier: await registerWork(t, registry) })
  const page = (await editor.browser.get(`${list}/${id}`)).body
  t.regex(page, new RegExp(`href="${list}/${id}/refuse">Decline…<`))
  t.notRegex(page, /value="reject"/, 'no button refuses at once')
  const asked = await editor.browser.get(`${list}/${id}/refuse`)
  t.regex(asked.body, /Decline this claim\?/)
  t.is(claims.find(id)?.status, 'pending')
  const done = await editor.browser.submit(
    `${list}/${id}/refuse`,
    { step: 'reject' },
    `${list}/${id}`,
  )
  t.is(done.headers.location, `${list}?done=reject`)
  t.is(claims.find(id)?.status, 'rejected')
  t.is((await editor.browser.get(`${list}/${id}/refuse`)).status, 409)
})

test('who agrees to what does not match sees that, and says why', async (t) => {
  const registry = await openPress(t)
  const editor = await signUpMember(t, registry, 'editor')
  const mallory = await signUp(t, registry, 'mallory')
  const { claims, people } = registry.environments.live
  const asMallory = { type: 'person', id: mallory.ppid, name: mallory.ppid, via: 'ui' } as const
  await people.linkOrcid({
    ppid: mallory.ppid,
    orcid: '0000-0002-1825-0097',
    authenticated: false,
    by: asMallory,
  })
  const ark = await registerWork(t, registry, 'Ada; Bob')
  const claimed = { ark_identifier: ark, author_position: 2, message: 'Trust me' }
  const id = await claimWork(t, registry, mallory, claimed)
  t.regex((await editor.browser.get(list)).body, /1 mismatch</)
  const page = (await editor.browser.get(`${list}/${id}`)).body
  t.regex(page, /<h1>On &#60;i&#62;the&#60;\/i&#62; order of things<\/h1>/)
  t.regex(page, /<strong><bdi>Bob<\/bdi><\/strong>\s<span[^>]*>claimed, 2 of 2</)
  t.regex(
    page,
    new RegExp(
      `href="[^"]*/people/${mallory.ppid}"><bdi>mallory \\(mallory@example\\.org\\)</bdi></a>`,
    ),
  )
  t.regex(page, /The author at this place is “Bob”, and the person is “mallory”/)
  t.regex(page, /0000-0002-1825-0097[\s\S]*typed, never signed in with/)
  t.notRegex(page, /signed in with an ORCID iD/)
  const send = (more: Readonly<Record<string, string>> = {}) =>
    editor.browser.submit(`${list}/${id}`, { step: 'confirm', ...more }, `${list}/${id}`)
  const wordless = await send()
  t.is(wordless.status, 422)
  t.regex(wordless.body, /The claim does not match the work: say why you are confirming anyway/)
  t.is(claims.find(id)?.status, 'pending')
  const agreed = await send({ confirm_mismatch: 'It is a pen name' })
  t.is(agreed.headers.location, `${list}?done=confirm`)
  t.like(claims.find(id), { status: 'verified', basis: 'registrant' })
})

test('the claimed author is marked, however many stand before', async (t) => {
  const registry = await openPress(t)
  const viewer = await signUpMember(t, registry, 'viewer')
  const zoe = await signUp(t, registry, 'zoe')
  const authors = Array.from({ length: 70 }, (_, index) => `Author ${index + 1}`).join('; ')
  const ark = await registerWork(t, registry, authors)
  const id = await claimWork(t, registry, zoe, { ark_identifier: ark, author_position: 60 })
  const page = (await viewer.browser.get(`${list}/${id}`)).body
  t.regex(page, /<li value="60"><strong><bdi>Author 60<\/bdi><\/strong>\s<[^>]*>claimed, 60 of 70</)
  t.regex(page, /and 41 more authors[\s\S]*19 more authors are in the record/)
})

test('who counts as the same author already stands beside a claim', async (t) => {
  const registry = await openPress(t)
  const viewer = await signUpMember(t, registry, 'viewer')
  const [ada, bob, eve] = await Promise.all(
    ['ada', 'bob', 'eve'].map((name) => signUp(t, registry, name)),
  )
  if (ada === undefined || bob === undefined || eve === undefined) return t.fail()
  const ark = await registerWork(t, registry, 'Ada; Bob')
  for (const [person, author_position] of [
    [ada, 1],
    [bob, 2],
  ] as const) {
    await claimWork(t, registry, person, { ark_identifier: ark, author_position })
    await say(registry, person, ark, 'confirm')
  }
  const id = await claimWork(t, registry, eve, { ark_identifier: ark, author_position: 1 })
  const page = (await viewer.browser.get(`${list}/${id}`)).body
  t.regex(page, /<bdi>ada<\/bdi><\/a>, author 1 <span[^>]*>same place as this claim</)
  t.regex(page, /<bdi>bob<\/bdi><\/a>, author 2 <\/li>/)
  t.regex(page, /<dt>Registered by<\/dt><dd><bdi>A Press<\/bdi>/)
})

test('an administrator who is no member decides as an administrator', async (t) => {
  const registry = await openPress(t)
  const chief = await signUpAdmin(t, registry)
  const ada = await signUp(t, registry, 'ada')
  const id = await claimWork(t, registry, ada, { ark_identifier: await registerWork(t, registry) })
  const page = (await chief.browser.get(`${list}/${id}`)).body
  t.regex(page, /You decide as an administrator/)
  const sent = await chief.browser.submit(`${list}/${id}`, { step: 'confirm' }, `${list}/${id}`)
  t.is(sent.status, 303)
  t.like(registry.environments.live.claims.find(id), { status: 'verified', basis: 'admin' })
})

test('claims in dispute wait for administrators alone, who see both sides', async (t) => {
  const registry = await openPress(t)
  const chief = await signUpAdmin(t, registry)
  const editor = await signUpMember(t, registry, 'editor')
  const ada = await signUp(t, registry, 'ada')
  const { claims } = registry.environments.live
  const ark = await registerWork(t, registry)
  const id = await claimWork(t, registry, ada, { ark_identifier: ark, message: 'It is mine' })
  await say(registry, ada, ark, 'reject')
  t.regex((await chief.browser.get(disputes)).body, /No contested claims/)
  const own = `/auth/account/works/${id}`
  const contest = { step: 'contest', reason: 'I have the manuscript' }
  t.is((await ada.browser.submit(own, contest, own)).status, 303)
  for (const path of [disputes, `${disputes}/${id}`, `${disputes}/${id}/refuse`]) {
    t.is((await editor.browser.get(path)).status, 403, path)
  }
  t.regex((await chief.browser.get(disputes)).body, new RegExp(`href="${disputes}/${id}"`))
  const page = (await chief.browser.get(`${disputes}/${id}`)).body
  t.regex(page, /It is mine[\s\S]*I have the manuscript/)
  const refuse = { step: 'reject' }
  const sent = await chief.browser.submit(`${disputes}/${id}/refuse`, refuse, `${disputes}/${id}`)
  t.is(sent.headers.location, `${disputes}?done=reject`)
  t.like(claims.find(id), { status: 'rejected', basis: 'admin' })
  t.regex((await ada.browser.get(own)).body, /declined by an administrator/)
  const seen = (await editor.browser.get(`${list}/${id}`)).body
  t.regex(seen, /declined by an administrator<\/span>/)
  t.notRegex(
    seen,
    /Your decision/,
    'the organization is not offered what only administrators can do',
  )
})

test('a page offers a person what they can say of a claim, and nothing else', async (t) => {
  const registry = await openPress(t)
  const ada = await signUp(t, registry, 'ada')
  const { claims } = registry.environments.live
  const ark = await registerWork(t, registry)
  const id = await claimWork(t, registry, ada, { ark_identifier: ark })
  const own = `/auth/account/works/${id}`
  const offered = async () => {
    const { body } = await ada.browser.get(own)
    return [...body.matchAll(/name="step" value="(\w+)"/g)].map(([, step]) => step)
  }
  t.deepEqual(await offered(), ['withdraw'])
  await say(registry, ada, ark, 'confirm')
  t.deepEqual(await offered(), ['withdraw'], 'who is right contests nothing')
  const sent = await ada.browser.submit(own, { step: 'contest', reason: 'No' }, own)
  t.is(sent.status, 403, 'and could not')
  const by = { type: 'operator', id: 'operator', name: 'O', via: 'cli', admin: true } as const
  const claim = claims.find(id)
  await claims.change({ ppid: ada.ppid, ark: claim?.ark ?? '', step: 'reject', by })
  t.deepEqual(await offered(), ['contest'])
})
