// Claims of authorship from both sides: found, claimed, reviewed, refused and contested.

import test, { type ExecutionContext } from 'ava'
import type { Browser, Page } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { Effort } from '#test/browser/_effort.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { until } from '#test/_until.ts'
import { addressOf, fill, pushButton, signIn, textOf } from '#test/browser/_page_actions.ts'
import { makeWorld, people, type Who, type World } from '#test/browser/_world.ts'
import { call, firstKey, newWork } from '#test/scenario/_process.ts'

const owner = fileOwner()
let browser: Browser
let world: World

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  world = await makeWorld(owner)
})

/** A window of somebody who is signed in. */
async function windowOf(t: ExecutionContext, who: Who): Promise<Page> {
  const page = await openWindow(t, browser)
  await signIn(page, world, who)
  return page
}

const title = 'Sketch of the Analytical Engine'

test.serial(
  'a publisher refuses a claim, and an administrator settles it, by keyboard',
  async (t) => {
    const page = await windowOf(t, 'ada')
    await page.goto(addressOf(world, '/organizations/press'))
    const effort = new Effort(t, page)
    await effort.follow('Claims', 'nav')
    await effort.follow(title, 'main')
    t.regex(await textOf(page), /I published as Charles Babbage/)
    await pushButton(page, 'Confirm anyway')
    t.regex(await textOf(page), /say why you are confirming anyway/)
    await lookAt(t, page, 'a claim without why it is right')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goBack()
    await effort.follow('Decline…', 'main')
    t.regex(await textOf(page), /Decline this claim\?/)
    await effort.follow('Decline claim', 'main')
    t.regex(await textOf(page), /You declined[\s\S]*No claims to answer/)
    t.is(effort.choices, 4)
    effort.report('a claim is reviewed and refused, from the page of the organization')

    const claimant = await windowOf(t, 'root')
    await claimant.goto(addressOf(world, '/account/works'))
    const contest = new Effort(t, claimant)
    await contest.follow(`Change ${world.ark}`, 'main')
    await contest.type('What is wrong', 'I have the letters of 1843')
    await contest.follow('Contest it', 'main')
    t.regex(await textOf(claimant), /An administrator will decide/)
    t.is(contest.choices, 2)
    contest.report('a refused claim is contested, from the list of works')

    await claimant.goto(addressOf(world, '/admin/claims'))
    await lookAt(t, claimant, 'claims in dispute')
    await claimant.getByRole('link', { name: title }).click()
    await lookAt(t, claimant, 'a claim in dispute')
    await claimant.getByRole('link', { name: 'Decline…' }).click()
    await lookAt(t, claimant, 'a claim in dispute is refused')
    await claimant.goBack()
    await fill(claimant, { confirm_mismatch: 'The letters name him' })
    await pushButton(claimant, 'Confirm anyway')
    t.regex(await textOf(claimant), /You confirmed: the person counts/)
    await claimant.goto(addressOf(world, '/account/works'))
    t.regex(await textOf(claimant), /counts as mine, by an administrator/)
  },
)

/** A work that somebody registers for themselves; gives its ARK. */
async function registerOwn(who: Who): Promise<string> {
  const person = world.browsers[who]
  await person.get('/auth/account/keys')
  const shown = await person.postThen('/auth/account/keys', { label: '', mint: 'on' })
  const key = /svc-\w+/.exec(shown.body)?.[0] ?? ''
  type Work = { readonly ark_identifier: string }
  const body = newWork('Notes that Bo has registered')
  return (await call<Work>(world.server, '/v1/works', { key, body })).body.ark_identifier
}

test.serial('who has registered a work is asked on a page of its own', async (t) => {
  const ark = await registerOwn('bo')
  await world.browsers.ada.get('/auth/account/works')
  const claim = { ark_identifier: ark, author_position: '1', message: 'With Bo, in 1998.' }
  await world.browsers.ada.postThen('/auth/account/works', claim)
  const page = await windowOf(t, 'bo')
  await page.goto(addressOf(world, '/account/works'))
  await lookAt(t, page, 'works with a question')
  await page.locator('main a[href*="/works/asked/"]').click()
  await lookAt(t, page, 'a question')
  await page.getByRole('link', { name: 'Decline…' }).click()
  await lookAt(t, page, 'a question is refused')
  await pushButton(page, 'Decline claim')
  t.regex(await textOf(page), /You declined/)
})

