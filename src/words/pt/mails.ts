import type { mails as english } from '#src/words/en/mails.ts'
import type { Translation } from '#src/words/message.ts'

export const mails: Translation<typeof english> = {
  hello: 'Olá,',
  verifySubject: 'Confirme seu endereço de e-mail',
  verifyText:
    'Você (ou alguém com o seu endereço) criou uma conta em {$registry}. Se foi você, confirme ' +
    'o endereço abrindo esta página em até dois dias:',
  verifyElse: 'Se não foi você, não precisa fazer nada: o endereço continua sem confirmação.',
  resetSubject: 'Escolha uma nova senha',
  resetText:
    'Alguém pediu uma nova senha para a sua conta em {$registry}. Se foi você, escolha uma ' +
    'nesta página em até uma hora. Ela vale uma vez:',
  resetElse: 'Se não foi você, não precisa fazer nada: sua senha continua a mesma.',
  unlockSubject: 'Foram tentadas senhas demais na sua conta',
  unlockText:
    'Alguém tentou senhas demais na sua conta em {$registry}. Por um tempo recusamos todas, ' +
    'exceto em navegadores em que você já entrou. Para entrar com outro navegador, abra nele ' +
    'esta página em até uma hora. Ela vale uma vez:',
  unlockElse: 'Sua senha continua a mesma. Se for fácil de adivinhar, escolha outra.',
  passwordSubject: 'Sua senha foi alterada',
  passwordText:
    'A senha da sua conta em {$registry} foi alterada, e a sessão em outros navegadores foi ' +
    'encerrada. Se não foi você, escolha uma nova imediatamente:',
  passwordByLink:
    'Sua conta em {$registry} tem uma nova senha, e a sessão em todos os navegadores foi ' +
    'encerrada.',
  passwordEnded:
    'Este endereço não tinha sido confirmado. Por isso também encerramos as chaves da conta, ' +
    'suas permissões e as contas externas com que se entrava nela. Veja aqui o que age por ' +
    'você a partir de agora:',
  passwordLeft:
    'Chaves, permissões e contas externas continuam agindo por ela. Se outra pessoa pode ter ' +
    'tido a conta, encerre nesta página o que não for seu:',
  addressSubject: 'Seu endereço de e-mail foi alterado',
  addressText:
    'Sua conta em {$registry} agora tem outro endereço de e-mail. Se não foi você, avise o ' +
    'operador do registro: este endereço não abre mais a conta.',
  secondOn: 'A segunda etapa da sua entrada está ativada',
  secondOff: 'A segunda etapa da sua entrada está desativada',
  secondOnText:
    'A partir de agora, sua conta em {$registry} pede um código de um aplicativo depois da senha.',
  secondOffText: 'Sua conta em {$registry} não pede mais um código depois da senha.',
  lookAtOnce: 'Se você não esperava isto, escolha uma nova senha e veja esta página imediatamente:',
  passkeyAdded: 'Uma chave de acesso foi adicionada',
  passkeyRemoved: 'Uma chave de acesso foi removida',
  passkeyAddedText: 'A chave de acesso “{$name}” foi adicionada à sua conta em {$registry}.',
  passkeyRemovedText: 'A chave de acesso “{$name}” foi removida da sua conta em {$registry}.',
  recoverySubject: 'Um código de recuperação foi usado',
  recoveryText: `.input {$left :integer} .match $left
    one {{Alguém entrou na sua conta em {$registry} com a senha e um código de recuperação. Resta {$left} código. Se não foi você, escolha uma nova senha imediatamente. Crie novos códigos aqui:}}
    * {{Alguém entrou na sua conta em {$registry} com a senha e um código de recuperação. Restam {$left} códigos. Se não foi você, escolha uma nova senha imediatamente. Crie novos códigos aqui:}}`,
  invitationSubject: 'Você foi convidado para {$organization}',
  invitationText:
    '{$by} convida você para {$organization} em {$registry}. Sua função: {$role}. Aceite ou ' +
    'recuse nesta página em até uma semana. Lá você entra ou cria uma conta:',
  invitationElse: 'Se isto não for para você, não precisa fazer nada.',
  writeSubject: '{$by} escreveu no seu perfil',
  writeText: '{$by} fez esta alteração em {$registry}, como você autorizou: {$what}.',
  writeSee: 'Veja aqui o que foi escrito, desfaça ou encerre a permissão:',
  ProfileUpdated: 'seu perfil foi alterado',
  ItemAdded: 'uma afiliação ou formação foi adicionada',
  ItemChanged: 'uma afiliação ou formação foi alterada',
  ItemRemoved: 'uma afiliação ou formação foi removida',
  WorkRegistered: 'um trabalho foi registrado para você',
  WorkVersioned: 'um trabalho seu foi alterado',
  WorkWithdrawn: 'um trabalho seu foi retirado',
  ClaimMade: 'um trabalho foi atribuído a você',
  ClaimChanged: 'uma reivindicação de um trabalho seu foi alterada',
  suspendedSubject: 'Suspenso: {$name}',
  suspendedText: 'Um administrador de {$registry} suspendeu isto: {$name}. O motivo:',
  suspendedElse:
    'Até terminar, recusamos chaves, tokens, webhooks, formulários e entradas. Os trabalhos ' +
    'continuam legíveis. Dúvidas: {$contact}',
  resumedSubject: 'Não está mais suspenso: {$name}',
  resumedText:
    'A suspensão em {$registry} terminou: {$name}. Tudo funciona como antes. Os webhooks ' +
    'recebem agora os eventos que perderam.',
  withheldSubject: 'Acesso suspenso: {$name}',
  withheldText:
    'O operador de {$registry} suspendeu por enquanto o acesso a isto: {$name}. Os leitores ' +
    'também veem o motivo:',
  withheldElse:
    'Não mostramos sua página, seu conteúdo nem suas citações. Nada foi retirado. Dúvidas: ' +
    '{$contact}',
  shownSubject: 'Visível de novo: {$name}',
  shownText: 'O operador de {$registry} restabeleceu o acesso a isto: {$name}.',
  ownerSubject: '{$organization} tem um novo proprietário',
  ownerText:
    'O operador de {$registry} nomeou um proprietário de {$organization}. Veja aqui os ' +
    'proprietários:',
  role_owner: 'proprietário',
  role_editor: 'editor',
  role_viewer: 'leitor',
}
