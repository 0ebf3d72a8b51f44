import type { home as english } from '#src/words/en/home.ts'
import type { Translation } from '#src/words/message.ts'

export const home: Translation<typeof english> = {
  title: 'Um registro de trabalhos acadêmicos que qualquer pessoa pode verificar',
  description:
    'Um registro de trabalhos acadêmicos: identificadores permanentes, todas as versões guardadas e ' +
    'um log assinado, ao qual só se acrescenta. Qualquer pessoa pode verificar o que foi registrado e quando.',
  heading: 'Trabalhos acadêmicos, registrados para que qualquer pessoa possa verificar',
  lead:
    'O Arklog dá a cada trabalho um identificador permanente, guarda todas as versões e prova o que ' +
    'foi registrado e quando. Não confie em nós: verifique.',
  works: 'trabalhos registrados',
  over: 'mais de {$count}',
  statements: 'entradas assinadas no log',
  newest: 'declaração mais recente',
  why: 'Por que você pode acreditar nos registros',
  registered: 'Registrado',
  registeredText:
    'Uma editora registra um trabalho. O trabalho recebe um ARK, que nunca designa outra coisa. ' +
    'Cada alteração cria uma nova versão. As versões antigas permanecem.',
  signed: 'Assinado',
  signedText:
    'Cada versão recebe um recibo: os hashes SHA-256 dos seus metadados e do seu conteúdo e a hora, ' +
    'assinados com Ed25519.',
  logged: 'No log',
  loggedText:
    'O recibo entra no log antes de respondermos. Ao log só se acrescenta. Um hash raiz cobre todo o ' +
    'log: ninguém pode alterar ou remover uma entrada sem mudar o hash raiz.',
  root: `.input {$count :integer} .match $count
    one {{Hash raiz do log com {$count} entrada:}}
    * {{Hash raiz do log com {$count} entradas:}}`,
  growth:
    'O seu recibo e alguns hashes levam ao hash raiz que o log assinou. Se você guardou um hash raiz ' +
    'mais antigo, pode provar que desde então o log só cresceu. Monitores fazem isso o tempo todo.',
  seeLog: 'Ver o log',
  proves: 'O que isso prova e o que não prova',
  check: 'Verifique você mesmo',
  checkText:
    'A página de cada trabalho tem um botão que verifica o recibo no seu navegador. No seu próprio ' +
    'computador, três comandos fazem o mesmo. O último não precisa de rede. Você não precisa de chave ' +
    'de API nem de conta:',
  commands: 'Comandos que verificam um recibo',
  output: 'Saída',
  byHand:
    'Prefere não executar o nosso programa? {#link}Faça o mesmo com openssl e algumas linhas de Python.{/link}',
  latest: 'Trabalhos mais recentes',
  allWorks: 'Todos os trabalhos',
  noWorks: 'Ainda não há trabalhos',
  noWorksText:
    'Este registro é novo. Registre o primeiro trabalho com a chave de API que a primeira inicialização mostrou:',
  firstCommand: 'O comando que registra um trabalho',
  entrances: 'Para onde ir agora',
  publishers: 'Editoras',
  publishersText:
    'Registre trabalhos, novas versões e correções pela API, ou importe BibTeX e RIS.',
  yourOrganization: 'Sua organização',
  researchers: 'Pesquisadores',
  researchersText:
    'O seu próprio perfil: você decide quem pode escrever nele e pode desfazer o que foi escrito.',
  createAccount: 'Criar uma conta',
  harvesters: 'Coletores de metadados',
  harvestersText: 'Todos os metadados por OAI-PMH 2.0 e por feeds, sem chave de API.',
  feed: 'Feed de trabalhos',
  sitemap: 'Mapa do site',
  verifiers: 'Verificadores',
  verifiersText: 'O log inteiro em blocos, com os seus checkpoints e chaves. Aberto a todos.',
  log: 'O log',
  checkpoint: 'Checkpoint',
  monitor: 'Operar um monitor',
  newWorks: 'Trabalhos novos',
}
