/** One wrong setting: the key (or an unknown name) and a sentence that says what is right. */
export type ConfigFault = { readonly key: string; readonly message: string }

/** The configuration cannot be used; `faults` holds everything that is wrong with it, at once. */
export class ConfigError extends Error {
  readonly code = 'config_invalid'
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    super(
      ['The configuration is not usable:', ...faults.map(({ message }) => `- ${message}`)].join(
        '\n',
      ),
    )
    this.name = 'ConfigError'
    this.faults = faults
  }
}
