/**
 * The English texts of API errors, by `error_type`, from the specification (section 8). An error of another type shows the server's
 * message; `rules/refusal-texts.ts` has the messages of our server.
 */
export const errorTexts = {
  'error.invalid_email': 'Email format is invalid.',
  'error.invalid_phone_number': 'Phone number format is invalid. Ensure the phone number is in the E.164 format.',
  'error.unsubscribed_phone_number':
    'This phone number has unsubscribed from our messages. To receive them again, text “START” to the number they came from.',
  'error.inactive_email': 'We cannot send mail to this address. Use another one, or contact your admin.',
  'error.unauthorized_credentials': 'Unauthorized credentials.',
  'error.user_unauthenticated': 'Must have an active session to call this method.',
  'error.email_not_found': 'Email not found.',
  'error.unable_to_auth_magic_link': 'This link was already used or has expired. Please try again.',
  'error.no_user_password': 'Password not found for this user.',
  'error.breached_password': 'This password is in a list of breached passwords. Please reset it before you log in.',
  'error.reset_password': 'Password must be reset.',
  'error.oauth_token_not_found': 'OAuth Token could not be found.',
  'error.invalid_code': 'Code format is invalid, please try again.',
  'error.member_password_not_found': 'Member password not found.',
  'error.oauth_flow_callback_error': 'The login could not be completed. Please try again.',
  'error.unauthorized_action': 'Unauthorized action.',
  'error.user_lock_limit_reached': 'Too many failed authentication attempts. Please try again later.',
  'error.invalid_session_token': 'Invalid session token.',
  'error.session_not_found': 'Session not found.',
  'error.invalid_phone_number_country_code':
    'This country code is invalid, not supported or turned off. Please use another phone number.',
  'error.otp_code_not_found': 'Invalid passcode, please try again.',
  'error.otp_code_not_found.expired': 'This passcode has expired. Send a new one.',
  'error.otp_code_not_found.tries_used':
    'This passcode no longer works, because a wrong one was entered five times. Send a new one.',
  'error.otp_code_not_found.replaced':
    'This passcode was replaced by a newer one. Enter the one from the latest message.',
  'error.duplicate_member_phone_number': 'A member with this phone number already exists in this organization.',
  'error.webauthn_registration_not_found':
    'Passkey registration not found. You may have deleted the passkey from your account but not password manager. Please try again.',
  'error.passkey_already_registered':
    'The Passkey cannot be created as it seems to be already registered. It is possible this Passkey was registered on another device but has synced cross-device.',
  'error.passkey_not_created':
    'Your Passkey was not created. Click “Create a Passkey” to try again or skip without adding a Passkey.',
  'error.passkey_not_created.elsewhere': 'Your passkey was not created. Try again, or use another browser or device.',
  'error.passkey_login_failed': 'Unknown error occurred during passkey authentication. Please try again.',
  'unreachable.offline': 'You are offline. Check your connection, then try again.',
} as const;
