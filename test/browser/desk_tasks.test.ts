// What administrators do at their desk, and what those hear whom it is about, from the first page
// of the registry to the result, by keyboard. One server for all, in the order of the file.

import test, { type ExecutionContext } from 'ava'
import type { Browser, Page } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { Effort } from '#test/browser/_effort.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { addressOf, signIn, textOf } from '#test/browser/_page_actions.ts'
import { makeWorld, people, type Who, type World } from '#test/browser/_world.ts'

const owner = fileOwner()
let browser: Browser
let world: World

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  world = await makeWorld(owner)
  for (const who of ['root', 'ada', 'bo'] as const) await confirm(who)
})

/** Confirms the address of somebody, so that mails go there. */
async function confirm(who: Who): Promise<void> {
  const { email } = people[who]
  const { pathname } = new URL(await world.mailbox.link('verify', email))
  await world.browsers[who].get(pathname)
  await world.browsers[who].postThen(pathname)
}

/** Somebody at the first page, signed in. */
async function begin(t: ExecutionContext, who: Who): Promise<Page> {
  const page = await openWindow(t, browser)
  await signIn(page, world, who)
  await page.goto(world.server.started.base_url)
  return page
}

/** An administrator who goes from the first page to a section of the administration. */
async function atDesk(t: ExecutionContext, section: string) {
  const page = await begin(t, 'root')
  const effort = new Effort(t, page)
  await effort.push(people.root.name)
  await effort.follow('Administration')
  await effort.follow(section)
  return { page, effort }
}

const told = (who: Who, pattern: RegExp) => world.mailbox.message(people[who].email, pattern)

test.serial('a press is approved, and who asked is told', async (t) => {
  const { page, effort } = await atDesk(t, 'Organizations')
  t.regex(await textOf(page), new RegExp(`${people.bo.name} \\(${people.bo.email}\\)`))
  await effort.follow('Approve request')
  effort.report('Approve an organization')
  t.true(effort.choices <= 4)
  const mail = await told('bo', /Your organization bo-labs is approved/)
  t.regex(mail, /An administrator approved bo-labs\. You are its owner/)
  t.regex(mail, /\/organizations\/bo-labs/)
})

test.serial('a claim is decided by the name of who claims', async (t) => {
  const page = await begin(t, 'ada')
  const effort = new Effort(t, page)
  await effort.push(people.ada.name)
  await effort.follow('Taylor Press')
  await effort.follow('Claims')
  t.true((await textOf(page)).includes(people.root.name))
  await effort.follow('Sketch of the Analytical Engine', 'main')
  t.regex(await textOf(page), new RegExp(`${people.root.name} \\(${people.root.email}\\)`))
  await lookAt(t, page, 'a claim with the name of who claims')
  await effort.follow('Decline…')
  await effort.follow('Decline claim')
  effort.report('Decide a claim by name')
  t.true(effort.choices <= 6)
  await told('root', /claim is declined/)
})

test.serial('an organization is suspended, and goes on', async (t) => {
  const { page, effort } = await atDesk(t, 'Suspensions')
  await effort.type('Which', 'press')
  await effort.type('Reason', 'Unpaid since May.')
  await effort.follow('Suspend')
  t.regex(await textOf(page), /Unpaid since May\./)
  await lookAt(t, page, 'something is suspended')
  const member = await begin(t, 'ada')
  await member.goto(addressOf(world, '/organizations/press'))
  t.regex(await textOf(member), /Suspended\.[^]*Unpaid since May\./)
  await told('ada', /Suspended: organization Taylor Press/)
  await effort.follow('End suspension of press')
  effort.report('Suspend an organization and lift it')
  t.true(effort.choices <= 5)
  await told('ada', /No longer suspended: organization Taylor Press/)
})

test.serial('an organization that lost its owner gets another one', async (t) => {
  const { page, effort } = await atDesk(t, 'Organizations')
  await effort.follow('Name owner', 'main')
  const slug = new URL(page.url()).pathname.split('/').at(-1)
  await effort.type('E-mail address or identifier of the new owner', people.ada.email)
  await effort.follow('Name owner')
  t.true((await textOf(page)).includes(people.ada.name), slug)
  effort.report('Name an owner')
  t.true(effort.choices <= 5)
  await told('ada', /has a new owner/)
})

/** The day of the takedown, in UTC. */
let takenDownOn = ''

test.serial('a work is taken down after a look at what will be said', async (t) => {
  const { page, effort } = await atDesk(t, 'Takedowns')
  await effort.enter('ARK, DOI or address of the page of the work', world.ark)
  await effort.choose('Reason', 'Court')
  await effort.type('Note to readers and the owner', 'District Court, 4 O 12/26.')
  await effort.follow('Review takedown')
  t.regex(await textOf(page), /Withdrawn by the operator of this registry/)
  await lookAt(t, page, 'a takedown before it is final')
  await effort.follow('Take down permanently')
  takenDownOn = new Date().toISOString().slice(0, 10)
  effort.report('Take down a work')
  t.true(effort.choices <= 6)
  const { pathname } = new URL(`/${world.ark}`, world.server.started.base_url)
  await page.goto(world.server.started.base_url + pathname)
  t.regex(await textOf(page), /operator of this registry/i)
  await told('ada', /is taken down/)
})

