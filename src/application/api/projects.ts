import type { RbacPolicy } from '#domain/project/rbac-policy.ts';
import type { MfaSettings } from '#domain/sessions/mfa.ts';
import { endpoint } from './endpoint.ts';

/** The public settings of a project. */
export interface BootstrapReply {
  readonly project_name: string;
  readonly disable_sdk_watermark: boolean;
  readonly cname_domain: string | null;
  /** The domains that send the messages of the project. */
  readonly email_domains: readonly string[];
  readonly captcha_settings: {
    readonly enabled: boolean;
    /** The public key of the captcha. Absent if `enabled` is false. */
    readonly siteKey?: string | null;
  };
  readonly pkce_required_for_email_magic_links: boolean;
  readonly pkce_required_for_password_resets: boolean;
  readonly pkce_required_for_oauth: boolean;
  readonly pkce_required_for_sso: boolean;
  readonly slug_pattern: string | null;
  readonly create_organization_enabled: boolean;
  /** The counts that a password must reach; null if its strength is estimated instead. */
  readonly password_config: { readonly luds_complexity: number; readonly luds_minimum_count: number } | null;
  readonly dfp_protected_auth_enabled: boolean;
  readonly dfp_protected_auth_mode: 'DECISIONING' | 'OBSERVATION';
  readonly rbac_policy: RbacPolicy;
  readonly siwe_required_for_crypto_wallets: boolean;
  readonly vertical: 'CONSUMER' | 'B2B';
  /** Absent in a project that requires one factor. */
  readonly mfa?: MfaSettings;
  readonly account: {
    /** Whether users can delete their account. */
    readonly deletion: boolean;
    /** Whether the project asks its users for fields or terms. */
    readonly asks_profile?: boolean;
  };
  /** The domain of all passkeys; absent for the host of each page. */
  readonly passkey_domain?: string;
}

export const projects = {
  /** The project's settings. Read the reply with `bootstrapFrom`, which fills in the defaults of missing fields. */
  bootstrap: endpoint<BootstrapReply>()({
    name: 'projects.bootstrap',
    method: 'GET',
    path: '/projects/bootstrap/:publicToken',
  }),
};
