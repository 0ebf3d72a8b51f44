import { isLoopback, isUsableAddress, portFaults, proxyFaults } from '#config/config.ts'
import type { ConfigFault } from '#config/config_error.ts'
import { type AdapterConfig, adapterKeys } from '#config/oai_adapter_schema.ts'
import {
  loadSettings,
  misspelledNames,
  type ProcessEnv,
  readSettings,
  type SettingsForm,
  wrongValue,
} from '#config/settings.ts'

const form: SettingsForm<AdapterConfig> = {
  keys: adapterKeys,
  listedIn: 'docs/harvesting.md',
  crossFaults,
}

/** The adapter's configuration, as `readConfig` reads that of the registry. */
export function readAdapterConfig(env: ProcessEnv): AdapterConfig {
  return readSettings(form, env)
}

/** The adapter's configuration, as `loadConfig` loads that of the registry. */
export function loadAdapterConfig(env: ProcessEnv, file?: string): AdapterConfig {
  return loadSettings(form, env, file)
}

/** What of a configuration, and of the environment it is read from, an operator should know. */
export function adapterWarnings(config: AdapterConfig, env: ProcessEnv): string[] {
  const { SVC_URL, METADATA_PREFIX, RATE_LIMITS, LIMIT_OAI } = config
  const { protocol, hostname } = new URL(SVC_URL)
  const warnings = misspelledNames(form, env)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    warnings.push(`SVC_URL is ${SVC_URL}, so the key crosses the network in the clear.`)
  }
  if (METADATA_PREFIX !== undefined && METADATA_PREFIX !== 'oai_dc') {
    warnings.push('METADATA_PREFIX leaves out oai_dc, which the protocol wants of everybody.')
  }
  if (!RATE_LIMITS || LIMIT_OAI === 'off') warnings.push('Harvesters are not limited (LIMIT_OAI).')
  return warnings
}

function crossFaults(values: Partial<AdapterConfig>): ConfigFault[] {
  return [
    ...keyFaults(values),
    ...addressFaults(values, ['SVC_URL', 'SVC_PUBLIC_URL', 'BASE_URL']),
    ...proxyFaults(values.TRUST_PROXY),
    ...portFaults(values),
  ]
}

/** No message repeats the key. */
function keyFaults({ SVC_API_KEY: key, SVC_API_KEY_FILE: file }: Partial<AdapterConfig>) {
  if ((key === undefined) === (file === undefined)) {
    const message = 'SVC_API_KEY or SVC_API_KEY_FILE must be given, and not both.'
    return [{ key: 'SVC_API_KEY', message }]
  }
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return []
  return [{ key: 'SVC_API_KEY', message: 'SVC_API_KEY must be an API key: it has other signs.' }]
}

function addressFaults(
  values: Partial<AdapterConfig>,
  keys: readonly ('SVC_URL' | 'SVC_PUBLIC_URL' | 'BASE_URL')[],
): ConfigFault[] {
  return keys.flatMap((key) => {
    const address = values[key]
    if (address === undefined || isUsableAddress(address)) return []
    return [{ key, message: wrongValue(key, address, 'an address that can be reached') }]
  })
}
