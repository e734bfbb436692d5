import { isExtensionOrigin, isOrigin, parsedUrl } from '#domain/rules/redirects.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { LINK_LIMITS, LINK_MINUTES, SESSION_LIMITS, SESSION_MINUTES } from '#domain/rules/lifetimes.ts';
import type { MfaRules } from '#server-rules/mfa-policy.ts';
import type { ProfileRules } from '#server-rules/profile.ts';
import type { RbacPolicy } from '#domain/project/rbac-policy.ts';
import type { RoleAssignment } from '#server-rules/roles.ts';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { hooks, NO_HOOKS, type Hooks } from './hooks.ts';
import { limits } from './limit-fields.ts';
import type { Limits } from './limits.ts';
import {
  connectedApps,
  identityProviderPages,
  type ConnectedAppSettings,
  type IdentityProviderPages,
} from './access.ts';
import { templateOf } from './app-fields.ts';
import { captchaSettings, NO_CAPTCHA, type CaptchaSettings } from './captcha.ts';
import { delivery, NO_DELIVERY, type DeliverySettings } from './delivery.ts';
import { mfaRules } from './mfa.ts';
import { FEW_NOTICES, noticeSettings, type NoticeSettings } from './notices.ts';
import { operatorLogin, type OperatorLoginSettings } from './operator-login.ts';
import { oauthClients, type OAuthClients } from './oauth-clients.ts';
import { NO_SESSION_COOKIES, sessionCookies, type SessionCookieSettings } from './cookies.ts';
import {
  addresses,
  FieldError,
  flag,
  listOf,
  object,
  oneOf,
  pattern,
  text,
  texts,
  textThat,
  whole,
  type Reader,
} from '../readers/readers.ts';
import { auditStreamSettings, type AuditStreamSettings } from './audit-stream.ts';
import { accountSettings, type AccountSettings } from './users/account.ts';
import { agentSettings, NO_AGENTS, type AgentSettings } from './agents.ts';
import { ANY_PASSKEY, passkeySettings, type PasskeySettings } from './passkeys.ts';
import { profileRules } from './users/profile.ts';
import { protectedResources, type ProtectedResource } from './protected-resources.ts';
import { rbacPolicy, roleAssignments } from './roles.ts';
import { OPEN_TO_ALL } from '#server-rules/sign-ups.ts';
import { NO_CLAIMS, sessionClaims } from './session-claims.ts';
import { signUpRules } from './users/sign-up.ts';
import { smsBudgets, smsCountries } from './sms-budgets.ts';
import { trustedAuthTokenProfiles, type TrustedAuthTokenProfile } from './external/trusted-issuers.ts';
import { webhooks, type WebhookSettings } from './webhooks.ts';
import { passwordCheck, type PasswordCheckSettings } from './external/password-check.ts';
import { urlIn } from '../readers/url-text.ts';

