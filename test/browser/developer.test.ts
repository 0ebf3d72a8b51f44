// What who writes programs does: finds the documentation, gets a key, and runs what stands there.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import type { Browser, Page } from 'playwright-core'

import { JudgedParts } from '#test/browser/_accessibility.ts'
import { openBrowser, looks, openWindow } from '#test/browser/_browser.ts'
import { Effort } from '#test/browser/_effort.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { addressOf, fill, pushButton, signIn } from '#test/browser/_page_actions.ts'
import { watch } from '#test/browser/_watch.ts'
import { makeWorld, people, type World } from '#test/browser/_world.ts'
import { firstKey } from '#test/scenario/_process.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const run = promisify(execFile)
const owner = fileOwner()
let browser: Browser
let world: World
let origin: string

test.before(async () => {
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  world = await makeWorld(owner)
  origin = world.server.started.base_url
})

async function signedIn(t: Owner): Promise<Page> {
  const page = await openWindow(t, browser)
  await signIn(page, world, 'ada')
  return page
}

/** A key that Ada makes for herself in the sandbox. */
async function ownSandboxKey(t: Owner): Promise<string> {
  const page = await signedIn(t)
  await page.goto(addressOf(world, '/account/sandbox'))
  await pushButton(page, 'Create key')
  return (await page.textContent('.secret-text')) ?? ''
}

/** The commands of a page, in their order. */
function commandsOf(page: Page): Promise<string[]> {
  return page.locator('.snippet code').allInnerTexts()
}

