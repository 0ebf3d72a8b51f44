import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { avaSettings } from '#test/_ava_settings.ts'

/** Starts the browser of this run, which ends with this process; undefined where there is none. */
async function startBrowser() {
  const file = new URL('./browser/_browser_process.ts', import.meta.url)
  const child = spawn(process.execPath, [file.pathname], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const [address] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  for (const each of [child, child.stdin, child.stdout]) each.unref()
  return address
}

/** What looks at the most pages begins first: with it at the end, no other file would be beside. */
const longest = ['developer', 'pages']

function rankOf(file) {
  const rank = longest.findIndex((name) => file.endsWith(`/${name}.test.ts`))
  return rank === -1 ? longest.length : rank
}

export default async () => {
  const address = await startBrowser()
  return {
    ...avaSettings,
    files: ['test/browser/**/*.test.ts'],
    sortTestFiles: (a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1),
    timeout: '10m',
    environmentVariables: {
      ...avaSettings.environmentVariables,
      ...(address !== undefined && { BROWSER_SERVER: address }),
    },
  }
}
