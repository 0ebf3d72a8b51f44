import test, { type ExecutionContext } from 'ava'
import {
  call,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { shareServer } from '#test/scenario/_shared_server.ts'

type NewKey = {
  readonly id: string
  readonly key: string
  readonly owner: string
  readonly scopes: readonly string[]
  readonly environment: string
  readonly expires_at: string
}

const shared = shareServer()

const createArgs = ['key', 'create', '--owner', 'org:demo', '--scopes', 'works:read,works:write']

async function refusal(t: ExecutionContext, args: readonly string[], settings: Settings) {
  const { code, stdout, stderr } = await runArklog(t, [...args, '--json'], settings)
  t.is(code, 1)
  t.is(stdout, '')
  return JSON.parse(stderr) as { error: string; message: string }
}

test.serial('keys are managed while a server runs', async (t) => {
  const { server, settings } = shared()
  const mint = (key: string) =>
    call(server, '/v1/works?allow_duplicate=true', { key, body: newWork('By a new key') })

  const created = await runJson<NewKey>(t, createArgs, settings)
  t.deepEqual(Object.keys(created).sort(), [
    'environment',
    'expires_at',
    'id',
    'key',
    'owner',
    'scopes',
  ])
  t.is(created.owner, 'org:demo')
  t.deepEqual(created.scopes, ['works:read', 'works:write'])
  t.is(created.environment, 'live')
  const days = (Date.parse(created.expires_at) - Date.now()) / 86_400_000
  t.true(days > 89 && days <= 90)
  t.is((await mint(created.key)).status, 201)

  const rotated = await runJson<NewKey & { replaces: string }>(
    t,
    ['key', 'rotate', created.id],
    settings,
  )
  t.is(rotated.replaces, created.id)
  t.is((await mint(created.key)).status, 201, 'the old key works on')
  t.is((await mint(rotated.key)).status, 201)

  const { stdout } = await runArklog(t, ['key', 'revoke', created.id], settings)
  t.is(stdout, `The key ${created.id} of org:demo is revoked.\n`)
  t.is((await mint(created.key)).status, 401)

  const listed = await runJson<{ id: string; state: string }[]>(t, ['key', 'list'], settings)
  const stateOf = (id: string) => listed.find((key) => key.id === id)?.state
  t.is(stateOf(created.id), 'revoked')
  t.is(stateOf(rotated.id), 'active')
  t.is(listed.length, 3, 'the first key and two new ones')
})

test.serial('keys are managed without a server, and work once there is one', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t) }
  // The very first command: it begins the registry, and there is no first key to print.
  const created = await runJson<NewKey>(t, createArgs, settings)
  const sandboxArgs = [
    ...createArgs,
    '--environment',
    'sandbox',
    '--label',
    'tests',
    '--hours',
    '2',
  ]
  const sandbox = await runJson<NewKey>(t, sandboxArgs, settings)
  t.regex(sandbox.key, /^svc_test_/)

  const server = await startServer(t, settings)
  t.is(server.started.first_key, null)
  const mint = (key: string) => call(server, '/v1/works', { key, body: newWork('By either key') })
  const live = await mint(created.key)
  t.is(live.status, 201)
  t.regex(String(live.body['ark_identifier']), /^ark:\/12345\//)
  const tried = await mint(sandbox.key)
  t.is(tried.status, 201)
  t.regex(String(tried.body['ark_identifier']), /^ark:\/99999\//)
})

test.serial('a key that cannot be is refused with all that is wrong', async (t) => {
  const { settings } = shared()
  const wrong = ['key', 'create', '--owner', 'org:demo', '--scopes', 'works:wirte,admin:*']
  const { error, message } = await refusal(t, wrong, settings)
  t.is(error, 'validation_failed')
  t.regex(message, /^The key cannot be made\n- scopes: "works:wirte" is not a scope; /)
  t.regex(message, /- scopes: Only a key of the operator can have admin:\*/)
  t.regex(message, /- ip_allow: A key with admin:\* must say from which addresses it is used/)

  const nobody = ['key', 'create', '--owner', 'org:nobody', '--scopes', 'works:read']
  t.deepEqual(await refusal(t, nobody, settings), {
    error: 'validation_failed',
    message: 'There is no organization nobody',
  })
  t.deepEqual(await refusal(t, ['key', 'revoke', 'AAAAAAAAAA'], settings), {
    error: 'not_found',
    message: 'There is no key AAAAAAAAAA',
  })
})

test.serial('an organization is made, and keys can act for it in both environments', async (t) => {
  const { settings } = shared()
  const create = ['organization', 'create', 'example-press', '--name', 'Example Press']
  const made = await runJson<{ slug: string; name: string }>(t, create, settings)
  t.is(made.slug, 'example-press')
  t.is(made.name, 'Example Press')
  t.deepEqual(await refusal(t, create, settings), {
    error: 'conflict',
    message: 'There is an organization example-press already',
  })
  const { stdout } = await runArklog(t, ['organization', 'list'], settings)
  t.is(stdout, 'org:demo  Demonstration\norg:example-press  Example Press\n')
  const keyArgs = ['key', 'create', '--owner', 'org:example-press', '--scopes', 'works:write']
  const key = await runJson<NewKey>(t, [...keyArgs, '--environment', 'sandbox'], settings)
  t.is(key.owner, 'org:example-press')
})

test.serial('a code confirms one call of an administrator', async (t) => {
  const { settings } = shared()
  const beganMs = Date.now()
  const confirmed = await runJson<{ code: string; expires_at: string }>(
    t,
    ['key', 'confirm'],
    settings,
  )
  t.regex(confirmed.code, /^[0-9A-Za-z]{12}$/)
  const madeMs = Date.parse(confirmed.expires_at) - 5 * 60_000
  t.true(madeMs >= beganMs && madeMs <= Date.now(), 'it is good for five minutes')
})
