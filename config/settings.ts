import { readFileSync } from 'node:fs'
import { Check } from 'typebox/schema'
import { ConfigError, type ConfigFault } from '#config/config_error.ts'
import type { ConfigKey } from '#config/key_schema.ts'
import { nearestName } from '#config/nearest_name.ts'

/** Settings by key, as the environment (texts) or a JSON file (JSON values) gives them. */
type Settings = Readonly<Record<string, unknown>>

/** The environment of a process; a variable that is empty counts as not given. */
export type ProcessEnv = Readonly<Record<string, string | undefined>>

/** The settings `C` of a program: their keys, and what no single key's schema can say of them. */
export type SettingsForm<C> = {
  readonly keys: readonly ConfigKey[]
  /** The document that lists them, as a sentence begins. */
  readonly listedIn: string
  readonly crossFaults: (values: Partial<C>) => readonly ConfigFault[]
}

/** Reads the file that CONFIG_FILE names, if any, and loads the settings; else ConfigError. */
export function readSettings<C>(form: SettingsForm<C>, env: ProcessEnv): C {
  const path = env['CONFIG_FILE']
  if (path === undefined || path === '') return loadSettings(form, env)
  try {
    return loadSettings(form, env, readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const message = `CONFIG_FILE names ${path}, which cannot be read: ${String(error)}`
    throw new ConfigError([{ key: 'CONFIG_FILE', message }])
  }
}

/**
 * The settings of the environment `env` and the text of a JSON file, which yields to the
 * environment key by key. Defaults are filled in. Throws one ConfigError that names every fault.
 */
export function loadSettings<C>(form: SettingsForm<C>, env: ProcessEnv, file?: string): C {
  const faults: ConfigFault[] = []
  const settings = { ...readFile(form, file, faults), ...readEnvironment(form.keys, env) }
  const values = checkValues(form.keys, settings, faults)
  faults.push(...form.crossFaults(values as Partial<C>))
  if (faults.length > 0) throw new ConfigError(faults)
  return values as C
}

/**
 * Environment variables that look like misspelt keys, as sentences. The environment is shared with
 * other programs, so these are warnings where the file has errors.
 */
export function misspelledNames<C>({ keys }: SettingsForm<C>, env: ProcessEnv): string[] {
  const known = new Set(keys.map(({ name }) => name))
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || name.length < 8) return []
    const near = nearestName(name, known)
    if (near === undefined || env[near] !== undefined) return []
    return [`The environment has ${name}, which is not a key. Did you mean ${near}?`]
  })
}

function readFile<C>(
  { keys, listedIn }: SettingsForm<C>,
  file: string | undefined,
  faults: ConfigFault[],
): Settings {
  if (file === undefined) return {}
  let settings: unknown
  try {
    settings = JSON.parse(file)
  } catch (error) {
    faults.push({ key: 'CONFIG_FILE', message: `CONFIG_FILE is not JSON: ${String(error)}.` })
    return {}
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    faults.push({ key: 'CONFIG_FILE', message: 'CONFIG_FILE must hold one JSON object.' })
    return {}
  }
  const known = new Set(keys.map(({ name }) => name))
  for (const name of Object.keys(settings)) {
    if (name === 'CONFIG_FILE') faults.push({ key: name, message: nestedFile })
    else if (!known.has(name))
      faults.push({ key: name, message: unknownKey(name, known, listedIn) })
  }
  return settings as Settings
}

const nestedFile = 'CONFIG_FILE cannot stand in the file it names; set it in the environment.'

function unknownKey(name: string, known: ReadonlySet<string>, listedIn: string): string {
  const near = nearestName(name, known)
  const hint = near === undefined ? `${listedIn} lists all keys.` : `Did you mean ${near}?`
  return `${name} is not a configuration key. ${hint}`
}

function readEnvironment(keys: readonly ConfigKey[], env: ProcessEnv): Settings {
  const settings: Record<string, unknown> = {}
  for (const { name, form } of keys) {
    const text = env[name]
    if (text !== undefined && text !== '') settings[name] = readVariable(text, form)
  }
  return settings
}

const switchTexts = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
])

/** The value a variable's text stands for, or the text itself where it stands for none. */
function readVariable(text: string, form: ConfigKey['form']): unknown {
  switch (form) {
    case 'integer':
    case 'integer_or_text':
      return /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text
    case 'boolean':
      return switchTexts.get(text) ?? text
    case 'list':
      return text.split(',').map((part) => part.trim())
    case 'text':
      return text
  }
}

/** The values that pass their own key's schema, with defaults for those not given. */
function checkValues(
  keys: readonly ConfigKey[],
  settings: Settings,
  faults: ConfigFault[],
): Settings {
  const values: Record<string, unknown> = {}
  for (const key of keys) {
    const value = Object.hasOwn(settings, key.name) ? settings[key.name] : key.default
    if (value === undefined) {
      if (key.required) faults.push({ key: key.name, message: missing(key) })
    } else if (Check(key.schema, value)) values[key.name] = value
    else faults.push({ key: key.name, message: wrongValue(key.name, value, key.accepts) })
  }
  return values
}

function missing({ name, accepts }: ConfigKey): string {
  return `${name} is not given, but must be ${accepts}.`
}

/** That a key has a value which it must not have; `accepts` completes "must be …". */
export function wrongValue(name: string, value: unknown, accepts: string): string {
  return `${name} is ${JSON.stringify(value)}, but must be ${accepts}.`
}
