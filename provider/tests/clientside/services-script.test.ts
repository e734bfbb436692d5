import { afterEach, describe, expect, it, vi } from 'vitest';
import { servicesFrame } from '../kit/services-frame.ts';

const PUBLIC = { publicToken: 'public-token-test-1' };

/** Answers the script's calls of the server, and remembers them. */
function server(status: number, body: object) {
  const asked: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe('parsedPhoneNumber', () => {
  it.each([
    ['4155552671', 'US', { isValid: true, number: '+14155552671', national: '(415) 555-2671' }],
    ['+1 415 555 2671', 'US', { isValid: true, number: '+14155552671', national: '(415) 555-2671' }],
    ['0171 1234567', 'DE', { isValid: true, number: '+491711234567', national: '0171 1234567' }],
    ['+14155552671', undefined, { isValid: true, number: '+14155552671', national: '(415) 555-2671' }],
    // The client would read a national form as a number of the chosen country.
    ['+491711234567', 'US', { isValid: true, number: '+491711234567', national: '+49 171 1234567' }],
    ['00491711234567', 'DE', { isValid: true, number: '+491711234567', national: '0171 1234567' }],
    ['41555', 'US', { isValid: false, number: '+141555', national: '41555' }],
    ['(415) 555-267', 'US', { isValid: false, number: '+1415555267', national: '(415) 555-267' }],
    ['4', 'US', { isValid: false, number: '4', national: '4' }],
    ['4155552671', 'XX', { isValid: false, number: '4155552671', national: '4155552671' }],
  ])('reads %s for %s', async (phoneNumber, regionCode, payload) => {
    expect(await servicesFrame().call('parsedPhoneNumber', { phoneNumber, regionCode })).toEqual({
      success: true,
      payload,
    });
  });

  it('answers for an email address without loading the tables', async () => {
    const frame = servicesFrame();
    const typed = 'ada@example.com';
    const { payload } = await frame.call('parsedPhoneNumber', { phoneNumber: typed });
    expect(payload).toEqual({ isValid: false, number: typed, national: typed });
    expect(frame.scripts).toEqual([]);
  });

  it('loads the tables once, and again after a failure', async () => {
    const frame = servicesFrame();
    frame.holdScripts();
    const ask = async () => frame.call('parsedPhoneNumber', { phoneNumber: '4155552671', regionCode: 'US' });
    const both = [ask(), ask()];
    await expect.poll(() => frame.scripts.length).toBe(1);
    frame.scripts[0]?.load(false);
    expect((await Promise.all(both)).map(({ success }) => success)).toEqual([false, false]);
    const again = ask();
    await expect.poll(() => frame.scripts.length).toBe(2);
    frame.scripts[1]?.load(true);
    expect(await again).toMatchObject({ success: true, payload: { isValid: true } });
    expect((await ask()).success).toBe(true);
    expect(frame.scripts.map(({ src }) => src)).toEqual(['phone-numbers.js', 'phone-numbers.js']);
  });
});

describe('getExamplePhoneNumber', () => {
  it.each([
    ['US', '(201) 555-0123'],
    ['DE', '01512 3456789'],
    ['XX', undefined],
  ])('has an example for %s', async (regionCode, phoneNumber) => {
    expect((await servicesFrame().call('getExamplePhoneNumber', { regionCode })).payload).toEqual({ phoneNumber });
  });
});

describe('oneTapStart and oneTapSubmit', () => {
  it('call this server with the public token and without cookies', async () => {
    const asked = server(200, { data: { google_client_id: 'client-1', oauth_callback_id: 'callback-1' } });
    const { payload } = await servicesFrame().call('oneTapStart', PUBLIC);
    expect(payload).toMatchObject({ googleClientId: 'client-1', oauthCallbackId: 'callback-1' });
    const [{ url, init } = { url: '', init: {} }] = asked;
    expect(url).toBe('../sdk/v1/oauth/google/onetap/start');
    expect(init).toMatchObject({ method: 'POST', credentials: 'omit', body: '{"public_token":"public-token-test-1"}' });
    const { authorization = '' } = init.headers as Record<string, string>;
    expect(atob(authorization.replace('Basic ', ''))).toBe('public-token-test-1:public-token-test-1');
  });

  it('give the wire’s names to what the client submits, and leave out what it does not', async () => {
    const asked = server(200, { data: { redirect_url: 'https://app.example.com/in?token=t' } });
    const given = { ...PUBLIC, idToken: 'id', oauthCallbackID: 'cb', loginRedirectURL: 'https://app.example.com/in' };
    const { payload } = await servicesFrame().call('oneTapSubmit', { ...given, signupRedirectURL: undefined });
    expect(payload).toEqual({ redirect_url: 'https://app.example.com/in?token=t' });
    expect(JSON.parse(asked[0]?.init.body as string)).toEqual({
      public_token: 'public-token-test-1',
      id_token: 'id',
      oauth_callback_id: 'cb',
      login_redirect_url: 'https://app.example.com/in',
    });
  });

  it('pass on a refusal with the fields of which the client makes its error', async () => {
    const refusal = { status_code: 404, error_type: 'oauth_config_not_found', error_message: 'None.', request_id: 'r' };
    server(404, { ...refusal, error_url: 'https://x.example/' });
    const { success, error } = await servicesFrame().call('oneTapStart', PUBLIC);
    expect(success).toBe(false);
    expect(error).toMatchObject({ name: 'StytchAPIError', ...refusal });
  });

  it('do not start where the project requires PKCE: the client shows its plain button', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const asked = server(200, { data: {} });
    const { error } = await servicesFrame({ pkce: true }).call('oneTapStart', PUBLIC);
    expect(error).toMatchObject({ name: 'StytchAPIError', error_type: 'oauth_config_not_found' });
    expect(warned.mock.calls.flat().join()).toContain('pkce_required_for_oauth');
    expect(asked).toEqual([]);
  });

  it('answer when the server cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await servicesFrame().call('oneTapStart', PUBLIC)).toMatchObject({
      success: false,
      error: { name: 'TypeError', message: 'Failed to fetch' },
    });
  });
});
