import type { credentials as english } from '#src/words/en/credentials.ts'
import type { Translation } from '#src/words/message.ts'

export const credentials: Translation<typeof english> = {
  email: 'Endereço de e-mail',
  newEmail: 'Novo endereço de e-mail',
  password: 'Senha',
  currentPassword: 'Senha atual',
  newPassword: 'Nova senha',
  passwordHint: '{$min} caracteres ou mais. Uma frase é fácil de lembrar.',
  code: 'Código',
  codeHint: 'Seis dígitos, ou um código de recuperação como {$example}.',
  recoveryCode: 'Código de recuperação',
  recoveryCodeHint: 'Por exemplo, {$example}.',
  name: 'Nome',
  nameHint: 'Como aparece nos seus trabalhos.',
  username: 'Nome de usuário',
  usernameHint: 'Um nome curto seu: letras minúsculas, dígitos e hifens.',
  emailHint: 'Você entra com ele. Ninguém mais o vê sem a sua permissão.',
  newEmailHint: 'A partir daí, você entra com ele.',
  seenBy: 'Quem vê o seu perfil',
  seenByHint:
    'Você pode mudar isto a qualquer momento, para cada parte do seu perfil. Se você pedir uma ' +
    'organização, reivindicar um trabalho ou entrar em uma organização, quem decide sempre vê ' +
    'seu nome e seu endereço de e-mail.',
  seenName: 'Todos veem meu nome, e só eu vejo o resto',
  seenAll: 'Todos veem meu nome e meu perfil',
  seenTrusted: 'Só eu e os aplicativos que eu autorizo',
  seenPrivate: 'Só eu',
  noScript:
    'As chaves de acesso precisam de JavaScript, e este navegador não o executa. Todo o resto ' +
    'funciona sem ele.',
  notChosen: 'Nenhuma chave de acesso foi escolhida, ou demorou demais. Você pode tentar de novo.',
  alreadyHeld: 'Este dispositivo ou chave já tem uma chave de acesso desta conta.',
  notAtAddress: 'Este navegador não aceita chaves de acesso neste endereço.',
  notSupported: 'Este dispositivo ou chave não pode criar essa chave de acesso.',
  notUsable: 'Não foi possível usar a chave de acesso. Você pode tentar de novo.',
  noPasskeys: 'Este navegador não tem suporte a chaves de acesso.',
  wrongCode:
    'Este código está errado ou já foi usado. Espere o próximo e confira o relógio do seu ' +
    'dispositivo.',
  codesPaused: `.input {$minutes :integer} .match $minutes
    one {{Códigos errados demais. Os dígitos são recusados por {$minutes} minuto; um código de recuperação ainda vale.}}
    * {{Códigos errados demais. Os dígitos são recusados por {$minutes} minutos; um código de recuperação ainda vale.}}`,
  passkey_expired: 'Demorou demais ou veio de outra página. Tente de novo.',
  passkey_spent: 'Esta resposta de uma chave de acesso já foi usada. Tente de novo.',
  passkey_wrong: 'Não conhecemos esta chave de acesso, ou a resposta dela está errada.',
  passkey_counter:
    'Esta chave de acesso conta para trás, como faria uma cópia. Nós a recusamos: remova-a e ' +
    'adicione outra.',
  passkey_known: 'Esta chave de acesso já está em uso.',
  passkey_too_many: 'Sua conta tem o máximo de chaves de acesso. Remova uma antes.',
  passkeyUnverified:
    'Esta chave de acesso não pediu PIN, dedo nem rosto; por isso, sozinha não basta. Entre ' +
    'com sua senha e use-a como segunda etapa.',
  writeName: 'Escreva seu nome.',
  writeEmail: 'Escreva seu endereço de e-mail.',
  writePassword: 'Escreva sua senha.',
  wrongPair: 'Este endereço de e-mail e esta senha não correspondem.',
  wrongPassword: 'Esta não é a sua senha atual.',
  email_bad_value: 'Escreva um só endereço de e-mail, como ada@example.org.',
  email_taken: 'Já existe uma conta com este endereço de e-mail: entre ou redefina a senha.',
  username_taken: 'Outra pessoa tem este nome de usuário: escolha outro.',
  invitation_spent: 'Este convite foi usado ou expirou: peça outro.',
  password_too_short: 'Escolha uma senha mais longa.',
  password_too_long: 'Escolha uma senha mais curta.',
  password_too_common:
    'Muitas pessoas usam esta senha, por isso ela é tentada primeiro: escolha outra.',
  password_not_secret:
    'Escolha uma senha que não seja seu nome, nome de usuário ou endereço de e-mail.',
  title: 'Entrar',
  forgotten: 'Esqueceu sua senha?',
  withPasskeyTitle: 'Ou com uma chave de acesso',
  withPasskey: 'Entrar com uma chave de acesso',
  withOtherTitle: 'Ou com outra conta',
  withOther: 'Entrar com {$name}',
  noAccount: 'Ainda não tem conta? {#link}Crie uma conta{/link}.',
  askedAgain:
    'O aplicativo pede que você entre de novo. Até lá, você continua conectado como {$who}.',
  testPeople:
    'Só pessoas de teste entram aqui. {#code}POST /v1/people{/code} com uma chave ' +
    '{#code}svc_test_…{/code} cria uma e devolve o endereço e a senha.',
  signedOut: 'Você saiu.',
  expired: 'Sua sessão terminou nesse meio-tempo. Entre e envie de novo.',
  kept:
    'Sua sessão terminou nesse meio-tempo. Entre: o que você digitou fica guardado por dez ' +
    'minutos, exceto senhas e códigos.',
  codeExpired: 'Demorou demais. Entre de novo.',
  passwordChanged: 'Sua senha foi alterada. Entre com ela.',
  unlocked: 'Agora você pode entrar com este navegador.',
  emailConfirmed: 'Seu endereço de e-mail está confirmado.',
  accountErased: 'Sua conta e os dados pessoais nela foram apagados.',
  lockedTitle: 'Foram tentadas senhas demais',
  lockedText: `.input {$minutes :integer} .match $minutes
    one {{Por {$minutes} minuto, recusamos todas as senhas desta conta, exceto em um navegador em que você já entrou nela.}}
    * {{Por {$minutes} minutos, recusamos todas as senhas desta conta, exceto em um navegador em que você já entrou nela.}}`,
  lockedLink: 'Ou use o link que enviamos ao endereço da conta, se ela existir.',
  lockedAsk: 'Ou peça ao operador deste registro um link para escolher uma nova senha.',
  unlockTitle: 'Entrar mesmo que outros tenham tentado',
  unlockText:
    'Contamos as senhas que você tentar para {$who} neste navegador à parte das que outros ' +
    'tentarem.',
  unlock: 'Continuar com este navegador',
  expiredLink: 'Este link já foi usado ou expirou: peça um novo',
  codeTitle: 'Seu código',
  codeLead:
    'Mais uma etapa para {$who}: os seis dígitos que seu aplicativo autenticador mostra agora.',
  secondTitle: 'Sua segunda etapa',
  secondLead: 'Mais uma etapa para {$who}: sua chave de acesso ou um código.',
  withYourPasskey: 'Com sua chave de acesso',
  usePasskey: 'Usar sua chave de acesso',
  withCode: 'Com um código',
  anotherAccount: 'Entrar com outra conta',
  withoutDevice: 'Sem seu dispositivo',
  withoutDeviceText:
    'Digite um dos seus códigos de recuperação; cada um vale uma vez. Se não restar nenhum, o ' +
    'operador deste registro pode encerrar a segunda etapa depois de se certificar de que é ' +
    'você.',
  confirmTitle: 'Confirme sua senha',
  confirmLead:
    'Isto exige ter entrado nos últimos dez minutos, para que ninguém mais o faça em um ' +
    'navegador que você deixou aberto.',
  confirmSubmit: 'Confirmar',
  confirmKept:
    'Nada mudou ainda. Depois disto, você continua de onde estava. O que você digitou fica ' +
    'guardado por dez minutos, exceto senhas e códigos.',
  confirmForm: 'Nada mudou ainda. Envie o formulário de novo depois disto.',
  unsentNothing: 'Nada para enviar',
  unsentNothingText:
    'Guardamos o que você digitou por dez minutos e mostramos uma vez. Abra a página de novo e ' +
    'preencha o formulário.',
  unsentTitle: 'Enviar o formulário agora',
  unsentLead: 'Sua sessão terminou antes de você enviar este formulário, então nada mudou.',
  unsentHint: 'Não guardamos senhas nem códigos. O formulário os pede de novo.',
  unsentSubmit: 'Enviar formulário',
  signUpTitle: 'Criar uma conta',
  signUpLead:
    'Para pesquisadores: reivindique seus trabalhos, veja quem escreve no seu perfil e decida ' +
    'quem pode.',
  signUp: 'Criar conta',
  haveOne: 'Já tem uma conta? {#link}Entre{/link}.',
  byInvitation: 'Para criar uma conta aqui, você precisa de um convite: abra o link que recebeu.',
  closed: 'Você não pode criar uma conta aqui. Peça uma ao operador deste registro.',
  setupTitle: 'Configurar este registro',
  setupLead: 'Isto cria o primeiro administrador. O link vale uma vez.',
  setup: 'Criar administrador',
  resetTitle: 'Escolher uma nova senha',
  resetAsk: 'Enviamos um link ao endereço da sua conta. Ele vale uma vez, por uma hora.',
  resetSend: 'Enviar-me um link',
  sentTitle: 'Veja seu e-mail',
  sentText:
    'Se houver uma conta com este endereço, enviamos um link a ele. O e-mail pode levar alguns ' +
    'minutos. Veja também a pasta de spam.',
  noMail: 'Este registro não envia e-mails. Peça ao operador um link para escolher uma nova senha.',
  resetLead: 'Isto encerra a sessão em todos os navegadores.',
  resetEnds:
    'O endereço desta conta nunca foi confirmado, então talvez outra pessoa a tenha criado. A ' +
    'nova senha também encerra suas chaves, permissões, segredos de aplicativos e contas ' +
    'externas.',
  resetSubmit: 'Alterar senha',
  verifyTitle: 'Confirme seu endereço de e-mail',
  verifyLead: '{$email} é o seu endereço?',
  verifySubmit: 'Confirmar este endereço',
  emailTitle: 'Alterar o endereço de e-mail',
  emailNow: 'Seu endereço agora é {$email}.',
  emailNone: 'Sua conta não tem endereço de e-mail.',
  emailLeave: 'Manter o endereço atual',
  emailSubmit: 'Alterar endereço',
  goingTo: 'Indo para {$name}',
  goOn: 'Se nada acontecer, {#link}continue aqui{/link}.',
  notSignedIn: 'Não conectado',
  tryAgain: 'Tentar {$name} de novo',
  otherwise: 'Entrar de outra forma',
  elsewhereExpired: 'Esta entrada expirou.',
  elsewhereRefused: '{$name} não fez sua entrada.',
  elsewhereOut: 'Sua sessão terminou nesse meio-tempo.',
  elsewhereTaken: 'Aquela conta já é usada aqui por outra pessoa.',
  elsewhereNone: 'Nenhuma conta daqui corresponde àquela, e você não pode criar uma.',
  elsewhereFailed: 'Não conseguimos criar uma conta.',
}
