import type { ExecutionContext } from 'ava'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'

import type { FetchOutcome } from '#src/delivery/fetch/outcome.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const script = new URL('./_measured_process.ts', import.meta.url).pathname

// Not a divisor of the chunks in which a socket reads.
const chunk = Buffer.alloc(100_003, 'content of a work ')

/** How a fetch of so many chunks ended, what it should have, and what memory it took. */
export type LargeFetch = {
  readonly outcome: FetchOutcome
  readonly expected: { readonly bytes: number; readonly sha256: string }
  readonly grownBytes: number
}

/**
 * Serves bodies that are made as they are read, and fetches one of so many chunks, after a tenth of
 * it, in a process of its own.
 */
export async function fetchLarge(t: ExecutionContext, chunks: number): Promise<LargeFetch> {
  let sha256 = createHash('sha256')
  const server = await serve(t, ({ url }, response) => {
    sha256 = createHash('sha256')
    let left = url === '/large' ? chunks : chunks / 10
    const more = () => {
      for (; left > 0; left -= 1) {
        sha256.update(chunk)
        if (!response.write(chunk)) {
          left -= 1
          return
        }
      }
      response.end()
    }
    response.on('drain', more)
    more()
  })
  const urls = ['small', 'large'].map((name) => `${server.url}/${name}`)
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...urls])
  const { outcome, grownBytes } = JSON.parse(stdout) as Pick<LargeFetch, 'outcome' | 'grownBytes'>
  const expected = { bytes: chunks * chunk.length, sha256: sha256.digest('hex') }
  return { outcome, expected, grownBytes }
}
