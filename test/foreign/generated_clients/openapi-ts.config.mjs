export default {
  input: 'openapi.json',
  output: { path: 'generated/hey_api', module: { extension: '.ts' } },
}
