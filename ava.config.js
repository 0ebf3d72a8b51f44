import os from 'node:os'
import path from 'node:path'

export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts', '!test/long/**', '!test/browser/**'],
  timeout: '2m',
  require: ['./test/_no_source_maps.ts'],
  // Compiled modules are kept for the next worker and the next process: the tests start many.
  environmentVariables: { NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'arklog-compile-cache') },
}
