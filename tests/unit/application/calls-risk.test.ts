import { describe, expect, it } from 'vitest';
import { api, type Endpoint } from '#application/api/index.ts';
import { errorReply, rawReply } from '#kit/transport/fake-reply.ts';
import { TOKEN, type TestWorld } from './world.ts';
import { D, ADDRESS, open, ROWS } from './call-table.ts';

describe('wallets', () => {
  it('are asked in the manner of EIP-4361 where the project requires it, and never a Solana one', async () => {
    const { world, client } = await open(false, { siwe_required_for_crypto_wallets: true });
    world.transport.answer(api.cryptoWallets.authenticateStartPrimary, () => ({ challenge: 'sign this' }));
    await client.cryptoWallets.authenticateStart({ ...ADDRESS, siwe_params: { chain_id: '5' } });
    await client.cryptoWallets.authenticateStart({ ...ADDRESS, siwe_params: { uri: 'https://b.example' } });
    await client.cryptoWallets.authenticateStart({
      ...ADDRESS,
      crypto_wallet_type: 'solana',
      siwe_params: { chain_id: '5' },
    });
    expect(world.transport.requestsTo(api.cryptoWallets.authenticateStartPrimary).map(({ body }) => body)).toEqual([
      { ...ADDRESS, siwe_params: { chain_id: '5', uri: 'http://localhost:3000' } },
      { ...ADDRESS, siwe_params: { uri: 'https://b.example' } },
      { ...ADDRESS, crypto_wallet_type: 'solana' },
    ]);
  });
});

describe('links and password resets', () => {
  it("try the proof key of the reset first, and the link's own when the server objects to it", async () => {
    const { world, client, tab } = await open(false, {
      pkce_required_for_password_resets: true,
      pkce_required_for_email_magic_links: true,
    });
    world.transport.answer(api.passwords.resetByEmailStart, () => ({}));
    await client.passwords.resetByEmailStart({ email: 'a@b.co' });
    await client.magicLinks.email.loginOrCreate('a@b.co');
    await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', D);
    const verifiers = world.transport
      .requestsTo(api.magicLinks.authenticate)
      .map(({ body }) => (body as { code_verifier: string }).code_verifier);
    expect(new Set(verifiers).size).toBe(2);
    expect(client.session.getSync()).not.toBeNull();
    const key = (flow: string) => tab.storage.get(`stytch_sdk_state_${TOKEN}::pkce_${flow}`);
    expect([key('magic_links'), key('password_resets')]).toEqual([null, expect.any(String)]);
  });

  it('do not try again after another refusal', async () => {
    const { world, client } = await open(false, { pkce_required_for_password_resets: true });
    world.transport.answer(api.passwords.resetByEmailStart, () => ({}));
    await client.passwords.resetByEmailStart({ email: 'a@b.co' });
    await expect(client.magicLinks.authenticate('nonsense', D)).rejects.toMatchObject({
      error_type: 'unable_to_auth_magic_link',
    });
    expect(world.transport.requestsTo(api.magicLinks.authenticate)).toHaveLength(1);
  });
});

