import { randomInt } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { env, stderr } from 'node:process'

/** What every run of AVA is set to. */
export const avaSettings = {
  extensions: ['ts'],
  require: [
    './test/_no_source_maps.ts',
    './test/_bundled_threads.ts',
    './test/_living_thread.ts',
    './test/_seed.ts',
  ],
  environmentVariables: {
    // Compiled modules are kept for the next worker and the next process: the tests start many.
    NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'arklog-compile-cache'),
    // The same draws in every run, so that none fails by chance.
    SEED: env['SEED'] ?? '1',
  },
}

/** The same for a run that tries new draws. It prints its seed, with which it can be repeated. */
export function withDrawnSeed(settings: typeof avaSettings): typeof avaSettings {
  const SEED = env['SEED'] ?? String(randomInt(2 ** 31))
  stderr.write(`SEED=${SEED}\n`)
  return { ...settings, environmentVariables: { ...settings.environmentVariables, SEED } }
}
