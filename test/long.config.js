import { avaSettings } from '#test/_ava_settings.ts'

export default { ...avaSettings, files: ['test/long/**/*.test.ts'], timeout: '30m' }
