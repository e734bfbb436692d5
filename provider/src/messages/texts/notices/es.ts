import type { NoticeTexts } from './notice-texts.ts';

/** Spanish: tú, in words that are common to Spain and Latin America. */
export const es: NoticeTexts = {
  subjects: {
    password: 'Se ha cambiado tu contraseña de {project}',
    account: 'Se ha modificado tu cuenta de {project}',
    device: 'Nuevo inicio de sesión en {project}',
    recovery_code: 'Se ha usado un código de recuperación en {project}',
    app: 'Una aplicación tiene acceso a tu cuenta de {project}',
    recovery_started: 'Ha comenzado una recuperación de tu cuenta de {project}',
    recovery_ended: 'Ha terminado la recuperación de tu cuenta de {project}',
  },
  lines: {
    password_changed: 'Se ha cambiado tu contraseña.',
    password_added: 'Se ha establecido una contraseña.',
    password_removed: 'Se ha eliminado tu contraseña.',
    email_added: 'Se ha añadido la dirección de correo {value}.',
    email_removed: 'Se ha eliminado la dirección de correo {value}.',
    phone_added: 'Se ha añadido el número de teléfono {value}.',
    phone_removed: 'Se ha eliminado el número de teléfono {value}.',
    totp_added: 'Se ha añadido una aplicación de autenticación.',
    totp_removed: 'Se ha eliminado la aplicación de autenticación.',
    passkey_added: 'Se ha añadido una llave de acceso.',
    passkey_removed: 'Se ha eliminado una llave de acceso.',
    wallet_added: 'Se ha añadido una billetera.',
    wallet_removed: 'Se ha eliminado una billetera.',
    social_added: 'Se ha conectado una cuenta de {value}.',
    social_removed: 'Se ha desconectado una cuenta de {value}.',
    device: 'Alguien ha iniciado sesión con un dispositivo nuevo: {value}.',
    device_unknown: 'Alguien ha iniciado sesión con un dispositivo nuevo.',
    recovery_code: 'Se ha usado un código de recuperación para iniciar sesión.',
    codes_renewed: 'Se han creado nuevos códigos de recuperación. Los anteriores ya no funcionan.',
    app: 'La aplicación {value} ha recibido acceso a tu cuenta.',
    recovery_started:
      'Alguien ha pedido eliminar los segundos factores de tu cuenta. Se pueden eliminar a partir de esta hora, si nadie detiene la recuperación: {time}.',
    recovery_available:
      'Ha terminado la espera de la recuperación de tu cuenta. Ya se pueden eliminar los segundos factores.',
    recovery_canceled: 'Se ha detenido la recuperación. Los segundos factores se conservan.',
    recovery_completed: 'Se han eliminado los segundos factores y se han cerrado todas las sesiones.',
    restored: 'Se han deshecho cambios con el enlace «No he sido yo» y se han cerrado todas las sesiones.',
  },
  at: 'Hora: {time}.',
  fine: 'Si has sido tú, no tienes que hacer nada.',
  check: 'Si no has sido tú, inicia sesión, revisa tu cuenta y cambia tu contraseña.',
  undo: {
    lead: 'Si no has sido tú, abre este enlace:',
    button: 'No he sido yo',
    validity:
      'La página muestra lo que se va a deshacer antes de que ocurra nada. El enlace funciona una sola vez, durante 7 días.',
  },
  stop: {
    lead: 'Si no has sido tú, detén la recuperación:',
    button: 'Detener la recuperación',
    validity: 'No ocurre nada hasta que lo confirmes en la página.',
  },
  finish: {
    lead: 'Para terminar o detener la recuperación, abre este enlace:',
    button: 'Terminar o detener',
    validity: 'No ocurre nada hasta que lo confirmes en la página.',
  },
  pages: {
    undoTitle: 'No he sido yo',
    undone: 'Esto se deshace:',
    remains: 'Esto no se puede deshacer aquí:',
    sessions: 'Se cierran todas las sesiones y las aplicaciones pierden su acceso.',
    password: 'La contraseña no se puede usar hasta que se restablezca.',
    recovery:
      'La aplicación de autenticación se puede eliminar después de una espera ({duration}), si nadie lo detiene desde uno de tus buzones.',
    undoButton: 'Proteger mi cuenta',
    undoDone: 'Tu cuenta está protegida.',
    stopTitle: 'Detener la recuperación',
    stopText: 'Los segundos factores de la cuenta se conservan.',
    stopButton: 'Detener la recuperación',
    stopDone: 'La recuperación se ha detenido.',
    finishTitle: 'Terminar la recuperación',
    finishText:
      'Se eliminan los segundos factores y se cierran todas las sesiones. Después, inicia sesión y configura un segundo factor nuevo.',
    finishButton: 'Eliminar los segundos factores',
    finishDone: 'Se han eliminado los segundos factores.',
    next: 'Continuar a {project}',
    over: 'Este enlace ha caducado o ya se ha usado.',
  },
};
