/** A form that was stopped before it was carried out: where it was sent, and what was typed. */
export type KeptForm = {
  /** The path that it was sent to, prefix included. */
  readonly action: string
  readonly values: ReadonlyMap<string, string>
}

/** Names of fields that hold something secret, or that are made anew with the form. */
const secretName = /password|passkey|secret|token|credential|challenge|^csrf$|^once$|(?:^|_)code$/

/** Texts by which secrets of ours are known, whichever field they were typed into. */
const secretText = /\b(?:svc_(?:live|test)_|svc-|once_|arklog_)\w/

/** What may be kept of a form: nothing that is secret; undefined if nothing is left. */
export function keepable(action: string, body: ReadonlyMap<string, string>): KeptForm | undefined {
  const values = new Map(
    [...body].filter(([name, value]) => {
      return value !== '' && !secretName.test(name) && !secretText.test(value)
    }),
  )
  return values.size === 0 ? undefined : { action, values }
}

/** Writes a kept form as a text that holds until a time, in milliseconds since 1970. */
export function keptText({ action, values }: KeptForm, untilMs: number): string {
  return JSON.stringify([untilMs, action, ...values])
}

/** The inverse of `keptText`: undefined once the time is over. */
export function readKept(text: string, nowMs: number): KeptForm | undefined {
  const [untilMs, action, ...values] = JSON.parse(text) as [
    number,
    string,
    ...(readonly [string, string])[],
  ]
  return nowMs < untilMs ? { action, values: new Map(values) } : undefined
}
