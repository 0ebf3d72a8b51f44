import os from 'node:os'
import path from 'node:path'

/** What every run of AVA is set to. */
export const avaSettings = {
  extensions: ['ts'],
  require: ['./test/_no_source_maps.ts', './test/_bundled_threads.ts', './test/_living_thread.ts'],
  // Compiled modules are kept for the next worker and the next process: the tests start many.
  environmentVariables: { NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'arklog-compile-cache') },
}
