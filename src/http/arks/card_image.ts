import { crc32, deflateSync } from 'node:zlib'

import { strokeGlyphs } from '#src/http/arks/stroke_font.ts'

/** What the card of a work says. A text that has letters without strokes is left out. */
export type CardText = {
  readonly ark: string
  readonly status: string
  readonly isBad: boolean
  readonly title: string
  readonly authors: string
  readonly registry: string
}

/** Pixels of a card. Sites show pictures of this shape at the width of a post. */
const cardWidth = 800
const cardHeight = 420

/** Its left edge, which has the colour of how the work stands. */
const edgeWidth = 14

type Point = readonly [x: number, y: number]

/** A letter: lines through points, around its middle, and its width. */
type Glyph = { readonly lines: readonly (readonly Point[])[]; readonly width: number }

type Rgb = readonly [red: number, green: number, blue: number]

const paper: Rgb = [247, 246, 242]

/** Colours of what is drawn; the palette has steps of each, by how much of a pixel it covers. */
const inks = {
  text: [33, 37, 41],
  hint: [90, 98, 104],
  good: [26, 107, 60],
  bad: [179, 38, 30],
} as const satisfies Record<string, Rgb>
type Ink = keyof typeof inks
const inkNames = Object.keys(inks) as Ink[]
const steps = 15

/** Marks on a letter, as strokes from the middle of its top, or of its foot. */
const marks: Readonly<Record<string, string>> = {
  '\u0300': 'OLSO',
  '\u0301': 'ULQO',
  '\u0302': 'NORLVO',
  '\u0303': 'MOPMTOWM',
  '\u0304': 'NNVN',
  '\u0307': 'RNRN',
  '\u0308': 'ONON RUNUN',
  '\u030a': 'RLTNRPPNRL',
  '\u030c': 'NLROVL',
  '\u0327': 'RRSUQWOV',
}
const isBelow = new Set(['\u0327'])

/** Letters that are others with a stroke across. */
const crossed: Readonly<Record<string, readonly [letter: string, strokes: string]>> = {
  ø: ['o', 'L\\XL'],
  Ø: ['O', 'J\\ZE'],
  ł: ['l', 'OSUN'],
  Ł: ['L', 'ISQN'],
}

const capitalTop = -12
const smallTop = -5
const foot = 9

const typographic: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
}

/** A picture of a work as a PNG file, for sites that show links: some 10 kB. */
export function cardImage({ ark, status, isBad, title, authors, registry }: CardText): Buffer {
  const pixels = new Uint8Array(cardWidth * cardHeight)
  const ink = isBad ? 'bad' : 'good'
  for (let y = 0; y < cardHeight; y += 1) {
    pixels.fill(colorOf(ink, steps), y * cardWidth, y * cardWidth + edgeWidth)
  }
  drawText(pixels, registry, { x: 56, y: 60, size: 0.95, ink: 'hint', linesMax: 1 })
  const [size, linesMax] = title.length > 75 ? [1.3, 4] : [1.6, 3]
  const place = { x: 56, y: 132, ink: 'text', linesMax } as const
  const lines = drawText(pixels, title, { ...place, size })
  if (lines === 0) drawText(pixels, ark, { ...place, size: 1.8 })
  const below = place.y + Math.max(1, lines) * size * lineUnits
  drawText(pixels, authors, { x: 56, y: below + 6, size: 0.95, ink: 'hint', linesMax: 1 })
  drawText(pixels, status.toUpperCase(), { x: 56, y: 344, size: 0.95, ink, linesMax: 1 })
  drawText(pixels, ark, { x: 56, y: 384, size: 1, ink: 'text', linesMax: 1 })
  return pngOf(pixels)
}

type Placed = {
  readonly x: number
  readonly y: number
  /** Pixels of a unit of the letters, of which a capital has 21. */
  readonly size: number
  readonly ink: Ink
  readonly linesMax: number
}

const lineUnits = 34
const lineRight = cardWidth - 40

/** Characters of a text that are looked at: more do not go on a card. */
const charactersMax = 300

/** Draws a text with its first line around `y`; gives the lines it took, none if it is left out. */
function drawText(pixels: Uint8Array, text: string, placed: Placed): number {
  const { x, y, size, linesMax } = placed
  const lines = linesOf(text, (lineRight - x) / size, linesMax)
  for (const [row, glyphs] of lines.entries()) {
    let at = x
    for (const { lines: strokes, width } of glyphs) {
      const middle = at + (width / 2) * size
      const place = (point: Point): Point => [
        middle + point[0] * size,
        y + (row * lineUnits + point[1]) * size,
      ]
      for (const stroke of strokes) {
        for (const [index, point] of stroke.entries()) {
          const next = stroke[index + 1]
          if (next !== undefined) drawLine(pixels, place(point), place(next), placed)
        }
      }
      at += width * size
    }
  }
  return lines.length
}

