/** Translates a host's strings from the reference's keys and notation into ours. */
import type { ErrorKey, FeedbackKey, MessageKey, StringOverrides } from '#presentation/messages/catalogue.ts';

type Key = MessageKey | ErrorKey | FeedbackKey;

/** Our key for each of the reference's texts, or all our keys that have the same text. */
const KEYS: Readonly<Record<string, Key | readonly Key[]>> = {
  'button.back.ariaLabel': 'back',
  'button.goBack': ['back', 'failure.back'],
  'button.cancel': 'passkeys.delete.cancel',
  'button.continue': 'password.continue',
  'button.createPasskey': 'passkeys.start.create',
  'button.createPasswordInstead': 'passwordless.instead',
  'button.delete': 'passkeys.delete.confirm',
  'button.done': 'passkeys.done',
  'button.save': 'passkeys.save',
  'button.emailLogin': 'email.continue',
  'button.emailMagicLink': 'password.emailLink',
  'button.emailOTP': 'password.emailCode',
  'button.emailResent': 'toast.emailResent',
  'button.resendEmail': 'password.resend',
  'button.forgotPassword': 'passwordLogin.forgot',
  'button.loginWithPasskey': 'passkey.login',
  'button.loginWithoutPassword': 'password.without',
  'button.retry': ['emailConfirmation.tryAgain', 'password.tryAgain', 'cryptoError.again'],
  'button.showPassword': 'password.show',
  'button.skip': 'passkeys.start.skip',
  'button.sms': 'phone.continue.sms',
  'button.whatsapp': 'phone.continue.whatsapp',
  'createAccount.title': 'passwordNew.choose',
  'crypto.connectWallet.instructionPopup': 'cryptoConnect.text',
  'crypto.connectWallet.title': 'cryptoConnect.title',
  'crypto.continueWithOtherWallet.title': 'cryptoOther.title',
  'crypto.error.content': 'cryptoError.text',
  'crypto.error.title': 'cryptoError.title',
  'crypto.setupNewWallet.instruction': 'cryptoSetup.text',
  'crypto.setupNewWallet.title': 'cryptoSetup.title',
  'crypto.signMessage.instruction': 'cryptoSignMessage.text',
  'crypto.signMessage.title': 'cryptoSignMessage.title',
  'crypto.success.content': 'cryptoConfirmation.text',
  'crypto.success.title': 'cryptoConfirmation.title',
  'crypto.wallet.continueWithEthereum': 'wallets.ethereum',
  'crypto.wallet.continueWithOtherWallet': 'wallets.others',
  'crypto.wallet.continueWithSolana': 'wallets.solana',
  'crypto.wallet.setupNewWallet': 'cryptoOther.setup',
  'emailConfirmation.content': 'emailConfirmation.sent',
  'emailConfirmation.title': 'emailConfirmation.title',
  'error.breachedPassword': 'error.breached_password',
  'error.duplicatePasskey': ['error.passkey_already_registered', 'error.duplicate_webauthn_registration'],
  'error.duplicatePhoneNumber': 'error.duplicate_member_phone_number',
  'error.emailNotFound': 'error.email_not_found',
  'error.inactiveEmail': 'error.inactive_email',
  'error.invalidCode': 'error.invalid_code',
  'error.invalidEmail': ['error.invalid_email', 'email.invalid.magicLink'],
  'error.invalidPhoneNumber': ['error.invalid_phone_number', 'phone.invalid'],
  'error.invalidPhoneNumberCountryCode': 'error.invalid_phone_number_country_code',
  'error.invalidSessionToken': 'error.invalid_session_token',
  'error.memberPasswordNotFound': 'error.member_password_not_found',
  'error.noUserPassword': 'error.no_user_password',
  'error.oauthFlowCallbackError': 'error.oauth_flow_callback_error',
  'error.oauthTokenNotFound': 'error.oauth_token_not_found',
  'error.otpCodeNotFound': 'error.otp_code_not_found',
  'error.passkeyNotCreated': ['error.passkey_not_created', 'error.passkey_not_created.elsewhere'],
  'error.passkeyRegistrationNotFound': 'error.webauthn_registration_not_found',
  'error.passkeyUnknown': 'error.passkey_login_failed',
  'error.resetPassword': 'error.reset_password',
  'error.sessionNotFound': 'error.session_not_found',
  'error.title': 'failure.title',
  'error.unableToAuthMagicLink': 'error.unable_to_auth_magic_link',
  'error.unauthorizedAction': 'error.unauthorized_action',
  'error.unauthorizedCredentials': 'error.unauthorized_credentials',
  'error.unsubscribedPhoneNumber': 'error.unsubscribed_phone_number',
  'error.userLockLimitReached': 'error.user_lock_limit_reached',
  'error.userUnauthenticated': 'error.user_unauthenticated',
  'errors.invalidEmail': 'email.invalid.otp',
  'formField.email.label': ['email.label', 'password.email'],
  'formField.email.placeholder': 'email.placeholder',
  'formField.otp.ariaLabel': 'otp.field',
  'formField.passcode.status.verifying': 'otp.verifying',
  'formField.password.label': 'password.field',
  'formField.phone.label': 'phone.label',
  'idpConsent.allowClientTo': 'consent.requests',
  'idpConsent.button.allow': 'consent.allow',
  'idpConsent.button.deny': 'consent.deny',
  'idpConsent.cannotGrantRequest': 'consent.ungrantable.header',
  'idpConsent.customScopes.title': 'consent.title.custom',
  'idpConsent.defaultClientName': 'consent.theApp',
  'idpConsent.denied': 'consent.denied',
  'idpConsent.noActiveSession': 'consent.noSession',
  'idpConsent.noPermissionsToGrant': 'consent.ungrantable.notice',
  'idpConsent.signIn.title': 'consent.title.standard',
  'idpLogout.confirmMessage': 'logout.text',
  'idpLogout.no': 'logout.no',
  'idpLogout.notLoggedOut': 'logout.refused',
  'idpLogout.title': 'logout.title',
  'idpLogout.yes': 'logout.yes',
  'loading.label': 'loading',
  'login.loading': 'passwordReset.loggingIn',
  'login.success.content': ['complete.text', 'passwordConfirmation.text'],
  'login.title': 'main.title',
  'methodDivider.text': ['main.or', 'password.or'],
  'otp.success.content': 'otpConfirmation.text',
  'passcode.codeSent': 'otp.resent',
  'passcode.didntGetIt': ['otp.missing', 'emailConfirmation.missing', 'password.missing'],
  'passcode.expirationCountdown': 'otp.expiresIn',
  'passcode.expired': 'otp.expired',
  'passcode.resendCode': 'otp.resend',
  'passcode.sentConfirmation': 'otp.sent',
  'passcode.title': 'otp.title',
  'passkey.editing.label': 'passkeys.name',
  'passkey.registrationStart.description': 'passkeys.start.text',
  'passkey.registrationStart.error.noUser': 'passkeys.noUser',
  'passkey.registrationStart.subtitle': 'passkeys.start.subtitle',
  'passkey.registrationStart.title': 'passkeys.start.title',
  'passkey.registrationSuccess.deleteWarning': 'passkeys.delete.warning',
  'passkey.registrationSuccess.existingPasskeys': 'passkeys.list',
  'passkey.registrationSuccess.setupAnother': 'passkeys.another',
  'passkey.registrationSuccess.title': 'passkeys.success.title',
  'passkey.success.content': 'passkeyConfirmation.text',
  'password.breached.content': 'passwordDedupe.text',
  'password.breached.title': 'passwordDedupe.title',
  'password.createAccount.content': 'passwordNew.title',
  'password.forgot.content': 'passwordForgot.text',
  'password.forgot.title': 'passwordForgot.title',
  'password.login.title': 'passwordLogin.title',
  'password.requirement.fulfilled': 'strength.met',
  'password.requirement.notFulfilled': 'strength.unmet',
  'password.reset.loggingInProgress': 'passwordReset.loggingIn',
  'password.reset.loginWithoutPassword': 'password.without',
  'password.reset.title': 'passwordReset.title',
  'password.resetRequired.content': 'passwordRequired.text',
  'password.resetRequired.title': 'passwordRequired.title',
  'password.setNew.content': 'passwordSetNew.text',
  'password.setNew.title': 'passwordSetNew.title',
  'password.strength.accepted': 'strength.accepted',
  'password.strength.notAccepted': 'strength.refused',
  'password.strengthError.breached': 'strength.breached',
  'password.strengthError.complexity': 'strength.kinds',
  'password.strengthError.minimumLength': 'strength.length',
  'password.zxcvbn.suggestion.addWords': 'feedback.anotherWord',
  'password.zxcvbn.suggestion.allUppercase': 'feedback.notAllUppercase',
  'password.zxcvbn.suggestion.avoidDatesAndYearsAssociatedWithYou': 'feedback.avoidDates',
  'password.zxcvbn.suggestion.avoidRecentYears': 'feedback.avoidRecentYears',
  'password.zxcvbn.suggestion.avoidRepeats': 'feedback.avoidRepeats',
  'password.zxcvbn.suggestion.avoidSequences': 'feedback.avoidSequences',
  'password.zxcvbn.suggestion.avoidYearsAssociatedWithYou': 'feedback.avoidOwnYears',
  'password.zxcvbn.suggestion.capitalization': 'feedback.capitalizeMore',
  'password.zxcvbn.suggestion.longerKeyboardPattern': 'feedback.longerPatterns',
  'password.zxcvbn.suggestion.noSymbolsDigitsUppercase': 'feedback.noNeed',
  'password.zxcvbn.suggestion.predictableSubstitutions': 'feedback.avoidL33t',
  'password.zxcvbn.suggestion.reversed': 'feedback.avoidReversed',
  'password.zxcvbn.suggestion.useAFewWords': 'feedback.useWords',
  'password.zxcvbn.warning.commonNames': 'feedback.commonNames',
  'password.zxcvbn.warning.dates': 'feedback.dates',
  'password.zxcvbn.warning.longerRepeats': 'feedback.extendedRepeat',
  'password.zxcvbn.warning.names': 'feedback.namesByThemselves',
  'password.zxcvbn.warning.recentYears': 'feedback.recentYears',
  'password.zxcvbn.warning.repeats': 'feedback.simpleRepeat',
  'password.zxcvbn.warning.sequences': 'feedback.sequences',
  'password.zxcvbn.warning.shortKeyboardPatterns': 'feedback.keyPattern',
  'password.zxcvbn.warning.similarToCommonPassword': 'feedback.similarToCommon',
  'password.zxcvbn.warning.straightRows': 'feedback.straightRow',
  'password.zxcvbn.warning.top100CommonPassword': 'feedback.topHundred',
  'password.zxcvbn.warning.top10CommonPassword': 'feedback.topTen',
  'password.zxcvbn.warning.veryCommonPassword': 'feedback.common',
  'password.zxcvbn.warning.wordByItself': 'feedback.wordByItself',
  'provider.lastUsed': 'main.lastUsed',
  'success.title': [
    'otpConfirmation.title',
    'complete.title',
    'passwordConfirmation.title',
    'passkeyConfirmation.title',
  ],
  'tab.email': 'tab.email',
  'tab.listLabel': 'tabs.label',
  'tab.text': 'tab.sms',
  'tab.whatsapp': 'tab.whatsapp',
  'toast.emailResent': 'toast.emailResent',
  'watermark.poweredBy': 'watermark',
};

