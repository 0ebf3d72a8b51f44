import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { Config } from '#config/schema.ts'
import { ConfigError } from '#config/settings.ts'
import type { Asset } from '#src/pages/kit/assets.ts'
import type { Branding, Logo } from '#src/use_cases/landing_record.ts'

type BrandingConfig = Pick<Config, 'REPOSITORY_NAME' | 'LOGO_FILE' | 'ACCENT_COLOR' | 'IMPRINT_URL'>

/** How pages look and who they say they are of, and the files that they load for that. */
export type OwnLook = { readonly branding: Branding; readonly assets: readonly Asset[] }

const looks = new WeakMap<BrandingConfig, OwnLook>()

/**
 * What a configuration says of how pages look, read once for each thread: so all pages name the
 * logo that is served. Errors: ConfigError, if the file of the logo cannot be used.
 */
export function readBranding(config: BrandingConfig): OwnLook {
  const look = looks.get(config) ?? lookOf(config)
  looks.set(config, look)
  return look
}

function lookOf(config: BrandingConfig): OwnLook {
  const { REPOSITORY_NAME: name, LOGO_FILE, ACCENT_COLOR, IMPRINT_URL: imprintUrl } = config
  const logo = LOGO_FILE === undefined ? undefined : readLogo(LOGO_FILE)
  const sheet = ACCENT_COLOR === undefined ? undefined : accentSheet(ACCENT_COLOR)
  return {
    branding: {
      name,
      ...(logo && { logo: { path: logo.path, type: logo.type, ...sizeOf(logo) } }),
      ...(sheet && { sheet }),
      ...(imprintUrl !== undefined && { imprintUrl }),
    },
    assets: [logo, sheet].filter((asset) => asset !== undefined),
  }
}

/** Every page loads the logo: it is no picture of megabytes. */
const logoBytesMax = 65_536

const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const pngBytesMin = 24

function readLogo(file: string): Asset {
  const unusable = (what: string) =>
    new ConfigError([{ key: 'LOGO_FILE', message: `LOGO_FILE names ${file}, which ${what}.` }])
  let content: Buffer
  try {
    content = readFileSync(file)
  } catch (error) {
    throw unusable(`cannot be read: ${String(error)}`)
  }
  if (content.length > logoBytesMax) {
    throw unusable(`has ${content.length} bytes; at most ${logoBytesMax} are possible`)
  }
  const isPng = content.subarray(0, pngStart.length).equals(pngStart)
  if (isPng && content.length >= pngBytesMin) {
    return assetOf('logo', 'png', 'image/png', content)
  }
  if (/^(?:<\?xml[^>]*>)?\s*(?:<!--[^]*?-->\s*)*<svg[\s>]/.test(content.toString('utf8').trim())) {
    return assetOf('logo', 'svg', 'image/svg+xml', content)
  }
  throw unusable('is neither an SVG nor a PNG file')
}

/** The size of a picture, by which pages keep room for it; a square if an SVG does not say. */
function sizeOf({ type, content }: Asset): Pick<Logo, 'width' | 'height'> {
  if (type === 'image/png') {
    return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
  }
  const box = /<svg[^>]*?\sviewBox=["'][\d.-]+[\s,]+[\d.-]+[\s,]+([\d.]+)[\s,]+([\d.]+)/
  const [, width, height] = box.exec(content.toString('utf8')) ?? []
  return { width: Number(width) || 1, height: Number(height) || 1 }
}

function assetOf(name: string, extension: string, type: string, content: Buffer): Asset {
  const digest = hash('sha256', content).slice(0, 16)
  return { path: `/assets/${name}.${digest}.${extension}`, type, content }
}

type Color = readonly [red: number, green: number, blue: number]

const white: Color = [255, 255, 255]
const black: Color = [0, 0, 0]

/** Backgrounds of pages, `--paper` and `--surface` of the stylesheet, where contrast is least. */
const lightPaper = colorOf('#f7f6f2')
const darkPaper = colorOf('#1a2128')

/** Contrast of a text with what is behind it, at least (WCAG 1.4.3), and where there is room. */
const contrastMin = 4.5
const contrastInDark = 7

/**
 * The stylesheet that gives pages a colour of their own. The colour is made darker or lighter until
 * links and buttons can be read.
 */
function accentSheet(accent: string): Asset {
  const own = colorOf(accent)
  const light = readable(own, black, lightPaper, contrastMin)
  const dark = readable(own, white, darkPaper, contrastInDark)
  const rules = (color: Color, strong: Color) =>
    `--accent:${textOf(color)};--accent-strong:${textOf(strong)}`
  const text = `:root{${rules(light, mixed(light, black, 0.3))}}
@media (prefers-color-scheme:dark){:root{${rules(dark, mixed(dark, white, 0.35))}}}
`
  return assetOf('accent', 'css', 'text/css; charset=utf-8', Buffer.from(text))
}

/** A colour, with as much of another one as gives it that contrast with what is behind it. */
function readable(color: Color, towards: Color, behind: Color, contrast: number): Color {
  const steps = Array.from({ length: 21 }, (_, step) => mixed(color, towards, step / 20))
  return steps.find((each) => contrastOf(each, behind) >= contrast) ?? towards
}

function colorOf(text: string): Color {
  const part = (at: number) => Number.parseInt(text.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

function textOf(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function mixed(color: Color, other: Color, share: number): Color {
  const part = (at: 0 | 1 | 2) => Math.round(color[at] * (1 - share) + other[at] * share)
  return [part(0), part(1), part(2)]
}

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
function contrastOf(one: Color, other: Color): number {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
