// The recipes of the README run as they stand, one after the other, against one registry.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'

import { OAuthFlow } from '#test/src/_oauth_flow.ts'
import { type OAuthRegistry, openOAuthRegistry } from '#test/src/_oauth_registry.ts'
import { until } from '#test/_until.ts'
import { readRecipes } from '#test/src/client/_recipes.ts'

const run = promisify(execFile)
const client = new URL('../../../src/client/arklog.ts', import.meta.url)
const { setup, recipes } = readRecipes()

let registry: OAuthRegistry
let folder: string
let environment: Readonly<Record<string, string>>
let ark = ''

test.before(async () => {
  registry = await openOAuthRegistry({ SEARCH: 'on' })
  folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  const { key } = await registry.admin.call('/keys/create', {
    owner: 'org:demo',
    environment: 'live',
    scopes: ['works:read', 'works:write', 'search:read'],
  })
  const person = await registry.person('Josiah Willard Gibbs')
  const scopes = ['svc:affiliations:write', 'svc:author:write']
  const application = await registry.application({ scopes, organization: 'demo' })
  const flow = new OAuthFlow(registry, application, person)
  const { access } = await flow.tokens(scopes.join(' '))
  environment = { ARKLOG_URL: registry.baseUrl, ARKLOG_KEY: key, ARKLOG_TOKEN: access }
  const keys = await fetch(`${registry.baseUrl}/.well-known/svc-keys.json`)
  await writeFile(path.join(folder, 'keys.json'), await keys.text())
  const works = ['Graphical Methods', 'Geometrical Representation'].map((work_title, number) => {
    const work_url = `https://press.example/${number}`
    return { work_title, work_type: 'article', authors: 'Josiah Willard Gibbs', work_url }
  })
  const lines = [...works, { work_title: 'No more' }].map((work) => JSON.stringify(work))
  await writeFile(path.join(folder, 'works.jsonl'), `${lines.join('\n')}\n`)
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(path.join(folder, 'arklog.ts'), withClient(setup))
})

test.after.always(async () => {
  await registry.close()
  await rm(folder, { recursive: true })
})

function withClient(program: string): string {
  return program.replaceAll("'@arklog/client'", `'${client.href}'`)
}

async function runRecipe(number: number): Promise<string> {
  const recipe = recipes.find((each) => each.number === number)
  const file = path.join(folder, `recipe_${number}.ts`)
  await writeFile(file, withClient(recipe?.program ?? ''))
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const { stdout } = await run(process.execPath, [file, ark], { cwd: folder, env })
  return stdout
}

/** What each recipe says, by its number. */
const sayings: readonly RegExp[] = [
  /^ark:\/12345\/\S+\nsigned \d{4}-\S+Z, leaf \d+\n$/,
  /^version 2, changed keywords\nsomebody has changed it since: read it again\n$/,
  /^version 3 has the receipt rcpt_\S+\n1 \S+Z\n2 \S+Z\n3 \S+Z\n$/,
  /^On the Equilibrium .+, version 3, at https:\S+\nfirst registered \S+Z\n$/,
  /^3 works, 1 of them refused\nline 1: ark:\S+\nline 2: ark:\S+\nline 3: validation_failed: .+\n$/,
  /^(?:ark:\S+ .+\n){3}$/,
  /^(?:\d+ [a-z_.]+ \S*\n)*\d+ work\.versioned ark:\S+\n(?:\d+ .*\n)+up to date with \d+\n$/,
  /^ark:\S+ was registered on [\d-]+, in a log of \d+\nsignature: The receipt is not valid: .+\n$/,
  /^Yale University, by .+\nthe claim on ark:\S+ is pending\n$/,
  /^404 not_found: .+\(\S+\)\nauthors: .+\n/,
]

test('there are ten recipes', (t) => {
  t.deepEqual(
    recipes.map(({ number }) => number),
    sayings.map((_, index) => index + 1),
  )
  t.regex(setup, /new Arklog/)
})

for (const [index, saying] of sayings.entries()) {
  const { title = '' } = recipes[index] ?? {}
  test.serial(`recipe ${index + 1}: ${title}`, async (t) => {
    // What is searched for is indexed soon after it was registered.
    if (title === 'Search') await until('the works are found', isIndexed, { pauseMs: 100 })
    const said = await runRecipe(index + 1)
    t.regex(said, saying)
    if (index === 0) ark = said.split('\n')[0] ?? ''
  })
}

async function isIndexed(): Promise<boolean> {
  const headers = { authorization: `Bearer ${environment['ARKLOG_KEY']}` }
  const url = `${registry.baseUrl}/v1/search/works?author=Gibbs`
  const { total } = (await (await fetch(url, { headers })).json()) as { total: number }
  return total === 3
}
