import { avaSettings } from '#test/_ava_settings.ts'

export default {
  ...avaSettings,
  files: ['test/**/*.test.ts', '!test/long/**', '!test/browser/**'],
  timeout: '2m',
}
