export default {
  extensions: ['ts'],
  files: ['test/long/**/*.test.ts'],
  timeout: '30m',
}
