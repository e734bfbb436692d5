import type { ErrorKey } from '../catalogue.ts';

/** The texts of errors in German. */
export const deErrors: Readonly<Record<ErrorKey, string>> = {
  'error.passkey_already_registered':
    'Der Passkey kann nicht erstellt werden, da er offenbar bereits registriert ist. Möglicherweise wurde er auf einem anderen Gerät registriert und geräteübergreifend synchronisiert.',
  'error.duplicate_webauthn_registration':
    'Der Passkey kann nicht erstellt werden, da er offenbar bereits registriert ist. Möglicherweise wurde er auf einem anderen Gerät registriert und geräteübergreifend synchronisiert.',
  'error.passkey_not_created':
    'Ihr Passkey wurde nicht erstellt. Klicken Sie auf „Passkey erstellen“, um es erneut zu versuchen, oder fahren Sie ohne Passkey fort.',
  'error.passkey_not_created.elsewhere':
    'Ihr Passkey wurde nicht erstellt. Versuchen Sie es erneut oder verwenden Sie einen anderen Browser oder ein anderes Gerät.',
  'unreachable.network': 'Unsere Server sind nicht erreichbar.',
  'unreachable.offline': 'Sie sind offline. Prüfen Sie Ihre Verbindung und versuchen Sie es dann erneut.',
  'unreachable.invalid-json': 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
  'unreachable.invalid-response': 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
  'unreachable.captcha-required': 'Ungültige Antwort von unseren Servern.',
  'error.invalid_email': 'Diese E-Mail-Adresse ist ungültig.',
  'error.invalid_phone_number': 'Diese Telefonnummer stimmt nicht. Prüfen Sie das Land und die Nummer.',
  'error.unsubscribed_phone_number':
    'Diese Telefonnummer hat unsere Nachrichten abbestellt. Um sie wieder zu erhalten, senden Sie „START“ an die Nummer, von der sie kamen.',
  'error.sign_up_refused':
    'Auf diesem Weg kann hier kein neues Konto angelegt werden. Wenn Sie ein Konto haben, melden Sie sich wie gewohnt an. Andernfalls bitten Sie diese Website um eine Einladung.',
  'error.hook_refused': 'Diese Website lässt Sie nicht hinein. Bitte wenden Sie sich an ihren Support.',
  'error.user_locked': 'Dieses Konto ist gesperrt. Bitte wenden Sie sich an den Support dieser Website.',
  'error.inactive_email':
    'An diese E-Mail-Adresse können wir nichts senden. Verwenden Sie eine andere oder wenden Sie sich an Ihre Administration.',
  'error.unauthorized_credentials': 'E-Mail-Adresse oder Passwort ist falsch.',
  'error.user_unauthenticated': 'Bitte melden Sie sich zuerst an.',
  'error.email_not_found': 'E-Mail-Adresse nicht gefunden.',
  'error.unable_to_auth_magic_link':
    'Dieser Link wurde bereits verwendet oder ist abgelaufen. Bitte versuchen Sie es erneut.',
  'error.no_user_password': 'Für dieses Konto ist kein Passwort hinterlegt.',
  'error.breached_password':
    'Dieses Passwort steht auf einer Liste kompromittierter Passwörter. Setzen Sie es zurück, bevor Sie sich anmelden.',
  'error.reset_password': 'Das Passwort muss zurückgesetzt werden.',
  'error.oauth_token_not_found': 'Diese Anmeldung ist abgelaufen. Bitte versuchen Sie es erneut.',
  'error.invalid_code': 'Das Format des Codes ist ungültig. Bitte versuchen Sie es erneut.',
  'error.member_password_not_found': 'Für dieses Mitglied ist kein Passwort hinterlegt.',
  'error.oauth_flow_callback_error': 'Die Anmeldung konnte nicht abgeschlossen werden. Bitte versuchen Sie es erneut.',
  'error.unauthorized_action': 'Diese Aktion ist nicht erlaubt.',
  'error.intermediate_session_not_found': 'Diese Anmeldung hat zu lange gedauert. Bitte melden Sie sich erneut an.',
  'error.mfa_factor_not_allowed':
    'Das kann für diese Anmeldung nicht verwendet werden. Bitte wählen Sie einen anderen Weg.',
  'error.profile_required': 'Etwas fehlt oder kann hier nicht verwendet werden. Bitte prüfen Sie Ihre Eingaben.',
  'error.too_many_mfa_attempts': 'Zu viele falsche Codes. Bitte melden Sie sich später erneut an.',
  'error.recovery_codes_shown_once':
    'Wiederherstellungscodes werden nur einmal angezeigt, wenn Sie die Authentifizierungs-App einrichten.',
  'error.trusted_device_not_found': 'Diesem Browser wird nicht mehr vertraut.',
  'error.mfa_required':
    'Dafür ist Ihr zweiter Faktor erforderlich. Geben Sie zuerst einen Code aus Ihrer Authentifizierungs-App ein und versuchen Sie es dann erneut.',
  'error.user_lock_limit_reached': 'Zu viele fehlgeschlagene Anmeldeversuche. Bitte versuchen Sie es später erneut.',
  'error.invalid_session_token': 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
  'error.session_not_found': 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
  'error.invalid_phone_number_country_code':
    'Diese Ländervorwahl ist ungültig, wird nicht unterstützt oder ist deaktiviert. Bitte verwenden Sie eine andere Telefonnummer.',
  'error.otp_code_not_found': 'Falscher Code. Versuchen Sie es erneut.',
  'error.otp_code_not_found.expired': 'Dieser Code ist abgelaufen. Fordern Sie einen neuen an.',
  'error.otp_code_not_found.tries_used':
    'Dieser Code gilt nicht mehr, weil fünfmal ein falscher eingegeben wurde. Fordern Sie einen neuen an.',
  'error.otp_code_not_found.replaced':
    'Dieser Code wurde durch einen neueren ersetzt. Geben Sie den Code aus der letzten Nachricht ein.',
  'error.duplicate_email':
    'Diese E-Mail-Adresse gehört zu einem anderen Konto. Verwenden Sie eine andere oder melden Sie sich damit an.',
  'error.phone_number_not_found': 'Zu dieser Telefonnummer gibt es kein Konto.',
  'error.duplicate_phone_number':
    'Diese Telefonnummer gehört zu einem anderen Konto. Verwenden Sie eine andere oder melden Sie sich damit an.',
  'error.weak_password': 'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein längeres oder selteneres.',
  'error.password_too_long': 'Dieses Passwort ist zu lang. Wählen Sie ein kürzeres.',
  'error.active_totp_exists':
    'Sie haben bereits eine Authentifizierungs-App. Entfernen Sie sie, bevor Sie eine andere hinzufügen.',
  'error.totp_not_found':
    'Ihr Konto hat keine Authentifizierungs-App, oder sie wurde nicht rechtzeitig bestätigt. Richten Sie sie neu ein.',
  'error.recovery_code_not_found':
    'Dieser Wiederherstellungscode ist falsch oder wurde schon verwendet. Geben Sie einen anderen ein.',
  'error.cannot_delete_last_factor': 'Das ist Ihre letzte Anmeldemöglichkeit. Fügen Sie zuerst eine andere hinzu.',
  'error.gone': 'Das gehört nicht mehr zu Ihrem Konto. Laden Sie die Seite neu.',
  'error.invalid_webauthn_name': 'Geben Sie einen Namen mit 1 bis 120 Zeichen ein.',
  'error.webauthn_challenge_not_found': 'Das hat zu lange gedauert. Verwenden Sie Ihren Passkey noch einmal.',
  'error.webauthn_verification_failed':
    'Dieser Passkey konnte nicht bestätigt werden. Versuchen Sie es erneut oder melden Sie sich anders an.',
  'error.crypto_wallet_challenge_not_found': 'Das hat zu lange gedauert. Verbinden Sie Ihre Wallet noch einmal.',
  'error.invalid_crypto_wallet_signature':
    'Die Signatur Ihrer Wallet konnte nicht bestätigt werden. Verbinden Sie sie noch einmal. Smart-Contract-Wallets werden hier nicht unterstützt.',
  'error.unsupported_crypto_wallet':
    'Diese Art von Wallet wird hier nicht unterstützt. Verwenden Sie eine andere Wallet, oder melden Sie sich auf andere Weise an.',
  'error.crypto_wallet_request_pending':
    'Ihre Wallet zeigt noch eine frühere Anfrage. Öffnen Sie die Wallet, beantworten Sie die Anfrage, und versuchen Sie es dann noch einmal.',
  'error.duplicate_crypto_wallet': 'Diese Wallet gehört zu einem anderen Konto. Verwenden Sie eine andere.',
  'error.oauth_config_not_found': 'Diese Möglichkeit gibt es hier nicht. Wählen Sie eine andere.',
  'error.pkce_mismatch':
    'Dieser Link funktioniert nur in dem Browser, in dem Sie ihn angefordert haben. Öffnen Sie ihn dort oder fordern Sie einen neuen an.',
  'error.login_required': 'Bitte melden Sie sich erneut an, um fortzufahren.',
  'error.login_required.new_method':
    'Diese Anmeldeart ist neu in Ihrem Konto. Melden Sie sich ab und dann mit einer an, die Sie schon vorher hatten.',
  'error.consent_required': 'Diese App braucht zuerst Ihre Erlaubnis. Öffnen Sie sie noch einmal.',
  'error.user_code_not_found':
    'Dieser Code ist falsch oder abgelaufen. Vergleichen Sie ihn mit dem Gerät, oder beginnen Sie dort von vorn.',
  'error.invalid_authorization_request':
    'Diese Anfrage ist abgelaufen. Gehen Sie zur App zurück und beginnen Sie dort von vorn.',
  'error.account_mismatch':
    'Die App erwartet ein anderes Konto. Melden Sie sich hier ab und dann mit dem anderen Konto an.',
  'error.user_not_found': 'Dieses Konto gibt es nicht mehr. Melden Sie sich neu an oder registrieren Sie sich.',
  'error.too_many_factors':
    'Ihr Konto hat bereits so viele davon, wie möglich sind. Entfernen Sie zuerst eines und versuchen Sie es dann erneut.',
  'error.too_many_requests': 'Zu viele Anfragen. Bitte warten Sie etwas und versuchen Sie es dann erneut.',
  'error.request_timeout':
    'Ihre Anfrage kam nicht rechtzeitig an. Prüfen Sie Ihre Verbindung und versuchen Sie es dann erneut.',
  'error.internal_server_error': 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
  'error.service_unavailable': 'Dieser Dienst ist gerade ausgelastet. Bitte versuchen Sie es gleich noch einmal.',
  'error.invalid_access_token': 'Diese Anmeldung ist abgelaufen oder wurde widerrufen. Melden Sie sich erneut an.',
  'error.app': 'Diese App hat eine fehlerhafte Anfrage gestellt. Bitte teilen Sie ihren Entwicklern mit: {message}',
  'error.duplicate_member_phone_number':
    'In dieser Organisation gibt es bereits ein Mitglied mit dieser Telefonnummer.',
  'error.webauthn_registration_not_found':
    'Dieser Passkey ist nicht registriert. Möglicherweise haben Sie ihn in Ihrem Konto gelöscht, aber nicht in Ihrem Passwortmanager. Bitte versuchen Sie es erneut.',
  'error.passkey_login_failed':
    'Der Passkey hat nicht funktioniert. Versuchen Sie es erneut oder melden Sie sich anders an.',
};
