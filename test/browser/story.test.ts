import { text as readText } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'

import { fileOwner } from '#test/browser/_file_owner.ts'
import { fill, pushButton } from '#test/browser/_page_actions.ts'
import type { Credentials, Tokens } from '#test/browser/_publisher.ts'
import { Scene } from '#test/browser/_scene.ts'
import { allScopes, people } from '#test/browser/_world.ts'
import { call } from '#test/scenario/_process.ts'

const owner = fileOwner()

for (const javaScriptEnabled of [true, false]) tellStory(javaScriptEnabled)

/** The life of an account, told by serial tests: each goes on where the one before has ended. */
function tellStory(javaScriptEnabled: boolean): void {
  let scene: Scene
  let root: Page
  let ada: Page
  let application: Credentials
  let tokens: Tokens
  const step = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
    test.serial(`${javaScriptEnabled ? 'with' : 'without'} scripts: ${title}`, async (t) => {
      await run(t)
      t.deepEqual(scene.faults, [])
    })

  step('the link of the start makes the first administrator, once', async (t) => {
    scene = await Scene.open(owner, { javaScriptEnabled })
    root = await scene.setUp()
    t.is(await root.textContent('h1'), people.root.name)
    const again = await scene.newWindow()
    await again.goto(scene.server.started.setup_url ?? '')
    t.is(await again.textContent('h1'), 'This is no longer valid')
  })
  step('a researcher signs up, and is told what is not right yet', async (t) => {
    ada = await scene.newWindow()
    await signUpWrongly(t, scene, ada)
    await fill(ada, people.ada)
    await pushButton(ada, 'Create account')
    t.regex(await textOf(ada), /Your account is ready/)
    await ada.goto(await scene.mailbox.link('verify', people.ada.email))
    await pushButton(ada, 'Confirm this address')
    t.regex(await textOf(ada), /Your e-mail address is (?:verified|confirmed)/)
  })
  step('an organization is entered, and registers an application', async (t) => {
    await foundPress(t, scene, ada, root)
    application = await registerApplication(t, scene, ada)
  })
  step('a researcher permits the application some of what it asks for', async (t) => {
    tokens = await permitSome(t, scene, ada, application)
  })
  step('what it writes stands on the profile, with its source', async (t) => {
    await writeForAda(t, scene, ada, tokens)
  })
  step(
    'whoever claims to be an author is looked at, and what does not match is seen',
    async (t) => {
      await reviewClaim(t, scene, ada)
    },
  )
  step('it is undone with one click, and stays in the history', async (t) => {
    await undoAll(t, scene, ada)
  })
  step('a permission that is taken back opens nothing', async (t) => {
    await takeBack(t, scene, { root, ada }, tokens)
  })
  step('a key of a researcher is shown once, used, replaced and revoked', async (t) => {
    await keepKeys(t, scene, ada)
  })
  step('all that is held of somebody comes as one file', async (t) => {
    await exportAccount(t, scene, ada)
  })
  step('who has forgotten the password is sent a link', async (t) => {
    await resetPassword(t, scene, ada)
  })
  step('an account that is deleted is gone for everybody', async (t) => {
    await deleteAccount(t, scene, ada)
  })
}

/** What a person reads of a page, but for its navigation. */
async function textOf(page: Page): Promise<string> {
  await page.waitForLoadState()
  return page.locator('main').innerText()
}

async function signUpWrongly(t: ExecutionContext, scene: Scene, page: Page): Promise<void> {
  await page.goto(scene.at('/sign-up'))
  await fill(page, { name: people.ada.name, username: 'Ada!', email: 'ada', password: 'short' })
  await pushButton(page, 'Create account')
  t.is(await page.title(), 'Error: Create an account · Arklog')
  for (const name of ['username', 'email', 'password']) {
    const field = page.locator(`main [name="${name}"]`)
    t.is(await field.getAttribute('aria-invalid'), 'true', name)
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
    t.true(ids.includes(`field-${name}-fault`), name)
    t.not(await page.locator(`#field-${name}-fault`).textContent(), '', name)
  }
  t.is(await page.inputValue('main [name="name"]'), people.ada.name)
  t.is(await page.inputValue('main [name="email"]'), 'ada')
  t.is(await page.inputValue('main [name="password"]'), '', 'no page carries a password')
  await fill(page, { username: 'ada', seen_by: 'public' })
}

