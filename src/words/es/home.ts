import type { home as english } from '#src/words/en/home.ts'
import type { Translation } from '#src/words/message.ts'

export const home: Translation<typeof english> = {
  title: 'Un registro de obras académicas que cualquiera puede comprobar',
  description:
    'Un registro de obras académicas: identificadores permanentes, todas las versiones y un log ' +
    'firmado al que solo se añade. Cualquiera puede comprobar qué se registró y cuándo.',
  heading: 'Obras académicas registradas de forma que cualquiera puede comprobarlo',
  lead:
    'Arklog da a cada obra un identificador permanente, conserva todas las versiones y demuestra ' +
    'qué se registró y cuándo. No confíe en nosotros: compruébelo.',
  works: 'obras registradas',
  over: 'más de {$count}',
  statements: 'entradas firmadas en el log',
  newest: 'última declaración',
  why: 'Por qué puede creer en los registros',
  registered: 'Registrada',
  registeredText:
    'Una editorial registra una obra. La obra recibe un ARK, que nunca designa otra cosa. Cada ' +
    'cambio crea una versión nueva. Las versiones anteriores se conservan.',
  signed: 'Firmada',
  signedText:
    'Cada versión recibe un comprobante: los hashes SHA-256 de sus metadatos y de su contenido, y ' +
    'la hora, firmados con Ed25519.',
  logged: 'En el log',
  loggedText:
    'El comprobante entra en el log antes de que respondamos. Al log solo se añade. Un hash raíz ' +
    'cubre todo el log: nadie puede cambiar ni quitar una entrada sin cambiar el hash raíz.',
  root: `.input {$count :integer} .match $count
    one {{Hash raíz del log con {$count} entrada:}}
    * {{Hash raíz del log con {$count} entradas:}}`,
  growth:
    'Su comprobante y unos pocos hashes llevan al hash raíz que el log ha firmado. Si ha guardado ' +
    'un hash raíz anterior, puede demostrar que desde entonces el log solo ha crecido. Los ' +
    'monitores lo hacen continuamente.',
  seeLog: 'Ver el log',
  proves: 'Qué demuestra esto y qué no',
  check: 'Compruébelo usted',
  checkText:
    'La página de cada obra tiene un botón que comprueba su comprobante en el navegador. En su ' +
    'propio ordenador bastan tres órdenes. La última no necesita red. No hace falta clave de API ' +
    'ni cuenta:',
  commands: 'Órdenes que comprueban un comprobante',
  output: 'Salida',
  byHand:
    '¿Prefiere no ejecutar nuestro programa? {#link}Haga lo mismo con openssl y unas líneas de Python.{/link}',
  latest: 'Últimas obras',
  allWorks: 'Todas las obras',
  noWorks: 'Todavía no hay obras',
  noWorksText:
    'Este registro es nuevo. Registre la primera obra con la clave de API que mostró el primer arranque:',
  firstCommand: 'La orden que registra una obra',
  entrances: 'Por dónde seguir',
  publishers: 'Editoriales',
  publishersText:
    'Registre obras, versiones nuevas y correcciones mediante la API, o importe BibTeX y RIS.',
  yourOrganization: 'Su organización',
  researchers: 'Investigadores',
  researchersText:
    'Su propio perfil: usted decide quién puede escribir en él y puede deshacer lo que escriban.',
  createAccount: 'Crear una cuenta',
  harvesters: 'Recolectores',
  harvestersText: 'Todos los metadatos mediante OAI-PMH 2.0 y canales Atom, sin clave de API.',
  feed: 'Canal de obras',
  sitemap: 'Mapa del sitio',
  verifiers: 'Verificadores',
  verifiersText: 'Todo el log en teselas, con sus puntos de control y claves. Abierto a todos.',
  log: 'El log',
  checkpoint: 'Punto de control',
  monitor: 'Ejecutar un monitor',
  newWorks: 'Obras nuevas',
}
