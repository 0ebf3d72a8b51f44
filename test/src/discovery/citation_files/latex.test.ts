import test from 'ava'

import { readLatex, readVerbatim } from '#src/discovery/citation_files/latex.ts'
import { latexText } from '#src/discovery/formats/latex_text.ts'
import { assertFewLooks } from '#test/src/discovery/citation_files/_looks.ts'

const read: readonly (readonly [source: string, text: string, left?: string])[] = [
  // Accents, on letters and on nothing.
  [
    String.raw`G{\"o}del \v{C}apek Mart{\'{\i}}n \c c {\v S} \k{a} \H{o} \u\i`,
    'Gödel Čapek Martín ç Š ą ő ĭ',
  ],
  [
    String.raw`\AA ngstr\"om Stra{\ss}e {\L}{\'o}d{\'z} \'{\ae} \={\"u}`,
    'Ångström Straße Łódź ǽ ǖ',
  ],
  [String.raw`10\^{}3, 10\^3, \~{}x, \'{}, \~`, "10^3, 10^3, ~x, ', ~"],
  // Spaces, dashes and quotes.
  [String.raw`5\,\% at 10\,km in J. Math.\ Phys.~A`, '5 % at 10 km in J. Math. Phys. A'],
  ["``quoted'' 1--3 --- yes ?`no", '“quoted” 1–3 — yes ¿no'],
  ["`one' don't ``a `b' c'' O`Neil's x `", "‘one’ don't “a ‘b’ c” O`Neil's x `"],
  ["-{}-help, f'{}'(x), `{}`moss'{}'", "--help, f''(x), ``moss''"],
  ['  a\n   b\t c ', 'a b c'],
  // Braces, groups and faces.
  [
    String.raw`{{T}he {DNA} of \{a, b\} \textbraceleft{}x\textbraceright{}`,
    'The DNA of {a, b} {x}',
  ],
  [String.raw`\emph{a \textbf{b}} {\em c} {\it d\/} co\-op`, 'a b c d coop'],
  // Commands with arguments; those that are not known stay whole.
  [String.raw`7~\mbox{TeV} in \ce{H2O}, \ce{SO4^2-}`, '7 TeV in H2O, SO4²⁻'],
  [
    String.raw`As \cite[p. 3]{foo_bar} says \foo.`,
    String.raw`As \cite[p. 3]{foo_bar} says \foo.`,
    String.raw`\cite \foo`,
  ],
  [String.raw`\enquote{x} \MakeUppercase{abc} {\noopsort{1973}}1981`, '“x” ABC 1981'],
  [String.raw`10\textsuperscript{18} m\textsuperscript{-3} x\textsubscript{2}`, '10¹⁸ m⁻³ x₂'],
  // Signs that were escaped, once or twice.
  [String.raw`A \& B, 5\% of x\_y \#1 \$5 100%`, 'A & B, 5% of x_y #1 $5 100%'],
  [String.raw`A \\& B, 5\\% of x\\_y\\ C`, 'A & B, 5% of x_y C'],
  // Money is no formula.
  ['It costs $5.', 'It costs $5.'],
  ['It costs $5 and $6.', 'It costs $5 and $6.'],
  // Formulas.
  [
    String.raw`Spaces $\ell_p$, H$_2$O, $10^{-3}$, $^{137}$Cs, $30^\circ$C, $C^*$`,
    'Spaces ℓₚ, H₂O, 10⁻³, ¹³⁷Cs, 30°C, C*',
  ],
  [
    String.raw`$O(\sqrt{n})$, $\frac{a+b}{2}$, $\mathbb{R}^n$, $a \leq b$, $\hat x$, $x'$`,
    'O(√n), (a+b)/2, ℝⁿ, a ≤ b, x̂, x′',
  ],
  [String.raw`$x_b$ and $e^{i\pi}$`, 'x_b and e^{iπ}', '_b ^{iπ}'],
  [String.raw`Gol{\cprime}dberg {\Dbar}a \oldstylenums{1987}`, 'Golʹdberg Đa 1987'],
  [String.raw`a\hskip 1em plus 2em\relax b\kern-.1em c \ch{H2O}`, 'a bc H2O'],
  [String.raw`A\textsuperscript{1,2}`, 'A^{1,2}', String.raw`\textsuperscript`],
  [String.raw`\(x^2\) $$y$$ \ensuremath{\alpha} $\mathrm{H_2O}$`, 'x² y α H₂O'],
  [String.raw`$\alpha < 1$, $\mu \pm \sigma$, $\infty \ge x$, $\pi r$`, 'α < 1, μ ± σ, ∞ ≥ x, πr'],
  [String.raw`A$_2$ from $5 and $B$ to R$ 20`, 'A₂ from $5 and $B$ to R$ 20'],
  [
    String.raw`\ce{^{227}_{90}Th+}, \ce{Na+ + OH-}, \makebox[3cm]{m}, a\hspace{1em}b`,
    '²²⁷₉₀Th⁺, Na⁺ + OH⁻, m, a b',
  ],
]

