import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { challenge, makeApps, SETTINGS, verifier } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const CALLBACK = 'com.example.app:/callback';
const BYE = 'com.example.app:/bye';
const NATIVE = {
  client_id: 'native',
  client_type: 'public',
  name: 'Native',
  redirect_uris: [CALLBACK],
  post_logout_redirect_uris: [BYE],
};
const REQUEST = { client_id: 'native', redirect_uri: CALLBACK, code_challenge: challenge };

describe.each(EITHER_DATABASE)('a native app with a private URI scheme, on %s', (_, url) => {
  it('gets its code there, and nowhere else of the scheme', async () => {
    const apps = await makeApps(url, { clients: [...SETTINGS.clients, NATIVE] });
    const started = await apps.start(REQUEST);
    expect(started.data).toMatchObject({ consent_required: true });
    const submitted = await apps.submit({ ...REQUEST, state: 's', consent_granted: true });
    const target = String(submitted.data['redirect_uri']);
    expect(target.startsWith(`${CALLBACK}?code=`)).toBe(true);
    const code = new URLSearchParams(target.slice(CALLBACK.length)).get('code') ?? '';
    const told = await apps.token({
      grant_type: 'authorization_code',
      client_id: 'native',
      redirect_uri: CALLBACK,
      code,
      code_verifier: verifier,
    });
    expect(told.body['access_token']).toBeTruthy();
    for (const redirect_uri of ['com.example.app:/other', 'com.example.app://callback', 'com.evil.app:/callback']) {
      expect(await apps.start({ ...REQUEST, redirect_uri })).toMatchObject({ status: 400 });
    }
  });

  soakIt('is required every time, because any program may claim its scheme', async () => {
    const apps = await makeApps(url, {
      allow_loopback: true,
      clients: [...SETTINGS.clients, { ...NATIVE, first_party: true }],
    });
    await apps.submit({ ...REQUEST, consent_granted: true });
    expect((await apps.start(REQUEST)).data).toMatchObject({ consent_required: true });
  });
});

it.each([
  'javascript:/alert(1)',
  'javascript:alert(1)',
  'data:/text/html,x',
  'file:///etc/passwd',
  'myapp:/callback',
  'com.example.app:callback',
  'com.example.app://user@host/',
  'com.example.app:/callback#fragment',
])('is refused in the project file with the redirect %s', (uri) => {
  for (const field of ['redirect_uris', 'post_logout_redirect_uris']) {
    const clients = [{ ...NATIVE, [field]: [uri] }];
    expect(() => projectFrom({ ...SETTINGS, clients })).toThrow(`clients[0].${field}[0] must be`);
  }
});
