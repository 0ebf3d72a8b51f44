import type { landing as english } from '#src/words/en/landing.ts'
import type { Translation } from '#src/words/message.ts'

export const landing: Translation<typeof english> = {
  version: 'Versión {$number}',
  marked: '{$mark}: {$title}',
  changesFeed: 'Cambios de esta obra',
  citeAs: 'Citar como',
  toNewest: 'Lleva siempre a la última versión. {#link}Enlace a esta versión{/link}',
  thisIsMine: 'Soy autor o autora de esta obra',
  // The content, not the work, stands before it.
  checkedAgo: 'comprobado {$ago}',
  receipt: 'Comprobante',
  registeredOn: 'registrada el {$time}',
  openContent: 'Abrir el contenido',
  openPage: 'Abrir la página de la editorial',
  elsewhere: 'en {$host}, fuera de este registro',
  abstract: 'Resumen',
  noAbstract: 'Esta obra no tiene resumen.',
  formulaSources: 'Código fuente de las fórmulas',
  // “Registro” is the registry and a record: the record is “los datos” where both would be read.
  sandbox:
    '{#strong}Entorno de pruebas: no citar.{/strong} Los datos de esta obra son una prueba. Su ARK no es permanente.',
  older:
    '{#strong}Hay una versión más reciente.{/strong} Esta es la versión {$number}. {#link}Ver la versión {$newest}, la última{/link}.',
  withdrawnTitle: 'Retirada',
  lost: 'Metadatos perdidos',
  erased: 'Metadatos borrados',
  withdrawnOn: '{#strong}Esta obra fue retirada{/strong} el {$time}, {$why}.',
  withdrawnBy: '{#strong}Esta obra fue retirada{/strong} el {$time} por {$who}, {$why}.',
  instead: 'Use esta obra en su lugar: {$link}.',
  erasedOn:
    'Borramos los metadatos de la obra retirada el {$time}. Los hashes permanecen y siguen demostrando qué se registró.',
  remains:
    'Su ARK nunca designa otra obra. Sus comprobantes siguen siendo válidos. Ya no enlazamos a su contenido.',
  cite: 'Citar esta obra',
  citationStyle: 'Estilo de cita',
  copyCitation: 'Copiar la cita',
  plainText: 'En texto sin formato',
  forManagers: 'Para gestores bibliográficos',
  otherStyle: 'Otro estilo',
  styleByName: 'Otro estilo, por su nombre en {#link}la lista{/link}',
  forPrograms: 'Para programas',
  linkSet: 'Conjunto de enlaces',
  atomFeed: 'Canal Atom',
  oaiRecord: 'Registro OAI-PMH',
  researcher: 'un investigador, {#link}{$id}{/link}',
  registryItself: 'este registro, automáticamente',
  operator: 'el operador de este registro',
  moreAuthors: `.input {$count :integer} .match $count
    one {{{$count} autor más}}
    * {{{$count} autores más}}`,
  unnamedAuthors: `.input {$count :integer} .match $count
    one {{Los datos en JSON nombran {$count} autor más.}}
    * {{Los datos en JSON nombran {$count} autores más.}}`,
  somebody: 'Una persona con perfil en este registro',
  unplaced: '{$name}: {$mark}, pero no se sabe de cuál de los autores se trata.',
  byAdmin: 'confirmado por la administración',
  byOrcid: 'ha iniciado sesión con ORCID',
  byThem: 'ha registrado esta obra',
  byBoth: 'confirmado por la editorial y la persona',
  byPublisher: 'nombrado por la editorial, con permiso de la persona',
  orcid: 'ORCID iD {$id}',
  orcidSaid: 'ORCID iD {$id}, no confirmado por su titular',
  versions: 'Versiones',
  newerVersions: `.input {$count :integer} .match $count
    one {{{$count} versión más reciente: {#link}la última{/link}}}
    * {{{$count} versiones más recientes, hasta {#link}la última{/link}}}`,
  olderVersions: `.input {$count :integer} .match $count
    one {{{$count} versión más antigua: {#link}la versión {$number}{/link}}}
    * {{{$count} versiones más antiguas, desde {#link}la versión {$number}{/link} hacia atrás}}`,
  earlierVersions: `.input {$count :integer} .match $count
    one {{{$count} versión anterior}}
    * {{{$count} versiones anteriores}}`,
  thisPage: 'esta página',
  compare: 'Comparar',
  compareWith: 'Comparar la versión {$number} con la versión anterior',
  firstVersion: 'Registrada.',
  newVersion: 'Versión nueva: cambios en {$fields}.',
  changed: 'Cambios en {$fields}.',
  history: 'Quién cambió qué',
  registeredBy: 'Registrada el {$time} por {$who}. El historial conserva todos los cambios.',
  earlierChanges: `.input {$count :integer} .match $count
    one {{{$count} cambio anterior}}
    * {{{$count} cambios anteriores}}`,
  historyJson: 'El historial en JSON',
  wholeHistoryJson: 'Todo el historial en JSON',
  event: '{$time} {$what}, por {$who}',
  eventRegistered: 'Registrada',
  eventVersion: 'Versión {$number}: cambios en {$fields}',
  eventWithdrawn: 'Retirada',
  eventErased: 'Metadatos borrados',
  eventLost: 'Pérdida de los metadatos constatada',
  eventVerified: 'Contenido hallado tal como se registró',
  eventFailed: 'Contenido hallado con cambios',
  eventUnreachable: 'Contenido no confirmado',
  eventVerifiedOf: 'Contenido de la versión {$number} hallado tal como se registró',
  eventFailedOf: 'Contenido de la versión {$number} hallado con cambios',
  eventUnreachableOf: 'Contenido de la versión {$number} no confirmado',
  fixity: 'Comprobación del contenido',
  checkedElsewhere: 'Las comprobaciones siguen {#link}en la última versión{/link}.',
  neverRead: 'No comprobamos el contenido de las obras retiradas. Este nunca lo leímos.',
  lastRead:
    'No comprobamos el contenido de las obras retiradas. Este lo leímos por última vez {$ago}.',
  queued: 'Todavía no hemos leído el contenido. Está en la cola.',
  queuedDeclared:
    'Todavía no hemos leído el contenido. Está en la cola. Hasta entonces, su hash es solo el que declaró la editorial.',
  unchanged: 'Visto sin cambios por última vez {$ago}.',
  unchangedInARow: `.input {$count :integer} .match $count
    one {{Visto sin cambios por última vez {$ago}, en {$count} comprobación.}}
    * {{Visto sin cambios por última vez {$ago}, en {$count} comprobaciones seguidas.}}`,
  isChanged: 'El contenido no es el que se registró. Comprobado por última vez {$ago}.',
  notConfirmed:
    'No hemos podido confirmar el contenido: {$reason}. Último intento {$ago}. Esto no significa que haya cambiado.',
  noContent: 'no había ninguno',
  isLandingPage:
    'La dirección lleva a una página de destino y no a un archivo, así que no hay contenido que comparar. La editorial puede indicar la dirección del propio archivo. Último intento {$ago}.',
  changedNotice:
    '{#strong}El contenido ha cambiado.{/strong} Lo que hemos leído no es lo que se registró. {#link}Compare los hashes{/link} antes de confiar en él.',
  changedNoticeOn:
    '{#strong}El contenido ha cambiado.{/strong} Lo que leímos el {$time} no es lo que se registró. {#link}Compare los hashes{/link} antes de confiar en él.',
  declaredHash: 'Hash declarado',
  registeredHash: 'Hash registrado',
  hash: 'Hash',
  noneYet: 'todavía ninguno',
  notReadYet: 'sin leer todavía',
  hashFound: 'Hash hallado después',
  hashFoundOn: 'leído el {$time}, distinto del hash registrado',
  firstRead: 'tal como se leyó aquí la primera vez',
  asDeclared: 'tal como se leyó aquí la primera vez, igual al declarado',
  notAsDeclared: 'tal como se leyó aquí la primera vez, distinto del hash declarado',
  lastCheck: 'Última comprobación',
  nextCheck: 'Próxima comprobación a partir del',
  checks: 'Comprobaciones',
  earlierChecks: `.input {$count :integer} .match $count
    one {{{$count} comprobación anterior}}
    * {{{$count} comprobaciones anteriores}}`,
  checkVerified: 'Sin cambios',
  checkFailed: 'Con cambios',
  checkUnreachable: 'No confirmado',
  justNow: 'hace menos de un minuto',
  theReceipt: 'El comprobante',
  says_registered: 'Dice que esta versión se registró el {$time} con exactamente estos metadatos.',
  says_content:
    'Dice que esta versión se registró con exactamente estos metadatos y que su contenido se confirmó el {$time}.',
  says_content_on:
    'Dice que esta versión se registró el {$registered} con exactamente estos metadatos y que su contenido se confirmó el {$time}.',
  says_tombstoned: 'Dice que esta obra fue retirada el {$time}. Sus hashes dicen qué era la obra.',
  signedAs: `.input {$index :integer} .input {$size :integer} .match $size
    one {{Firmado como {#entry}entrada {$index}{/entry} del {#log}log público{/log}, que tiene {$size} entrada.}}
    * {{Firmado como {#entry}entrada {$index}{/entry} del {#log}log público{/log}, que tiene {$size} entradas.}}`,
  whatWasSigned: 'Qué se firmó',
  metadataHash: 'Hash de los metadatos',
  contentHash: 'Hash del contenido',
  rootHash: 'Hash raíz del log',
  signingKey: 'Clave de firma',
  checkHere: 'Verificarlo en este navegador',
  checkHereText:
    'Su navegador obtiene de este sitio el comprobante, los metadatos y las claves, y hace él mismo todos los cálculos.',
  checkReceipt: 'Verificar el comprobante',
  newestVersion: 'La versión más reciente',
  provenNewest: 'Esta es la versión más reciente ({$when})',
  provenSuperseded: 'La versión {$number} es más reciente ({$when})',
  provenWithdrawn: 'Retirada ({$when})',
  provenAbsent: 'Aquí nunca se registró ese ARK ({$when})',
  provenNotYet: 'Aún no se sabe: esta versión es posterior al mapa más reciente ({$when})',
  provenContradictory: 'El registro público se contradice sobre este ARK ({$when})',
  asTold: 'según el registro',
  asSeen: 'a las {$time}, visto por {$signed} de {$of} testigos',
  checkLimits:
    'Las claves del mismo sitio solo demuestran que aquí todo concuerda. Para no depender de nada de lo que este sitio dice hoy, verifique sin conexión con claves que haya guardado antes.',
  yourCopy: 'Su copia del contenido',
  staysHere: '(opcional; no sale de su dispositivo)',
  checkOffline: 'Verificarlo sin conexión',
  checkOfflineText:
    'El comprobante es un archivo aparte. Se demuestra por sí mismo, aunque este registro ya no exista.',
  receiptFile: 'Archivo del comprobante',
  allProofs: 'Todas las pruebas',
  inclusionProof: 'Prueba de inclusión',
  allEntries: 'Todas las entradas de esta obra',
  newestCheckpoint: 'Último punto de control',
  publishedKeys: 'Claves publicadas',
  relatedWorks: 'Obras relacionadas',
  allRelated: 'Todas las obras relacionadas',
  hasNotice: 'Tiene un aviso ({$kind}):',
  isNotice: 'Es un aviso ({$kind}) sobre',
  relatedLead:
    'de {$work}: primero lo que dice la propia obra y después lo que dicen de ella otras obras de aquí, de la más reciente a la más antigua.',
  noneRelated: 'No hay ninguna.',
  sameJson: 'Lo mismo en JSON',
}
