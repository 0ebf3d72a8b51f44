import os from 'node:os'
import { argv, env } from 'node:process'

import { avaSettings, withDrawnSeed } from '#test/_ava_settings.ts'
import { testFiles } from '#test/groups/_groups.ts'

// A file that is named on the command line is run by itself, also if it is one of a group.
const isNamed = argv.slice(2).some((word) => word.includes('/'))
const byThemselves = ['test/**/*.test.ts', '!test/{long,browser,groups}/**']

/** Groups take longest: with them first, no core waits for another at the end. */
function rankOf(file) {
  return file.includes('/test/groups/') ? 0 : 1
}

const settings = env['FULL_COUNTS'] === '1' ? withDrawnSeed(avaSettings) : avaSettings

export default {
  ...settings,
  files: isNamed ? byThemselves : testFiles(),
  sortTestFiles: (a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1),
  require: [...settings.require, './test/_edge_threads.ts'],
  // One file more than there are cores: most wait for processes, timers and the disk.
  concurrency: os.availableParallelism() + 1,
  // Without any test that ends: a busy machine takes long to start what a test starts.
  timeout: '5m',
  environmentVariables: { ...settings.environmentVariables, FEW_THREADS: '1' },
}
