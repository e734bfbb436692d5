import { describe, expect, it } from 'vitest';
import { api } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { sha256url, TOKEN } from './world.ts';
import { D, open } from './call-table.ts';

describe('social logins', () => {
  it('leave for a provider that the project names itself, and for no other address', async () => {
    const { client, tab } = await open();
    await client.oauth.start('my-sso', { login_redirect_url: 'https://a.example/' });
    expect(tab.browser.navigations[0]).toContain('https://test.stytch.com/v1/public/oauth/my-sso/start?public_token=');
    for (const name of ['', '../../evil', 'a/b', 'A', 'a?b']) {
      await expect(client.oauth.start(name)).rejects.toThrow('provider must be the name of a provider');
    }
    expect(tab.browser.navigations).toHaveLength(1);
  });

  it('leave for the provider, with a proof key when the project requires one, and come back with its verifier', async () => {
    const { world, client, tab } = await open(false, { pkce_required_for_oauth: true });
    await client.oauth.github.start({ login_redirect_url: 'https://a.example/', custom_scopes: ['x', 'y'] });
    const url = new URL(tab.browser.navigations[0] ?? '');
    expect(`${url.origin}${url.pathname}`).toBe('https://test.stytch.com/v1/public/oauth/github/start');
    expect(url.searchParams.get('public_token')).toBe(TOKEN);
    expect(url.searchParams.get('custom_scopes')).toBe('x y');
    world.transport.answer(api.oauth.authenticate, () => errorReply(404, 'oauth_token_not_found'));
    await client.oauth.authenticate('t', D).catch(() => undefined);
    const { code_verifier } = world.transport.requestsTo(api.oauth.authenticate)[0]?.body as { code_verifier: string };
    expect(await sha256url(code_verifier)).toBe(url.searchParams.get('code_challenge'));
    expect(tab.log.messages('warn')).toEqual([]);
  });

  it('leave by a form that carries all of it where the host wants that, so that no address does', async () => {
    const { world, client, tab } = await open(false, { pkce_required_for_oauth: true });
    const provider_params = { 'login hint': 'é&=', hd: null as never };
    await client.oauth.github.start({
      method: 'POST',
      login_redirect_url: 'https://a.example/',
      custom_scopes: ['x', 'y'],
      provider_params,
    });
    expect(tab.browser.navigations).toEqual([]);
    expect(tab.formPost.posted).toEqual([
      {
        url: 'https://test.stytch.com/v1/public/oauth/github/start',
        fields: {
          public_token: TOKEN,
          code_challenge: expect.stringMatching(/^[\w-]{43}$/),
          custom_scopes: 'x y',
          'provider_login hint': 'é&=',
          login_redirect_url: 'https://a.example/',
        },
      },
    ]);
    world.transport.answer(api.oauth.authenticate, () => errorReply(404, 'oauth_token_not_found'));
    await client.oauth.authenticate('t', D).catch(() => undefined);
    const { code_verifier } = world.transport.requestsTo(api.oauth.authenticate)[0]?.body as { code_verifier: string };
    expect(await sha256url(code_verifier)).toBe(tab.formPost.posted[0]?.fields['code_challenge']);
  });

  it('attach by a form with a proof key, whether the project requires one or not', async () => {
    const { client, tab } = await open();
    for (const method of [undefined, 'POST'] as const) {
      await client.oauth.github.start({ oauth_attach_token: 'attach', method });
      expect(tab.formPost.posted.at(-1)?.fields).toEqual({
        public_token: TOKEN,
        oauth_attach_token: 'attach',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      });
    }
    expect(tab.browser.navigations).toEqual([]);
    await client.oauth.github.start({ oauth_attach_token: null as never, method: 'GET' });
    expect(tab.browser.navigations[0]).not.toContain('attach');
  });

  it('without a stored verifier warn, and go on', async () => {
    const { world, client, tab } = await open();
    await client.oauth.github.start({ login_redirect_url: 'http://localhost:3000/' });
    const back = world.server.returnFrom(tab.browser.navigations.at(-1) ?? '', { email: 'ada@example.com' });
    await client.oauth.authenticate(new URL(back).searchParams.get('token') ?? '', D);
    expect(client.session.getSync()).not.toBeNull();
    expect(tab.log.messages('warn')).toEqual([expect.stringContaining('No code verifier is stored')]);
    world.transport.answer(api.oauth.authenticate, () => errorReply(400, 'pkce_expected_code_verifier'));
    await expect(client.oauth.authenticate('t', D)).rejects.toMatchObject({
      error_type: 'pkce_expected_code_verifier',
    });
    expect(tab.log.messages('warn')).toHaveLength(2);
  });

  it('by One Tap submit the chosen account and go where the server says', async () => {
    const { world, client, tab } = await open();
    world.transport
      .answer(api.oauth.oneTapStart, () => ({ google_client_id: 'g', oauth_callback_id: 'cb' }))
      .answer(api.oauth.oneTapSubmit, () => ({ redirect_url: 'https://a.example/?token=x' }));
    let cancelled = 0;
    const options = { login_redirect_url: 'https://a.example/', onOneTapCancelled: () => (cancelled += 1) };
    expect(await client.oauth.googleOneTap.start(options)).toEqual({ success: true });
    expect(tab.oneTap.prompts[0]).toMatchObject({ clientId: 'g', nonce: expect.any(String) });
    tab.oneTap.choose('id-token');
    await world.settle();
    expect(world.transport.requestsTo(api.oauth.oneTapSubmit)[0]?.body).toEqual({
      public_token: TOKEN,
      id_token: 'id-token',
      oauth_callback_id: 'cb',
      login_redirect_url: 'https://a.example/',
    });
    expect(tab.browser.navigations).toEqual(['https://a.example/?token=x']);
    await client.oauth.googleOneTap.start(options);
    tab.oneTap.cancel();
    expect(cancelled).toBe(1);
  });

  it('by One Tap say why there is no prompt', async () => {
    const { world, client, tab } = await open();
    world.transport.answer(api.oauth.oneTapStart, () => errorReply(404, 'oauth_config_not_found'));
    expect(await client.oauth.googleOneTap.start()).toEqual({ success: false, reason: 'oauth_config_not_found' });
    world.transport.answer(api.oauth.oneTapStart, () => ({ google_client_id: 'g', oauth_callback_id: 'cb' }));
    tab.oneTap.refusal = 'opt_out';
    expect(await client.oauth.googleOneTap.start()).toEqual({ success: false, reason: 'opt_out' });
  });
});
