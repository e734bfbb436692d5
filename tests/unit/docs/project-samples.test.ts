import { expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { mayUse } from '#server-rules/passkeys.ts';
import { exampleNamed } from './examples.ts';

const [AUTHENTICATE, RESET, HOME] = ['authenticate', 'reset', ''].map((path) => `https://app.example.com/${path}`);

const FILES = ['agents', 'bound-sessions', 'mcp-project', 'session-cookies', 'social-logins', 'wiki'];

it.each(FILES.map((name) => `${name}.json`))('%s registers the pages to which the guides return people', (file) => {
  const project = projectFrom(JSON.parse(exampleNamed(file).source), false);
  expect(project.redirect_urls).toEqual([AUTHENTICATE, RESET, HOME]);
  expect(project).toMatchObject({
    default_login_redirect_url: AUTHENTICATE,
    default_signup_redirect_url: AUTHENTICATE,
    default_reset_password_redirect_url: RESET,
  });
});

it('passkey-domain.json lets each subdomain use the passkeys of the domain, which must be the host of an origin', () => {
  const sample = JSON.parse(exampleNamed('passkey-domain.json').source) as {
    readonly origins: readonly string[];
    readonly passkey_domain: string;
  };
  const { origins, passkey_domain: domain } = sample;
  const rest = { issuer: 'https://auth.example.com', redirect_urls: [`${origins[0]}/`] };
  const project = projectFrom({ ...rest, ...sample }, false);
  expect(origins.filter((origin) => !mayUse(project, domain, origin))).toEqual([]);
  // They are subdomains, so a project without the setting knows the domain for them, too, and browsers need no list of origins.
  expect(origins.filter((origin) => !mayUse({ ...project, passkey_domain: null }, domain, origin))).toEqual([]);
  const withoutApex = origins.filter((origin) => origin !== `https://${domain}`);
  expect(() => projectFrom({ ...rest, ...sample, origins: withoutApex }, false)).toThrow(/passkey_domain/u);
});
