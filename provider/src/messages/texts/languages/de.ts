import type { MessageTexts } from '../message-texts.ts';

/** German: formal (Sie). */
export const de: MessageTexts = {
  passcode: {
    subject: '{code} ist Ihr Code für {project}',
    lead: 'Ihr Code für {project} lautet {code}.',
    intro: {
      login_passcode: 'Geben Sie diesen Code ein, um sich bei {project} anzumelden.',
      signup_passcode: 'Geben Sie diesen Code ein, um sich bei {project} zu registrieren.',
      confirm_passcode: 'Geben Sie diesen Code ein, um diese Adresse Ihrem Konto bei {project} hinzuzufügen.',
    },
    short: 'Ihr Code für {project} lautet {code}.',
    warning: 'Geben Sie diesen Code an niemanden weiter.',
  },
  links: {
    login_link: {
      subject: 'Ihr Anmeldelink für {project}',
      lead: 'Öffnen Sie diesen Link, um sich bei {project} anzumelden:',
      heading: 'Bei {project} anmelden',
      intro: 'Klicken Sie auf die Schaltfläche, um sich anzumelden.',
      button: 'Anmelden',
    },
    signup_link: {
      subject: 'Ihr Registrierungslink für {project}',
      lead: 'Öffnen Sie diesen Link, um sich bei {project} zu registrieren:',
      heading: 'Bei {project} registrieren',
      intro: 'Klicken Sie auf die Schaltfläche, um Ihr Konto zu erstellen.',
      button: 'Registrieren',
    },
    invite_link: {
      subject: 'Sie sind zu {project} eingeladen',
      lead: 'Öffnen Sie diesen Link, um Ihre Einladung zu {project} anzunehmen:',
      heading: 'Sie sind zu {project} eingeladen',
      intro: 'Klicken Sie auf die Schaltfläche, um die Einladung anzunehmen.',
      button: 'Einladung annehmen',
    },
    confirm_link: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {project}',
      lead: 'Öffnen Sie diesen Link, um diese Adresse Ihrem Konto bei {project} hinzuzufügen:',
      heading: 'E-Mail-Adresse bestätigen',
      intro: 'Klicken Sie auf die Schaltfläche, um diese Adresse Ihrem Konto bei {project} hinzuzufügen.',
      button: 'Adresse bestätigen',
    },
    reset_password: {
      subject: 'Neues Passwort für {project} festlegen',
      lead: 'Öffnen Sie diesen Link, um ein neues Passwort für {project} festzulegen (gültig für {duration}):',
      heading: 'Neues Passwort festlegen',
      intro: 'Klicken Sie auf die Schaltfläche, um ein neues Passwort für {project} festzulegen.',
      button: 'Neues Passwort festlegen',
    },
  },
  refusal: {
    subject: 'Kein Konto bei {project} mit dieser Adresse',
    heading: 'Kein Konto mit dieser Adresse',
    intro:
      'Jemand, vielleicht Sie, wollte sich mit dieser Adresse bei {project} anmelden. Es gibt kein Konto mit dieser Adresse, und es kann keines damit angelegt werden.',
    advice:
      'Wenn Sie ein Konto haben, melden Sie sich mit dessen Adresse an. Andernfalls bitten Sie {project} um eine Einladung.',
  },
  instead: {
    lead: 'Oder melden Sie sich ohne Passwort an (gültig für {duration}):',
    label: 'Ohne Passwort anmelden',
    validity: 'Jeder Link kann einmal verwendet werden.',
  },
  validity: 'Einmal verwendbar, gültig für {duration}.',
  ignore: 'Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht.',
  ignoreReset:
    'Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht. Ihr Passwort wurde nicht geändert.',
  ignoreInvitation: 'Wenn Sie keine Einladung erwarten, ignorieren Sie diese Nachricht.',
  requestNote: 'Angefordert am {time} mit {device}.',
  askedAt: 'Angefordert am {time}.',
  copyLink: 'Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
};
