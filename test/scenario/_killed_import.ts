import fs from 'node:fs/promises'
import path from 'node:path'

/**
 * Starts an import, and kills it when it has noted in the folder of progress that more entries than
 * `more` are done; gives how many.
 */
export async function killOnceNoted(
  start: () => { end(signal: 'SIGKILL'): Promise<{ readonly signal: unknown }> },
  folder: string,
  more: number,
): Promise<number> {
  const running = start()
  for await (const { filename } of fs.watch(folder)) {
    if (filename?.endsWith('.json') !== true) continue
    const text = await fs.readFile(path.join(folder, filename), 'utf8')
    const { lines_done: done } = JSON.parse(text) as { lines_done: number }
    if (done <= more) continue
    await running.end('SIGKILL')
    return done
  }
  return 0
}
