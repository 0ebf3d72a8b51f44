import * as fs from 'node:fs/promises'
import * as os from 'node:os'
import * as path from 'node:path'

import type { ExecutionContext } from 'ava'

/** A directory of the test's own, removed after it. */
export async function makeTempDir(t: Pick<ExecutionContext, 'teardown'>): Promise<string> {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  t.teardown(() => fs.rm(dir, { recursive: true, force: true }))
  return dir
}