async function foundPress(t: ExecutionContext, scene: Scene, ada: Page, root: Page): Promise<void> {
  await ada.getByRole('link', { name: 'Organizations' }).click()
  await fill(ada, { slug: 'press', name: 'Taylor Press', message: 'I translate for it.' })
  await pushButton(ada, 'Send request')
  t.regex(await textOf(ada), /waiting for an administrator/)
  await root.goto(scene.at('/admin/organizations'))
  t.regex(await textOf(root), /I translate for it/)
  await pushButton(root, 'Approve request')
  await ada.reload()
  await ada.getByRole('link', { name: 'Taylor Press' }).click()
  t.regex(await textOf(ada), /Your role\s+owner/)
}

async function registerApplication(
  t: ExecutionContext,
  scene: Scene,
  ada: Page,
): Promise<Credentials> {
  await ada.goto(scene.at('/organizations/press/applications'))
  const scopes = allScopes.map((scope) => [scope, 'on'] as const)
  const { redirectUri: redirect_uris } = scene.publisher
  await fill(ada, { name: 'Journals', redirect_uris, ...Object.fromEntries(scopes) })
  await pushButton(ada, 'Register application')
  const client_id = (await ada.textContent('main .facts code')) ?? ''
  const client_secret = (await ada.textContent('.secret-text')) ?? ''
  await ada.goto(scene.at('/organizations/press/applications'))
  t.regex(await textOf(ada), /Journals\s+not verified/)
  t.false((await ada.content()).includes(client_secret), 'it is shown once')
  return { client_id, client_secret }
}

async function permitSome(
  t: ExecutionContext,
  { publisher }: Scene,
  ada: Page,
  application: Credentials,
): Promise<Tokens> {
  await ada.goto(publisher.question(application, allScopes))
  t.is(await ada.textContent('h1'), 'Permit Journals?')
  t.regex(await textOf(ada), /We have not checked who runs this application/)
  t.regex(await textOf(ada), /It can read[\s\S]*e-mail[\s\S]*It can write[\s\S]*Add works/)
  await ada.getByLabel('See your e-mail address').uncheck()
  await pushButton(ada, 'Permit')
  await ada.waitForURL(`${publisher.redirectUri}*`)
  t.is(publisher.answer['state'], 'a state of the press')
  const tokens = await publisher.redeem(application)
  t.deepEqual(
    tokens.scope.split(' ').toSorted(),
    allScopes.filter((scope) => scope !== 'email').toSorted(),
  )
  return tokens
}

const title = 'Sketch of the Analytical Engine'

async function writeForAda(
  t: ExecutionContext,
  scene: Scene,
  ada: Page,
  tokens: Tokens,
): Promise<void> {
  t.is((await scene.publisher.writeWork(tokens, title)).status, 201)
  t.is((await scene.publisher.writeAffiliation(tokens, 'University of London')).status, 201)
  await ada.goto(scene.at('/account'))
  const affiliation =
    /Fellow, Mathematics, University of London[\s\S]*Taylor Press, through Journals/
  t.regex(await textOf(ada), affiliation)
  await ada.getByRole('link', { name: 'Works', exact: true }).click()
  t.regex(await textOf(ada), /Sketch of the Analytical Engine[\s\S]*counts as mine/)
  t.regex(await textOf(ada), /Taylor Press, through Journals/)
  const reader = await scene.newWindow()
  await ada.goto(scene.at('/account'))
  await reader.goto((await ada.getByRole('link', { name: '/people/' }).getAttribute('href')) ?? '')
  t.regex(await textOf(reader), /Sketch of the Analytical Engine/)
  t.regex(await textOf(reader), /University of London[\s\S]*added by Taylor Press/)
}

