import { readFileSync } from 'node:fs'
import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/schema'

import { nearestName } from '#actors/values/nearest_name.ts'

/** One wrong setting: the key (or an unknown name) and a sentence that says what is right. */
export type ConfigFault = { readonly key: string; readonly message: string }

/** The configuration cannot be used; `faults` holds everything that is wrong with it, at once. */
export class ConfigError extends Error {
  readonly code = 'config_invalid'
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    super(
      ['The configuration is not valid:', ...faults.map(({ message }) => `- ${message}`)].join(
        '\n',
      ),
    )
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** Bytes of a mebibyte, the unit in which the sizes of keys are written. */
export const mebibyte = 1_048_576

/** What every key says of itself, beside its JSON Schema. `accepts` completes "must be …". */
type Notes<T> = {
  readonly description: string
  readonly unit: string
  readonly default?: T
  readonly accepts: string
}

/** One key as its readers see it: the schema that checks it and what it says of itself. */
export type ConfigKey<Name extends string = string> = Notes<unknown> & {
  readonly name: Name
  readonly schema: TSchema
  /** Whether it must be given: it has no default, and nothing can be done without it. */
  readonly required: boolean
  /** How the value is written in the environment. */
  readonly form: 'integer' | 'integer_or_text' | 'boolean' | 'list' | 'text'
}

/** The keys of an object's schema, in its order. */
export function keysOf<Name extends string>(
  properties: Readonly<Record<Name, TSchema>>,
): readonly ConfigKey<Name>[] {
  return Object.entries<TSchema>(properties).map(([name, schema]) => {
    const { description, unit, accepts, ...rest } = schema as TSchema & Notes<unknown>
    return {
      name: name as Name,
      schema,
      required: !('default' in rest) && !Type.IsOptional(schema),
      form: formOf(schema),
      description,
      unit,
      accepts,
      ...('default' in rest ? { default: rest.default } : {}),
    }
  })
}

function formOf(schema: TSchema): ConfigKey['form'] {
  if (Type.IsInteger(schema)) return 'integer'
  if (Type.IsBoolean(schema)) return 'boolean'
  if (Type.IsArray(schema)) return 'list'
  if (Type.IsUnion(schema) && schema.anyOf.some((choice) => Type.IsInteger(choice))) {
    return 'integer_or_text'
  }
  return 'text'
}

type Bounds = { readonly minimum: number; readonly maximum: number }

/** A whole number within bounds. */
export function integer(notes: Omit<Notes<number>, 'accepts'> & Bounds) {
  return Type.Integer({ ...notes, accepts: wholeNumber(notes) })
}

/** A whole number within bounds, or `off`. */
export function integerOrOff(notes: Omit<Notes<number | 'off'>, 'accepts'> & Bounds) {
  const { minimum, maximum, ...rest } = notes
  return Type.Union([Type.Integer({ minimum, maximum }), Type.Literal('off')], {
    ...rest,
    accepts: `${wholeNumber(notes)}, or "off"`,
  })
}

function wholeNumber({ minimum, maximum }: Bounds): string {
  return `a whole number from ${minimum} to ${maximum}`
}

/** True or false. */
export function flag(notes: Pick<Notes<boolean>, 'description' | 'default'>) {
  return Type.Boolean({
    ...notes,
    unit: '',
    accepts: 'true or false (in the environment also on or off)',
  })
}

/** A text that a pattern matches. */
export function text(
  notes: Omit<Notes<string>, 'unit'> & { readonly pattern: string; maxLength: number },
) {
  return Type.String({ ...notes, unit: '' })
}

/** A path of the file system. */
export function path(notes: Pick<Notes<string>, 'description' | 'default'>) {
  return text({ ...notes, pattern: '^[^\\0]+$', maxLength: 1_000, accepts: 'a path' })
}

/** One of several words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  notes: Pick<Notes<Word>, 'description' | 'default'>,
) {
  return Type.Union(
    words.map((word) => Type.Literal(word)),
    { ...notes, unit: '', accepts: `one of ${words.join(', ')}` },
  )
}

/** A list of up to a hundred texts, with commas between them in the environment. */
export function list(textLength: number, notes: Pick<Notes<string[]>, 'description' | 'accepts'>) {
  const texts = Type.String({ maxLength: textLength })
  return Type.Array(texts, { ...notes, unit: '', default: [], maxItems: 100 })
}

/** An http or https address, which may have a path. */
export function httpAddress(notes: Pick<Notes<string>, 'description' | 'accepts'>) {
  const pattern = '^https?://[^/?#@\\s]+(/[0-9A-Za-z._~-]+)*/?$'
  return text({ ...notes, pattern, maxLength: 255 })
}

/** An address of this machine to listen on. */
export function listenHost(description: string) {
  return text({
    description,
    default: '127.0.0.1',
    pattern: '^[0-9A-Za-z.:_-]+$',
    maxLength: 255,
    accepts: 'an IP address or a host name',
  })
}

/** The TCP port of a server. */
export function listenPort(usual: number) {
  return integer({
    description: 'TCP port to listen on. 0 picks a free one.',
    unit: '',
    default: usual,
    minimum: 0,
    maximum: 65_535,
  })
}

/** A name for people. */
export function lineOfText(notes: Pick<Notes<string>, 'description' | 'default'>) {
  return text({
    ...notes,
    pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
    maxLength: 200,
    accepts: 'a name of up to 200 characters in one line',
  })
}

/** A limit on requests of one client; `off` lifts it, which the banner says. */
export function rateLimit(
  window: 'minute' | 'hour',
  most: number,
  description: string,
  counted: 'requests' | 'works' = 'requests',
) {
  return integerOrOff({
    description,
    unit: `${counted}/${window}`,
    default: most,
    minimum: 1,
    maximum: 1_000_000_000,
  })
}

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

/** Reads the settings of a program. Defaults are filled in. */
export type SettingsReader<C> = {
  /** Those of the environment and of the file that CONFIG_FILE names, if any; else ConfigError. */
  readonly read: (env: ProcessEnv) => C
  /**
   * Those of the environment and of the text of a JSON file, which yields to the environment key by
   * key. Throws one ConfigError that names every fault.
   */
  readonly load: (env: ProcessEnv, file?: string) => C
  /**
   * Environment variables that look like misspelt keys, as sentences. The environment is shared
   * with other programs, so these are warnings where the file has errors.
   */
  readonly misspelled: (env: ProcessEnv) => string[]
}

/** What reads the settings of a form. */
export function settingsReader<C>(form: SettingsForm<C>): SettingsReader<C> {
  return {
    read(env) {
      const { CONFIG_FILE: file = '' } = env
      return loadSettings(form, env, file === '' ? undefined : readText(file))
    },
    load: (env, file) => loadSettings(form, env, file),
    misspelled: (env) => misspelledNames(form, env),
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const message = `CONFIG_FILE names ${file}, which cannot be read: ${String(error)}`
    throw new ConfigError([{ key: 'CONFIG_FILE', message }])
  }
}

function loadSettings<C>(form: SettingsForm<C>, env: ProcessEnv, file?: string): C {
  const faults: ConfigFault[] = []
  const settings = { ...readFile(form, file, faults), ...readEnvironment(form.keys, env) }
  const values = checkValues(form.keys, settings, faults)
  faults.push(...form.crossFaults(values as Partial<C>))
  if (faults.length > 0) throw new ConfigError(faults)
  return values as C
}

function misspelledNames<C>({ keys }: SettingsForm<C>, env: ProcessEnv): string[] {
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
    faults.push({ key: 'CONFIG_FILE', message: 'CONFIG_FILE must contain one JSON object.' })
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

const nestedFile = 'CONFIG_FILE cannot be in the file that it names. Set it in the environment.'

function unknownKey(name: string, known: ReadonlySet<string>, listedIn: string): string {
  const near = nearestName(name, known)
  const hint = near === undefined ? `${listedIn} lists all keys.` : `Did you mean ${near}?`
  return `${name} is not a configuration key. ${hint}`
}

function readEnvironment(keys: readonly ConfigKey[], env: ProcessEnv): Settings {
  const settings: Record<string, unknown> = {}
  for (const { name, form } of keys) {
    const value = env[name]
    if (value !== undefined && value !== '') settings[name] = readVariable(value, form)
  }
  return settings
}

const switchTexts = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
])

/** What a variable's text stands for, or the text itself where it stands for none. */
function readVariable(value: string, form: ConfigKey['form']): unknown {
  switch (form) {
    case 'integer':
    case 'integer_or_text':
      return /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value
    case 'boolean':
      return switchTexts.get(value) ?? value
    case 'list':
      return value.split(',').map((part) => part.trim())
    case 'text':
      return value
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
