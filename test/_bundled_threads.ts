// Before each file of `npm test`: threads and processes that tests start from within run from the
// bundle, if it is of these very sources. They load a few files in place of hundreds, which takes a
// third of the time.
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

import { bundledFile, bundledProgram } from '#src/cli/bundle/bundle_stamp.ts'

const root = path.join(import.meta.dirname, '..')

function bundledOr(file: string | URL): string | URL {
  const bundled = file instanceof URL ? bundledFile(root, fileURLToPath(file)) : undefined
  return bundled !== undefined && existsSync(bundled) ? bundled : file
}

class BundledWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(bundledOr(file), options)
  }
}

if (bundledProgram(root) !== undefined) {
  const processes = process.getBuiltinModule('node:child_process')
  const { fork } = processes
  Object.assign(processes, {
    fork: (file: string | URL, ...rest: readonly unknown[]) =>
      Reflect.apply(fork, undefined, [bundledOr(file), ...rest]) as ReturnType<typeof fork>,
  })
  Object.assign(process.getBuiltinModule('node:worker_threads'), { Worker: BundledWorker })
  syncBuiltinESMExports()
}
