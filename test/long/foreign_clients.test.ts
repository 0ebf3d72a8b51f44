// Clients that others wrote, in other languages: each signs a person in, refreshes eight times at
// once, and signs them out. One whose programs are not installed is skipped, and says what it
// needs.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import test, { type ExecutionContext } from 'ava'

import { until } from '#test/_until.ts'
import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import {
  openOAuthRegistry,
  password,
  permit,
  type TestApplication,
} from '#test/src/_oauth_registry.ts'
import { freePort } from '#test/_free_port.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const parallel = 8
const afterLogout = 'https://foreign.example/bye'
const foreignDir = path.join(import.meta.dirname, '../foreign')
const goDir = path.join(foreignDir, 'go_oidc')

/** What a client has done, in the last line that it prints. */
type Done = {
  readonly subject: string
  readonly refresh_tokens: readonly string[]
  readonly end_session: string
}

/** A test of a client, or, where something is missing, one that is skipped and says so. */
function foreign(
  name: string,
  missing: string | undefined,
  run: (t: ExecutionContext) => Promise<void>,
): void {
  if (missing === undefined) test.serial(name, run)
  else test.skip(`${name}: skipped: ${missing} is not installed`, run)
}

function works(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

const authlibModules = 'import authlib, requests'
foreign(
  'Authlib signs in, refreshes in parallel, and signs out',
  works('/usr/bin/python3', ['-c', authlibModules]) ? undefined : 'Authlib with requests',
  (t) => runClient(t, () => ['/usr/bin/python3', path.join(foreignDir, 'authlib_client.py')]),
)

foreign(
  'go-oidc signs in, refreshes in parallel, and signs out',
  works('go', ['-C', goDir, 'mod', 'download']) ? undefined : 'go, or a proxy of its modules,',
  async (t) => {
    const folder = await makeTempDir(t)
    const program = path.join(folder, 'go_oidc')
    execFileSync('go', ['-C', goDir, 'build', '-o', program, '.'])
    await runClient(t, () => [program])
  },
)

const moduleFile = '/usr/lib/apache2/modules/mod_auth_openidc.so'
foreign(
  'mod_auth_openidc signs in, loads pages side by side while it refreshes, and signs out',
  existsSync(moduleFile) && existsSync('/usr/sbin/apache2')
    ? undefined
    : 'apache2 with mod_auth_openidc',
  runApache,
)

async function openRegistry(t: ExecutionContext, wish: Partial<TestApplication['application']>) {
  const registry = await openOAuthRegistry()
  t.teardown(() => registry.close())
  const { redirect_uris = ['https://foreign.example/back'], post_logout_redirect_uris } = wish
  const application = await registry.application({
    redirect_uris: [...redirect_uris],
    post_logout_redirect_uris: [...(post_logout_redirect_uris ?? [afterLogout])],
  })
  return { registry, application, person: await registry.person() }
}

/** Drives a program that prints where to go, reads where the browser came back to, and goes on. */
async function runClient(t: ExecutionContext, command: () => readonly string[]): Promise<void> {
  const { registry, application, person } = await openRegistry(t, {})
  const { client_id, client_secret, redirect_uri } = application
  const [program = '', ...args] = command()
  const child = spawn(
    program,
    [...args, registry.issuer, client_id, client_secret, redirect_uri, afterLogout],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  t.teardown(() => child.kill())
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const { browser, ppid } = person
  const back = await permit(browser, await browser.go(String((await lines.next()).value)))
  child.stdin.end(`${back.url}\n`)
  const done = JSON.parse(String((await lines.next()).value)) as Done
  t.is((await ended)[0], 0)
  t.is(done.subject, ppid)
  t.is(done.refresh_tokens.length, parallel)
  t.is(new Set(done.refresh_tokens).size, 1, 'there is one line of refresh tokens')
  const asked = await browser.go(done.end_session)
  const out = await browser.submit(asked, { logout: 'yes' }, '/oauth/logout/confirm')
  t.is(out.url, afterLogout)
  t.regex((await browser.go(`${registry.issuer}/account`)).url, /\/sign-in/)
}

async function runApache(t: ExecutionContext): Promise<void> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { registry, application, person } = await openRegistry(t, {
    redirect_uris: [`${origin}/callback`],
    post_logout_redirect_uris: [`${origin}/bye.html`],
  })
  const folder = await makeTempDir(t)
  await startApache(t, folder, { port, issuer: registry.issuer, application })
  const chromium = await openBrowser()
  t.teardown(() => chromium.close())
  const page = await openWindow(t, chromium)
  await page.goto(`${origin}/private/page.html`)
  await page.fill('input[name=email]', person.email)
  await page.fill('input[name=password]', password)
  await page.click('main button[type=submit]')
  await page.waitForURL(/\/interaction\//)
  await page.click('main button[type=submit]:not([name=deny])')
  await page.waitForURL(`${origin}/private/page.html`)
  t.is(await page.textContent('h1'), 'Private')
  for (let round = 0; round < 3; round += 1) {
    const loads = Array.from({ length: parallel }, async () => {
      const tab = await page.context().newPage()
      const reply = await tab.goto(`${origin}/private/page.html`)
      const seen = [tab.url(), reply?.status(), await tab.textContent('h1')]
      await tab.close()
      return seen
    })
    for (const seen of await Promise.all(loads)) {
      t.deepEqual(seen, [`${origin}/private/page.html`, 200, 'Private'], 'nobody is sent away')
    }
  }
  const { entries } = await registry.admin.call('/keys/audit', { owner: `person:${person.ppid}` })
  t.false(entries.some(({ reason }) => reason === 'token_reused'))
  const log = await readFile(path.join(folder, 'error.log'), 'utf8')
  t.true(log.includes('grant_type=refresh_token'), 'it has refreshed')
  const bye = encodeURIComponent(`${origin}/bye.html`)
  await page.goto(`${origin}/callback?logout=${bye}`)
  await page.click('main button[name=logout]')
  await page.waitForURL(/\/bye\.html/)
  t.is(await page.textContent('h1'), 'Bye')
  await page.goto(`${registry.issuer}/account`)
  t.regex(page.url(), /\/sign-in/)
}

async function startApache(
  t: ExecutionContext,
  folder: string,
  {
    port,
    issuer,
    application,
  }: { readonly port: number; readonly issuer: string; readonly application: TestApplication },
): Promise<ChildProcess> {
  const www = path.join(folder, 'www')
  await mkdir(path.join(www, 'private'), { recursive: true })
  await writeFile(path.join(www, 'private', 'page.html'), '<h1>Private</h1>')
  await writeFile(path.join(www, 'bye.html'), '<h1>Bye</h1>')
  const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'mime', 'auth_openidc']
  const isRoot = process.getuid?.() === 0
  // Apache serves as another user than root.
  await chmod(folder, 0o755)
  const lines = [
    `ServerRoot ${folder}`,
    'ServerName 127.0.0.1',
    `Listen 127.0.0.1:${port}`,
    `PidFile ${folder}/pid`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/error.log`,
    'LogLevel warn auth_openidc:debug',
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'TypesConfig /etc/mime.types',
    ...(isRoot ? ['User www-data', 'Group www-data'] : []),
    `DocumentRoot ${www}`,
    `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration`,
    `OIDCClientID ${application.client_id}`,
    `OIDCClientSecret ${application.client_secret}`,
    `OIDCRedirectURI http://127.0.0.1:${port}/callback`,
    'OIDCCryptoPassphrase a-passphrase-of-the-test',
    'OIDCScope "openid svc:works:write"',
    'OIDCPKCEMethod S256',
    'OIDCProviderTokenEndpointAuth client_secret_post',
    // An access token is good for an hour, so each page refreshes; a failure signs out.
    'OIDCRefreshAccessTokenBeforeExpiry 3600 logout_on_error',
    '<LocationMatch "^/(private|callback)">',
    'AuthType openid-connect',
    'Require valid-user',
    '</LocationMatch>',
  ]
  const file = path.join(folder, 'apache.conf')
  await writeFile(file, `${lines.join('\n')}\n`)
  const child = spawn('/usr/sbin/apache2', ['-f', file, '-D', 'FOREGROUND'], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error('Apache does not start')
    return fetch(`http://127.0.0.1:${port}/bye.html`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  await until('Apache answers', isUp, { pauseMs: 100 })
  return child
}
