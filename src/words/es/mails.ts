import type { mails as english } from '#src/words/en/mails.ts'
import type { Translation } from '#src/words/message.ts'

export const mails: Translation<typeof english> = {
  hello: 'Hola:',
  verifySubject: 'Confirme su correo electrónico',
  verifyText:
    'Usted (o alguien con su dirección) creó una cuenta en {$registry}. Si fue usted, confirme ' +
    'la dirección abriendo esta página en dos días:',
  verifyElse: 'Si no fue usted, no tiene que hacer nada: la dirección queda sin confirmar.',
  resetSubject: 'Elija una contraseña nueva',
  resetText:
    'Alguien pidió una contraseña nueva para su cuenta en {$registry}. Si fue usted, elíjala ' +
    'en esta página en una hora. Sirve una vez:',
  resetElse: 'Si no fue usted, no tiene que hacer nada: su contraseña no cambia.',
  unlockSubject: 'Se probaron demasiadas contraseñas en su cuenta',
  unlockText:
    'Alguien probó demasiadas contraseñas en su cuenta de {$registry}. Durante un tiempo ' +
    'rechazamos todas, salvo en navegadores en los que ya inició sesión. Para entrar con otro ' +
    'navegador, abra en él esta página en una hora. Sirve una vez:',
  unlockElse: 'Su contraseña no cambia. Si es fácil de adivinar, elija otra.',
  passwordSubject: 'Su contraseña ha cambiado',
  passwordText:
    'La contraseña de su cuenta en {$registry} ha cambiado y se cerró la sesión en otros ' +
    'navegadores. Si no fue usted, elija una nueva de inmediato:',
  passwordByLink:
    'Su cuenta en {$registry} tiene una contraseña nueva y se cerró la sesión en todos los ' +
    'navegadores.',
  passwordEnded:
    'Esta dirección no estaba confirmada. Por eso también anulamos las claves de la cuenta, ' +
    'sus permisos y las cuentas externas con las que se iniciaba sesión. Vea aquí qué actúa ' +
    'por usted desde ahora:',
  passwordLeft:
    'Las claves, los permisos y las cuentas externas siguen actuando por ella. Si otra persona ' +
    'pudo tener la cuenta, anule en esta página lo que no sea suyo:',
  addressSubject: 'Su correo electrónico ha cambiado',
  addressText:
    'Su cuenta en {$registry} tiene ahora otro correo electrónico. Si no fue usted, avise al ' +
    'operador del registro: esta dirección ya no abre la cuenta.',
  secondOn: 'El segundo paso de su inicio de sesión está activado',
  secondOff: 'El segundo paso de su inicio de sesión está desactivado',
  secondOnText:
    'Desde ahora, su cuenta en {$registry} pide un código de una aplicación después de la ' +
    'contraseña.',
  secondOffText: 'Su cuenta en {$registry} ya no pide un código después de la contraseña.',
  lookAtOnce: 'Si no lo esperaba, elija una contraseña nueva y mire esta página de inmediato:',
  passkeyAdded: 'Se añadió una llave de acceso',
  passkeyRemoved: 'Se eliminó una llave de acceso',
  passkeyAddedText: 'La llave de acceso «{$name}» se añadió a su cuenta en {$registry}.',
  passkeyRemovedText: 'La llave de acceso «{$name}» se eliminó de su cuenta en {$registry}.',
  recoverySubject: 'Se usó un código de recuperación',
  recoveryText: `.input {$left :integer} .match $left
    one {{Alguien inició sesión en su cuenta de {$registry} con la contraseña y un código de recuperación. Queda 1 código. Si no fue usted, elija una contraseña nueva de inmediato. Cree códigos nuevos aquí:}}
    * {{Alguien inició sesión en su cuenta de {$registry} con la contraseña y un código de recuperación. Quedan {$left} códigos. Si no fue usted, elija una contraseña nueva de inmediato. Cree códigos nuevos aquí:}}`,
  invitationSubject: 'Le invitan a {$organization}',
  invitationText:
    '{$by} le invita a {$organization} en {$registry}. Su función: {$role}. Acepte o rechace ' +
    'en esta página en una semana. Allí inicia sesión o crea una cuenta:',
  invitationElse: 'Si no es para usted, no tiene que hacer nada.',
  writeSubject: '{$by} escribió en su perfil',
  writeText: '{$by} hizo este cambio en {$registry}, como usted autorizó: {$what}.',
  writeSee: 'Vea aquí lo que se escribió, deshágalo o anule el permiso:',
  ProfileUpdated: 'se cambió su perfil',
  ItemAdded: 'se añadió una afiliación o formación',
  ItemChanged: 'se cambió una afiliación o formación',
  ItemRemoved: 'se eliminó una afiliación o formación',
  WorkRegistered: 'se registró una obra para usted',
  WorkVersioned: 'se cambió una obra suya',
  WorkWithdrawn: 'se retiró una obra suya',
  ClaimMade: 'se le atribuyó una obra',
  ClaimChanged: 'se cambió una reclamación sobre una obra suya',
  suspendedSubject: 'Suspendido: {$name}',
  suspendedText: 'Un administrador de {$registry} ha suspendido esto: {$name}. El motivo:',
  suspendedElse:
    'Hasta que termine, rechazamos claves, tokens, webhooks, formularios e inicios de sesión. ' +
    'Las obras se pueden seguir leyendo. Preguntas: {$contact}',
  resumedSubject: 'Ya no está suspendido: {$name}',
  resumedText:
    'La suspensión en {$registry} ha terminado: {$name}. Todo funciona como antes. Los ' +
    'webhooks reciben ahora los eventos que perdieron.',
  withheldSubject: 'Retenido: {$name}',
  withheldText:
    'El operador de {$registry} retiene esto por ahora: {$name}. Los lectores también ven el ' +
    'motivo:',
  withheldElse:
    'No mostramos su página, su contenido ni sus citas. No se ha retirado nada. Preguntas: ' +
    '{$contact}',
  shownSubject: 'Visible de nuevo: {$name}',
  shownText: 'El operador de {$registry} ya no retiene esto: {$name}.',
  ownerSubject: '{$organization} tiene un nuevo propietario',
  ownerText:
    'El operador de {$registry} ha nombrado a un propietario de {$organization}. Vea aquí los ' +
    'propietarios:',
  role_owner: 'propietario',
  role_editor: 'editor',
  role_viewer: 'lector',
}
