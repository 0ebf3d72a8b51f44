/** The elements of MathML Core (W3C) that show something, and `mfenced` of MathML 3. */
export const mathmlElements: ReadonlySet<string> = new Set(
  (
    'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom msub msup ' +
    'msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd mfenced semantics'
  ).split(' '),
)

/** Their attributes that say how something is set, and lead nowhere. */
export const mathmlAttributes: ReadonlySet<string> = new Set(
  (
    'display displaystyle scriptlevel mathvariant form fence separator stretchy symmetric largeop ' +
    'movablelimits accent accentunder linethickness lspace rspace minsize maxsize width height ' +
    'depth voffset columnspan rowspan columnalign rowspacing columnspacing open close separators dir'
  ).split(' '),
)
