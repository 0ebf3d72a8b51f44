import type { figures as english } from '#src/words/en/figures.ts'
import type { Translation } from '#src/words/message.ts'

export const figures: Translation<typeof english> = {
  workUsed: 'Wie oft dieses Werk genutzt wird',
  theseWorksUsed: 'Wie oft diese Werke genutzt werden',
  allWorksUsed: 'Wie oft Werke genutzt werden',
  notUsed: 'Von {$from} bis {$to} nicht aufgelöst oder gelesen. Robots werden nicht gezählt.',
  used: 'Von {$from} bis {$to} {#strong}{$count :integer}{/strong}-mal aufgelöst oder gelesen. Der letzte Monat ist noch nicht vorbei. Robots werden nicht gezählt.',
  uses: 'Nutzungen',
  asCsv: 'Als CSV',
  table: 'Alle Zahlen als Tabelle',
  howCounted: 'Wie wir zählen',
  byMonth: 'Nutzungen nach Monat',
  month: 'Monat',
  soFar: '{$month}, bisher',
  resolved: 'Aufgelöst',
  pageRead: 'Seite gelesen',
  verified: 'Geprüft',
  harvested: 'Geharvestet',
  bars: '{$what} von {$from} bis {$to}. Höchstwert: {$most} in {$when}.',
  bar: '{$label}: {$count :integer}',
  tree: 'Ein Baum aus Hashes. Von einer Quittung aus führen drei benachbarte Hashes zum Wurzel-Hash, den das Log signiert.',
  rootLabel: 'Wurzel-Hash, vom Log signiert',
  receiptLabel: 'eine Quittung',
  computed: 'aus der Quittung berechnet',
  proof: 'der Beweis, der mit der Quittung kommt',
  notNeeded: 'nicht nötig',
}
