import type { MfaSettings } from '../sessions/mfa.ts';
import { isRecord } from '../shape.ts';

/** The project's settings, which the server sends before anyone signs in (specification, section 3). */
export interface Bootstrap {
  readonly projectName: string;
  /** Shows the 'Powered by' link. */
  readonly displayWatermark: boolean;
  readonly cnameDomain: string | null;
  readonly emailDomains: readonly string[];
  readonly captcha: { readonly enabled: boolean; readonly siteKey: string | null };
  readonly pkceRequiredForEmailMagicLinks: boolean;
  readonly pkceRequiredForPasswordResets: boolean;
  readonly pkceRequiredForOAuth: boolean;
  readonly passwordConfig: { readonly ludsComplexity: number; readonly ludsMinimumCount: number } | null;
  readonly dfpProtectedAuthEnabled: boolean;
  readonly dfpProtectedAuthMode: 'DECISIONING' | 'OBSERVATION';
  readonly rbacPolicy: Readonly<Record<string, unknown>> | null;
  readonly siweRequiredForCryptoWallets: boolean;
  readonly vertical: 'CONSUMER' | 'B2B' | null;
  /** Null in a project that requires one factor (not in the reference's wire). */
  readonly mfa: MfaSettings | null;
  /** Whether a login can lack something after its first factor: a second one, or a profile (not in the reference's wire). */
  readonly hasSteps: boolean;
  /** The domain of all passkeys; null for the host of each page (not in the reference's wire). */
  readonly passkeyDomain: string | null;
  /** The settings of what users can do with their data, as sent: pages do not need them at their start. Read them with `dataSettingsOf`. */
  readonly account: unknown;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const record = (value: unknown): Readonly<Record<string, unknown>> | null => (isRecord(value) ? value : null);
const field = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/**
 * Reads the bootstrap reply. A field that is missing, null or of another type gets its default; never throws. PKCE counts as required
 * unless a live reply disables it: a server that does not require a challenge still accepts one.
 *
 * @param isLive false for a stored copy of an older reply
 */
export function bootstrapFrom(reply: unknown, isLive = true): Bootstrap {
  const get = (name: string): unknown => field(reply, name);
  const pkceRequired = (flow: string): boolean => !isLive || get(`pkce_required_for_${flow}`) !== false;
  const domains = get('email_domains');
  const captcha = get('captcha_settings');
  const password = record(get('password_config'));
  const vertical = get('vertical');
  const account = get('account');
  const factors = get('mfa');
  const mfa = Array.isArray(field(factors, 'factors')) ? (factors as MfaSettings) : null;
  return {
    projectName: text(get('project_name')) ?? '',
    displayWatermark: get('disable_sdk_watermark') === false,
    cnameDomain: text(get('cname_domain')),
    emailDomains: Array.isArray(domains) ? domains.filter((domain) => typeof domain === 'string') : ['stytch.com'],
    captcha: { enabled: field(captcha, 'enabled') === true, siteKey: text(field(captcha, 'siteKey')) },
    pkceRequiredForEmailMagicLinks: pkceRequired('email_magic_links'),
    pkceRequiredForPasswordResets: pkceRequired('password_resets'),
    pkceRequiredForOAuth: pkceRequired('oauth'),
    passwordConfig: password && {
      ludsComplexity: count(field(password, 'luds_complexity')),
      ludsMinimumCount: count(field(password, 'luds_minimum_count')),
    },
    dfpProtectedAuthEnabled: get('dfp_protected_auth_enabled') === true,
    dfpProtectedAuthMode: get('dfp_protected_auth_mode') === 'DECISIONING' ? 'DECISIONING' : 'OBSERVATION',
    rbacPolicy: record(get('rbac_policy')),
    siweRequiredForCryptoWallets: get('siwe_required_for_crypto_wallets') === true,
    vertical: vertical === 'CONSUMER' || vertical === 'B2B' ? vertical : null,
    mfa,
    hasSteps: !!mfa || field(account, 'asks_profile') === true,
    passkeyDomain: text(get('passkey_domain')),
    account,
  };
}

/**
 * The values used until the server answers, and when it never does (section 9). One value differs from section 9, for
 * safety: PKCE is required.
 */
export const DEFAULT_BOOTSTRAP: Bootstrap = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ bootstrapFrom(null));
