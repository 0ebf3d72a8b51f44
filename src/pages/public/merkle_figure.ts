import { html, type Html } from '#src/pages/kit/html.ts'
import { figures } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

/** A small tree: 8 leaves below one root, and the leaf whose path is shown. */
const heightMax = 3
const shownLeaf = 2

/** Distances in units of the drawing. */
const leafStep = 72
const levelStep = 62
const radius = 11
const margin = { left: 40, top: 44 }

type Node = { readonly level: number; readonly index: number }

/** What a node is in the proof of the shown leaf. */
type Part = 'path' | 'proof' | 'other'

/** A drawing of how one entry leads to the root: with as many hashes as the tree has levels. */
export function merkleFigure(): Html {
  const nodes = Array.from({ length: heightMax + 1 }, (_, level) =>
    Array.from({ length: 2 ** (heightMax - level) }, (_none, index) => ({ level, index })),
  ).flat()
  const width = 2 * margin.left + leafStep * (2 ** heightMax - 1)
  const height = margin.top + levelStep * heightMax + 48
  return html`<figure class="merkle">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="merkle-title">
<title id="merkle-title">${figures.tree}</title>
${nodes.filter(({ level }) => level < heightMax).map(line)}
${nodes.map(circle)}
${label({ level: heightMax, index: 0 }, -22, figures.rootLabel)}
${label({ level: 0, index: shownLeaf }, 39, figures.receiptLabel)}
</svg>
<figcaption><span class="key key-path">${figures.computed}</span>
<span class="key key-proof">${figures.proof}</span>
<span class="key">${figures.notNeeded}</span></figcaption>
</figure>`
}

function line(node: Node): Html {
  const [from, to] = [placeOf(node), placeOf(parentOf(node))]
  const kind = partOf(node) === 'other' ? 'other' : 'path'
  return html`<line class="merkle-${kind}" x1="${from.x}" y1="${from.y}"
x2="${to.x}" y2="${to.y}"/>`
}

function circle(node: Node): Html {
  const { x, y } = placeOf(node)
  return html`<circle class="merkle-${partOf(node)}" cx="${x}" cy="${y}" r="${radius}"/>`
}

function label(node: Node, below: number, text: Text): Html {
  const { x, y } = placeOf(node)
  return html`<text x="${x}" y="${y + below}" text-anchor="middle">${text}</text>`
}

function placeOf({ level, index }: Node): { readonly x: number; readonly y: number } {
  const x = margin.left + leafStep * ((index + 0.5) * 2 ** level - 0.5)
  return { x, y: margin.top + levelStep * (heightMax - level) }
}

function parentOf({ level, index }: Node): Node {
  return { level: level + 1, index: Math.floor(index / 2) }
}

function partOf({ level, index }: Node): Part {
  const onPath = Math.floor(shownLeaf / 2 ** level)
  if (index === onPath) return 'path'
  const sibling = onPath % 2 === 0 ? onPath + 1 : onPath - 1
  return index === sibling ? 'proof' : 'other'
}
