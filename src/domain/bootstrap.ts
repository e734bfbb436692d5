import { isRecord } from './shape.ts';

/** What a project's server tells the client before anyone signs in (specification, section 3). */
export interface Bootstrap {
  readonly projectName: string;
  /** Whether the 'Powered by' link shows. */
  readonly displayWatermark: boolean;
  readonly cnameDomain: string | null;
  readonly emailDomains: readonly string[];
  readonly captcha: { readonly enabled: boolean; readonly siteKey: string | null };
  readonly pkceRequiredForEmailMagicLinks: boolean;
  readonly pkceRequiredForPasswordResets: boolean;
  readonly pkceRequiredForOAuth: boolean;
  readonly pkceRequiredForSso: boolean;
  readonly slugPattern: string | null;
  readonly createOrganizationEnabled: boolean;
  readonly passwordConfig: { readonly ludsComplexity: number; readonly ludsMinimumCount: number } | null;
  readonly dfpProtectedAuthEnabled: boolean;
  readonly dfpProtectedAuthMode: 'DECISIONING' | 'OBSERVATION';
  readonly rbacPolicy: Readonly<Record<string, unknown>> | null;
  readonly siweRequiredForCryptoWallets: boolean;
  readonly vertical: 'CONSUMER' | 'B2B' | null;
}

/** What counts where the server has not said it: a server that requires no challenge takes one all the same. */
export const PKCE_REQUIRED = {
  pkceRequiredForEmailMagicLinks: true,
  pkceRequiredForPasswordResets: true,
  pkceRequiredForOAuth: true,
  pkceRequiredForSso: true,
} as const;

/**
 * What holds until the server has answered, and when it never does (section 9; for safety, it departs from there in that
 * PKCE is required).
 */
export const DEFAULT_BOOTSTRAP: Bootstrap = Object.freeze({
  projectName: '',
  displayWatermark: false,
  cnameDomain: null,
  emailDomains: ['stytch.com'],
  captcha: { enabled: false, siteKey: null },
  ...PKCE_REQUIRED,
  slugPattern: null,
  createOrganizationEnabled: false,
  passwordConfig: null,
  dfpProtectedAuthEnabled: false,
  dfpProtectedAuthMode: 'OBSERVATION',
  rbacPolicy: null,
  siweRequiredForCryptoWallets: false,
  vertical: null,
});

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const flag = (value: unknown): boolean => value === true;
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const field = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The bootstrap reply as the domain's own. Any field may be missing, null or of another type; nothing throws. */
export function bootstrapFrom(reply: unknown): Bootstrap {
  const get = (name: string): unknown => field(reply, name);
  const domains = get('email_domains');
  const captcha = get('captcha_settings');
  const password = get('password_config');
  const rbac = get('rbac_policy');
  const vertical = get('vertical');
  return {
    projectName: text(get('project_name')) ?? '',
    displayWatermark: get('disable_sdk_watermark') === false,
    cnameDomain: text(get('cname_domain')),
    emailDomains: Array.isArray(domains)
      ? domains.filter((domain) => typeof domain === 'string')
      : DEFAULT_BOOTSTRAP.emailDomains,
    captcha: { enabled: flag(field(captcha, 'enabled')), siteKey: text(field(captcha, 'siteKey')) },
    pkceRequiredForEmailMagicLinks: get('pkce_required_for_email_magic_links') !== false,
    pkceRequiredForPasswordResets: get('pkce_required_for_password_resets') !== false,
    pkceRequiredForOAuth: get('pkce_required_for_oauth') !== false,
    pkceRequiredForSso: get('pkce_required_for_sso') !== false,
    slugPattern: text(get('slug_pattern')),
    createOrganizationEnabled: flag(get('create_organization_enabled')),
    passwordConfig: isRecord(password)
      ? {
          ludsComplexity: count(field(password, 'luds_complexity')),
          ludsMinimumCount: count(field(password, 'luds_minimum_count')),
        }
      : null,
    dfpProtectedAuthEnabled: flag(get('dfp_protected_auth_enabled')),
    dfpProtectedAuthMode: get('dfp_protected_auth_mode') === 'DECISIONING' ? 'DECISIONING' : 'OBSERVATION',
    rbacPolicy: isRecord(rbac) ? rbac : null,
    siweRequiredForCryptoWallets: flag(get('siwe_required_for_crypto_wallets')),
    vertical: vertical === 'CONSUMER' || vertical === 'B2B' ? vertical : null,
  };
}
