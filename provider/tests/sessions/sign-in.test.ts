import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

describe.each(EITHER_DATABASE)('signing in on %s', (_, url) => {
  const provider = suiteProvider(url);

  it('gives a client its settings before anyone signs in, with or without credentials', async () => {
    const { data, status } = await provider.call('GET', `/projects/bootstrap/${PUBLIC_TOKEN}`);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      project_name: 'Portico Demo',
      disable_sdk_watermark: false,
      cname_domain: null,
      email_domains: ['portico.example'],
      captcha_settings: { enabled: false },
      pkce_required_for_email_magic_links: false,
      pkce_required_for_password_resets: false,
      pkce_required_for_oauth: false,
      pkce_required_for_sso: false,
      slug_pattern: null,
      create_organization_enabled: false,
      password_config: null,
      dfp_protected_auth_enabled: false,
      dfp_protected_auth_mode: 'OBSERVATION',
      rbac_policy: { roles: [], resources: [], scopes: [] },
      siwe_required_for_crypto_wallets: true,
      vertical: 'CONSUMER',
      status_code: 200,
    });
    const bare = await provider.app.request(`/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`);
    expect(bare.status).toBe(200);
    const unknown = await provider.call('GET', '/projects/bootstrap/public-token-test-other');
    expect(unknown.body).toMatchObject({ status_code: 401, error_type: 'invalid_public_token' });
  });

  it('signs up and in with an emailed passcode', async () => {
    const sent = await provider.post('/otps/email/login_or_create', { email: 'Ada@example.com' });
    expect(sent.data['method_id']).toMatch(/^email-test-[0-9a-f-]{36}$/u);
    const message = await provider.newest();
    expect(message).toMatchObject({ channel: 'email', to: 'Ada@example.com', at: '2030-01-01T00:00:00.000Z' });
    expect(message?.code).toMatch(/^\d{6}$/u);
    expect(message?.subject).toContain(message?.code);
    expect(message?.text).toContain(message?.code);
    expect(message).not.toHaveProperty('link');

    const { data } = await provider.post('/otps/authenticate', {
      token: message?.code,
      method_id: sent.data['method_id'],
      session_duration_minutes: 30,
    });
    const { email_id } = data['user']['emails'][0];
    expect(sent.data['method_id']).not.toBe(email_id);
    expect(data).toMatchObject({
      status_code: 200,
      method_id: email_id,
      user_id: data['user']['user_id'],
      user: {
        status: 'active',
        emails: [{ email: 'Ada@example.com', verified: true }],
        phone_numbers: [],
        providers: [],
        webauthn_registrations: [],
        biometric_registrations: [],
        totps: [],
        crypto_wallets: [],
        password: null,
        roles: [],
      },
      session: {
        user_id: data['user_id'],
        started_at: '2030-01-01T00:00:00.000Z',
        expires_at: '2030-01-01T00:30:00.000Z',
        authentication_factors: [
          {
            type: 'otp',
            delivery_method: 'email',
            last_authenticated_at: '2030-01-01T00:00:00.000Z',
            email_factor: { email_id, email_address: 'Ada@example.com' },
          },
        ],
      },
    });
    expect(data['session_token']).toMatch(/^[\w-]{43}$/u);
    const me = await provider.call('GET', '/users/me', undefined, { session: data['session_token'] });
    expect(me.data).toEqual({ ...data['user'], status_code: 200, request_id: me.data['request_id'] });
  });

  it('signs up and in with an emailed link, each leading where it should', async () => {
    const urls = {
      login_magic_link_url: 'http://localhost:3000/in?next=%2Fhome',
      signup_magic_link_url: 'https://app.localhost:8443/up',
    };
    const send = () => provider.post('/magic_links/email/login_or_create', { email: 'link@example.com', ...urls });
    await send();
    const first = new URL((await provider.newest())?.link ?? '');
    expect(first.origin + first.pathname).toBe('https://app.localhost:8443/up');
    expect(first.searchParams.get('stytch_token_type')).toBe('magic_links');
    const token = first.searchParams.get('token');
    const { data } = await provider.post('/magic_links/authenticate', { token, session_duration_minutes: 5 });
    expect(data).toMatchObject({
      user: { status: 'active' },
      session: { authentication_factors: [{ type: 'magic_link', delivery_method: 'email' }] },
    });
    expect(data['method_id']).toBe(data['user']['emails'][0]['email_id']);
    await send();
    const second = new URL((await provider.newest())?.link ?? '');
    expect(second.origin + second.pathname).toBe('http://localhost:3000/in');
    expect(second.searchParams.get('next')).toBe('/home');
  });

  it('knows one user whatever the case of the address, but no look-alike', async () => {
    const upper = await provider.signIn('GRACE@Example.com');
    expect((await provider.signIn('grace@example.COM'))['user_id']).toBe(upper['user_id']);
    const cyrillic = await provider.post('/users/search', { email: 'b\u0435k@example.com' });
    await provider.signIn('bek@example.com');
    expect(cyrillic.data['userType']).toBe('new');
    expect((await provider.post('/users/search', { email: 'b\u0435k@example.com' })).data['userType']).toBe('new');
  });

  it('distinguishes new users from those who signed in before', async () => {
    const search = async () => (await provider.post('/users/search', { email: 'who@example.com' })).data['userType'];
    expect(await search()).toBe('new');
    await provider.sendCode('who@example.com');
    expect(await search()).toBe('new');
    await provider.signIn('who@example.com');
    expect(await search()).toBe('passwordless');
  });

  it('takes a batch of events, with no credentials, and no more than 15', async () => {
    const batch = (count: number) => Array.from({ length: count }, () => ({ telemetry: {}, event: {} }));
    const send = (body: unknown) =>
      provider.app.request('/sdk/v1/events', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    expect((await send(batch(15))).status).toBe(200);
    expect((await send(batch(16))).status).toBe(400);
    const wrong = await send([{ telemetry: {}, event: 'x' }]);
    expect(await wrong.json()).toMatchObject({
      body: [{ dataPath: ['0', 'event'], message: 'event must be an object' }],
    });
  });
});
