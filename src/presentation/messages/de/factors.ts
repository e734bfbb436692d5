import type { FactorTexts } from '../catalogue.ts';

/** The second factor of a login in German. */
export const de: FactorTexts = {
  'factor.title': 'Bestätigen Sie, dass Sie es sind',
  'factor.choose': 'Wählen Sie, wie Sie bestätigen, dass Sie es sind.',
  'factor.other': 'Anderen Weg verwenden',
  'factor.continue': 'Weiter',
  'factor.webauthn': 'Passkey verwenden',
  'factor.totp': 'Authentifizierungs-App',
  'factor.sms': 'Code per SMS an {phone}',
  'factor.whatsapp': 'Code per WhatsApp an {phone}',
  'factor.recovery_code': 'Wiederherstellungscode',
  'factor.totp.text': 'Geben Sie den 6-stelligen Code aus Ihrer Authentifizierungs-App ein.',
  'factor.totp.field': 'Code aus Ihrer Authentifizierungs-App',
  'factor.verifying': 'Wird geprüft …',
  'factor.tryAgain': 'Erneut versuchen',
  'factor.recovery_code.text':
    'Geben Sie einen der Wiederherstellungscodes ein, die Sie gespeichert haben. Jeder gilt einmal.',
  'factor.webauthn.text': 'Ihr Browser fragt nach Ihrem Fingerabdruck, Ihrem Gesicht oder der Sperre Ihres Geräts.',
  'factor.trust.one': 'Diesem Browser einen Tag lang vertrauen',
  'factor.trust': 'Diesem Browser {days} Tage lang vertrauen',
  'factor.trust.text': 'Nur auf einem Gerät, das Ihnen allein gehört.',
  'factor.another.title': 'Noch eine Anmeldemethode',
  'factor.another.text':
    'Melden Sie sich nun auch mit einer anderen Methode an, etwa mit Ihrem Passwort oder einem Code per E-Mail.',
  'factor.another.do': 'Anders anmelden',
  'factor.over.title': 'Bitte melden Sie sich erneut an',
  'factor.over.do': 'Zurück zur Anmeldung',
  'factor.retry': 'Erneut versuchen',
  'factor.enrol.title': 'Schützen Sie Ihr Konto',
  'factor.enrol.text': 'Dafür ist ein zweiter Schritt nötig. Richten Sie einen davon ein; das dauert eine Minute.',
  'factor.enrol.webauthn': 'Passkey erstellen',
  'factor.enrol.webauthn.text': 'Fingerabdruck, Gesicht oder Bildschirmsperre dieses Geräts. Der sicherste Weg.',
  'factor.enrol.totp': 'Authentifizierungs-App verwenden',
  'factor.enrol.totp.text': 'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code.',
  'factor.enrol.sms': 'SMS erhalten',
  'factor.enrol.sms.text':
    'Ein Code kommt per SMS auf Ihr Telefon. Weniger sicher: Wer Ihre Nummer übernimmt, erhält Ihre Codes.',
  'factor.enrol.whatsapp': 'WhatsApp-Nachrichten erhalten',
  'factor.enrol.whatsapp.text':
    'Ein Code kommt per WhatsApp. Weniger sicher: Wer Ihre Nummer übernimmt, erhält Ihre Codes.',
  'factor.scan.title': 'Konto zur App hinzufügen',
  'factor.scan.text': 'Scannen Sie diesen Code mit Ihrer Authentifizierungs-App oder geben Sie dort den Schlüssel ein.',
  'factor.scan.qr': 'QR-Code für Ihre Authentifizierungs-App',
  'factor.scan.key': 'Schlüssel',
  'factor.scan.copy': 'Schlüssel kopieren',
  'factor.copied': 'Kopiert',
  'factor.save.title': 'Wiederherstellungscodes speichern',
  'factor.save.text':
    'Mit jedem Code können Sie sich einmal anmelden, wenn Sie Ihr Telefon nicht haben. Sie werden nur jetzt angezeigt.',
  'factor.save.copy': 'Codes kopieren',
  'factor.save.download': 'Herunterladen',
  'factor.save.print': 'Drucken',
  'factor.save.done': 'Ich habe sie gespeichert',
  'factor.confirm.title': 'Ersten Code eingeben',
  'factor.confirm.text': 'Geben Sie den Code ein, den Ihre App jetzt anzeigt.',
  'factor.phone.title': 'Telefonnummer hinzufügen',
  'factor.lost': 'Alles verloren?',
  'factor.lost.pending': 'Eine Wiederherstellung Ihres Kontos läuft',
  'factor.recovery.title': 'Konto wiederherstellen',
  'factor.recovery.text':
    'Wenn Sie keinen dieser Wege mehr nutzen können, lassen sich Ihre zweiten Faktoren entfernen. Zu Ihrer Sicherheit gibt es eine Wartezeit: {duration}.',
  'factor.recovery.told':
    'Jede E-Mail-Adresse und Telefonnummer Ihres Kontos erhält jetzt eine Nachricht mit einem Link, der die Wiederherstellung stoppt.',
  'factor.recovery.later': 'Nach der Wartezeit kommt eine weitere Nachricht mit einem Link, der sie abschließt.',
  'factor.recovery.end': 'Danach sind Ihre zweiten Faktoren entfernt, und Sie sind überall abgemeldet.',
  'factor.recovery.begin': 'Wiederherstellung beginnen',
  'factor.recovery.wait.title': 'Die Wiederherstellung hat begonnen',
  'factor.recovery.wait.text':
    'Sie kann ab {time} abgeschlossen werden. Dann erhalten Sie eine weitere Nachricht mit dem Link dazu.',
  'factor.recovery.stop':
    'Um sie zu stoppen, öffnen Sie den Link in einer der Nachrichten darüber. Bis zum Abschluss brauchen Sie für die Anmeldung Ihren zweiten Faktor.',
  'factor.recovery.ready.title': 'Die Wiederherstellung kann abgeschlossen werden',
  'factor.recovery.ready.text':
    'Öffnen Sie den Link in der neuesten Nachricht darüber. Dort können Sie die Wiederherstellung abschließen oder stoppen.',
};
