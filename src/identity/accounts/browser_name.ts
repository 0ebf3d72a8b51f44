// Names that are in the headers of other browsers too come last.
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
]

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** What people call a browser, from its `User-Agent`: `Firefox 145 on Linux`. */
export function browserName(userAgent: string): string {
  if (userAgent === '') return 'unknown'
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))
  if (browser === undefined) return userAgent
  const [pattern, name] = browser
  const version = pattern.exec(userAgent)?.[1]
  const system = systems.find(([known]) => known.test(userAgent))?.[1]
  return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`
}
