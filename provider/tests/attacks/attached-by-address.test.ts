import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oauthStartUrl } from '#domain/social/oauth-start-url.ts';
import { createLog } from '#provider/base/log/log.ts';
import { RequestTracer } from '#provider/base/tracing/tracing.ts';
import { createApp } from '#provider/operation/app.ts';
import { EITHER_DATABASE, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';
import { browser, CHALLENGE, ORIGIN, VERIFIER } from '../kit/oauth-harness.ts';
import { attachSteps, typeOf } from './attach-steps.ts';
import { makeTarget, uniqueEmail } from './attacker.ts';
import { dumpOf } from './database-dump.ts';

const account = () => ({ email: uniqueEmail('account'), verified: 'yes' }) as const;

/** The address to which `start({ oauth_attach_token })` of the reference client goes. */
const addressWith = (oauth_attach_token: string, code_challenge: string = CHALLENGE, provider = 'google') => {
  const options = { oauth_attach_token, code_challenge };
  return oauthStartUrl(ORIGIN, PUBLIC_TOKEN, provider, options);
};

describe.each(EITHER_DATABASE)('an attacker of accounts that are attached by an address, on %s', (_, url) => {
  let provider: Provider;
  let steps: ReturnType<typeof attachSteps>;
  beforeAll(async () => {
    provider = await makeTarget(url);
    steps = attachSteps(provider);
  });
  afterAll(() => provider.close());

  const byAddress = (oauth_attach_token: string) =>
    ({ method: 'GET', oauth_attach_token, code_challenge: CHALLENGE }) as const;

  it('a token with a challenge attaches the account in the session and browser that began', async () => {
    const { user_id, session, session_id } = await steps.person('owner');
    const options = byAddress(await steps.begin(session));
    const own = browser(provider);
    const token = await own.token('google', account(), options);
    const { status, data } = await steps.finish(token, session);
    expect([status, data['session'].session_id]).toEqual([200, session_id]);
    expect([await steps.accountsOf(user_id), await steps.sessionsOf(user_id)]).toEqual([1, 1]);
    // The token works once, also in the browser that used it.
    expect((await own.start('google', options)).status).toBe(404);
    expect(typeOf(await steps.finish(token, String(data['session_token'])))).toBe('oauth_token_not_found');
  });

  it('a thief who reads the address attaches nothing, and gets no session', async () => {
    const { email, user_id, session } = await steps.person('owner');
    const thief = await steps.person('thief');
    // The thief is faster than the owner, with an account of their own.
    const options = byAddress(await steps.begin(session));
    const token = await browser(provider).token('google', { email: thief.email, verified: 'yes' }, options);
    const another = String((await provider.signIn(email))['session_token']);
    const refused = [
      await steps.finish(token),
      await steps.finish(token, thief.session),
      await steps.finish(token, session, {}),
      await steps.finish(token, session, { code_verifier: 'w'.repeat(64) }),
      await steps.finish(token, another),
    ];
    expect(refused.map(typeOf)).toEqual([
      'user_unauthenticated',
      'session_of_another_user',
      'pkce_expected_code_verifier',
      'pkce_mismatch',
      'unauthorized_action',
    ]);
    expect((await browser(provider).start('google', options)).status).toBe(404);
    expect([await steps.accountsOf(user_id), await steps.accountsOf(thief.user_id)]).toEqual([0, 0]);
  });

  it('a thief who takes only the token finishes nothing with a challenge of their own', async () => {
    const { user_id, session } = await steps.person('owner');
    const attach = await steps.begin(session);
    const other = 'c'.repeat(43);
    const start = await browser(provider).get(addressWith(attach, other));
    expect(start.status).toBe(303);
    expect(await steps.accountsOf(user_id)).toBe(0);
  });

  it('the provider’s answer counts only in the browser that followed the address', async () => {
    const { session } = await steps.person('owner');
    const own = browser(provider);
    const callback = await own.callback('google', account(), byAddress(await steps.begin(session)));
    expect((await browser(provider).get(callback)).status).toBe(400);
    expect((await own.get(callback)).status).toBe(303);
  });

  /** Whoever reads such an address, with its challenge, could begin again with their account, and have the owner's browser end it. */
  const FAILURES: readonly (readonly [string, number, (attach: string) => string])[] = [
    ['a wrong public token', 401, (attach) => addressWith(attach).replace(PUBLIC_TOKEN, 'x')],
    ['another page', 400, (attach) => `${addressWith(attach)}&login_redirect_url=https://evil.example/`],
    ['a bad challenge', 400, (attach) => addressWith(attach, 'short')],
    ['another provider', 404, (attach) => addressWith(attach, CHALLENGE, 'github')],
    ['no known provider', 404, (attach) => addressWith(attach, CHALLENGE, 'myspace')],
    ['the token twice', 400, (attach) => `${addressWith(attach)}&oauth_attach_token=${attach}`],
  ];
  it.each(FAILURES)('a start that fails for %s spends the token of its address', async (_title, status, address) => {
    const attach = await steps.begin((await steps.person('owner')).session);
    expect((await browser(provider).get(address(attach))).status).toBe(status);
    const again = await browser(provider).start('google', byAddress(attach));
    expect([again.status, await again.text()]).toEqual([404, expect.stringContaining('oauth_token_not_found')]);
  });

  it('no page after the address gets it as a referrer', async () => {
    const attach = await steps.begin((await steps.person('owner')).session);
    const replies = [
      await browser(provider).get(addressWith(attach)),
      await browser(provider).get(addressWith(attach)),
      await browser(provider).get(addressWith(attach), { accept: 'application/json' }),
      await browser(provider).get(addressWith(attach, '')),
      await browser(provider).get(`${addressWith(attach)}&oauth_attach_token=x`),
    ];
    expect(replies.map(({ status, headers }) => [status, headers.get('referrer-policy')])).toEqual(
      [303, 404, 404, 400, 400].map((status) => [status, 'no-referrer']),
    );
    for (const reply of replies) {
      expect([...reply.headers].flat().join(' ') + (await reply.text())).not.toContain(attach);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('neither the log, nor traces, nor the database have the token', async () => {
    const spans: string[] = [];
    const told = (...values: readonly unknown[]) => void spans.push(JSON.stringify(values));
    const METHODS = ['updateName', 'setAttribute', 'setAttributes', 'setStatus', 'end'];
    const span = Object.fromEntries(METHODS.map((name) => [name, told]));
    const tracer = {
      startSpan: (...values: readonly unknown[]) => {
        told(...values);
        return { ...span, spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }) };
      },
    };
    const propagator = { extract: (context: unknown) => context };
    const tracing = new RequestTracer({ tracer, propagator } as never);
    const lines: string[] = [];
    const log = createLog({ level: 'debug', format: 'json' }, (line) => lines.push(line));
    const app = createApp({ ...provider.services, log, tracing });
    const { session } = await steps.person('owner');
    const attach = await steps.begin(session);
    const own = browser({ ...provider, app });
    const token = await own.token('google', account(), byAddress(attach));
    await own.start('google', byAddress(attach));
    await own.get(addressWith(attach, ''));
    const body = { token, code_verifier: VERIFIER, session_duration_minutes: 60 };
    expect((await provider.post('/oauth/authenticate', body, { session, app })).status).toBe(200);
    expect([lines.length, spans.length].every((count) => count > 4)).toBe(true);
    const records = [lines.join(''), spans.join(''), (await dumpOf(provider.services.db)).text];
    expect(records.map((text) => text.includes(attach))).toEqual([false, false, false]);
    expect(records.slice(0, 2).map((text) => text.includes(CHALLENGE))).toEqual([false, false]);
  });
});
