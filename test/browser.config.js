import shared from '../ava.config.js'

export default { ...shared, files: ['test/browser/**/*.test.ts'], timeout: '10m' }
