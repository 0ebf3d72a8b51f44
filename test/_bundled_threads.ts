// Before each file of `npm test`: threads that a test starts run from the bundle, if it is of these
// very sources. They load a few files in place of hundreds, which takes a third of the time.
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

import { bundledFile, bundledProgram } from '#src/cli/bundle/bundle_stamp.ts'

const root = path.join(import.meta.dirname, '..')

class BundledWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    const bundled = file instanceof URL ? bundledFile(root, fileURLToPath(file)) : undefined
    super(bundled !== undefined && existsSync(bundled) ? bundled : file, options)
  }
}

if (bundledProgram(root) !== undefined) {
  Object.assign(process.getBuiltinModule('node:worker_threads'), { Worker: BundledWorker })
  syncBuiltinESMExports()
}
