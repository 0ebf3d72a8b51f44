export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts', '!test/long/**', '!test/browser/**'],
  timeout: '2m',
}
