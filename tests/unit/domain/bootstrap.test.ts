import { describe, expect, it } from 'vitest';
import { dataSettingsOf } from '#domain/account/data-settings.ts';
import { bootstrapFrom, DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';

const PKCE_REQUIRED = {
  pkceRequiredForEmailMagicLinks: true,
  pkceRequiredForPasswordResets: true,
  pkceRequiredForOAuth: true,
};

describe('bootstrap', () => {
  it('reads the fields of the wire', () => {
    expect(
      bootstrapFrom({
        project_name: 'Acme',
        disable_sdk_watermark: false,
        email_domains: ['mail.acme.example'],
        captcha_settings: { enabled: true, siteKey: 'k' },
        pkce_required_for_email_magic_links: true,
        password_config: { luds_complexity: 3, luds_minimum_count: 8 },
        dfp_protected_auth_mode: 'DECISIONING',
        vertical: 'CONSUMER',
      }),
    ).toMatchObject({
      projectName: 'Acme',
      displayWatermark: true,
      emailDomains: ['mail.acme.example'],
      captcha: { enabled: true, siteKey: 'k' },
      pkceRequiredForEmailMagicLinks: true,
      pkceRequiredForOAuth: true,
      passwordConfig: { ludsComplexity: 3, ludsMinimumCount: 8 },
      dfpProtectedAuthMode: 'DECISIONING',
      vertical: 'CONSUMER',
    });
  });

  it.each([undefined, null, 7, 'x', [], {}])('makes the defaults of %o', (reply) => {
    expect(bootstrapFrom(reply)).toEqual(DEFAULT_BOOTSTRAP);
  });

  it('forgives any field being null or of another type', () => {
    const fields = [
      'project_name',
      'disable_sdk_watermark',
      'email_domains',
      'captcha_settings',
      'password_config',
      'rbac_policy',
      'vertical',
    ];
    for (const wrong of [null, 7, 'x', [1], { siteKey: 7 }, true]) {
      const reply = Object.fromEntries(fields.map((field) => [field, wrong]));
      expect(() => bootstrapFrom(reply)).not.toThrow();
    }
  });

  it.each(['true', null, undefined, 0, {}])('requires a proof key where the server says %j', (said) => {
    const fields = ['email_magic_links', 'password_resets', 'oauth'].map((flow) => `pkce_required_for_${flow}`);
    const read = bootstrapFrom(Object.fromEntries(fields.map((field) => [field, said])));
    expect(read).toMatchObject(PKCE_REQUIRED);
    expect(bootstrapFrom({})).toMatchObject(PKCE_REQUIRED);
    expect(DEFAULT_BOOTSTRAP).toMatchObject(PKCE_REQUIRED);
    expect(bootstrapFrom({ pkce_required_for_oauth: false }, false)).toMatchObject(PKCE_REQUIRED);
  });

  it('knows whether a login can lack a profile, or a second factor', () => {
    const stepsOf = (reply: object) => {
      const { account, hasSteps } = bootstrapFrom(reply);
      return [dataSettingsOf(account)?.asksProfile, hasSteps];
    };
    expect(stepsOf({ account: {} })).toEqual([false, false]);
    expect(stepsOf({ account: { asks_profile: 'true' } })).toEqual([false, false]);
    expect(stepsOf({ account: { asks_profile: true } })).toEqual([true, true]);
    expect(stepsOf({ mfa: { factors: [] } })).toEqual([undefined, true]);
  });

  it('requires none only for a real false', () => {
    const read = bootstrapFrom({ pkce_required_for_oauth: false, pkce_required_for_email_magic_links: false });
    expect([read.pkceRequiredForOAuth, read.pkceRequiredForEmailMagicLinks]).toEqual([false, false]);
    expect(read.pkceRequiredForPasswordResets).toBe(true);
  });
});