/** The settings of this server's one project. */
export interface Project {
  readonly name: string;
  readonly project_id: string;
  readonly public_token: string;
  readonly vertical: 'CONSUMER' | 'B2B';
  readonly cname_domain: string | null;
  /** The public URL of this server; null for the URL of each request. */
  readonly issuer: string | null;
  /** Registers every origin and redirect URL of this machine. The default is true with `--dev`, else false. */
  readonly allow_loopback: boolean;
  /** The pages and extensions that may call. Compared exactly. */
  readonly origins: readonly string[];
  /** Compared exactly. */
  readonly redirect_urls: readonly string[];
  readonly default_login_redirect_url: string;
  readonly default_signup_redirect_url: string;
  /** The default is the URL for logins. */
  readonly default_reset_password_redirect_url: string;
  readonly email_domains: readonly string[];
  readonly disable_sdk_watermark: boolean;
  readonly slug_pattern: string | null;
  readonly create_organization_enabled: boolean;
  readonly pkce_required_for_email_magic_links: boolean;
  readonly pkce_required_for_password_resets: boolean;
  readonly pkce_required_for_oauth: boolean;
  readonly pkce_required_for_sso: boolean;
  readonly password_strength_policy: 'zxcvbn' | 'luds' | 'none';
  readonly luds_complexity: number;
  readonly luds_minimum_count: number;
  /** Whether passwords from known breaches are rejected. */
  readonly breach_detection: boolean;
  /** Who checks the passwords of users who were imported without them; null for nobody. */
  readonly password_check: PasswordCheckSettings | null;
  /** Accepted for old project files, without effect: every wallet message names its site. */
  readonly siwe_required_for_crypto_wallets: boolean;
  readonly captcha_settings: CaptchaSettings;
  readonly dfp_protected_auth_enabled: boolean;
  readonly dfp_protected_auth_mode: 'DECISIONING' | 'OBSERVATION';
  /** ISO 3166 codes of the countries that texts can be sent to; null for all. */
  readonly sms_countries: readonly string[] | null;
  /** The hourly number of text messages to single countries, by their ISO 3166 codes, instead of `limits.texts_per_country`. */
  readonly sms_budgets: Readonly<Record<string, number>>;
  /** The enabled social providers. */
  readonly oauth_providers: readonly OAuthProvider[];
  readonly google_one_tap: boolean;
  /** The clients of this project at the social providers. */
  readonly oauth_clients: OAuthClients;
  readonly idp: IdentityProviderPages;
  /** The connected apps. */
  readonly clients: readonly ConnectedAppSettings[];
  /** The APIs that apps can get access tokens for, in addition to the project's own (RFC 8707). */
  readonly resources: readonly ProtectedResource[];
  readonly agents: AgentSettings;
  readonly rbac_policy: RbacPolicy;
  readonly role_assignments: readonly RoleAssignment[];
  readonly sign_up: SignUpRules;
  readonly trusted_auth_token_profiles: readonly TrustedAuthTokenProfile[];
  /** Additional claims of the tokens of M2M clients: JSON whose values may be `{{ client.trusted_metadata.x }}`. */
  readonly m2m_access_token_template: string;
  /** Additional claims of session JWTs: JSON whose values may be `{{ user.trusted_metadata.x }}`. */
  readonly session_claims: string;
  /** The maximum lifetime of a link in an email, in minutes, for logins, sign-ups and resets. */
  readonly link_max_minutes: number;
  /** The longest session that a request may ask for, in minutes. */
  readonly session_max_minutes: number;
  /** The maximum lifetime of a session in minutes, from its start. */
  readonly session_absolute_minutes: number;
  readonly session_cookies: SessionCookieSettings;
  readonly delivery: DeliverySettings;
  readonly notices: NoticeSettings;
  readonly webhooks: readonly WebhookSettings[];
  /** What the app's own server decides. */
  readonly hooks: Hooks;
  /** Where the audit log is delivered; null for nowhere. */
  readonly audit_stream: AuditStreamSettings | null;
  /** Where operators log in, besides their passkeys; null for nowhere. */
  readonly operator_login: OperatorLoginSettings | null;
  /** What a login must prove; null for one factor, as without a policy. */
  readonly mfa: MfaRules | null;
  /** The domain of all passkeys, even on pages of other domains (WebAuthn Level 3, section 5.11); null for the domain of each page. */
  readonly passkey_domain: string | null;
  readonly passkeys: PasskeySettings;
  /** The fields and terms that users are asked for; null for none. */
  readonly profile: ProfileRules | null;
  /** What users can do with their account. */
  readonly account: AccountSettings;
  /** Merged over the defaults. */
  readonly limits: Partial<Limits>;
}

/** The seeded project, whose settings are the defaults of every project file. */
export const DEMO_PROJECT: Project = {
  name: 'Portico Demo',
  project_id: 'project-test-d1e70000-0000-4000-8000-000000000000',
  public_token: 'public-token-test-d1e70000-0000-4000-8000-000000000000',
  vertical: 'CONSUMER',
  cname_domain: null,
  issuer: null,
  allow_loopback: true,
  origins: [],
  redirect_urls: [],
  default_login_redirect_url: 'http://localhost:3000/',
  default_signup_redirect_url: 'http://localhost:3000/',
  default_reset_password_redirect_url: 'http://localhost:3000/',
  email_domains: ['portico.example'],
  disable_sdk_watermark: false,
  slug_pattern: null,
  create_organization_enabled: false,
  pkce_required_for_email_magic_links: true,
  pkce_required_for_password_resets: true,
  pkce_required_for_oauth: true,
  pkce_required_for_sso: true,
  password_strength_policy: 'zxcvbn',
  luds_complexity: 3,
  luds_minimum_count: 8,
  breach_detection: true,
  password_check: null,
  siwe_required_for_crypto_wallets: true,
  captcha_settings: NO_CAPTCHA,
  dfp_protected_auth_enabled: false,
  dfp_protected_auth_mode: 'OBSERVATION',
  sms_countries: null,
  sms_budgets: {},
  oauth_providers: Object.keys(OAUTH_PROVIDERS) as readonly OAuthProvider[],
  google_one_tap: true,
  oauth_clients: {},
  idp: { authorization_url: 'http://localhost:3000/authorize', logout_url: null },
  clients: [],
  resources: [],
  agents: NO_AGENTS,
  rbac_policy: { roles: [], resources: [], scopes: [] },
  role_assignments: [],
  sign_up: OPEN_TO_ALL,
  trusted_auth_token_profiles: [],
  m2m_access_token_template: '{}',
  session_claims: NO_CLAIMS,
  ...LINK_LIMITS,
  ...SESSION_LIMITS,
  session_cookies: NO_SESSION_COOKIES,
  delivery: NO_DELIVERY,
  notices: FEW_NOTICES,
  webhooks: [],
  hooks: NO_HOOKS,
  audit_stream: null,
  operator_login: null,
  mfa: null,
  passkey_domain: null,
  passkeys: ANY_PASSKEY,
  profile: null,
  account: { deletion: true },
  limits: {},
};