async function reviewClaim(t: ExecutionContext, scene: Scene, ada: Page): Promise<void> {
  await ada.goto(scene.at('/organizations/press/works'))
  const ark = (await ada.locator('main table .aside a').first().textContent()) ?? ''
  const bo = await scene.signUp('bo')
  await bo.goto(scene.at(`/account/works/claim?ark=${ark}`))
  await fill(bo, { message: 'I wrote as Babbage.' })
  await pushButton(bo, 'Claim this work')
  t.regex(await textOf(bo), /Choose which author you are/)
  await fill(bo, { author_position: '2' })
  await pushButton(bo, 'Claim this work')
  t.regex(await textOf(bo), /waiting for the publisher/)
  await ada.goto(scene.at('/organizations/press/claims'))
  t.regex(await textOf(ada), /1 mismatch/)
  await ada.getByRole('link', { name: 'Sketch of the Analytical Engine' }).click()
  t.regex(await textOf(ada), /Charles Babbage\s+claimed, 2 of 2/)
  t.regex(
    await textOf(ada),
    /the person is “Bo Long-Hyphenated-Surname”[\s\S]*Why you are confirming/,
  )
  await pushButton(ada, 'Confirm anyway')
  t.regex(await textOf(ada), /say why you are confirming anyway/)
  await ada.locator('main textarea').fill('A pen name.')
  await pushButton(ada, 'Confirm anyway')
  t.regex(await textOf(ada), /You confirmed/)
  await bo.goto(`${scene.server.started.base_url}/${ark}`)
  t.regex(await textOf(bo), /Charles Babbage\s*confirmed by the publisher and the person/)
  await ada.goto(scene.at('/account'))
}

async function undoAll(t: ExecutionContext, scene: Scene, ada: Page): Promise<void> {
  await ada.getByRole('link', { name: 'Changes' }).click()
  t.regex(await textOf(ada), /An affiliation was added\s+Taylor Press, through Journals/)
  t.regex(await textOf(ada), /organization\s+nothing\s+University of London/)
  t.regex(await textOf(ada), /work title\s+nothing\s+Sketch of the Analytical Engine/)
  await pushButton(ada, 'Undo')
  await pushButton(ada, 'Undo')
  t.is(await ada.getByRole('button', { name: 'Undo' }).count(), 0)
  t.is(await ada.locator('main .badge', { hasText: 'undone' }).count(), 2)
  t.regex(await textOf(ada), /organization\s+nothing\s+University of London/)
  await ada.goto(scene.at('/account'))
  t.notRegex(await textOf(ada), /University of London/)
  const reader = await scene.newWindow()
  await reader.goto((await ada.getByRole('link', { name: '/people/' }).getAttribute('href')) ?? '')
  t.notRegex(await textOf(reader), /University of London|Sketch/)
}

async function takeBack(
  t: ExecutionContext,
  scene: Scene,
  { root, ada }: Readonly<Record<'root' | 'ada', Page>>,
  tokens: Tokens,
): Promise<void> {
  await ada.getByRole('link', { name: 'Applications' }).click()
  t.regex(
    await textOf(ada),
    /Journals\s+not verified[^]*Last used\s+\d+ \w+ \d{4}.* from 127\.0\.0\.0/,
  )
  await root.goto(scene.at('/admin/applications?state=unverified'))
  await root.getByRole('link', { name: 'Journals' }).click()
  await pushButton(root, 'Verify application')
  await ada.reload()
  t.notRegex(await textOf(ada), /not verified/)
  await pushButton(ada, 'End permission')
  t.regex(await textOf(ada), /No application is connected/)
  const { status } = await scene.publisher.writeAffiliation(tokens, 'Elsewhere')
  t.is(status, 401)
}

