import fs from 'node:fs/promises'
import path from 'node:path'
import type { ExecutionContext } from 'ava'

import { type Settings, spawnArklog } from '#test/scenario/_process.ts'

const dying = new URL('./_dying_import.ts', import.meta.url).href

/**
 * Runs an import with these arguments, which dies of SIGKILL in the moment in which it has noted
 * that more entries than `more` are done; gives how many.
 */
export async function killOnceNoted(
  t: ExecutionContext,
  args: readonly string[],
  settings: Settings,
  more: number,
): Promise<number> {
  const own = { NODE_OPTIONS: `--import=${dying}`, KILL_ONCE_DONE: String(more) }
  const { signal, stdout, stderr } = await spawnArklog(t, args, { ...settings, ...own }).ended
  t.is(signal, 'SIGKILL', `it was still at work: ${stdout}${stderr}`)
  const folder = path.join(settings['DATA_DIR'] ?? '', 'imports')
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.json'))
  const files = names.map((name) => path.join(folder, name))
  const notes = await Promise.all(
    files.map(async (file) => ({ file, atMs: (await fs.stat(file)).mtimeMs })),
  )
  const [newest] = notes.toSorted((one, other) => other.atMs - one.atMs)
  const noted = await fs.readFile(newest?.file ?? '', 'utf8')
  return (JSON.parse(noted) as { readonly lines_done: number }).lines_done
}
