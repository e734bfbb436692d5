import type { NoticeTexts } from './notice-texts.ts';

/** German: formal (Sie). */
export const de: NoticeTexts = {
  subjects: {
    password: 'Ihr Passwort für {project} wurde geändert',
    account: 'Ihr Konto bei {project} wurde geändert',
    device: 'Neue Anmeldung bei {project}',
    recovery_code: 'Ein Wiederherstellungscode wurde bei {project} verwendet',
    app: 'Eine App hat Zugriff auf Ihr Konto bei {project}',
    recovery_started: 'Eine Wiederherstellung Ihres Kontos bei {project} hat begonnen',
    recovery_ended: 'Die Wiederherstellung Ihres Kontos bei {project} ist beendet',
  },
  lines: {
    password_changed: 'Ihr Passwort wurde geändert.',
    password_added: 'Ein Passwort wurde festgelegt.',
    password_removed: 'Ihr Passwort wurde entfernt.',
    email_added: 'Die E-Mail-Adresse {value} wurde hinzugefügt.',
    email_removed: 'Die E-Mail-Adresse {value} wurde entfernt.',
    phone_added: 'Die Telefonnummer {value} wurde hinzugefügt.',
    phone_removed: 'Die Telefonnummer {value} wurde entfernt.',
    totp_added: 'Eine Authenticator-App wurde hinzugefügt.',
    totp_removed: 'Die Authenticator-App wurde entfernt.',
    passkey_added: 'Ein Passkey wurde hinzugefügt.',
    passkey_removed: 'Ein Passkey wurde entfernt.',
    wallet_added: 'Eine Wallet wurde hinzugefügt.',
    wallet_removed: 'Eine Wallet wurde entfernt.',
    social_added: 'Ein Konto bei {value} wurde verbunden.',
    social_removed: 'Ein Konto bei {value} wurde getrennt.',
    device: 'Jemand hat sich mit einem neuen Gerät angemeldet: {value}.',
    device_unknown: 'Jemand hat sich mit einem neuen Gerät angemeldet.',
    recovery_code: 'Ein Wiederherstellungscode wurde zur Anmeldung verwendet.',
    codes_renewed: 'Es wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
    app: 'Die App {value} hat Zugriff auf Ihr Konto erhalten.',
    recovery_started:
      'Jemand möchte die zweiten Faktoren Ihres Kontos entfernen. Ab {time} ist das möglich, wenn die Wiederherstellung nicht gestoppt wird.',
    recovery_available:
      'Die Wartezeit der Wiederherstellung Ihres Kontos ist vorbei. Die zweiten Faktoren können jetzt entfernt werden.',
    recovery_canceled: 'Die Wiederherstellung wurde gestoppt. Die zweiten Faktoren bleiben.',
    recovery_completed: 'Die zweiten Faktoren wurden entfernt und alle Sitzungen beendet.',
    restored: 'Änderungen wurden über den Link „Das war ich nicht“ rückgängig gemacht und alle Sitzungen beendet.',
  },
  at: 'Zeitpunkt: {time}.',
  fine: 'Wenn Sie das waren, müssen Sie nichts tun.',
  check: 'Wenn Sie das nicht waren, melden Sie sich an, prüfen Sie Ihr Konto und ändern Sie Ihr Passwort.',
  undo: {
    lead: 'Wenn Sie das nicht waren, öffnen Sie diesen Link:',
    button: 'Das war ich nicht',
    validity:
      'Die Seite zeigt, was rückgängig gemacht wird, bevor etwas geschieht. Der Link funktioniert einmal, innerhalb von 7 Tagen.',
  },
  stop: {
    lead: 'Wenn Sie das nicht waren, stoppen Sie die Wiederherstellung:',
    button: 'Wiederherstellung stoppen',
    validity: 'Es geschieht nichts, bis Sie es auf der Seite bestätigen.',
  },
  finish: {
    lead: 'Um die Wiederherstellung abzuschließen oder zu stoppen, öffnen Sie diesen Link:',
    button: 'Abschließen oder stoppen',
    validity: 'Es geschieht nichts, bis Sie es auf der Seite bestätigen.',
  },
  pages: {
    undoTitle: 'Das war ich nicht',
    undone: 'Das wird rückgängig gemacht:',
    remains: 'Das kann hier nicht rückgängig gemacht werden:',
    sessions: 'Alle Sitzungen enden, und Apps verlieren ihren Zugriff.',
    password: 'Das Passwort kann erst verwendet werden, wenn es zurückgesetzt ist.',
    recovery:
      'Die Authenticator-App kann nach einer Wartezeit ({duration}) entfernt werden, wenn das niemand aus einem Ihrer Postfächer stoppt.',
    undoButton: 'Mein Konto sichern',
    undoDone: 'Ihr Konto ist gesichert.',
    stopTitle: 'Wiederherstellung stoppen',
    stopText: 'Die zweiten Faktoren des Kontos bleiben.',
    stopButton: 'Wiederherstellung stoppen',
    stopDone: 'Die Wiederherstellung ist gestoppt.',
    finishTitle: 'Wiederherstellung abschließen',
    finishText:
      'Die zweiten Faktoren werden entfernt, und alle Sitzungen enden. Melden Sie sich danach an und richten Sie einen neuen zweiten Faktor ein.',
    finishButton: 'Zweite Faktoren entfernen',
    finishDone: 'Die zweiten Faktoren sind entfernt.',
    next: 'Weiter zu {project}',
    over: 'Dieser Link ist abgelaufen oder wurde schon verwendet.',
  },
};
