import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { openSetupToken } from '#src/identity/accounts/setup_token.ts'
import { accountWorld, ada, type OpenedWorld } from '#test/src/identity/accounts/_account_world.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

function open(file: string, { accounts, store }: OpenedWorld) {
  return openSetupToken({ file, accounts, store, random: randomBytes })
}

test('the token is kept for the next start, in a secret file, until it is used', async (t) => {
  const file = path.join(await makeTempDir(t), 'setup.token')
  const world = await (await accountWorld(t)).start()
  const { accounts } = world
  const { token = '' } = await open(file, world)
  t.regex(token, /^once_[0-9A-Za-z]{32}$/)
  t.is((await stat(file)).mode & 0o777, 0o600)
  const setup = await open(file, world)
  t.is(setup.token, token)
  t.true(setup.matches(token))
  for (const text of ['', 'once_', `${token}a`]) t.false(setup.matches(text))
  t.is(await setup.use('once_other', async () => ({ isMade: true })), undefined)
  t.deepEqual(await setup.use(token, async () => ({ isMade: false })), { isMade: false })
  t.true(setup.matches(token), 'who made nothing can try again')
  const make = async () => {
    t.false(setup.matches(token), 'nobody else can use it meanwhile')
    const { type } = await accounts.signUp({ ...ada, isAdmin: true })
    return { isMade: type === 'signed_up' }
  }
  const used = await Promise.all([setup.use(token, make), setup.use(token, make)])
  t.deepEqual(used, [{ isMade: true }, undefined])
  t.is(setup.token, undefined)
  await t.throwsAsync(readFile(file), { code: 'ENOENT' })
  t.is((await open(file, world)).token, undefined)
})

test('a file that outlived a crash opens nothing once there is an administrator', async (t) => {
  const file = path.join(await makeTempDir(t), 'setup.token')
  const world = await (await accountWorld(t)).start()
  const { accounts } = world
  const { token = '' } = await open(file, world)
  const earlier = await open(file, world)
  t.true(await earlier.isGood(token))
  await accounts.signUp({ ...ada, isAdmin: true })
  t.false(await earlier.isGood(token), 'another node has made one')
  const setup = await open(file, world)
  t.false(setup.matches(token))
  await t.throwsAsync(readFile(file), { code: 'ENOENT' })
})

test('a file that a crash left half written is made anew', async (t) => {
  const file = path.join(await makeTempDir(t), 'setup.token')
  const world = await (await accountWorld(t)).start()
  await writeFile(file, 'once_', { mode: 0o600 })
  t.regex((await open(file, world)).token ?? '', /^once_[0-9A-Za-z]{32}$/)
})
