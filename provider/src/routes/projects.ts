import type { Routes } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';

export const projects: Routes['projects'] = {
  bootstrap: ({ project }, { params }) => {
    if (params.publicToken !== project.public_token) return Promise.reject(new Refusal('invalid_public_token'));
    return Promise.resolve({
      project_name: project.name,
      disable_sdk_watermark: project.disable_sdk_watermark,
      cname_domain: null,
      email_domains: project.email_domains,
      captcha_settings: { enabled: false },
      pkce_required_for_email_magic_links: project.pkce_required_for_email_magic_links,
      pkce_required_for_password_resets: false,
      pkce_required_for_oauth: false,
      pkce_required_for_sso: false,
      slug_pattern: null,
      create_organization_enabled: false,
      password_config: null,
      dfp_protected_auth_enabled: false,
      dfp_protected_auth_mode: 'OBSERVATION',
      rbac_policy: { roles: [], resources: [], scopes: [] },
      siwe_required_for_crypto_wallets: false,
      vertical: 'CONSUMER',
    });
  },
};
