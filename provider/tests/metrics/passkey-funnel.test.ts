import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { EITHER_DATABASE, makeProvider, type Fields, type Provider } from '../kit/harness.ts';
import { PASSKEY } from '../kit/passkey-steps.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0';
const EDGE = `${CHROME} Edg/150.0.0.0`;
const OPERA = `${CHROME} OPR/120.0.0.0`;

describe.each(EITHER_DATABASE)('counted passkeys, on %s', (_, url) => {
  const steps: string[] = [];
  let provider: Provider;
  beforeAll(async () => {
    const passkey = (step: string, { browser, mobile }: { readonly browser: string; readonly mobile: boolean }) =>
      void steps.push(`${step} ${browser}${mobile ? ' mobile' : ''}`);
    provider = await makeProvider(url, { metrics: { ...NO_METRICS, passkey } });
  });
  afterAll(() => provider.close());

  /** The steps that are counted while a person with this browser goes all the way. */
  const stepsOf = async (userAgent: string, email: string) => {
    const from = steps.length;
    const session = String((await provider.signIn(email))['session_token']);
    const headers = { 'user-agent': userAgent };
    const post = (path: string, body: Fields, more: object = {}) => provider.post(path, body, { headers, ...more });
    const key = new SoftwareAuthenticator();
    const start = await post('/webauthn/register/start', PASSKEY, { session });
    const creation = JSON.parse(String(start.data['public_key_credential_creation_options'])) as Fields;
    await post('/webauthn/register', { public_key_credential: key.create(creation, { present: false }) }, { session });
    await post('/webauthn/register', { public_key_credential: key.create(creation) }, { session });
    const asked = await post('/webauthn/authenticate/start/primary', PASSKEY);
    const request = JSON.parse(String(asked.data['public_key_credential_request_options'])) as Fields;
    for (const spoiled of [{ present: false }, {}]) {
      const login = { public_key_credential: key.get(request, spoiled), session_duration_minutes: 30 };
      await post('/webauthn/authenticate', login);
    }
    return steps.slice(from);
  };
  const all = (by: string) => [`offered ${by}`, `failed ${by}`, `made ${by}`, `failed ${by}`, `used ${by}`];

  it.each([
    ['Chrome', CHROME],
    ['Safari mobile', PHONE],
    ['Firefox mobile', FIREFOX],
    ['Edge', EDGE],
    ['other', OPERA],
    ['other', 'a text that nobody else sends'],
  ])('are those of %s: %s', async (by, userAgent) => {
    expect(await stepsOf(userAgent, `${by.replace(' ', '.')}.${userAgent.length}@example.com`)).toEqual(all(by));
  });

  it('are none without a session: both calls end before a passkey is looked at', async () => {
    const from = steps.length;
    expect((await provider.post('/webauthn/register/start', PASSKEY)).status).toBe(401);
    expect((await provider.post('/webauthn/register', { public_key_credential: '{}' })).status).toBe(401);
    expect(steps.slice(from)).toEqual([]);
  });
});