/** The letters of a text in lines of some width; none if a letter has no strokes. */
function linesOf(text: string, widthMax: number, linesMax: number): readonly (readonly Glyph[])[] {
  if (text.trim() === '') return []
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax)}...` : text
  const words = cut
    .trim()
    .split(/\s+/u)
    .map((word) => glyphsOf(word))
  const lines: Glyph[][] = [[]]
  for (const word of words) {
    if (word === undefined) return []
    const line = lines.at(-1) ?? []
    if (line.length === 0) line.push(...word)
    else if (widthOf([...line, space, ...word]) <= widthMax) line.push(space, ...word)
    else lines.push([...word])
  }
  const shown = lines.slice(0, linesMax)
  if (lines.length > linesMax) shown.at(-1)?.push(...threeDots)
  return shown.map((line) => shortened(line, widthMax))
}

function shortened(line: readonly Glyph[], widthMax: number): readonly Glyph[] {
  if (widthOf(line) <= widthMax) return line
  const left = [...line]
  while (left.length > 0 && widthOf([...left, ...threeDots]) > widthMax) left.pop()
  return [...left, ...threeDots]
}

function widthOf(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { width }) => sum + width, 0)
}

/** The letters of a word, with the marks on them; undefined if one has no strokes. */
function glyphsOf(word: string): Glyph[] | undefined {
  const glyphs: Glyph[] = []
  let letter = ''
  for (const sign of word.normalize('NFD')) {
    const mark = marks[sign]
    const below = glyphs.at(-1)
    if (mark !== undefined && below !== undefined) {
      const top = /[a-z]/u.test(letter) && !/[bdfhkl]/u.test(letter) ? smallTop : capitalTop
      const shift = isBelow.has(sign) ? foot : top
      const { width, lines } = below
      glyphs.splice(-1, 1, { width, lines: [...lines, ...linesIn(mark, shift)] })
      continue
    }
    const [base, across] = crossed[sign] ?? [typographic[sign] ?? sign, '']
    const found = Array.from(base, glyphOf)
    if (found.some((glyph) => glyph === undefined)) return undefined
    for (const glyph of found.filter((one) => one !== undefined)) {
      glyphs.push({ ...glyph, lines: [...glyph.lines, ...linesIn(across)] })
    }
    letter = base
  }
  return glyphs
}

/** What comes after the printable characters of ASCII in the list of letters. */
const lastGlyph = 'ß'

function glyphOf(sign: string): Glyph | undefined {
  const code = sign.charCodeAt(0) - ' '.charCodeAt(0)
  const text = strokeGlyphs[sign === lastGlyph ? strokeGlyphs.length - 1 : code]
  if (text === undefined || (sign > '~' && sign !== lastGlyph)) return undefined
  const width = coordinate(text, 1) - coordinate(text, 0)
  return { width, lines: linesIn(text.slice(2)) }
}

function coordinate(text: string, at: number): number {
  return text.charCodeAt(at) - 'R'.charCodeAt(0)
}

/** The lines of strokes as the letters have them, moved down by so much. */
function linesIn(strokes: string, shift = 0): Point[][] {
  const lines: Point[][] = [[]]
  for (let at = 0; at < strokes.length; at += 2) {
    if (strokes.startsWith(penUp, at)) lines.push([])
    else lines.at(-1)?.push([coordinate(strokes, at), coordinate(strokes, at + 1) + shift])
  }
  return lines
}

/** In place of a point: the next one begins a line. */
const penUp = ' R'

const space: Glyph = { lines: [], width: 16 }
const threeDots = glyphsOf('...') ?? []

/** Half the width of a line, in units of the letters. */
const penRadius = 1.1

function drawLine(pixels: Uint8Array, from: Point, to: Point, { size, ink }: Placed): void {
  const radius = penRadius * size
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const squared = dx * dx + dy * dy
  const span = (axis: 0 | 1, max: number) =>
    [
      Math.max(0, Math.floor(Math.min(from[axis], to[axis]) - radius - 1)),
      Math.min(max - 1, Math.ceil(Math.max(from[axis], to[axis]) + radius + 1)),
    ] as const
  const [left, right] = span(0, cardWidth)
  const [top, bottom] = span(1, cardHeight)
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (squared || 1)
      const nearest = Math.min(1, Math.max(0, along))
      const [offX, offY] = [from[0] + nearest * dx - x, from[1] + nearest * dy - y]
      const distance = Math.sqrt(offX * offX + offY * offY)
      const covered = Math.min(1, Math.max(0, radius + 0.5 - distance))
      const color = colorOf(ink, Math.round(covered * steps))
      const at = y * cardWidth + x
      if (color > (pixels[at] ?? 0)) pixels[at] = color
    }
  }
}

/** The place in the palette of a colour that covers a pixel by so many steps; 0 is the paper. */
function colorOf(ink: Ink, step: number): number {
  return step === 0 ? 0 : inkNames.indexOf(ink) * steps + step
}

function paletteBytes(): Buffer {
  const mixed = inkNames.flatMap((ink) =>
    Array.from({ length: steps }, (_, index) => {
      const share = (index + 1) / steps
      return paper.map((part, at) => Math.round(part + ((inks[ink][at] ?? 0) - part) * share))
    }),
  )
  return Buffer.from([...paper, ...mixed.flat()])
}

/** A PNG file of pixels that are places in the palette. */
function pngOf(pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(cardWidth, 0)
  header.writeUInt32BE(cardHeight, 4)
  // Eight bits a pixel, by a palette; each row is as it is.
  header.set([8, 3, 0, 0, 0], 8)
  const rows = Buffer.alloc((cardWidth + 1) * cardHeight)
  for (let y = 0; y < cardHeight; y += 1) {
    rows.set(pixels.subarray(y * cardWidth, (y + 1) * cardWidth), y * (cardWidth + 1) + 1)
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunkOf('IHDR', header),
    chunkOf('PLTE', paletteBytes()),
    chunkOf('IDAT', deflateSync(rows)),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
