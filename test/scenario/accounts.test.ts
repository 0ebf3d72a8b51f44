import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import type { AccountInfo } from '#src/http/admin/registry_commands.ts'
import type { OneTimeUrl } from '#src/use_cases/account_record.ts'
import {
  newDataDir,
  runArklog,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { Browser, overNetwork } from '#test/src/pages/_browser.ts'

const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }

const ada = {
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.org',
  password: 'a long enough sentence',
}

function browserOf({ started: { local_url: origin } }: Server): Browser {
  return new Browser(overNetwork(origin), origin)
}

function pathOf(url: string | null): string {
  return url === null ? '' : new URL(url).pathname + new URL(url).search
}

test.serial(
  'the first administrator is made by the link of the start, and by no later one',
  async (t) => {
    const settings = { DATA_DIR: await newDataDir(t), EDGE_THREADS: '1', ...quiet }
    const first = await startServer(t, settings)
    const setupUrl = first.started.setup_url ?? ''
    t.regex(setupUrl, /^http:\/\/127\.0\.0\.1:\d+\/auth\/setup\/once_[0-9A-Za-z]{32}$/)
    await first.end('SIGKILL')
    const second = await startServer(t, settings)
    t.is(pathOf(second.started.setup_url), pathOf(setupUrl), 'it is shown until it is used')
    const browser = browserOf(second)
    const made = await browser.submit(pathOf(setupUrl), ada)
    t.is(made.headers.location, '/auth/account?done=welcome')
    const { stderr } = await second.end('SIGKILL')
    t.notRegex(stderr, /once_|ada@/)
    const third = await startServer(t, settings)
    t.is(third.started.setup_url, null)
    await t.throwsAsync(fs.stat(path.join(settings.DATA_DIR, 'keys', 'setup.token')), {
      code: 'ENOENT',
    })
    const signIn = { email: ada.email, password: ada.password }
    t.is((await browserOf(third).submit('/auth/sign-in', signIn)).status, 303)
    await third.end('SIGTERM')
  },
)

test.serial('commands list accounts, hand out links, and erase', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), SIGN_UP: 'invite', ...quiet }
  const server = await startServer(t, settings)
  const account = <T>(...args: string[]) => runJson<T>(t, ['account', ...args], settings)
  t.deepEqual(await account('list'), [])
  const invitation = await account<OneTimeUrl>('invite')
  const browser = browserOf(server)
  const signUp = await browser.submit(pathOf(invitation.url), ada, '/auth/sign-up')
  t.is(signUp.status, 303)
  const [listed] = await account<AccountInfo[]>('list')
  const ppid = listed?.ppid ?? ''
  t.like(listed, { state: 'active', email: ada.email, name: ada.name, username: 'ada', roles: [] })
  t.like(await account('make-admin', ada.email), { ppid, roles: ['admin'] })
  t.like(await account('make-admin', ppid, '--revoke'), { ppid, roles: [] })
  const reset = await account<OneTimeUrl>('reset-link', ppid)
  const next = 'another long sentence'
  t.is((await browser.submit(pathOf(reset.url), { new_password: next })).status, 303)
  t.is((await browser.submit('/auth/sign-in', { email: ada.email, password: next })).status, 303)
  const unknown = await runArklog(t, ['account', 'remove', 'bo@example.org'], settings)
  t.is(unknown.code, 1)
  t.is(unknown.stderr, 'arklog: There is no account bo@example.org\n')
  t.deepEqual(await account('remove', ppid), { ppid })
  t.deepEqual(await account('list'), [])
  t.is((await browser.get('/auth/sign-in')).status, 200, 'the browser is signed out')
  await server.end('SIGTERM')
})

test.serial('a registry that is killed while people sign up has whole accounts only', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), EDGE_THREADS: '1', ...quiet }
  const told = new Set<string>()
  const names = Array.from({ length: 8 }, (_, n) => `person-${n}`)
  const signUps = async (server: Server, afterAnswers: number) => {
    let answers = 0
    const killed = Promise.withResolvers<void>()
    const each = names.map(async (username) => {
      const email = `${username}@example.org`
      const { status } = await browserOf(server).submit('/auth/sign-up', {
        ...ada,
        username,
        email,
      })
      if (status === 303) told.add(email)
      answers += 1
      if (answers === afterAnswers) killed.resolve()
    })
    const all = Promise.allSettled(each)
    await killed.promise
    await server.end('SIGKILL')
    await all
  }
  await signUps(await startServer(t, settings), 1)
  await signUps(await startServer(t, settings), names.length / 2)
  const server = await startServer(t, settings)
  const accounts = await runJson<AccountInfo[]>(t, ['account', 'list'], settings)
  for (const { state, email, name } of accounts) {
    t.is(state, 'active')
    t.is(name, ada.name, 'an account has its person')
    const signIn = { email: email ?? '', password: ada.password }
    t.is((await browserOf(server).submit('/auth/sign-in', signIn)).status, 303)
  }
  for (const email of told)
    t.true(
      accounts.some((account) => account.email === email),
      email,
    )
  t.notRegex((await server.end('SIGTERM')).stderr, /a person has no account/)
})
