import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, challenge, makeApps, REQUEST, type Apps } from '../kit/idp-harness.ts';
import { LoginBrowser, enterEmail } from '../kit/second-step.ts';
import { codeOf, enrolTotp, MINUTES, uniqueEmail } from './attacker.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * An app asks for a login of two factors (OpenID Connect Core, section 3.1.2.1 and 5.5.1.1; RFC 9470). One of one factor gives it no code,
 * whatever the page sends, and the ID token says which login it was.
 */

const ONE = 'urn:portico:aal1';
const TWO = 'urn:portico:aal2';
const essential = (values: readonly string[]) => JSON.stringify({ id_token: { acr: { essential: true, values } } });
const mfa = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'], trusted_devices: { days: 30 } };

describe.each(EITHER_DATABASE)('an app that asks for two factors, on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url, { mfa });
  });
  afterAll(() => apps.provider.close());

  /** A user in a session of one factor, who enrols an authenticator app in it if asked to. */
  const signedUp = async () => {
    const email = uniqueEmail('user');
    return { email, ...(await apps.provider.signIn(email)) } as Fields;
  };
  const submit = async (asked: Fields, user: Fields) => apps.submit({ scopes: ['openid'], ...asked }, user);
  const claimsOf = async (asked: Fields, user: Fields): Promise<Fields> => {
    const { data } = await submit(asked, user);
    return decodeJwt(String((await apps.redeem({ code: data['authorization_code'] })).body['id_token']));
  };

  it.each(
    oneOf<Fields>(3, [
      { acr_values: TWO },
      { acr_values: `urn:other ${TWO}` },
      { claims: essential([TWO]) },
      { claims: JSON.stringify({ id_token: { acr: { value: TWO } } }), acr_values: ONE },
    ]),
  )('with %j gets no code for one factor, and gets one after the second is proved in the session', async (fields) => {
    const user = await signedUp();
    const asked = await apps.arrive(fields);
    for (const reply of [await apps.start(asked, user), await submit(asked, user)]) {
      expect([reply.status, reply.body['error_type']]).toEqual([403, 'mfa_required']);
    }
    const { session } = await enrolTotp(apps.provider, String(user['session_token']));
    const { acr, amr, auth_time } = await claimsOf(asked, { ...user, session_token: session });
    expect([acr, amr]).toEqual([TWO, ['otp', 'mfa']]);
    expect(auth_time).toBe(Math.floor((apps.provider.clock.time - MINUTE / 2) / 1000));
  });

  soakIt('gets no code for one factor of a page that drops, changes or forges what was asked', async () => {
    const user = await signedUp();
    const asked = await apps.arrive({ acr_values: TWO });
    const weak = await apps.arrive({ acr_values: ONE });
    const pages: readonly Fields[] = [
      { ...asked, acr_values: undefined },
      { ...asked, acr_values: ONE, acr: ONE },
      { ...asked, acr: null },
    ];
    for (const page of pages) expect((await submit(page, user)).body['error_type']).toBe('mfa_required');
    const [head, , tail] = String(asked['authorization_request']).split('.');
    const [, body] = String(weak['authorization_request']).split('.');
    const forged = await submit({ ...asked, authorization_request: [head, body, tail].join('.') }, user);
    expect(forged.body['error_type']).toBe('invalid_authorization_request');
    const replies = await Promise.all(Array.from({ length: 10 }, () => submit(asked, user)));
    expect(new Set(replies.map(({ body: refused }) => refused['error_type']))).toEqual(new Set(['mfa_required']));
  });

  it('is told so where no page may be shown', async () => {
    const user = await signedUp();
    const asked = await apps.arrive({ acr_values: TWO, prompt: 'none' });
    const { data } = await submit(asked, user);
    expect(new URL(String(data['redirect_uri'])).searchParams.get('error')).toBe('interaction_required');
  });

  it('gets no code of a session in a trusted browser, which proves one factor', async () => {
    const { provider } = apps;
    const user = await signedUp();
    const { secret } = await enrolTotp(provider, String(user['session_token']));
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, String(user['email']));
    await browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), trust_device: true, ...MINUTES });
    const { trusted_device_token } = browser.fields;
    const spared = await enterEmail(provider, new LoginBrowser(provider), String(user['email']), {
      trusted_device_token,
    });
    expect(spared.data['session']).not.toBeNull();
    const asked = await apps.arrive({ acr_values: TWO });
    expect((await submit(asked, spared.data)).body['error_type']).toBe('mfa_required');
    provider.clock.time += MINUTE;
    const code = { totp_code: codeOf(provider, secret), ...MINUTES };
    const proved = await provider.post('/totps/authenticate', code, as(spared.data));
    expect((await claimsOf(asked, proved.data))['acr']).toBe(TWO);
  });

  soakIt('gets what the login was where it takes any, and is refused what no login is', async () => {
    const user = await signedUp();
    for (const fields of [
      {},
      { acr_values: `${TWO} ${ONE}` },
      { acr_values: 'urn:other' },
      { claims: essential([ONE]) },
    ]) {
      expect(await claimsOf(await apps.arrive(fields), user), JSON.stringify(fields)).toMatchObject({
        acr: ONE,
        amr: ['otp'],
      });
    }
    const { location } = await apps.visit('/authorize', {
      ...REQUEST,
      scopes: undefined,
      code_challenge: challenge,
      claims: essential(['urn:other']),
    });
    expect(location?.searchParams.get('error')).toBe('unmet_authentication_requirements');
  });

  it('with max_age gets a code once the second factor is proved again, and auth_time is that of the proof', async () => {
    const { provider } = apps;
    const user = await signedUp();
    const { secret } = await enrolTotp(provider, String(user['session_token']));
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, String(user['email']));
    const login = { totp_code: codeOf(provider, secret), ...MINUTES };
    const present = (await browser.post('/totps/authenticate', login)).data;
    provider.clock.time += 10 * MINUTE;
    const asked = await apps.arrive({ acr_values: TWO, max_age: '300' });
    expect((await submit(asked, present)).body['error_type']).toBe('login_required');
    provider.clock.time += 1;
    const code = { totp_code: codeOf(provider, secret), ...MINUTES };
    const proved = await provider.post('/totps/authenticate', code, as(present));
    const claims = await claimsOf(asked, proved.data);
    expect(claims).toMatchObject({ acr: TWO, auth_time: Math.floor(provider.clock.time / 1000) });
    expect(decodeJwt(String(proved.data['session_jwt']))).toMatchObject({ acr: TWO, auth_time: claims['auth_time'] });
  });
});

describe.each(EITHER_DATABASE)('the contexts of logins in discovery, on %s', (_, url) => {
  const documentOf = async (changes: object): Promise<Fields> => {
    const apps = await makeApps(url, changes);
    try {
      return (await apps.get('/.well-known/openid-configuration')).body;
    } finally {
      await apps.provider.close();
    }
  };

  it('are there while the policy is on, and not while it is off', async () => {
    const on = await documentOf({ mfa });
    expect(on['acr_values_supported']).toEqual([ONE, TWO]);
    expect(on['claims_supported']).toEqual(expect.arrayContaining(['acr', 'amr', 'auth_time']));
    const off = await documentOf({});
    expect(off).not.toHaveProperty('acr_values_supported');
    expect(off['claims_supported']).not.toContain('acr');
  });
});
