import { avaSettings } from '#test/_ava_settings.ts'

export default { ...avaSettings, files: ['test/browser/**/*.test.ts'], timeout: '10m' }