test('LaTeX is read as what it prints', (t) => {
  for (const [source, text, left = ''] of read) {
    const found = readLatex(source)
    t.deepEqual([found.text, found.left.join(' ')], [text, left], source)
  }
})

test('marks of quotations that a text has are read as they are from our own LaTeX', (t) => {
  for (const text of ["`one' two", "a (`b' c), ``d'' `", "O`Neil's `e f'"]) {
    t.is(readLatex(latexText(text)).text, text)
  }
})

test('empty lines part paragraphs where there are any', (t) => {
  const source = 'One\nline.\n\n  Two \\emph{a\n\nb}\\par c'
  t.is(readLatex(source).text, 'One line. Two a b c')
  t.is(readLatex(source, 'paragraphs').text, 'One line.\nTwo a\nb\nc')
})

const verbatim: readonly (readonly [source: string, text: string])[] = [
  [String.raw`10.1000/a{\_}b`, '10.1000/a_b'],
  [
    String.raw`10.1000/s1097(199806)49:8$<$693::aid$>$3.0`,
    '10.1000/s1097(199806)49:8<693::aid>3.0',
  ],
  [String.raw`10.1/x{\textless}1{\textgreater}CO;2-\#`, '10.1/x<1>CO;2-#'],
  [String.raw`https:\/\/example.org\/caf\'{e}\/\~{}u`, 'https://example.org/café/~u'],
  [String.raw`http://example.org/a{\_}b{\%}20c\&d`, 'http://example.org/a_b%20c&d'],
  [
    String.raw`https://e.org/\~{}a/{\~{}}b/\~c/$\sim$d/{\textasciitilde}e/~f`,
    'https://e.org/~a/~b/~c/~d/~e/~f',
  ],
  [String.raw`\url{https://e.org/a_b--c^d}`, 'https://e.org/a_b--c^d'],
  ['{https://e.org/\n   a}', 'https://e.org/a'],
  ['https://e.org/a$b$c', 'https://e.org/a$b$c'],
  ['10.1000/a$_b$c$_{d}$', '10.1000/a_bc_d'],
]

test('addresses and identifiers have no LaTeX left', (t) => {
  for (const [source, text] of verbatim) t.deepEqual(readVerbatim(source), { text, left: [] })
  t.deepEqual(readVerbatim(String.raw`a\foo b`), { text: 'ab', left: [String.raw`\foo`] })
})

test('LaTeX that is nested or not closed is read in steps that grow with its length', async (t) => {
  const pieces = [
    '{',
    '}',
    '$',
    '{$',
    '\\{',
    "\\'",
    '\\frac',
    '\\sqrt[',
    '^',
    '_{',
    '\\foo[',
    '\\(',
  ]
  await assertFewLooks(t, 'LaTeX', pieces)
  await assertFewLooks(t, 'verbatim', pieces)
})

test('a bar stands on a digit, and other accents before it', (t) => {
  t.is(readLatex(String.raw`Semi-Polar (11\=22) GaN`).text, 'Semi-Polar (112\u03042) GaN')
  t.is(readLatex(String.raw`10\^{}3`).text, '10^3')
})
