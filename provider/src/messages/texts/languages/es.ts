import type { MessageTexts } from '../message-texts.ts';

/** Spanish: familiar (tú), with words common to Spain and Latin America. */
export const es: MessageTexts = {
  passcode: {
    subject: '{code} es tu código de {project}',
    lead: 'Tu código de {project} es {code}.',
    intro: {
      login_passcode: 'Introduce este código para iniciar sesión en {project}.',
      signup_passcode: 'Introduce este código para registrarte en {project}.',
      confirm_passcode: 'Introduce este código para añadir esta dirección a tu cuenta de {project}.',
    },
    short: 'Tu código de {project} es {code}.',
    warning: 'No compartas este código con nadie.',
  },
  links: {
    login_link: {
      subject: 'Tu enlace de acceso a {project}',
      lead: 'Abre este enlace para iniciar sesión en {project}:',
      heading: 'Inicia sesión en {project}',
      intro: 'Pulsa el botón para iniciar sesión.',
      button: 'Iniciar sesión',
    },
    signup_link: {
      subject: 'Tu enlace de registro en {project}',
      lead: 'Abre este enlace para registrarte en {project}:',
      heading: 'Regístrate en {project}',
      intro: 'Pulsa el botón para crear tu cuenta.',
      button: 'Registrarse',
    },
    invite_link: {
      subject: 'Tienes una invitación a {project}',
      lead: 'Abre este enlace para aceptar tu invitación a {project}:',
      heading: 'Tienes una invitación a {project}',
      intro: 'Pulsa el botón para aceptar la invitación.',
      button: 'Aceptar la invitación',
    },
    confirm_link: {
      subject: 'Confirma tu dirección de correo para {project}',
      lead: 'Abre este enlace para añadir esta dirección a tu cuenta de {project}:',
      heading: 'Confirma tu dirección de correo',
      intro: 'Pulsa el botón para añadir esta dirección a tu cuenta de {project}.',
      button: 'Confirmar la dirección',
    },
    reset_password: {
      subject: 'Elige una nueva contraseña para {project}',
      lead: 'Abre este enlace para elegir una nueva contraseña para {project} (válido durante {duration}):',
      heading: 'Elige una nueva contraseña',
      intro: 'Pulsa el botón para elegir una nueva contraseña para {project}.',
      button: 'Elegir una contraseña',
    },
  },
  refusal: {
    subject: 'No hay ninguna cuenta en {project} con esta dirección',
    heading: 'No hay ninguna cuenta con esta dirección',
    intro:
      'Alguien, quizá tú, ha querido iniciar sesión en {project} con esta dirección. No hay ninguna cuenta con ella ni se puede crear una.',
    advice: 'Si tienes una cuenta, inicia sesión con su dirección. Si no, pide una invitación a {project}.',
  },
  instead: {
    lead: 'O inicia sesión sin contraseña (válido durante {duration}):',
    label: 'Iniciar sesión sin contraseña',
    validity: 'Cada enlace funciona una sola vez.',
  },
  validity: 'Funciona una sola vez, durante {duration}.',
  ignore: 'Si no lo has solicitado, ignora este mensaje.',
  ignoreReset: 'Si no lo has solicitado, ignora este mensaje. Tu contraseña no ha cambiado.',
  ignoreInvitation: 'Si no esperabas esta invitación, ignora este mensaje.',
  requestNote: 'Solicitado el {time} con {device}.',
  askedAt: 'Solicitado el {time}.',
  copyLink: 'Si el botón no funciona, copia esta dirección en tu navegador:',
};
