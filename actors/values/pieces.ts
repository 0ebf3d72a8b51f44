/** A piece of a text in UTF-8: bytes as they are, or characters that are still to be encoded. */
export type Piece = string | Uint8Array

/** The bytes of all pieces, one after the other. */
export function joinPieces(pieces: readonly Piece[]): Buffer {
  let size = 0
  for (const piece of pieces) {
    size += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
  }
  const joined = Buffer.allocUnsafe(size)
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') at += joined.write(piece, at)
    else {
      joined.set(piece, at)
      at += piece.length
    }
  }
  return joined
}
