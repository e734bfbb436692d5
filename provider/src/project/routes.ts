import { Refusal } from '#domain/rules/refusal.ts';
import { passwordConfigOf } from '#server-rules/passwords.ts';
import { shownMfaSettings } from '#server-rules/mfa-policy.ts';
import { checkEmail } from '#server-rules/accounts.ts';
import { needsChallenge } from '#server-rules/proof-key.ts';
import type { RequestCaller, Routes } from '#provider/base/contract.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import type { Services } from './services.ts';

type OwnRoutes = Routes<Services, RequestCaller>;

export const projects: OwnRoutes['projects'] = {
  bootstrap: ({ project }, { params }) => {
    if (params.publicToken !== project.public_token) return Promise.reject(new Refusal('invalid_public_token'));
    const { captcha_settings } = project;
    // The other settings of the captcha are secret.
    const { enabled, siteKey } = captcha_settings;
    const mfa = shownMfaSettings(project.mfa);
    return Promise.resolve({
      project_name: project.name,
      disable_sdk_watermark: project.disable_sdk_watermark,
      cname_domain: project.cname_domain,
      email_domains: project.email_domains,
      captcha_settings: enabled ? { enabled, siteKey } : { enabled },
      pkce_required_for_email_magic_links: project.pkce_required_for_email_magic_links,
      // The mail of a password reset contains a login link. So clients must send a challenge if either setting requires one.
      pkce_required_for_password_resets: needsChallenge(project, { purpose: 'reset_password', began_on_page: true }),
      pkce_required_for_oauth: project.pkce_required_for_oauth,
      pkce_required_for_sso: project.pkce_required_for_sso,
      slug_pattern: project.slug_pattern,
      create_organization_enabled: project.create_organization_enabled,
      password_config: passwordConfigOf(project),
      dfp_protected_auth_enabled: project.dfp_protected_auth_enabled,
      dfp_protected_auth_mode: project.dfp_protected_auth_mode,
      rbac_policy: project.rbac_policy,
      // Always true, regardless of the project file: there is no other kind of message (see `signInChallenge`).
      siwe_required_for_crypto_wallets: true,
      vertical: project.vertical,
      ...(mfa === undefined ? {} : { mfa }),
      account: { deletion: project.account.deletion, ...(project.profile !== null && { asks_profile: true }) },
      ...(project.passkey_domain === null ? {} : { passkey_domain: project.passkey_domain }),
    });
  },
};

export const b2b: OwnRoutes['b2b'] = {
  /** This server has users but no organizations, so there are no members. */
  async searchMember(services, { body, caller }) {
    checkEmail(body.email_address, 'email_address');
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    return { member: null };
  },
};

export const events: OwnRoutes['events'] = {
  /** Telemetry is validated and dropped: data that is not stored cannot leak. */
  log: () => Promise.resolve({}),
};
