import { describe, expect, it } from 'vitest';
import { bootstrapFrom, DEFAULT_BOOTSTRAP } from '../../../src/domain/bootstrap.ts';

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
      pkceRequiredForOAuth: false,
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

  it('requires a proof key only for a real true', () => {
    expect(bootstrapFrom({ pkce_required_for_email_magic_links: 'true' }).pkceRequiredForEmailMagicLinks).toBe(false);
  });
});