/** Registers works with authors as they are written; gives their ARKs. */
async function registerWorks(works: readonly Readonly<Record<string, unknown>>[]) {
  type Work = { readonly ark_identifier: string }
  const arks: string[] = []
  for (const work of works) {
    const body = { ...newWork(String(work['work_title'])), ...work }
    const registered = await call<Work>(world.server, '/v1/works', {
      key: firstKey(world.server),
      body,
    })
    arks.push(registered.body.ark_identifier)
  }
  return arks
}

test.serial('somebody finds their works by name, and claims two in one step', async (t) => {
  const name = people.bo.name
  await registerWorks([
    { work_title: 'Alone among numbers', authors: name },
    { work_title: 'Together among numbers', authors: `Ada Lovelace; ${name}; Charles Babbage` },
    {
      work_title: 'Initials among numbers',
      authors: 'B. L.; Charles Babbage',
      author_details: [{ family: 'L' }, { family: 'Babbage', orcid: '0000-0001-5109-3700' }],
      existing_doi: '10.1234/initials',
    },
  ])
  const page = await windowOf(t, 'bo')
  const isIndexed = async () => {
    // Works come into the index in their order: with the last one, all are there.
    await page.goto(addressOf(world, '/account/works/find?q=initials+among'))
    return /Initials among numbers/.test(await textOf(page))
  }
  await until('all works are found', isIndexed, { pauseMs: 50 })
  await page.goto(addressOf(world, '/account/works/find'))
  t.regex(await textOf(page), /2 works found/)
  await page.goto(addressOf(world, `/account/works/claim?ark=${world.ark}`))
  await lookAt(t, page, 'a work to claim')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(addressOf(world, '/account'))
  const effort = new Effort(t, page)
  await effort.follow('Works', 'nav')
  await effort.follow('Find my works', 'main')
  await effort.tick('Alone among numbers')
  await lookAt(t, page, 'works that are found')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.locator('main').focus()
  await effort.tick('Together among numbers')
  t.is(await page.getByRole('button', { name: 'Claim all 2 works' }).count(), 1)
  await effort.follow('Claim selected works', 'main')
  t.regex(await textOf(page), /You see the status of each below/)
  t.is(await page.locator('main .badge', { hasText: 'waiting for the publisher' }).count(), 2)
  t.is(effort.choices, 5)
  effort.report('two works are found by name and claimed, from the account')
  await page.goto(addressOf(world, '/account/works/find'))
  t.is(await page.locator('main input[type=checkbox]').count(), 0, 'what is claimed is not offered')
  await lookAt(t, page, 'works that are claimed')
  for (const typed of ['doi:10.1234/initials', '0000-0001-5109-3700', 'initials among']) {
    await page.goto(addressOf(world, `/account/works/find?q=${encodeURIComponent(typed)}`))
    t.regex(await textOf(page), /Initials among numbers/, typed)
  }
})

test.serial('from the page of a work, by way of the sign-in, to a claim', async (t) => {
  const [ark = ''] = await registerWorks([
    { work_title: 'Found by reading', authors: `Charles Babbage; ${people.bo.name}` },
  ])
  const page = await openWindow(t, browser)
  await page.goto(`${world.server.started.base_url}/${ark}`)
  const effort = new Effort(t, page)
  await effort.follow('I am an author of this work', 'main')
  await effort.type('E-mail address', people.bo.email)
  await effort.type('Password', people.bo.password)
  await effort.follow('Sign in', 'main')
  await page.waitForURL('**/account/works/claim?*')
  await lookAt(t, page, 'a claim from the page of a work')
  await page.setViewportSize({ width: 1280, height: 900 })
  await effort.follow('Claim this work', 'main')
  t.regex(await textOf(page), /It counts as yours once its publisher agrees/)
  const [row] = await page.getByRole('row', { name: 'Found by reading' }).allInnerTexts()
  t.regex(row ?? '', /waiting for the publisher/)
  t.is(effort.choices, 3)
  effort.report('a work is claimed from its page, the sign-in included')
})