const PROJECT_ID: Reader<string> = (value, path) => {
  const projectId = textThat('1 to 128 characters without spaces', (id) => /^[!-~]{1,128}$/u.test(id))(value, path);
  if (/^(?:public-token|secret)-/u.test(projectId))
    throw new FieldError(path, 'the id of the project, not its public token or a secret');
  return projectId;
};
const PUBLIC_TOKEN = textThat('a text that starts with public-token- and holds no spaces or colons', (value) =>
  /^public-token-[!-9;-~]+$/u.test(value),
);
const ORIGIN = textThat('an origin such as https://example.com', isOrigin);
const CALLER_ORIGIN = textThat(
  'an origin such as https://example.com, or of one extension, such as chrome-extension:// and its id of 32 letters',
  (value) => isOrigin(value) || isExtensionOrigin(value),
);
const WEB_URL = textThat('an http or https URL without user and fragment', (value) => {
  const url = urlIn(value);
  return url !== null && /^https?:$/u.test(url.protocol) && url.username + url.password === '' && !value.includes('#');
});

/** Reads the fields without checking how they relate to each other. */
export const readFields = object<Project>(
  {
    name: textThat('1 to 120 visible characters', (value) => /^[^\p{C}]{1,120}$/u.test(value)),
    project_id: PROJECT_ID,
    public_token: PUBLIC_TOKEN,
    vertical: oneOf('CONSUMER', 'B2B'),
    cname_domain: textThat(
      'a host name',
      (value) => parsedUrl(`https://${value}`)?.host === value && !value.includes('*'),
    ),
    issuer: ORIGIN,
    allow_loopback: flag,
    origins: addresses(CALLER_ORIGIN),
    redirect_urls: addresses(WEB_URL),
    default_login_redirect_url: text,
    default_signup_redirect_url: text,
    default_reset_password_redirect_url: text,
    email_domains: texts(),
    disable_sdk_watermark: flag,
    slug_pattern: pattern,
    create_organization_enabled: flag,
    pkce_required_for_email_magic_links: flag,
    pkce_required_for_password_resets: flag,
    pkce_required_for_oauth: flag,
    pkce_required_for_sso: flag,
    password_strength_policy: oneOf('zxcvbn', 'luds', 'none'),
    luds_complexity: whole(0, 4),
    luds_minimum_count: whole(1, 128),
    breach_detection: flag,
    password_check: passwordCheck,
    siwe_required_for_crypto_wallets: flag,
    captcha_settings: captchaSettings,
    dfp_protected_auth_enabled: flag,
    dfp_protected_auth_mode: oneOf('DECISIONING', 'OBSERVATION'),
    sms_countries: smsCountries,
    sms_budgets: smsBudgets,
    oauth_providers: listOf(oneOf(...DEMO_PROJECT.oauth_providers)),
    google_one_tap: flag,
    oauth_clients: oauthClients,
    idp: identityProviderPages,
    clients: connectedApps,
    resources: protectedResources,
    agents: agentSettings,
    rbac_policy: rbacPolicy,
    role_assignments: roleAssignments,
    sign_up: signUpRules,
    trusted_auth_token_profiles: trustedAuthTokenProfiles,
    m2m_access_token_template: templateOf('client'),
    session_claims: sessionClaims,
    link_max_minutes: whole(LINK_MINUTES.min, LINK_MINUTES.max),
    session_max_minutes: whole(SESSION_MINUTES.min, SESSION_MINUTES.max),
    session_absolute_minutes: whole(SESSION_MINUTES.min, SESSION_MINUTES.max),
    session_cookies: sessionCookies,
    delivery,
    notices: noticeSettings,
    webhooks,
    hooks,
    audit_stream: auditStreamSettings,
    operator_login: operatorLogin,
    mfa: mfaRules,
    passkey_domain: textThat('the host of one of origins', (value) => parsedUrl(`https://${value}`)?.host === value),
    passkeys: passkeySettings,
    profile: profileRules,
    account: accountSettings,
    limits,
  },
  DEMO_PROJECT,
);
