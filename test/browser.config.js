export default {
  extensions: ['ts'],
  files: ['test/browser/**/*.test.ts'],
  timeout: '10m',
}
