/** The names of the B2B wire, without behaviour (specification, sections 2 and 9). */

export const B2BProducts = {
  emailMagicLinks: 'emailMagicLinks',
  emailOtp: 'emailOtp',
  sso: 'sso',
  passwords: 'passwords',
  oauth: 'oauth',
} as const;
export type B2BProducts = (typeof B2BProducts)[keyof typeof B2BProducts];

/** The second factors of an organization. */
export const B2BMFAProducts = { smsOtp: 'smsOtp', totp: 'totp' } as const;
export type B2BMFAProducts = (typeof B2BMFAProducts)[keyof typeof B2BMFAProducts];

/** The social logins of an organization. */
export const B2BOAuthProviders = {
  Google: 'google',
  Microsoft: 'microsoft',
  HubSpot: 'hubspot',
  Slack: 'slack',
  GitHub: 'github',
} as const;
export type B2BOAuthProviders = (typeof B2BOAuthProviders)[keyof typeof B2BOAuthProviders];

/** The kinds of login of an organization. */
export const AuthFlowType = {
  Discovery: 'Discovery',
  Organization: 'Organization',
  PasswordReset: 'PasswordReset',
} as const;
export type AuthFlowType = (typeof AuthFlowType)[keyof typeof AuthFlowType];

const SCREENS = [
  'Main',
  'EmailConfirmation',
  'EmailMethodSelection',
  'EmailOTPEntry',
  'LoggedIn',
  'Error',
  'Discovery',
  'SSODiscoveryEmail',
  'SSODiscoveryFallback',
  'SSODiscoveryMenu',
  'MFAEnrollmentSelection',
  'TOTPEnrollmentQRCode',
  'TOTPEnrollmentManual',
  'TOTPEntry',
  'SMSOTPEnrollment',
  'SMSOTPEntry',
  'RecoveryCodeSave',
  'RecoveryCodeEntry',
  'PasswordAuthenticate',
  'PasswordForgotPassword',
  'PasswordDiscoveryForgotPassword',
  'PasswordResetVerifyConfirmation',
  'PasswordSetNewConfirmation',
  'PasswordResetForm',
] as const;

export type B2BScreens = (typeof SCREENS)[number];

/** All B2B screens by name: discovery, SSO, a second factor by app, text or recovery code, password reset. */
export const B2BScreens = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.fromEntries(/* @__PURE__ */ SCREENS.map((screen) => [screen, screen])),
) as {
  readonly [Name in B2BScreens]: Name;
};

const EVENTS = [
  'MAGIC_LINK_EMAIL_LOGIN_OR_SIGNUP',
  'MAGIC_LINK_AUTHENTICATE',
  'MAGIC_LINK_EMAIL_DISCOVERY_SEND',
  'MAGIC_LINK_DISCOVERY_AUTHENTICATE',
  'SSO_START',
  'SSO_AUTHENTICATE',
  'SSO_DISCOVER_CONNECTIONS',
  'OAUTH_AUTHENTICATE',
  'OAUTH_DISCOVERY_AUTHENTICATE',
  'DISCOVERY_ORGANIZATIONS_CREATE',
  'DISCOVERY_INTERMEDIATE_SESSION_EXCHANGE',
  'PASSWORD_AUTHENTICATE',
  'PASSWORD_DISCOVERY_AUTHENTICATE',
  'PASSWORD_RESET_BY_EMAIL_START',
  'PASSWORD_RESET_BY_EMAIL',
  'PASSWORD_RESET_BY_SESSION',
  'SMS_OTP_SEND',
  'SMS_OTP_AUTHENTICATE',
  'TOTP_CREATE',
  'TOTP_AUTHENTICATE',
  'RECOVERY_CODES_RECOVER',
  'PASSWORD_DISCOVERY_RESET_BY_EMAIL_START',
  'PASSWORD_DISCOVERY_RESET_BY_EMAIL',
  'IMPERSONATION_AUTHENTICATE',
  'OTPS_EMAIL_AUTHENTICATE',
  'OTPS_EMAIL_DISCOVERY_AUTHENTICATE',
  'OTPS_EMAIL_DISCOVERY_SEND',
  'OTPS_EMAIL_LOGIN_OR_SIGNUP',
  'ORGANIZATIONS_GET_BY_SLUG',
] as const;

export type B2BEventType = `B2B_${(typeof EVENTS)[number]}`;

/** All B2B events by name. */
export const B2BEventType = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.fromEntries(/* @__PURE__ */ EVENTS.map((event) => [`B2B_${event}`, `B2B_${event}`])),
) as { readonly [Type in B2BEventType]: Type };
