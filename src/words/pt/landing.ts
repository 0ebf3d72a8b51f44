import type { landing as english } from '#src/words/en/landing.ts'
import type { Translation } from '#src/words/message.ts'

export const landing: Translation<typeof english> = {
  version: 'Versão {$number}',
  marked: '{$mark}: {$title}',
  changesFeed: 'Alterações deste trabalho',
  citeAs: 'Citar como',
  toNewest: 'Leva sempre à última versão. {#link}Link para esta versão{/link}',
  thisIsMine: 'Sou autor deste trabalho',
  checkedAgo: 'verificado {$ago}',
  receipt: 'Recibo',
  registeredOn: 'registrado em {$time}',
  openContent: 'Abrir o conteúdo',
  openPage: 'Abrir a página da editora',
  elsewhere: 'em {$host}, fora deste registro',
  abstract: 'Resumo',
  noAbstract: 'Este trabalho não tem resumo.',
  formulaSources: 'Fonte das fórmulas',
  sandbox:
    '{#strong}Ambiente de testes: não cite.{/strong} Este registro é um teste. O seu ARK não é permanente.',
  older:
    '{#strong}Existe uma versão mais nova.{/strong} Esta é a versão {$number}. {#link}Veja a versão {$newest}, a última{/link}.',
  withdrawnTitle: 'Retirado',
  lost: 'Metadados perdidos',
  erased: 'Metadados apagados',
  withdrawnOn: '{#strong}Este trabalho foi retirado{/strong} em {$time}, {$why}.',
  withdrawnBy: '{#strong}Este trabalho foi retirado{/strong} em {$time} por {$who}, {$why}.',
  instead: 'Use este trabalho em seu lugar: {$link}.',
  erasedOn:
    'Apagamos os seus metadados em {$time}. Os hashes permanecem e ainda provam o que foi registrado.',
  remains:
    'O seu ARK nunca designa outro trabalho. Os seus recibos continuam válidos. Não indicamos mais o seu conteúdo.',
  cite: 'Citar este trabalho',
  citationStyle: 'Estilo de citação',
  copyCitation: 'Copiar a citação',
  plainText: 'Em texto simples',
  forManagers: 'Para gerenciadores de referências',
  otherStyle: 'Outro estilo',
  styleByName: 'Outro estilo, pelo seu nome na {#link}lista{/link}',
  forPrograms: 'Para programas',
  linkSet: 'Conjunto de links',
  atomFeed: 'Feed Atom',
  oaiRecord: 'Registro OAI-PMH',
  researcher: 'um pesquisador, {#link}{$id}{/link}',
  registryItself: 'este registro, automaticamente',
  operator: 'o operador deste registro',
  moreAuthors: `.input {$count :integer} .match $count
    one {{mais {$count} autor}}
    * {{mais {$count} autores}}`,
  unnamedAuthors: `.input {$count :integer} .match $count
    one {{O registro JSON nomeia mais {$count} autor.}}
    * {{O registro JSON nomeia mais {$count} autores.}}`,
  somebody: 'Alguém com um perfil aqui',
  unplaced: '{$name}: {$mark}, mas não se sabe qual dos autores é.',
  byAdmin: 'confirmado por um administrador',
  byOrcid: 'entrou com ORCID',
  byThem: 'registrado por esta pessoa',
  byBoth: 'confirmado pela editora e pela pessoa',
  byPublisher: 'nomeado pela editora, com a permissão da pessoa',
  orcid: 'ORCID iD {$id}',
  orcidSaid: 'ORCID iD {$id}, não confirmado pelo titular',
  versions: 'Versões',
  newerVersions: `.input {$count :integer} .match $count
    one {{{$count} versão mais nova: {#link}a última{/link}}}
    * {{{$count} versões mais novas, até {#link}a última{/link}}}`,
  olderVersions: `.input {$count :integer} .match $count
    one {{{$count} versão mais antiga: {#link}a versão {$number}{/link}}}
    * {{{$count} versões mais antigas, a partir da {#link}versão {$number}{/link}}}`,
  earlierVersions: `.input {$count :integer} .match $count
    one {{{$count} versão anterior}}
    * {{{$count} versões anteriores}}`,
  thisPage: 'esta página',
  compare: 'Comparar',
  compareWith: 'Comparar a versão {$number} com a versão anterior',
  firstVersion: 'Registrado.',
  newVersion: 'Nova versão, alterado: {$fields}.',
  changed: 'Alterado: {$fields}.',
  history: 'Quem alterou o quê',
  registeredBy: 'Registrado em {$time} por {$who}. O histórico guarda cada alteração.',
  earlierChanges: `.input {$count :integer} .match $count
    one {{{$count} alteração anterior}}
    * {{{$count} alterações anteriores}}`,
  historyJson: 'O histórico em JSON',
  wholeHistoryJson: 'Todo o histórico em JSON',
  event: '{$time} {$what}, por {$who}',
  eventRegistered: 'Registrado',
  eventVersion: 'Versão {$number}, alterado: {$fields}',
  eventWithdrawn: 'Retirado',
  eventErased: 'Metadados apagados',
  eventLost: 'Perda dos metadados constatada',
  eventVerified: 'Conteúdo encontrado como registrado',
  eventFailed: 'Conteúdo encontrado alterado',
  eventUnreachable: 'Conteúdo não confirmado',
  eventVerifiedOf: 'Conteúdo da versão {$number} encontrado como registrado',
  eventFailedOf: 'Conteúdo da versão {$number} encontrado alterado',
  eventUnreachableOf: 'Conteúdo da versão {$number} não confirmado',
  fixity: 'Verificação do conteúdo',
  checkedElsewhere: 'As verificações continuam {#link}com a última versão{/link}.',
  neverRead: 'Não verificamos o conteúdo de trabalhos retirados. Nunca o lemos.',
  lastRead: 'Não verificamos o conteúdo de trabalhos retirados. Última leitura {$ago}.',
  queued: 'Ainda não lemos o conteúdo. Ele está na fila.',
  queuedDeclared:
    'Ainda não lemos o conteúdo. Ele está na fila. Até lá, o seu hash é apenas o que a editora declarou.',
  unchanged: 'Visto inalterado pela última vez {$ago}.',
  unchangedInARow: `.input {$count :integer} .match $count
    one {{Visto inalterado pela última vez {$ago}, em {$count} verificação.}}
    * {{Visto inalterado pela última vez {$ago}, em {$count} verificações seguidas.}}`,
  isChanged: 'O conteúdo não é o que foi registrado. Última verificação {$ago}.',
  notConfirmed:
    'Não conseguimos confirmar o conteúdo: {$reason}. Última tentativa {$ago}. Isso não significa que ele mudou.',
  noContent: 'não havia nenhum',
  isLandingPage:
    'O endereço leva a uma página de destino, não a um arquivo, por isso não há conteúdo para comparar. A editora pode informar o endereço do próprio arquivo. Última tentativa {$ago}.',
  changedNotice:
    '{#strong}O conteúdo mudou.{/strong} O que lemos não é o que foi registrado. {#link}Compare os hashes{/link} antes de confiar nele.',
  changedNoticeOn:
    '{#strong}O conteúdo mudou.{/strong} O que lemos em {$time} não é o que foi registrado. {#link}Compare os hashes{/link} antes de confiar nele.',
  declaredHash: 'Hash declarado',
  registeredHash: 'Hash registrado',
  hash: 'Hash',
  noneYet: 'ainda não há',
  notReadYet: 'ainda não lido',
  hashFound: 'Hash encontrado depois',
  hashFoundOn: 'lido em {$time}, diferente do hash registrado',
  firstRead: 'como lido aqui pela primeira vez',
  asDeclared: 'como lido aqui pela primeira vez, igual ao declarado',
  notAsDeclared: 'como lido aqui pela primeira vez, diferente do hash declarado',
  lastCheck: 'Última verificação',
  nextCheck: 'Próxima verificação a partir de',
  checks: 'Verificações',
  earlierChecks: `.input {$count :integer} .match $count
    one {{{$count} verificação anterior}}
    * {{{$count} verificações anteriores}}`,
  checkVerified: 'Inalterado',
  checkFailed: 'Alterado',
  checkUnreachable: 'Não confirmado',
  justNow: 'há menos de um minuto',
  theReceipt: 'O recibo',
  says_registered:
    'Ele diz que esta versão foi registrada em {$time} com exatamente estes metadados.',
  says_content:
    'Ele diz que esta versão foi registrada com exatamente estes metadados e que o seu conteúdo foi confirmado em {$time}.',
  says_content_on:
    'Ele diz que esta versão foi registrada em {$registered} com exatamente estes metadados e que o seu conteúdo foi confirmado em {$time}.',
  says_tombstoned:
    'Ele diz que este trabalho foi retirado em {$time}. Os seus hashes dizem o que o trabalho era.',
  signedAs: `.input {$index :integer} .input {$size :integer} .match $size
    one {{Assinado como {#entry}entrada {$index}{/entry} do {#log}log público{/log}, que tem {$size} entrada.}}
    * {{Assinado como {#entry}entrada {$index}{/entry} do {#log}log público{/log}, que tem {$size} entradas.}}`,
  whatWasSigned: 'O que foi assinado',
  metadataHash: 'Hash dos metadados',
  contentHash: 'Hash do conteúdo',
  rootHash: 'Hash raiz do log',
  signingKey: 'Chave de assinatura',
  checkHere: 'Verifique neste navegador',
  checkHereText:
    'O seu navegador obtém deste site o recibo, os metadados e as chaves, e faz ele mesmo todos os cálculos.',
  checkReceipt: 'Verificar o recibo',
  newestVersion: 'A versão mais recente',
  provenNewest: 'Esta é a versão mais recente ({$when})',
  provenSuperseded: 'A versão {$number} é mais recente ({$when})',
  provenWithdrawn: 'Retirada ({$when})',
  provenAbsent: 'Este ARK nunca foi registrado aqui ({$when})',
  provenNotYet: 'Ainda não se sabe: esta versão é posterior ao mapa mais recente ({$when})',
  provenContradictory: 'O log se contradiz sobre este ARK ({$when})',
  asTold: 'segundo o registro',
  asSeen: 'às {$time}, visto por {$signed} de {$of} testemunhas',
  checkLimits:
    'Chaves do mesmo site só provam que tudo aqui combina. Para não depender de nada do que este site diz hoje, verifique off-line com chaves que você guardou antes.',
  yourCopy: 'A sua cópia do conteúdo',
  staysHere: '(opcional; ela fica no seu dispositivo)',
  checkOffline: 'Verifique off-line',
  checkOfflineText:
    'O recibo é um arquivo separado. Ele se prova sozinho, mesmo que este registro não exista mais.',
  receiptFile: 'Arquivo do recibo',
  allProofs: 'Todas as provas',
  inclusionProof: 'Prova de inclusão',
  allEntries: 'Todas as entradas deste trabalho',
  newestCheckpoint: 'Último checkpoint',
  publishedKeys: 'Chaves publicadas',
  relatedWorks: 'Trabalhos relacionados',
  allRelated: 'Todos os trabalhos relacionados',
  hasNotice: 'Tem um aviso ({$kind}):',
  isNotice: 'É um aviso ({$kind}) sobre',
  relatedLead:
    'de {$work}: primeiro o que o próprio trabalho diz, depois o que outros trabalhos aqui dizem sobre ele, os mais recentes primeiro.',
  noneRelated: 'Não há nenhum.',
  sameJson: 'O mesmo em JSON',
}
