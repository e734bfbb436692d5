import { allowInsecureRequests, Configuration } from 'openid-client';
import { expect, it } from 'vitest';
import { signIn } from '../../../examples/electron/src/sign-in.mjs';
import { serveRelyingParty } from '../../../examples/relying-party/serve.ts';
import { surviveHostileRequests } from '../../hostile-requests.ts';

const ISSUER = 'http://localhost:1';

it('the other app survives requests that no browser sends', async () => {
  const served = await serveRelyingParty({ port: 0, issuer: ISSUER });
  await surviveHostileRequests(served.url);
  await served.close();
});

it('the sign-in of the desktop app survives them, and goes on', async () => {
  const server = { issuer: ISSUER, authorization_endpoint: `${ISSUER}/authorize` };
  const ending = new AbortController();
  const openBrowser = async (url: string): Promise<void> => {
    const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? '';
    await surviveHostileRequests(redirectUri);
    ending.abort(new Error('The person gave up.'));
  };
  const config = new Configuration(server, 'desktop');
  allowInsecureRequests(config);
  const signing = signIn(config, { scope: 'openid', openBrowser, signal: ending.signal });
  await expect(signing).rejects.toThrow('The person gave up.');
});
