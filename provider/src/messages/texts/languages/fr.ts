import type { MessageTexts } from '../message-texts.ts';

/** French: vous, with a no-break space before two-part punctuation. */
export const fr: MessageTexts = {
  passcode: {
    subject: '{code} est votre code pour {project}',
    lead: 'Votre code pour {project} est {code}.',
    intro: {
      login_passcode: 'Saisissez ce code pour vous connecter à {project}.',
      signup_passcode: 'Saisissez ce code pour vous inscrire à {project}.',
      confirm_passcode: 'Saisissez ce code pour ajouter cette adresse à votre compte {project}.',
    },
    short: 'Votre code pour {project} est {code}.',
    warning: 'Ne communiquez ce code à personne.',
  },
  links: {
    login_link: {
      subject: 'Votre lien de connexion à {project}',
      lead: 'Ouvrez ce lien pour vous connecter à {project}\u00a0:',
      heading: 'Connectez-vous à {project}',
      intro: 'Appuyez sur le bouton pour vous connecter.',
      button: 'Se connecter',
    },
    signup_link: {
      subject: 'Votre lien d’inscription à {project}',
      lead: 'Ouvrez ce lien pour vous inscrire à {project}\u00a0:',
      heading: 'Inscrivez-vous à {project}',
      intro: 'Appuyez sur le bouton pour créer votre compte.',
      button: 'S’inscrire',
    },
    invite_link: {
      subject: 'Vous avez une invitation à rejoindre {project}',
      lead: 'Ouvrez ce lien pour accepter votre invitation à rejoindre {project}\u00a0:',
      heading: 'Vous avez une invitation à rejoindre {project}',
      intro: 'Appuyez sur le bouton pour accepter l’invitation.',
      button: 'Accepter l’invitation',
    },
    confirm_link: {
      subject: 'Confirmez votre adresse e-mail pour {project}',
      lead: 'Ouvrez ce lien pour ajouter cette adresse à votre compte {project}\u00a0:',
      heading: 'Confirmez votre adresse e-mail',
      intro: 'Appuyez sur le bouton pour ajouter cette adresse à votre compte {project}.',
      button: 'Confirmer l’adresse',
    },
    reset_password: {
      subject: 'Choisissez un nouveau mot de passe pour {project}',
      lead: 'Ouvrez ce lien pour choisir un nouveau mot de passe pour {project} (valable pendant {duration})\u00a0:',
      heading: 'Choisissez un nouveau mot de passe',
      intro: 'Appuyez sur le bouton pour choisir un nouveau mot de passe pour {project}.',
      button: 'Choisir un mot de passe',
    },
  },
  refusal: {
    subject: 'Aucun compte {project} avec cette adresse',
    heading: 'Aucun compte avec cette adresse',
    intro:
      'Quelqu’un, peut-être vous, a voulu se connecter à {project} avec cette adresse. Aucun compte n’existe avec cette adresse, et il n’est pas possible d’en créer un.',
    advice:
      'Si vous avez un compte, connectez-vous avec l’adresse de ce compte. Sinon, demandez une invitation à {project}.',
  },
  instead: {
    lead: 'Ou connectez-vous sans mot de passe (valable pendant {duration})\u00a0:',
    label: 'Se connecter sans mot de passe',
    validity: 'Chaque lien fonctionne une seule fois.',
  },
  validity: 'Utilisable une seule fois, pendant {duration}.',
  ignore: 'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message.',
  ignoreReset:
    'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message. Votre mot de passe n’a pas changé.',
  ignoreInvitation: 'Si vous n’attendiez pas cette invitation, ignorez ce message.',
  requestNote: 'Demandé le {time} avec {device}.',
  askedAt: 'Demandé le {time}.',
  copyLink: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:',
};
