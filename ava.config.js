export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts', '!test/long/**'],
  timeout: '2m',
}
