import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { makeControlled, type ControlledProvider } from '../../../provider/tests/kit/controlled.ts';
import { ANY_DATABASE } from '../../../provider/tests/kit/harness.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { Backend } from '#composition/playwright/backend.ts';
import { controlOf, ControlRefusal, type FaultyCall, type ProviderControl } from '#composition/testing.ts';

const URL_OF_PROVIDER = 'http://localhost:4100';

/** Without the type of other texts. */
type LiteralName<Call> = Call extends string ? (string extends Call ? never : Call) : never;

describe('the control of a provider', () => {
  let provider: ControlledProvider;
  beforeAll(async () => {
    provider = await makeControlled(ANY_DATABASE);
  });
  afterAll(() => provider.close());

  const fetch = (async (url: string, init?: RequestInit) => provider.app.request(url, init)) as typeof globalThis.fetch;
  const control = (scope?: string) =>
    controlOf(`${URL_OF_PROVIDER}/`, { fetch, ...(scope === undefined ? {} : { scope }) });
  afterEach(async () => {
    vi.unstubAllGlobals();
    await control().reset();
  });

  const bootstrap = async (headers: Record<string, string> = {}) => {
    const path = `/projects/bootstrap/${provider.services.project.public_token}`;
    return provider.call('GET', path, undefined, { headers });
  };

  it('has the names of the calls as a type, and takes other texts', () => {
    expectTypeOf<'POST /sdk/v1/otps/authenticate' | 'DELETE /sdk/v1/users/emails/:id' | '*'>().toExtend<
      LiteralName<FaultyCall>
    >();
    expectTypeOf<'POST /sdk/v1/otps/authenticated'>().not.toExtend<LiteralName<FaultyCall>>();
    expectTypeOf<Parameters<ProviderControl['refuse' | 'delay' | 'drop']>[0]>().toEqualTypeOf<FaultyCall>();
    expectTypeOf<'GET /v1/users/:user_id'>().toExtend<FaultyCall>();
  });

  it('freezes, sets, moves and resets the clock', async () => {
    const { clock } = control();
    expect(await clock.freeze('2031-02-03T04:05:06Z')).toEqual(new Date('2031-02-03T04:05:06Z'));
    expect(await clock.move({ days: 1, minutes: 5, seconds: -6 })).toEqual(new Date('2031-02-04T04:10:00Z'));
    expect(await clock.run()).toEqual(new Date('2031-02-04T04:10:00Z'));
    expect(await clock.set(new Date('2032-01-01T00:00:00Z'))).toEqual(await clock.now());
    expect(await clock.reset()).toEqual(new Date(provider.clock.time));
  });

  it('refuses calls until that is undone, of its scope alone', async () => {
    const undo = await control('one').refuse('GET /sdk/v1/projects/bootstrap/:publicToken', 'too_many_requests', {
      retryAfterSeconds: 9,
    });
    const limited = await bootstrap({ 'x-portico-test': 'one' });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '9']);
    expect((await bootstrap()).status).toBe(200);
    await undo();
    await undo();
    expect((await bootstrap({ 'x-portico-test': 'one' })).status).toBe(200);
    await control().delay('*', 5, { times: 3 });
    await control().drop('* /v1/*', 'answer');
    expect((await control().state()).faults).toMatchObject([{ delay_ms: 5, times: 3 }, { drop: 'answer' }]);
    await control().clearFaults();
    expect((await control().state()).faults).toEqual([]);
  });

  it('takes back at a reset the settings that it switched, and no others', async () => {
    await control().settings({ luds_complexity: 4 });
    const mine = control('mine');
    await mine.settings({ disable_sdk_watermark: true });
    await mine.captcha(true);
    await mine.clock.move({ hours: 1 });
    expect(await mine.state()).toMatchObject({ captcha: { required: true }, clock: { moved_ms: 3_600_000 } });
    await mine.reset();
    expect(await mine.state()).toMatchObject({
      captcha: { required: false },
      clock: { moved_ms: 0 },
      settings: { luds_complexity: 4 },
    });
  });

  it('makes people, and forgets them by a snapshot', async () => {
    await control().snapshot('empty');
    const ada = await control().seed({ email: 'ada@example.com', session_duration_minutes: 5 });
    const more = await control().seed([{ email: 'grace@example.com' }, { phone_number: '+14155552671' }]);
    expect([ada.email, ...more.map(({ session }) => session)]).toEqual(['ada@example.com', null, null]);
    const me = await provider.call('GET', '/users/me', undefined, { session: ada.session?.session_token ?? '' });
    expect(me.data['user_id']).toBe(ada.user_id);
    await provider.sendCode('ada@example.com');
    expect(await control().expireCodes('ada@example.com')).toBe(1);
    await control().restore('empty');
    expect(await control().expireCodes()).toBe(0);
    await expect(control().seed({ email: 'ada@example.com' })).resolves.toMatchObject({ totp: null });
    await control().removeSnapshot('empty');
  });

  it('completes what the project asks of a user, which a signed-in person of a test needs', async () => {
    const terms = [{ terms_id: 'tos', version: '1', title: 'Terms', url: 'https://acme.example/terms' }];
    await control().settings({ profile: { terms, url: 'http://localhost:3000/' } });
    const { session } = await control().seed({ email: 'hedy@example.com', session_duration_minutes: 5 });
    expect(session).not.toBeNull();
    const password = 'correct horse battery';
    const mary = await control().seed({ email: 'mary@example.com', password });
    const logIn = { email: 'mary@example.com', password, session_duration_minutes: 5 };
    expect((await provider.post('/passwords/authenticate', logIn)).body['error_type']).toBe('profile_required');
    await control().completeProfile(mary.user_id);
    expect((await provider.post('/passwords/authenticate', logIn)).status).toBe(200);
    vi.stubGlobal('fetch', fetch);
    const people = new Backend(URL_OF_PROVIDER, provider.services.project.project_id, DEV_SECRET);
    expect((await people.signIn('joan@example.com')).session_token).not.toBe('');
    await control().settings({ profile: { terms: [{ ...terms[0], version: '2' }], url: 'http://localhost:3000/' } });
    expect((await people.signIn('joan@example.com')).session_token).not.toBe('');
  });

  it('rejects with the fields that are wrong, and reports what a provider without --dev lacks', async () => {
    const refusal = await control()
      .seed([{ email: 'a@example.com' }, { email: 'b' }])
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ControlRefusal);
    expect(refusal).toMatchObject({ status: 400, error_type: 'bad_request' });
    expect(Object.keys((refusal as ControlRefusal).fields)).toEqual(['users[1].email']);
    expect((refusal as Error).message).toMatch(/^control\.seed was refused: users\[1\]\.email must be /u);
    const plain = controlOf(URL_OF_PROVIDER, { fetch: async () => new Response('{}', { status: 404 }) });
    await expect(plain.state()).rejects.toThrow('has no /dev/control: start it with --dev.');
    const away = controlOf(URL_OF_PROVIDER, { fetch: async () => Promise.reject(new TypeError('fetch failed')) });
    await expect(away.state()).rejects.toThrow('No provider answers at http://localhost:4100');
  });
});