/** The values with different names in the reference. */
const VALUES: Readonly<Record<string, string>> = {
  timeRemaining: 'time',
  complexity: 'n',
  characterLength: 'n',
};

/** `{name, plural, …}` is replaced by its branch `other`, in which `#` is the number. */
const PLURAL = /\{(\w+), plural,(?:[^{}]*\{[^{}]*\})*?\s*other \{([^{}]*)\}\s*\}/gu;
const TAG = /<\/?\w+>/gu;

/** Translates a text from the reference's notation (ICU) into ours. */
function textOf(text: string): string {
  return text
    .replaceAll(PLURAL, (_, name: string, other: string) => other.replaceAll('#', `{${name}}`))
    .replaceAll(TAG, '')
    .replaceAll(/\{(\w+)\}/gu, (whole, name: string) => (Object.hasOwn(VALUES, name) ? `{${VALUES[name]}}` : whole));
}

const PROVIDER = /^oauth\.continueWith(?:X$|([A-Z]\w+))/u;
const WALLET = /^crypto\.wallet\.continueWith(Metamask|Coinbase|Phantom|Binance|Vessel)$/u;

/** A common text for all providers or wallets, if the host's texts differ only in the name. */
function common(strings: Readonly<Record<string, string>>, kind: RegExp, value: string): string | null {
  const texts = Object.entries(strings).flatMap(([key, text]) => {
    const match = kind.exec(key);
    if (match === null) return [];
    const name = match[1] ?? 'X';
    const at = text.toLowerCase().lastIndexOf(name.toLowerCase());
    return [at < 0 ? text : `${text.slice(0, at)}{${value}}${text.slice(at + name.length)}`];
  });
  const [first, ...rest] = texts;
  return first !== undefined && rest.every((text) => text === first) ? first : null;
}

/** The host's strings under our keys. Our own keys pass unchanged, and so do unknown ones, for which the widget logs a warning. */
export function stringsOf(
  strings: Readonly<Record<string, string | undefined>> | undefined,
): StringOverrides | undefined {
  if (strings === undefined || strings === null) return undefined;
  const ours: Record<string, string> = {};
  const entries = Object.entries(strings).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text] as const] : [],
  );
  const texts = Object.fromEntries(entries);
  const providers = common(texts, PROVIDER, 'provider');
  const wallets = common(texts, WALLET, 'wallet');
  if (providers !== null) ours['oauth.continue'] = providers;
  if (wallets !== null) ours['wallets.continue'] = wallets;
  for (const [key, text] of entries) {
    const target = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    const isOfMany = (providers !== null && PROVIDER.test(key)) || (wallets !== null && WALLET.test(key));
    for (const to of typeof target === 'string' ? [target] : (target ?? [])) ours[to] = textOf(text);
    if (target === undefined && !isOfMany) ours[key] = text;
  }
  return ours;
}