test.serial('from the start page to a key that runs the quick start as pasted', async (t) => {
  const page = await signedIn(t)
  await page.goto(origin)
  const effort = new Effort(t, page)
  await effort.follow('API')
  await effort.follow('Quick start')
  await effort.follow('Get a key of the sandbox')
  await effort.follow('Create key')
  await page.waitForURL('**/account/sandbox/*')
  effort.report('Make a key of the sandbox, and see what to do with it')
  t.true(effort.choices <= 4)
  const [variables = ''] = await commandsOf(page)
  t.regex(variables, /^BASE_URL=\S+\nKEY=svc-\w{48}$/)
  await page.reload()
  t.notRegex(await page.content(), /svc-\w{48}/)
  await effort.follow('All keys')
  t.is(await page.locator('.card .badge').count(), 1, 'there is one key')

  await page.goto(`${origin}/docs/quick-start`)
  const [, ...steps] = await commandsOf(page)
  t.is(steps.length, 4)
  const folder = await makeTempDir(t)
  const pasted = ['--norc', '-e', '-o', 'pipefail', '-c', [variables, ...steps].join('\necho\n')]
  const { stdout } = await run('bash', pasted, { cwd: folder, timeout: 300_000 })
  const [ark, resolved = '', changed = '', verified = ''] = stdout.trim().split(/\n+/)
  t.regex(ark ?? '', /^ark:\/99999\//)
  t.is(JSON.parse(resolved).metadata.work_title, 'A first trial')
  t.is(JSON.parse(changed).version, 2)
  t.is(JSON.parse(verified).valid, true)
})

test.serial('an application is registered, and gets a token', async (t) => {
  const page = await signedIn(t)
  const effort = new Effort(t, page)
  await effort.follow('Organizations')
  await effort.follow('Taylor Press')
  await effort.follow('Applications')
  await effort.type('Name', 'A Desk')
  await effort.type('Redirect URIs', world.publisher.redirectUri)
  await effort.tick('Add works to your profile and change those it has added')
  await effort.follow('Register application')
  await page.waitForURL('**/applications/app_*')
  const client_id = (await page.textContent('main .facts code')) ?? ''
  const client_secret = (await page.textContent('.secret-text')) ?? ''
  await page.goto(world.publisher.question({ client_id }, ['svc:works:write']))
  await effort.push('Permit')
  await page.waitForURL(`${world.publisher.redirectUri}*`)
  const { scope } = await world.publisher.redeem({ client_id, client_secret })
  t.is(scope, 'svc:works:write')
  effort.report('Register an application, and get a token')
  t.true(effort.choices <= 6)
  await page.goto(addressOf(world, `/organizations/press/applications/${client_id}`))
  t.regex(await page.locator('main').innerText(), /People who permit it\s+1/)
  await effort.follow('End all permissions')
  t.regex(await page.locator('main').innerText(), /People who permit it\s+0/)
})

test.serial('the steps of OAuth run as pasted, with an application of the sandbox', async (t) => {
  const page = await signedIn(t)
  const redirect = 'http://127.0.0.1:8080/back'
  await page.goto(addressOf(world, '/organizations/press/keys?environment=sandbox'))
  await fill(page, { 'people:write': 'on' })
  await pushButton(page, 'Create key')
  const key = (await page.textContent('.secret-text')) ?? ''
  await page.goto(addressOf(world, '/organizations/press/applications?environment=sandbox'))
  const scopes = { 'svc:works:read': 'on', 'svc:works:write': 'on' }
  await fill(page, { name: 'A Trial', redirect_uris: redirect, ...scopes })
  await pushButton(page, 'Register application')
  await page.waitForURL('**/applications/app_test_*')
  const id = (await page.textContent('main .facts code')) ?? ''
  const secret = (await page.textContent('.secret-text')) ?? ''
  await page.goto(`${origin}/docs/oauth`)
  const [variables = '', person = '', ask = '', exchange = '', write = '', refresh = ''] =
    await commandsOf(page)
  const filled = variables
    .replace('svc_test_…', key)
    .replace('app_test_…', id)
    .replace('CLIENT_SECRET=…', `CLIENT_SECRET=${secret}`)
  t.notRegex(filled, /…/)
  const folder = await makeTempDir(t)
  const paste = async (...steps: readonly string[]) => {
    const words = ['--norc', '-e', '-o', 'pipefail', '-c', steps.join('\necho\n')]
    const { stdout } = await run('bash', words, { cwd: folder, timeout: 300_000 })
    return stdout.trim().split(/\n+/)
  }
  const [made = '', address = '', verifier = ''] = await paste(
    filled,
    person,
    ask,
    'echo "$VERIFIER"',
  )
  const { email, password } = JSON.parse(made).sign_in
  await page.goto(address)
  await fill(page, { email, password })
  await pushButton(page, 'Sign in')
  // Nobody listens there, as on the machine of whoever tries it: the address is what they need.
  const reached = page.waitForRequest((request) => request.url().startsWith(redirect))
  await pushButton(page, 'Permit')
  const back = new URL((await reached).url()).searchParams
  t.is(back.get('state'), 'mine')
  t.is(back.get('iss'), addressOf(world, '/sandbox'))
  const kept = [`VERIFIER=${verifier}`, `REDIRECT=${redirect}`, `CODE=${back.get('code')}`]
  const renewed = `cat tokens.json`
  const [written = '', tokens = ''] = await paste(
    filled,
    ...kept,
    exchange,
    write,
    refresh,
    renewed,
  )
  t.regex(JSON.parse(written).ark_identifier, /^ark:\/99999\//)
  t.is(typeof JSON.parse(tokens).access_token, 'string')
})

test.serial('an operation is tried in the sandbox, and nothing live is written', async (t) => {
  const page = await openWindow(t, browser)
  const faults = await watch(page, [origin])
  const live = firstKey(world.server)
  const size = async () => {
    const checkpoint = await fetch(`${origin}/log/checkpoint`)
    return (await checkpoint.text()).split('\n')[1]
  }
  const before = await size()
  await page.goto(`${origin}/docs/reference/createWork`)
  const effort = new Effort(t, page)
  await effort.type('Key', live)
  await effort.push('Send request')
  await page.locator('.try-reply strong').waitFor()
  t.is(await page.locator('.try-reply strong').innerText(), '200')
  t.regex(await page.locator('.try-reply pre').innerText(), /"valid": true/)
  await page.goto(`${origin}/docs/reference/createWork`)
  await effort.type('Key', await ownSandboxKey(t))
  await effort.push('Send request')
  await page.locator('.try-reply strong').waitFor()
  t.is(await page.locator('.try-reply strong').innerText(), '201, of the sandbox')
  await page.goto(`${origin}/docs/reference/withdrawWork`)
  await effort.type('Key', live)
  await effort.push('Send request')
  await page.locator('.try-reply strong').waitFor()
  t.regex(await page.locator('.try-reply').innerText(), /Nothing was sent/)
  t.is(await size(), before, 'the live log is as it was')
  t.deepEqual(faults, [])
})

test.serial('without scripts there are commands instead of forms, and a key is made', async (t) => {
  const page = await openWindow(t, browser, looks[0], { javaScriptEnabled: false })
  await page.goto(`${origin}/docs/reference/createWork`)
  t.false(await page.locator('form.try').isVisible())
  t.regex(await page.locator('.snippet code').first().innerText(), /^curl -s '/)
  await page.goto(addressOf(world, '/account/sandbox'))
  const { email, password } = people.bo
  await fill(page, { email, password })
  await pushButton(page, 'Sign in')
  await page.waitForURL('**/account/sandbox')
  await pushButton(page, 'Create key')
  t.regex((await page.textContent('.secret-text')) ?? '', /^svc-\w{48}$/)
})

test.serial('no page of the documentation has a barrier', async (t) => {
  // Pages of operations explain every type of a record, which takes a busy machine long to judge.
  t.timeout(30 * 60_000)
  const page = await openWindow(t, browser)
  const faults = await watch(page, [origin])
  const seen = new Set<string>()
  const judged = new JudgedParts()
  const waiting = ['/docs']
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue
    seen.add(next)
    await page.goto(origin + next)
    const linked = await page.evaluate(() =>
      [...document.querySelectorAll('main a[href^="/docs"]')].map((a) => a.getAttribute('href')),
    )
    waiting.push(...linked.map((target) => (target ?? '').split('#')[0] ?? ''))
    await lookAt(t, page, next, judged)
  }
  t.true(seen.size > 110)
  t.deepEqual(faults, [])
})
