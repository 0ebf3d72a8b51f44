import { avaSettings, withDrawnSeed } from '#test/_ava_settings.ts'

/** What takes longest of all begins first: at the end, it would have the machine for itself. */
const longest = ['schemathesis', 'bench']

function rankOf(file) {
  return longest.some((name) => file.endsWith(`/${name}.test.ts`)) ? 0 : 1
}

export default {
  ...withDrawnSeed(avaSettings),
  files: ['test/long/**/*.test.ts'],
  sortTestFiles: (a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1),
  timeout: '30m',
}
