import { describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, makeProvider, WITHOUT_PKCE } from '../kit/harness.ts';

const ISSUER = 'https://auth.shop.example';

describe.each(EITHER_DATABASE)('a foreign name that points at a server on loopback, on %s', (_, url) => {
  it('the foreign name is refused, while a proxy can pass on the name that browsers see', async () => {
    const provider = await makeProvider(url, {
      dev: false,
      project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, issuer: ISSUER },
    });
    try {
      const asked = async (host: string, target = 'http://localhost:4100') =>
        (await provider.app.request(`${target}/.well-known/jwks.json`, { headers: { host } })).status;
      expect(await asked('auth.shop.example')).toBe(200);
      expect(await asked('AUTH.shop.example:443', ISSUER)).toBe(200);
      expect(await asked('localhost:4100')).toBe(200);
      for (const host of ['shop.example', 'evil.example', 'x.auth.shop.example', 'auth.shop.example.evil.example']) {
        expect(await asked(host), host).toBe(421);
      }
      expect(await asked('auth.shop.example', 'http://evil.example')).toBe(421);
    } finally {
      await provider.close();
    }
  });
});