test.serial('the metadata of a work is erased after a look at what goes', async (t) => {
  const { page, effort } = await atDesk(t, 'Takedowns')
  await effort.enter('ARK, DOI or address of the page of the work', world.ark)
  await effort.follow('erase the metadata', 'main')
  t.regex(await textOf(page), /What we erase[^]*Ada Lovelace[^]*What stays/)
  await lookAt(t, page, 'what is erased')
  await effort.choose('Reason', 'Personal data')
  await effort.type('Note to the owner', 'Request of 2026-11-20, no. 17.')
  await effort.type('ARK of the work', world.ark)
  await effort.follow('Erase permanently')
  t.regex(await textOf(page), /We erased the metadata/)
  effort.report('Erase the metadata of a work')
  t.true(effort.choices <= 6)
  await page.goto(`${world.server.started.base_url}/${world.ark}`)
  t.regex(await textOf(page), /Metadata erased/)
  t.regex(await told('ada', /metadata of .* is erased/), /Request of 2026-11-20, no\. 17\./)
})

test.serial('what happened at a time is one page', async (t) => {
  const { page, effort } = await atDesk(t, 'What happened')
  await effort.type('Day', takenDownOn)
  await effort.type('From', '00:00')
  await effort.enter('Until', '23:59')
  t.regex(await textOf(page), /Changes[^]*taken down/)
  t.regex(await textOf(page), /Entries of the live log/)
  effort.report('What happened at a time')
  t.true(effort.choices <= 3)
  await lookAt(t, page, 'what happened on a day')
})

test.serial('who changed something is found by what was changed', async (t) => {
  const { page, effort } = await atDesk(t, 'Audit log')
  await effort.enter('Subject', world.ark)
  t.regex(await textOf(page), new RegExp(`taken down[^]*${people.root.name}`))
  effort.report('Who changed this')
  t.true(effort.choices <= 3)
})

test.serial('a person is found by half a name', async (t) => {
  const { page, effort } = await atDesk(t, 'Accounts')
  await effort.enter('Part of a name or address, or a username, identifier or ORCID iD', 'lovel')
  t.true((await textOf(page)).includes(people.ada.email))
  effort.report('Find a person by half a name')
  t.true(effort.choices <= 3)
})

test.serial('a form that is sent after the session has ended is there again', async (t) => {
  const page = await begin(t, 'ada')
  const effort = new Effort(t, page)
  await page.goto(addressOf(world, '/organizations/press/edit'))
  await effort.type('Name', 'Taylor & Francis Press')
  // Another browser of hers ends the session of this one.
  await world.browsers.ada.get('/auth/account/security')
  await world.browsers.ada.post('/auth/account/security/sessions', { session: '' })
  await effort.follow('Save description')
  await effort.type('E-mail address', people.ada.email)
  await effort.enter('Password', people.ada.password)
  t.regex(await textOf(page), /You were signed out before you sent this form/)
  t.true((await textOf(page)).includes('Taylor & Francis Press'))
  await lookAt(t, page, 'a form that is given back')
  await effort.follow('Send form')
  t.regex(await textOf(page), /The description is saved/)
  effort.report('Send a form after the session has ended')
  t.true(effort.choices <= 2)
})

test.serial('all that somebody did to works is looked at before it is undone', async (t) => {
  const page = await begin(t, 'ada')
  const effort = new Effort(t, page)
  await page.goto(addressOf(world, '/organizations/press/works'))
  await effort.follow('Change many works', 'main')
  await effort.follow('Undo many changes', 'main')
  await lookAt(t, page, 'what somebody did is undone')
  await effort.choose('Done by', people.ada.name)
  await effort.type('Since', '2020-01-01')
  await effort.choose('Reason', 'Fraud')
  await effort.follow('Preview changes')
  t.regex(await textOf(page), /Undo changes to [\d,]+ works?\?/)
  await lookAt(t, page, 'a preview of what is undone')
  effort.report('Undo many changes')
  t.true(effort.choices <= 5)
})

test.serial('a lost account gets another address, with what was proved', async (t) => {
  const { page, effort } = await atDesk(t, 'Accounts')
  const field = 'Part of a name or address, or a username, identifier or ORCID iD'
  await effort.enter(field, people.bo.email)
  await effort.follow('Change e-mail address')
  await lookAt(t, page, 'another address of an account')
  const email = 'bo@elsewhere.example'
  await effort.type('New e-mail address', email)
  await effort.type('How the person proved who they are', 'Called back at the institute.')
  await effort.follow('Change e-mail address')
  t.true((await textOf(page)).includes(email))
  effort.report('Change the address of a lost account')
  t.true(effort.choices <= 5)
  await told('bo', /Your e-mail address was changed/)
  t.regex(await world.mailbox.link('reset', email), /\/reset\//)
  await page.goto(addressOf(world, `/admin/audit?action=address_changed`))
  t.regex(await textOf(page), /Called back at the institute/)
})
