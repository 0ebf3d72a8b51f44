import { parseArgs } from 'node:util'

import { checkInterface } from '#test/interface/_check.ts'
import { openContentSite } from '#test/interface/_content_site.ts'
import type { Outcome } from '#test/interface/_outcome.ts'
import { sections } from '#test/interface/_sections.ts'
import { count, formatOutcomes } from '#test/interface/_table.ts'
import type { Place } from '#test/interface/_world.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

const usage = `npm run check:interface [-- option…]

Tries every row of the interface against a running registry, as a client would, and prints a table:
what is as the text has it, and what docs/interface.md explains. The exit code is 1 if a row is
neither, and 2 for an option that there is not.

  --url URL            a registry that runs on this machine, in place of one that is started for
                       this and removed; needs --data-dir
  --data-dir FOLDER    its data directory: its commands make the keys, applications and members
                       that rows need. It keeps all of them, and the works that are registered
  --auth-url URL       its identity provider, unless that is at /auth below the URL
  --content-port PORT  a port of 127.0.0.1 at which content is served; the registry has to be
                       started with FETCH_ALLOW=127.0.0.1:PORT. Otherwise rows that need content
                       are not tried
  --section NUMBER     only the rows of this section; may be given several times
  --json               one line of JSON instead of a table
  --help               this text

Rows about the adapter and about limits start processes of their own, beside any registry.

Sections:
${listSections()}
`

/** The sections with their numbers, a line each. */
function listSections(): string {
  const lines = sections.map(
    ({ name, rows }, index) => `${String(index + 1).padStart(4)}  ${name} (${rows.length} rows)`,
  )
  return lines.join('\n')
}

const options = {
  url: { type: 'string' },
  'data-dir': { type: 'string' },
  'auth-url': { type: 'string' },
  'content-port': { type: 'string' },
  section: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions>

function readOptions() {
  return parseArgs({ options }).values
}

/** What is wrong with the options; undefined if nothing is. */
function faultOf({ url, section = [], ...values }: Values): string | undefined {
  if (url !== undefined && values['data-dir'] === undefined) return '--url needs --data-dir'
  if (url === undefined && values['data-dir'] !== undefined) return '--data-dir needs --url'
  if (url !== undefined && !URL.canParse(url)) return `${url} is not an address`
  const wrong = section.find((number) => sections[Number(number) - 1] === undefined)
  return wrong === undefined ? undefined : `there is no section ${wrong}`
}

/** The registry that the options name. */
async function namedPlace(owner: Owner, url: string, values: Values): Promise<Place> {
  const { 'auth-url': authUrl, 'data-dir': dataDir, 'content-port': port } = values
  const baseUrl = new URL(url).origin
  return {
    baseUrl,
    authUrl: authUrl ?? `${baseUrl}/auth`,
    settings: { DATA_DIR: dataDir ?? '' },
    content: port === undefined ? undefined : await openContentSite(owner, Number(port)),
    institution: undefined,
    logged: undefined,
  }
}

function tellProgress(outcomes: readonly Outcome[]): void {
  const { rows, failed } = count(outcomes)
  const [first] = outcomes
  if (first === undefined) return
  const { id, section } = first
  const [number = ''] = id.split('.')
  const fails = failed === 0 ? '' : `, ${failed} FAIL`
  process.stderr.write(
    `${number.padStart(2)} of ${sections.length}  ${section}: ${rows} rows${fails}\n`,
  )
}

async function check(values: Values): Promise<void> {
  const { url, section, json } = values
  const outcomes = await checkInterface({
    ...(url !== undefined && { place: (owner: Owner) => namedPlace(owner, url, values) }),
    ...(section !== undefined && { only: section.map(Number) }),
    onSection: tellProgress,
  })
  const counts = count(outcomes)
  const text = json ? JSON.stringify({ counts, rows: outcomes }) : formatOutcomes(outcomes)
  process.stdout.write(`${text}\n`)
  process.exitCode = counts.failed === 0 ? 0 : 1
}

let values: Values | undefined
try {
  values = readOptions()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
}
const fault = values === undefined ? undefined : faultOf(values)
if (values === undefined || values.help || fault !== undefined) {
  process.stderr.write(`${fault === undefined ? '' : `${fault}\n\n`}${usage}`)
  process.exitCode = values?.help === true ? 0 : 2
} else {
  await check(values)
}
