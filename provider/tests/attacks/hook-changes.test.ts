import { describe, expect, it } from 'vitest';
import { DATABASES, type Fields } from '../kit/harness.ts';
import { json, suiteHooks } from '../kit/hook-server.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { withHooks } from '../kit/with-hooks.ts';
import { fromServer } from './attacker.ts';
import { FREE, LINK, PROJECT, somebody } from './newcomers.ts';

describe.each(DATABASES)('a hook that changes the user whose login it decides, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const server = suiteHooks();

  async function logIn(on_failure: 'refuse' | 'allow', change: () => Fields) {
    const person = somebody();
    await (
      await LINK.begin(provider, person)
    )(provider);
    const finish = await LINK.begin(provider, person);
    server.forget();
    server.route = async ({ id, data }, response) => {
      const changed = await fromServer(provider, `/users/${data.user.user_id}`, change(), 'PUT');
      json(response, { id, action: changed.status === 200 ? 'allow' : 'refuse' });
    };
    return finish(withHooks(provider, { login: server.settings({ on_failure }) }));
  }

  it('that makes the same change each time is called twice', async () => {
    const { status, data } = await logIn('refuse', () => ({ trusted_metadata: { plan: 'trial' } }));
    expect([status, server.types().length]).toEqual([200, 2]);
    expect(data['user']).toMatchObject({ trusted_metadata: { plan: 'trial' } });
  });

  it('that makes another change each time has the login refused, and the error and the log name the hook', async () => {
    const logged = provider.logged.length;
    for (const on_failure of ['refuse', 'allow'] as const) {
      let turn = 0;
      const { status, body } = await logIn(on_failure, () => ({ trusted_metadata: { turn: (turn += 1) } }));
      expect([status, body['error_type'], server.types().length]).toEqual([503, 'hook_unavailable', 4]);
    }
    expect(provider.logged.slice(logged).join()).toContain('request to the hook login');
  });
});
