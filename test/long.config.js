import shared from '../ava.config.js'

export default { ...shared, files: ['test/long/**/*.test.ts'], timeout: '30m' }
