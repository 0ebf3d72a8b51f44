import test from 'ava'
import type { Browser, Page, Route } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { click } from '#test/browser/_page_actions.ts'
import { watch } from '#test/browser/_watch.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'

const owner = fileOwner()
const works = 21
let browser: Browser
let server: Server
let page: Page
let faults: readonly string[]

test.before(async () => {
  server = await startServer(owner, { DATA_DIR: await newDataDir(owner), RATE_LIMITS: 'off' })
  const key = firstKey(server)
  for (let number = 1; number <= works; number += 1) {
    await call(server, '/v1/works', { key, body: newWork(`Work ${number}`) })
  }
  browser = await openBrowser()
  owner.teardown(() => browser.close())
  page = await openWindow(owner, browser)
  faults = await watch(page, [server.started.base_url])
})

function open(path: string, window = page) {
  return window.goto(server.started.base_url + path)
}

/** What a check has come to: the class of its verdict, and the word and name of each step. */
async function check(name: string) {
  await page.getByRole('button', { name, exact: true }).click()
  const verdict = page.locator('.verdict:visible')
  await verdict.waitFor()
  const steps = await page.locator('.check-steps li strong').allTextContents()
  const [, outcome] = /verdict-(\w+)/.exec((await verdict.getAttribute('class')) ?? '') ?? []
  return { outcome, steps }
}

const rightEntry = [
  'Right: The words above',
  'Right: The signature of the statement',
  'Right: The path to the root',
  'Right: The checkpoint',
]

test.serial('a browser checks an entry, and marks the path as it climbs', async (t) => {
  const before = faults.length
  for (const index of [0, 5, 16, works - 1]) {
    await open(`/log/entries/${index}`)
    t.deepEqual(await check('Check this entry'), { outcome: 'done', steps: rightEntry })
    const nodes = page.locator('.path-node')
    t.is(await page.locator('.path-node.step-done').count(), await nodes.count())
  }
  await lookAt(t, page, 'log entry checked')
  t.deepEqual(faults.slice(before), [])
})

/** Shows the page with something changed on its way, as a proxy in between could. */
async function tampered<T>(change: (body: string) => string, look: () => Promise<T>): Promise<T> {
  const alter = async (route: Route) => {
    const response = await route.fetch()
    const body = await response.text()
    const changed = change(body)
    if (changed === body) throw new Error('nothing was changed')
    await route.fulfill({ response, body: changed })
  }
  await page.route('**/log/**', alter)
  try {
    return await look()
  } finally {
    await page.unroute('**/log/**', alter)
  }
}

/** Changes one character of what a pattern finds, after its first group. */
function flip(pattern: RegExp): (body: string) => string {
  return (body) =>
    body.replace(pattern, (_all, before: string, digit: string) => {
      return before + (digit === '1' ? '2' : '1')
    })
}