async function keepKeys(t: ExecutionContext, scene: Scene, ada: Page): Promise<void> {
  const use = async (key: string, organization: string) => {
    const body = { organization }
    return (await call(scene.server, '/api/v1/user/affiliations', { key, body })).status
  }
  await ada.goto(scene.at('/account/keys'))
  await fill(ada, { label: 'Notebook', mint: 'on', days: '30' })
  await pushButton(ada, 'Create key')
  const first = (await ada.textContent('.secret-text')) ?? ''
  t.regex(first, /^svc-/)
  await ada.getByRole('link', { name: 'I have copied it' }).click()
  t.false((await ada.content()).includes(first), 'it is shown once')
  t.is(await use(first, 'Royal Society'), 201)
  await pushButton(ada, 'Rotate key')
  const second = (await ada.textContent('.secret-text')) ?? ''
  t.not(second, first)
  t.is(await use(second, 'Analytical Society'), 201)
  await ada.getByRole('link', { name: 'I have copied it' }).click()
  t.regex(await textOf(ada), /in use[\s\S]*Last used\s+\d+ \w+ \d{4}[\s\S]*being replaced/)
  for (const key of [second, first]) {
    await ada.getByRole('link', { name: 'Revoke…' }).first().click()
    await pushButton(ada, 'Revoke key')
    t.is(await use(key, 'Nowhere'), 401)
  }
}

async function exportAccount(t: ExecutionContext, scene: Scene, ada: Page): Promise<void> {
  await ada.goto(scene.at('/account/security'))
  const [download] = await Promise.all([
    ada.waitForEvent('download'),
    ada.getByRole('link', { name: 'Download' }).click(),
  ])
  t.regex(download.suggestedFilename(), /^p[0-9a-z]{11}\.json$/)
  // A browser that others use as well gives a download as a stream alone.
  const text = await readText(await download.createReadStream())
  const held = JSON.parse(text) as Record<string, unknown>
  t.like(held, { account: { email: people.ada.email }, profile: { name: people.ada.name } })
  t.true(text.includes('Analytical Society'))
  t.false(text.includes(people.ada.password))
}

const newPassword = 'another long sentence'

async function resetPassword(t: ExecutionContext, scene: Scene, ada: Page): Promise<void> {
  await ada.locator('.who-menu summary').click()
  await ada.locator('header').getByRole('button', { name: 'Sign out' }).click()
  t.regex(await textOf(ada), /You are signed out/)
  await ada.getByRole('link', { name: 'Forgotten your password?' }).click()
  await fill(ada, { email: people.ada.email })
  await pushButton(ada, 'Send me a link')
  t.is(await ada.textContent('h1'), 'Look at your mail')
  const link = await scene.mailbox.link('reset', people.ada.email)
  await ada.goto(link)
  await fill(ada, { new_password: newPassword })
  await pushButton(ada, 'Change password')
  t.regex(await textOf(ada), /Your password is changed/)
  await fill(ada, { email: people.ada.email, password: people.ada.password })
  await pushButton(ada, 'Sign in')
  t.regex(await textOf(ada), /do not belong together/)
  await fill(ada, { password: newPassword })
  await pushButton(ada, 'Sign in')
  t.is(await ada.textContent('h1'), 'What acts for you')
  await ada.getByRole('link', { name: 'Keep everything' }).click()
  t.is(await ada.textContent('h1'), people.ada.name)
  const again = await scene.newWindow()
  await again.goto(link)
  t.is(await again.textContent('h1'), 'This is no longer valid')
}

async function deleteAccount(t: ExecutionContext, scene: Scene, ada: Page): Promise<void> {
  const profile = await ada.getByRole('link', { name: '/people/' }).getAttribute('href')
  await ada.goto(scene.at('/account/security'))
  await ada.getByRole('link', { name: 'Delete my account…' }).click()
  await fill(ada, { password: 'not this one' })
  await pushButton(ada, 'Permanently delete my account')
  t.regex(await textOf(ada), /This is not your password/)
  await fill(ada, { password: newPassword })
  await pushButton(ada, 'Permanently delete my account')
  t.is(await ada.textContent('h1'), 'Your account is deleted')
  await ada.goto(scene.at('/account'))
  t.is(await ada.textContent('h1'), 'Sign in')
  await fill(ada, { email: people.ada.email, password: newPassword })
  await pushButton(ada, 'Sign in')
  t.regex(await textOf(ada), /do not belong together/)
  const reply = await ada.goto(profile ?? '')
  t.is(reply?.status(), 410)
  t.false((await ada.content()).includes(people.ada.name))
}
