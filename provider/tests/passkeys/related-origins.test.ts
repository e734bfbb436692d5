import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, EITHER_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { passkeySteps } from '../kit/passkey-steps.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';

const SHOP = 'https://shop.example';
const ABROAD = 'https://shop-abroad.test';
const TOLD = { domain: 'shop.example' };
const FAILED = 'webauthn_verification_failed';
const SETTINGS = { origins: [SHOP, ABROAD, 'http://intranet.test'], allow_loopback: true };
const related = (provider: Provider) => provider.app.request('/.well-known/webauthn');

describe.each(EITHER_DATABASE)('one passkey on several domains (WebAuthn Level 3, section 5.11), on %s', (_, url) => {
  const provider = suiteProvider(url, { project: projectFrom({ ...SETTINGS, passkey_domain: 'shop.example' }) });
  const { signIn, creation, register, request, authenticate } = passkeySteps(() => provider);

  it('is made on one origin of the project, and logs in on another', async () => {
    const { session_token } = await signIn();
    const key = new SoftwareAuthenticator();
    const made = await register(key.create(await creation(session_token, TOLD), { origin: SHOP }), session_token);
    expect(made.status).toBe(200);
    const login = await authenticate(key.get(await request(TOLD), { origin: ABROAD }));
    expect(login.data['user_id']).toBe(made.data['user_id']);
  });

  it.each([
    ['an origin that is not registered', 'https://evil.example', TOLD],
    ['a registered origin without https', 'http://intranet.test', TOLD],
    ['a registered origin, for another domain', SHOP, { domain: 'shop-abroad.test' }],
  ])('is refused to %s', async (__, origin, told) => {
    const { session_token } = await signIn();
    const key = new SoftwareAuthenticator();
    const reply = await register(key.create(await creation(session_token, told), { origin }), session_token);
    expect(reply.body).toMatchObject({ status_code: 400, error_type: FAILED });
  });

  it('is told to browsers and to clients', async () => {
    const reply = await related(provider);
    expect([reply.headers.get('content-type'), await reply.json()]).toEqual([
      'application/json',
      { origins: [SHOP, ABROAD] },
    ]);
    const { public_token } = provider.services.project;
    const { data } = await provider.call('GET', `/projects/bootstrap/${public_token}`);
    expect(data['passkey_domain']).toBe('shop.example');
  });
});

describe('a project without a domain of its passkeys', () => {
  it('refuses the passkeys of one domain to another, and lists no origins', async () => {
    const provider = await makeProvider(ANY_DATABASE, { project: projectFrom(SETTINGS) });
    const { signIn, creation, register } = passkeySteps(() => provider);
    const { session_token } = await signIn();
    const credential = new SoftwareAuthenticator().create(await creation(session_token, TOLD), { origin: ABROAD });
    expect((await register(credential, session_token)).body['error_type']).toBe(FAILED);
    expect((await related(provider)).status).toBe(404);
    await provider.close();
  });
});

describe('passkey_domain of a project file', () => {
  it.each(['evil.example', 'https://shop.example', 'shop.example:443', ''])('cannot be %s', (passkey_domain) => {
    expect(() => projectFrom({ ...SETTINGS, passkey_domain })).toThrow(
      'passkey_domain must be the host of one of origins',
    );
  });
});