const alterations = {
  'a byte of the entry': {
    change: flip(/(id="entry"[^]*?metadata_hash[^]*?sha256:)([0-9a-f])/),
    wrong: ['The words above', 'The signature of the statement', 'The path to the root'],
  },
  'a word of what the page says of it': {
    change: flip(/(data-member="metadata_hash">sha256:)([0-9a-f])/),
    wrong: ['The words above'],
  },
  'a hash of the path': {
    change: flip(/(data-hash>)([0-9a-f])/),
    wrong: ['The path to the root'],
  },
  'a hash that the page says a step makes': {
    change: flip(/(data-step="2" data-parent=")([0-9a-f])/),
    wrong: ['The path to the root'],
  },
  'the signature of the checkpoint': {
    change: flip(/(id="checkpoint">[^]*?— \S+ \S{20})(\S)/),
    wrong: ['The checkpoint'],
  },
  'the size in the checkpoint': {
    change: flip(/(id="checkpoint">[^\n]+\n)(\d)/),
    wrong: ['The path to the root', 'The checkpoint'],
  },
} as const

for (const [name, { change, wrong }] of Object.entries(alterations)) {
  test.serial(`a reply that was altered is told to be wrong: ${name}`, async (t) => {
    const { outcome, steps } = await tampered(change, async () => {
      await open('/log/entries/5')
      return check('Check this entry')
    })
    t.is(outcome, 'failed')
    const found = steps.filter((step) => step.startsWith('Wrong: '))
    t.deepEqual(
      found,
      wrong.map((step) => `Wrong: ${step}`),
    )
    t.regex((await page.locator('.verdict').textContent()) ?? '', /^Not proven/)
  })
}

test.serial('a key that the reader has kept is the one that counts', async (t) => {
  await open('/log/entries/5')
  await page.getByText('With a key that you have kept').click()
  await page.getByLabel('Verifier key of the log').fill(server.started.vkey)
  t.is((await check('Check this entry')).outcome, 'done')
  t.true((await page.locator('.check-steps').textContent())?.includes('the key that you gave'))
  const { body: keys } = await call<{ sandbox: { log: { vkey: string } } }>(
    server,
    '/.well-known/svc-keys.json',
  )
  await page.getByLabel('Verifier key of the log').fill(keys.sandbox.log.vkey)
  const other = await check('Check this entry')
  t.is(other.outcome, 'failed')
  t.is(other.steps[3], 'Wrong: The checkpoint')
})

test.serial('the head is checked', async (t) => {
  const before = faults.length
  await open('/log')
  t.deepEqual(await check('Check the checkpoint'), {
    outcome: 'done',
    steps: ['Right: The checkpoint'],
  })
  await lookAt(t, page, 'log checked')
  t.deepEqual(faults.slice(before), [])
})

test.serial('what was kept on an earlier visit is held against what is shown', async (t) => {
  await open('/log')
  const steps = ['Right: The checkpoint', 'Right: Since your last visit']
  t.deepEqual(await check('Check the checkpoint'), { outcome: 'done', steps })
  await call(server, '/v1/works', { key: firstKey(server), body: newWork('One more') })
  await open('/log')
  t.deepEqual(await check('Check the checkpoint'), { outcome: 'done', steps })
  // As if the log had been another one then.
  await page.evaluate(() => {
    const [place = ''] = Object.keys(localStorage)
    const kept = (localStorage.getItem(place) ?? '').replace(/\n\d+\n/, '\n7\n')
    localStorage.setItem(place, kept)
  })
  await open('/log')
  const { outcome, steps: found } = await check('Check the checkpoint')
  t.is(outcome, 'failed')
  t.is(found[1], 'Wrong: Since your last visit')
  await page.getByRole('button', { name: 'Forget the kept checkpoint' }).click()
  t.is((await check('Check the checkpoint')).outcome, 'done')
})

test.serial('two checkpoints are compared, and one that the reader has kept', async (t) => {
  const before = faults.length
  await open('/log/compare?old=5&new=21')
  const button = 'Check that one continues the other'
  const right = [
    'Right: The older checkpoint',
    'Right: The checkpoint',
    'Right: That one continues the other',
  ]
  t.deepEqual(await check(button), { outcome: 'done', steps: right })
  await lookAt(t, page, 'log compared')
  const own = (await page.locator('#older').textContent()) ?? ''
  await open('/log/compare?old=8&new=21')
  await page.getByText('With a checkpoint that you have kept').click()
  const field = page.getByLabel('A signed checkpoint, in place of the older one')
  await field.fill(own)
  t.deepEqual(await check(button), { outcome: 'done', steps: right })
  await field.fill(own.replace('\n5\n', '\n6\n'))
  const { outcome, steps } = await check(button)
  t.is(outcome, 'failed')
  t.is(steps[0], 'Wrong: The older checkpoint')
  t.is(steps[2], 'Wrong: That one continues the other')
  t.deepEqual(faults.slice(before), [])
})

test.serial('a proof that was altered is told to be wrong', async (t) => {
  const { outcome, steps } = await tampered(flip(/(data-hash>)([0-9a-f])/), async () => {
    await open('/log/compare?old=5&new=21')
    return check('Check that one continues the other')
  })
  t.is(outcome, 'failed')
  t.is(steps.at(-1), 'Wrong: That one continues the other')
})

test.serial('without scripts everything is there but the checks', async (t) => {
  const window = await openWindow(t, browser, undefined, { javaScriptEnabled: false })
  await open('/log', window)
  await window.getByLabel('Find an entry').fill('5')
  await click(window, window.getByRole('button', { name: 'Find', exact: true }))
  t.is(await window.locator('h1').textContent(), 'Entry 5')
  t.false(await window.locator('.log-check').isVisible())
  t.true(await window.getByText('If your browser runs scripts').isVisible())
  await window.getByText('The path in words').click()
  t.true(await window.locator('.path-steps li').first().isVisible())
})
