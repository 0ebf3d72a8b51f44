import { isUsableAddress, portFaults, proxyFaults } from '#config/config.ts'
import type { ConfigFault } from '#config/config_error.ts'
import {
  loadSettings,
  misspelledNames,
  type ProcessEnv,
  readSettings,
  type SettingsForm,
  wrongValue,
} from '#config/settings.ts'
import { type WitnessConfig, witnessKeys } from '#config/witness_schema.ts'

const form: SettingsForm<WitnessConfig> = {
  keys: witnessKeys,
  listedIn: 'docs/configuration.md',
  crossFaults,
}

/** A witness' configuration, as `readConfig` reads that of the registry. */
export function readWitnessConfig(env: ProcessEnv): WitnessConfig {
  return readSettings(form, env)
}

/** A witness' configuration, as `loadConfig` loads that of the registry. */
export function loadWitnessConfig(env: ProcessEnv, file?: string): WitnessConfig {
  return loadSettings(form, env, file)
}

/** What of a configuration, and of the environment it is read from, an operator should know. */
export function witnessWarnings(config: WitnessConfig, env: ProcessEnv): string[] {
  const { RATE_LIMITS, LIMIT_ADD_CHECKPOINT, LIMIT_NEW_CHECKPOINTS } = config
  const warnings = misspelledNames(form, env)
  const limits = { LIMIT_ADD_CHECKPOINT, LIMIT_NEW_CHECKPOINTS }
  const lifted = Object.entries(limits).filter(([, limit]) => !RATE_LIMITS || limit === 'off')
  if (lifted.length > 0) {
    const names = lifted.map(([name]) => name).join(', ')
    warnings.push(`Submissions are not limited (${names}).`)
  }
  return warnings
}

function crossFaults(values: Partial<WitnessConfig>): ConfigFault[] {
  const { BASE_URL: address } = values
  const isWrong = address !== undefined && !isUsableAddress(address)
  const accepts = 'an address that can be reached'
  return [
    ...(isWrong ? [{ key: 'BASE_URL', message: wrongValue('BASE_URL', address, accepts) }] : []),
    ...proxyFaults(values.TRUST_PROXY),
    ...portFaults(values),
  ]
}
