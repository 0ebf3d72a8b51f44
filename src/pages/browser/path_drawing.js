// @ts-check

// Distances in units of the drawing: of levels, of siblings from the middle, and around all.
const width = 320
const levelStep = 34
const reach = 70
const margin = 34
const radius = 7

/**
 * Draws how an entry leads to the root of a log: the hashes that were computed, one above the
 * other, and beside each the hash of the proof that it was joined with. The sides are those of
 * RFC 9162 §2.1.3.2; the hashes are not shown.
 * @param {{ leaf_index: number, tree_size: number, inclusion_proof: readonly string[] }} place
 * @returns {SVGElement}
 */
export function drawPath({ leaf_index: leafIndex, tree_size: treeSize, inclusion_proof: proof }) {
  const sides = sidesOf(leafIndex, treeSize)
  const height = 2 * margin + sides.length * levelStep
  const middle = width / 2
  const bottom = height - margin
  const entry = `entry ${leafIndex.toLocaleString('en-US')}`
  const root = `root of ${treeSize.toLocaleString('en-US')} entries`
  const svg = part('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' })
  svg.setAttribute('aria-label', `${entry} leads by ${proof.length} hashes to the ${root}`)
  for (const [level, side] of sides.entries()) {
    const at = bottom - level * levelStep
    const x = side === 'left' ? middle - reach : middle + reach
    const to = { x2: middle, y2: at - levelStep }
    svg.append(
      part('line', { class: 'path-proof', x1: x, y1: at, ...to }),
      part('line', { class: 'path-line step-done', x1: middle, y1: at, ...to }),
      part('circle', { class: 'path-sibling', cx: x, cy: at, r: radius - 2 }),
    )
  }
  svg.append(part('circle', { class: 'path-leaf', cx: middle, cy: bottom, r: radius }))
  for (const level of sides.keys()) {
    const node = part('g', { class: 'path-node step-done' })
    const cy = bottom - (level + 1) * levelStep
    node.append(part('circle', { cx: middle, cy, r: radius }))
    svg.append(node)
  }
  svg.append(words(entry, middle, bottom + 24), words(root, middle, 20))
  return svg
}

/**
 * On which side of the path each hash of a proof stands, from the leaf up.
 * @param {number} leafIndex
 * @param {number} treeSize
 * @returns {('left' | 'right')[]}
 */
function sidesOf(leafIndex, treeSize) {
  /** @type {('left' | 'right')[]} */
  const sides = []
  let index = leafIndex
  for (let last = treeSize - 1; last > 0; last = Math.floor(last / 2)) {
    if (index % 2 === 1) sides.push('left')
    else if (index < last) sides.push('right')
    index = Math.floor(index / 2)
  }
  return sides
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
function words(text, x, y) {
  const element = part('text', { x, y, 'text-anchor': 'middle' })
  element.textContent = text
  return element
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function part(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`)
  return element
}
