import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { DATABASES, type Fields } from '../kit/harness.ts';
import { suiteHooks } from '../kit/hook-server.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { withHooks } from '../kit/with-hooks.ts';
import { codeOf, MINUTES } from './attacker.ts';
import { FREE, LINK, PROJECT, somebody } from './newcomers.ts';

const MESSAGE = 'Your company has not booked this service yet.';
const JSON_TYPE = { 'content-type': 'application/json' };
const { mfa } = projectFrom({ mfa: { policy: 'when_enrolled' } });

/** Replies with an answer that a careful reader still understands. */
const REPLIES: readonly (readonly [name: string, status: number, headers: Fields])[] = [
  ['status 201', 201, JSON_TYPE],
  ['status 400', 400, JSON_TYPE],
  ['status 403', 403, JSON_TYPE],
  ['status 500', 500, JSON_TYPE],
  ['a redirect', 307, { ...JSON_TYPE, location: '/elsewhere' }],
  ['no content type', 200, {}],
];

describe.each(DATABASES)('a strict answer of a hook that lets people in when it fails, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const server = suiteHooks();
  const answerWith = (status: number, headers: Fields, answer: Fields): void => {
    server.route = ({ id }, response) =>
      void response.writeHead(status, headers).end(JSON.stringify({ id, ...answer }));
  };
  const settings = () => server.settings({ on_failure: 'allow' });

  it.each(REPLIES)(
    'with %s: a refusal of this request refuses, and one of another request does not',
    async (__, ...reply) => {
      const finish = await LINK.begin(provider, somebody());
      const at = withHooks(provider, { login: settings() });
      answerWith(...reply, { action: 'refuse', message: MESSAGE });
      const { status, body } = await finish(at);
      expect([status, body['error_type'], body['error_message']]).toEqual([403, 'hook_refused', MESSAGE]);
      answerWith(...reply, { id: 'another', action: 'refuse' });
      expect((await finish(at)).status).toBe(200);
    },
  );

  it.each(REPLIES)('with %s: a required factor is required, without additions', async (__, ...reply) => {
    const at = withHooks(provider, { login: settings() }, { mfa });
    const { email } = somebody();
    const { user_id } = await provider.signIn(email);
    answerWith(...reply, { action: 'require_factor', roles: ['member'] });
    const browser = new LoginBrowser(at);
    const first = await enterEmail(at, browser, email);
    expect([first.data['user_id'], first.data['session']]).toEqual([user_id, null]);
    const { data } = await browser.post('/totps', { expiration_minutes: 60 });
    const totp_code = codeOf(provider, String(data['secret']));
    const { data: done } = await browser.post('/totps/authenticate', { totp_code, ...MINUTES });
    expect(done['session']).toMatchObject({ roles: [] });
  });
});
