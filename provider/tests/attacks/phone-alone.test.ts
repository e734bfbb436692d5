import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { newestLink, noticesTo, press, tell } from '../notices/steps.ts';
import { enrolTotp, isAlive, makeTarget, MINUTES, phone, uniqueEmail, uniqueNumber } from './attacker.ts';

const NONE = new URL('http://none');

/**
 * A phone is the one way in of a user, in a project where codes to phones are second factors. A thief of their session adds an address, by
 * which the phone becomes a second factor: the owner must get back in by the phone, and must not lose it.
 */
describe.each(EITHER_DATABASE)('a user with a phone alone, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const mfa = { policy: 'when_enrolled', factors: ['sms', 'totp'], recovery_hours: 24 };
    provider = await makeTarget(url, {}, { mfa });
  });
  afterAll(() => provider.close());

  const byPhone = async (number: string, browser = new LoginBrowser(provider)) => {
    const sent = await provider.post('/otps/sms/login_or_create', { phone_number: number });
    const code = { token: (await provider.newest(number))?.code, method_id: sent.data['method_id'], ...MINUTES };
    return (await browser.post('/otps/authenticate', code)).data;
  };
  /** The number of an account of a day, and a session of it that was stolen. */
  const watched = async () => {
    const number = uniqueNumber();
    const session = String((await byPhone(number))['session_token']);
    provider.clock.time += 25 * 60 * MINUTE;
    const stolen = String((await byPhone(number))['session_token']);
    expect(session).not.toBe(stolen);
    return { number, stolen };
  };
  const addAddress = async (email: string, session: string): Promise<string> => {
    const sent = await provider.post('/otps/email/send/secondary', { email }, { session });
    const code = { token: (await provider.newest(email))?.code, method_id: sent.data['method_id'], ...MINUTES };
    return String((await provider.post('/otps/authenticate', code, { session })).data['session_token']);
  };
  const robbed = async () => {
    const email = uniqueEmail('thief');
    const { number, stolen } = await watched();
    return { number, email, thief: await addAddress(email, stolen) };
  };

  it('undoes an address that a thief of the session added, by the message to the phone', async () => {
    const { number, email, thief } = await robbed();
    const locked = await byPhone(number);
    expect(locked['session']).toBeNull();
    const link = await newestLink(provider, number);
    expect(await noticesTo(provider, email)).toEqual([]);
    expect((await press(provider, link ?? NONE, 'undo')).status).toBe(200);
    expect([await isAlive(provider, thief), (await byPhone(number))['session'] !== null]).toEqual([false, true]);
    expect((await provider.post('/otps/email/send/primary', { email })).status).toBe(404);
  });

  it('is offered no recovery at a login by the phone, which would take the phone away and leave the address', async () => {
    const { number } = await robbed();
    const browser = new LoginBrowser(provider);
    const { mfa } = (await byPhone(number, browser)) as { readonly mfa: Fields };
    expect(mfa).toMatchObject({ factors: [], enrol: [], recovery: null });
    const started = await browser.post('/mfa/recovery/start');
    expect([started.status, started.body['error_type']]).toEqual([403, 'mfa_factor_not_allowed']);
  });

  it('is offered none either where the thief enrolled an authenticator app after the address', async () => {
    const { number, email, thief } = await robbed();
    await tell(provider);
    await enrolTotp(provider, thief);
    const browser = new LoginBrowser(provider);
    const { mfa } = (await byPhone(number, browser)) as { readonly mfa: Fields };
    expect(mfa).toMatchObject({ factors: ['totp'], recovery: null, recovery_pending: null });
    expect((await browser.post('/mfa/recovery/start')).body['error_type']).toBe('mfa_factor_not_allowed');
    const link = await newestLink(provider, number);
    expect((await press(provider, link ?? NONE, 'undo')).status).toBe(200);
    // The app is removed after the wait of which the phone was told, and the phone stays.
    provider.clock.time += MINUTE;
    await tell(provider);
    provider.clock.time += 24 * 60 * MINUTE;
    const finish = await newestLink(provider, number);
    expect((await press(provider, finish ?? NONE, 'finish')).status).toBe(200);
    expect((await byPhone(number))['session']).not.toBeNull();
    expect((await provider.post('/otps/email/send/primary', { email })).status).toBe(404);
  });

  it('keeps the phone in a recovery during which the thief adds the address', async () => {
    const { number, stolen } = await watched();
    const thief = (await enrolTotp(provider, stolen)).session;
    const browser = new LoginBrowser(provider);
    expect((await byPhone(number, browser))['mfa']).toMatchObject({ factors: ['totp'], recovery: { hours: 24 } });
    expect((await browser.post('/mfa/recovery/start')).status).toBe(200);
    await tell(provider);
    provider.clock.time += MINUTE;
    const email = uniqueEmail('thief');
    await addAddress(email, thief);
    const undo = await newestLink(provider, number);
    expect(undo?.pathname).toBe('/notices/undo');
    provider.clock.time += 24 * 60 * MINUTE;
    const finish = await newestLink(provider, number);
    expect((await press(provider, finish ?? NONE, 'finish')).status).toBe(200);
    expect((await press(provider, undo ?? NONE, 'undo')).status).toBe(200);
    expect((await byPhone(number))['session']).not.toBeNull();
    expect((await provider.post('/otps/email/send/primary', { email })).status).toBe(404);
  });

  it('stops from the phone what the thief begins by the address', async () => {
    const { number, email } = await robbed();
    const browser = new LoginBrowser(provider);
    const { data } = await enterEmail(provider, browser, email);
    expect(data['mfa']).toMatchObject({ factors: ['sms'], recovery: { hours: 24 } });
    expect((await browser.post('/mfa/recovery/start')).status).toBe(200);
    await tell(provider);
    const stop = await newestLink(provider, number);
    expect((await press(provider, stop ?? NONE, 'stop')).status).toBe(200);
    provider.clock.time += 24 * 60 * MINUTE;
    await tell(provider);
    const left = await newestLink(provider, email);
    if (left !== null) await press(provider, left, 'finish');
    expect((await byPhone(number))['mfa']).toMatchObject({ factors: [] });
  });

  it('is told of the last recovery that a thief begins by the address, however often they began and stopped one before', async () => {
    const { number, email } = await robbed();
    await noticesTo(provider, number);
    const begin = async () => {
      const browser = new LoginBrowser(provider);
      await enterEmail(provider, browser, email);
      expect((await browser.post('/mfa/recovery/start')).status).toBe(200);
      await tell(provider);
    };
    // Ten texts in a day are the most.
    for (let round = 0; round < 6; round += 1) {
      provider.clock.time += 15 * MINUTE;
      await begin();
      const stop = await newestLink(provider, email);
      await press(provider, stop ?? NONE, 'stop');
      await tell(provider);
    }
    await begin();
    const startedAt = provider.clock.time;
    const waits = async () =>
      provider.services.db
        .selectFrom('recoveries')
        .selectAll()
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
    const before = (await noticesTo(provider, number)).length;
    for (let hour = 0; hour < 25; hour += 1) {
      provider.clock.time += 60 * MINUTE;
      await tell(provider);
    }
    const texts = await noticesTo(provider, number);
    expect(texts.length).toBeGreaterThan(before);
    const { available_at } = await waits();
    expect(available_at.getTime()).toBeGreaterThan(startedAt + 25 * 60 * MINUTE);
    const finish = await newestLink(provider, email);
    if (finish !== null) await press(provider, finish, 'finish');
    const stop = await newestLink(provider, number);
    expect((await press(provider, stop ?? NONE, 'stop')).status).toBe(200);
    expect((await byPhone(number))['mfa']).toMatchObject({ factors: [] });
  });
});

it.each(EITHER_DATABASE)(
  'a recovery does not wait for a phone to whose country the project sends no more texts: %s',
  async (_, url) => {
    const mfa = { policy: 'when_enrolled', factors: ['sms'], recovery_hours: 24 };
    const provider = await makeTarget(url, {}, { mfa });
    const email = uniqueEmail('lost');
    const { session_token: session } = await provider.signIn(email);
    expect((await (await phone(provider).begin(String(session)))()).status).toBe(200);
    const { project } = provider.services;
    Object.assign(project, { sms_budgets: { ...project.sms_budgets, US: 0 } });
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, email);
    expect((await browser.post('/mfa/recovery/start')).status).toBe(200);
    await tell(provider);
    provider.clock.time += 24 * 60 * MINUTE;
    const finish = await newestLink(provider, email);
    expect(finish?.pathname).toBe('/notices/recovery');
    expect((await press(provider, finish ?? NONE, 'finish')).status).toBe(200);
    await provider.close();
  },
);