describe('risky calls', () => {
  const bodyOf = (world: TestWorld) => world.transport.requestsTo(api.users.search).map(({ body }) => body);

  it.each([
    ['no feature', {}, { email: 'a@b.co' }],
    ['captcha', { captcha_settings: { enabled: true, siteKey: 'k' } }, { email: 'a@b.co', captcha_token: 'captcha-1' }],
    [
      'DECISIONING',
      {
        captcha_settings: { enabled: true, siteKey: 'k' },
        dfp_protected_auth_enabled: true,
        dfp_protected_auth_mode: 'DECISIONING',
      },
      { email: 'a@b.co', dfp_telemetry_id: 'telemetry-1' },
    ],
    [
      'OBSERVATION',
      { captcha_settings: { enabled: true, siteKey: 'k' }, dfp_protected_auth_enabled: true },
      { email: 'a@b.co', captcha_token: 'captcha-1', dfp_telemetry_id: 'telemetry-1' },
    ],
  ])('with %s send what the mode says', async (_, project, body) => {
    const { world, client } = await open(false, project);
    await client.user.search('a@b.co');
    expect(bodyOf(world)).toEqual([body]);
  });

  it.each(ROWS.filter(({ to }) => Object.hasOwn(to.body, 'captcha_token')))(
    'to $to.name have a captcha token where the project has a captcha',
    async ({ call, to, signedIn }) => {
      const { world, client } = await open(signedIn, { captcha_settings: { enabled: true, siteKey: 'k' } });
      world.transport.answer(to, () => errorReply(418, 'teapot'));
      await expect(call(client)).rejects.toMatchObject({ error_type: 'teapot' });
      expect(world.transport.requestsTo(to)[0]?.body).toMatchObject({ captcha_token: expect.any(String) });
    },
  );

  it.each(['DECISIONING', 'OBSERVATION'])(
    'that start a login by wallet have a captcha token in the mode %s, too, and those of others as the mode says',
    async (dfp_protected_auth_mode) => {
      const captcha_settings = { enabled: true, siteKey: 'k' };
      const project = { captcha_settings, dfp_protected_auth_enabled: true, dfp_protected_auth_mode };
      const starts = [api.cryptoWallets.authenticateStartPrimary, api.cryptoWallets.authenticateStartSecondary];
      for (const { call, to, signedIn } of ROWS.filter((row) => Object.hasOwn(row.to.body, 'captcha_token'))) {
        // oxlint-disable-next-line no-await-in-loop -- one world after the other
        const { world, client } = await open(signedIn, project);
        world.transport.answer(to, () => errorReply(418, 'teapot'));
        // oxlint-disable-next-line no-await-in-loop
        await expect(call(client)).rejects.toMatchObject({ error_type: 'teapot' });
        const body = world.transport.requestsTo(to)[0]?.body ?? {};
        const isStart = starts.some((start) => start === to);
        expect([to.name, Object.hasOwn(body, 'captcha_token'), Object.hasOwn(body, 'dfp_telemetry_id')]).toEqual([
          to.name,
          isStart || dfp_protected_auth_mode === 'OBSERVATION',
          true,
        ]);
      }
    },
  );

  it('have all a row, but those that end a ceremony with a passkey', () => {
    const risky = Object.values(api)
      .flatMap((calls) => Object.values(calls) as Endpoint[])
      .filter(({ body }) => Object.hasOwn(body, 'captcha_token'));
    expect(risky.filter((call) => !ROWS.some(({ to }) => to === call)).map(({ name }) => name)).toEqual([
      'webauthn.signUp',
      'webauthn.authenticate',
    ]);
  });

  it('are made once more with fresh signals when the server asks for a captcha', async () => {
    const { world, client } = await open(false, {
      captcha_settings: { enabled: true, siteKey: 'k' },
      dfp_protected_auth_enabled: true,
      dfp_protected_auth_mode: 'DECISIONING',
    });
    world.transport.answer(api.users.search, ({ captcha_token }) =>
      captcha_token ? { userType: 'new' } : rawReply(403, 'Captcha required'),
    );
    expect(await client.user.search('a@b.co')).toMatchObject({ userType: 'new' });
    expect(bodyOf(world)).toEqual([
      { email: 'a@b.co', dfp_telemetry_id: 'telemetry-1' },
      { email: 'a@b.co', captcha_token: 'captcha-1', dfp_telemetry_id: 'telemetry-2' },
    ]);
  });

  it('are made once more only', async () => {
    const { world, client } = await open();
    world.transport.answer(api.users.search, () => rawReply(403, 'Captcha required'));
    await expect(client.user.search('a@b.co')).rejects.toMatchObject({ message: 'Invalid response from our servers.' });
    expect(bodyOf(world)).toHaveLength(2);
  });

  it('go on without what cannot be had', async () => {
    const { world, client, tab } = await open(false, { captcha_settings: { enabled: true, siteKey: 'k' } });
    tab.captcha.down = true;
    await client.user.search('a@b.co');
    expect(bodyOf(world)).toEqual([{ email: 'a@b.co' }]);
  });
});

describe('rbac', () => {
  const policy = {
    roles: [{ role_id: 'reader', permissions: [{ resource_id: 'docs', actions: ['read'] }] }],
    resources: [{ resource_id: 'docs', actions: ['read', 'write'] }],
  };

  it('asks the roles of the user and the policy of the project', async () => {
    const { world, client, reply } = await open(true);
    world.server.project['rbac_policy'] = policy;
    const reader = { ...reply?.user, roles: ['reader'] };
    world.transport.answer(api.users.me, () => reader);
    await client.user.get();
    const fresh = world.open().client;
    expect(await fresh.rbac.isAuthorized('docs', 'read')).toBe(true);
    expect(fresh.rbac.isAuthorizedSync('docs', 'read')).toBe(true);
    expect(fresh.rbac.isAuthorizedSync('docs', 'write')).toBe(false);
    expect(await fresh.rbac.allPermissions()).toEqual({ docs: { read: true, write: false } });
  });

  it('assumes no permissions without a policy, and logs it once', async () => {
    const { client, tab } = await open(true);
    expect(await client.rbac.isAuthorized('docs', 'read')).toBe(false);
    expect(client.rbac.isAuthorizedSync('docs', 'read')).toBe(false);
    expect(tab.log.messages('error')).toHaveLength(1);
  });
});
