import type { credentials as english } from '#src/words/en/credentials.ts'
import type { Translation } from '#src/words/message.ts'

export const credentials: Translation<typeof english> = {
  email: 'Correo electrónico',
  newEmail: 'Nuevo correo electrónico',
  password: 'Contraseña',
  currentPassword: 'Contraseña actual',
  newPassword: 'Contraseña nueva',
  passwordHint: '{$min} caracteres o más. Una frase es fácil de recordar.',
  code: 'Código',
  codeHint: 'Seis cifras, o un código de recuperación como {$example}.',
  recoveryCode: 'Código de recuperación',
  recoveryCodeHint: 'Por ejemplo, {$example}.',
  name: 'Nombre',
  nameHint: 'Como aparece en sus obras.',
  username: 'Nombre de usuario',
  usernameHint: 'Un nombre corto propio: letras minúsculas, cifras y guiones.',
  emailHint: 'Con él inicia sesión. Nadie más lo ve si usted no lo permite.',
  newEmailHint: 'A partir de entonces iniciará sesión con él.',
  seenBy: 'Quién ve su perfil',
  seenByHint:
    'Puede cambiarlo en cualquier momento, para cada parte de su perfil. Si solicita una ' +
    'organización, reclama una obra o se une a una organización, quienes deciden ven siempre ' +
    'su nombre y su correo electrónico.',
  seenName: 'Todos ven mi nombre, y solo yo veo el resto',
  seenAll: 'Todos ven mi nombre y mi perfil',
  seenTrusted: 'Solo yo y las aplicaciones que autorizo',
  seenPrivate: 'Solo yo',
  noScript:
    'Las llaves de acceso necesitan JavaScript, y este navegador no lo ejecuta. Todo lo demás ' +
    'funciona sin él.',
  notChosen: 'No se eligió ninguna llave de acceso, o tardó demasiado. Puede volver a intentarlo.',
  alreadyHeld: 'Este dispositivo o esta llave ya tiene una llave de acceso de esta cuenta.',
  notAtAddress: 'Este navegador no acepta llaves de acceso en esta dirección.',
  notSupported: 'Este dispositivo o esta llave no puede crear una llave de acceso así.',
  notUsable: 'No se pudo usar la llave de acceso. Puede volver a intentarlo.',
  noPasskeys: 'Este navegador no admite llaves de acceso.',
  wrongCode:
    'Este código es incorrecto o ya se usó. Espere al siguiente y compruebe el reloj de su ' +
    'dispositivo.',
  codesPaused: `.input {$minutes :integer} .match $minutes
    one {{Demasiados códigos incorrectos. Las cifras se rechazan durante 1 minuto; un código de recuperación sí sirve.}}
    * {{Demasiados códigos incorrectos. Las cifras se rechazan durante {$minutes} minutos; un código de recuperación sí sirve.}}`,
  passkey_expired: 'Tardó demasiado o vino de otra página. Vuelva a intentarlo.',
  passkey_spent: 'Esta respuesta de una llave de acceso ya se usó. Vuelva a intentarlo.',
  passkey_wrong: 'No conocemos esta llave de acceso, o su respuesta es incorrecta.',
  passkey_counter:
    'Esta llave de acceso cuenta hacia atrás, como lo haría una copia. La rechazamos: ' +
    'elimínela y añada una nueva.',
  passkey_known: 'Esta llave de acceso ya está en uso.',
  passkey_too_many: 'Su cuenta tiene el máximo de llaves de acceso. Elimine una primero.',
  passkeyUnverified:
    'Esta llave de acceso no pidió PIN, huella ni rostro, así que sola no basta. Inicie sesión ' +
    'con su contraseña y úsela como segundo paso.',
  writeName: 'Escriba su nombre.',
  writeEmail: 'Escriba su correo electrónico.',
  writePassword: 'Escriba su contraseña.',
  wrongPair: 'Este correo electrónico y esta contraseña no corresponden.',
  wrongPassword: 'Esta no es su contraseña actual.',
  email_bad_value: 'Escriba un solo correo electrónico, como ada@example.org.',
  email_taken:
    'Ya existe una cuenta con este correo electrónico: inicie sesión o restablezca la contraseña.',
  username_taken: 'Otra persona tiene este nombre de usuario: elija otro.',
  invitation_spent: 'Esta invitación ya se usó o ha caducado: pida otra.',
  password_too_short: 'Elija una contraseña más larga.',
  password_too_long: 'Elija una contraseña más corta.',
  password_too_common:
    'Muchas personas usan esta contraseña, así que se prueba primero: elija otra.',
  password_not_secret:
    'Elija una contraseña que no sea su nombre, su nombre de usuario ni su correo electrónico.',
  title: 'Iniciar sesión',
  forgotten: '¿Olvidó su contraseña?',
  withPasskeyTitle: 'O con una llave de acceso',
  withPasskey: 'Iniciar sesión con una llave de acceso',
  withOtherTitle: 'O con otra cuenta',
  withOther: 'Iniciar sesión con {$name}',
  noAccount: '¿Aún no tiene cuenta? {#link}Cree una cuenta{/link}.',
  askedAgain:
    'La aplicación le pide que vuelva a iniciar sesión. Hasta entonces, su sesión sigue ' +
    'abierta como {$who}.',
  testPeople:
    'Aquí solo inician sesión personas de prueba. {#code}POST /v1/people{/code} con una clave ' +
    '{#code}svc_test_…{/code} crea una y devuelve su dirección y su contraseña.',
  signedOut: 'Ha cerrado la sesión.',
  expired: 'Su sesión se cerró entretanto. Inicie sesión y envíelo de nuevo.',
  kept:
    'Su sesión se cerró entretanto. Inicie sesión: lo que escribió se conserva diez minutos, ' +
    'salvo contraseñas y códigos.',
  codeExpired: 'Tardó demasiado. Inicie sesión de nuevo.',
  passwordChanged: 'Su contraseña ha cambiado. Inicie sesión con ella.',
  unlocked: 'Ya puede iniciar sesión con este navegador.',
  emailConfirmed: 'Su correo electrónico está confirmado.',
  accountErased: 'Su cuenta y sus datos personales se han borrado.',
  lockedTitle: 'Se probaron demasiadas contraseñas',
  lockedText: `.input {$minutes :integer} .match $minutes
    one {{Durante 1 minuto rechazamos todas las contraseñas de esta cuenta, salvo en un navegador en el que ya haya iniciado sesión.}}
    * {{Durante {$minutes} minutos rechazamos todas las contraseñas de esta cuenta, salvo en un navegador en el que ya haya iniciado sesión.}}`,
  lockedLink: 'O use el enlace que hemos enviado a la dirección de la cuenta, si existe.',
  lockedAsk: 'O pida al operador de este registro un enlace para elegir una contraseña nueva.',
  unlockTitle: 'Iniciar sesión aunque otros lo hayan intentado',
  unlockText:
    'Contamos las contraseñas que pruebe para {$who} en este navegador aparte de las que ' +
    'prueben otros.',
  unlock: 'Continuar con este navegador',
  expiredLink: 'Este enlace ya se usó o ha caducado: pida uno nuevo',
  codeTitle: 'Su código',
  codeLead:
    'Un paso más para {$who}: las seis cifras que muestra ahora su aplicación de autenticación.',
  secondTitle: 'Su segundo paso',
  secondLead: 'Un paso más para {$who}: su llave de acceso o un código.',
  withYourPasskey: 'Con su llave de acceso',
  usePasskey: 'Usar su llave de acceso',
  withCode: 'Con un código',
  anotherAccount: 'Iniciar sesión con otra cuenta',
  withoutDevice: 'Sin su dispositivo',
  withoutDeviceText:
    'Escriba uno de sus códigos de recuperación; cada uno sirve una vez. Si no le queda ' +
    'ninguno, el operador de este registro puede quitar el segundo paso tras asegurarse de que ' +
    'es usted.',
  confirmTitle: 'Confirme su contraseña',
  confirmLead:
    'Para esto debe haber iniciado sesión en los últimos diez minutos, para que nadie más lo ' +
    'haga en un navegador que dejó abierto.',
  confirmSubmit: 'Confirmar',
  confirmKept:
    'Todavía no ha cambiado nada. Después seguirá donde estaba. Lo que escribió se conserva ' +
    'diez minutos, salvo contraseñas y códigos.',
  confirmForm: 'Todavía no ha cambiado nada. Envíe el formulario de nuevo después.',
  unsentNothing: 'Nada que enviar',
  unsentNothingText:
    'Conservamos lo que escribió diez minutos y lo mostramos una vez. Abra la página de nuevo ' +
    'y rellene el formulario.',
  unsentTitle: 'Enviar el formulario ahora',
  unsentLead: 'Su sesión se cerró antes de enviar este formulario, así que no ha cambiado nada.',
  unsentHint: 'No conservamos contraseñas ni códigos. El formulario vuelve a pedirlos.',
  unsentSubmit: 'Enviar formulario',
  signUpTitle: 'Crear una cuenta',
  signUpLead:
    'Para investigadores: reclame sus obras, vea quién escribe en su perfil y decida quién ' +
    'puede hacerlo.',
  signUp: 'Crear cuenta',
  haveOne: '¿Ya tiene una cuenta? {#link}Inicie sesión{/link}.',
  byInvitation: 'Para crear una cuenta aquí necesita una invitación: abra el enlace que recibió.',
  closed: 'Aquí no puede crear una cuenta. Pídala al operador de este registro.',
  setupTitle: 'Configurar este registro',
  setupLead: 'Esto crea el primer administrador. El enlace sirve una vez.',
  setup: 'Crear administrador',
  resetTitle: 'Elegir una contraseña nueva',
  resetAsk: 'Enviamos un enlace a la dirección de su cuenta. Sirve una vez, durante una hora.',
  resetSend: 'Enviarme un enlace',
  sentTitle: 'Mire su correo',
  sentText:
    'Si hay una cuenta con esta dirección, le hemos enviado un enlace. El correo puede tardar ' +
    'unos minutos. Mire también en la carpeta de correo no deseado.',
  noMail:
    'Este registro no envía correos. Pida a su operador un enlace para elegir una contraseña ' +
    'nueva.',
  resetLead: 'Esto cierra la sesión en todos los navegadores.',
  resetEnds:
    'La dirección de esta cuenta nunca se confirmó, así que quizá la creó otra persona. La ' +
    'contraseña nueva también anula sus claves, permisos, secretos de aplicaciones y cuentas ' +
    'externas.',
  resetSubmit: 'Cambiar contraseña',
  verifyTitle: 'Confirme su correo electrónico',
  verifyLead: '¿Es {$email} su dirección?',
  verifySubmit: 'Confirmar esta dirección',
  emailTitle: 'Cambiar el correo electrónico',
  emailNow: 'Su dirección es ahora {$email}.',
  emailNone: 'Su cuenta no tiene correo electrónico.',
  emailLeave: 'Mantener la dirección actual',
  emailSubmit: 'Cambiar dirección',
  goingTo: 'Ir a {$name}',
  goOn: 'Si no ocurre nada, {#link}continúe aquí{/link}.',
  notSignedIn: 'Sesión no iniciada',
  tryAgain: 'Probar {$name} de nuevo',
  otherwise: 'Iniciar sesión de otra forma',
  elsewhereExpired: 'Este inicio de sesión ha caducado.',
  elsewhereRefused: '{$name} no ha iniciado su sesión.',
  elsewhereOut: 'Su sesión se cerró entretanto.',
  elsewhereTaken: 'Esa cuenta ya la usa aquí otra persona para iniciar sesión.',
  elsewhereNone: 'Ninguna cuenta de aquí corresponde a esa, y no puede crear una.',
  elsewhereFailed: 'No pudimos crear una cuenta.',
}
