import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { DEFAULT_LIMITS, type Limits } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { oneOf } from '#tests/soak.ts';
import { exampleNamed } from '#tests/unit/docs/examples.ts';
import {
  APP,
  codeOf,
  consent,
  enrolTotp,
  makeTarget,
  MINUTES,
  redeemCode,
  uniqueEmail,
  uniqueNumber,
} from '../attacks/attacker.ts';
import { at, type Place } from '../attacks/places.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { ANY_DATABASE, basic, MINUTE, otherThan, type Fields, type Provider } from '../kit/harness.ts';
import { CALLBACK, challenge, ISSUER } from '../kit/idp-harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';

/** The table of limits in the provider's readme, against the code: names, defaults, errors, and what `--dev` exempts. */

type Name = keyof Limits;
type Reply = Pick<Awaited<ReturnType<Place['post']>>, 'status' | 'body'>;

interface Visitor extends Place {
  /** A request outside of the client's API. */
  readonly send: (path: string, body: Fields | URLSearchParams, authorization?: string) => Promise<Reply>;
}

/** One call that counts. */
type Act = (from: Visitor, time: number) => Promise<Reply>;

const NAMES = Object.keys(DEFAULT_LIMITS) as readonly Name[];
const HOUR = 60 * MINUTE;
const FREELY = { max: 1_000_000, windowMs: 1000 };
const ONCE = { max: 1, windowMs: HOUR };
const STRANGER = '203.0.113.7';
const THIS_MACHINE = '127.0.0.1';

const fieldOf = (name: Name): string => name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

const PERIODS: readonly (readonly [name: string, ms: number])[] = [
  ['week', 7 * 24 * HOUR],
  ['day', 24 * HOUR],
  ['hour', HOUR],
  ['minute', MINUTE],
];

/** `10 in 10 minutes`, `60 in a day`. */
function textOf({ max, windowMs }: Limits[Name]): string {
  const [period, ms] = PERIODS.find((each) => windowMs % each[1] === 0) ?? ['second', 1000];
  const count = windowMs / ms;
  const article = period === 'hour' ? 'an' : 'a';
  return `${max.toLocaleString('en-US')} in ${count === 1 ? `${article} ${period}` : `${count} ${period}s`}`;
}

interface Row {
  readonly standard: string;
  readonly error: string;
  readonly isExempt: boolean;
}

/** The table of the readme, by field. */
function documented(): ReadonlyMap<string, Row> {
  const readme = readFileSync(join(ROOT, 'provider/README.md'), 'utf8');
  const section = /^## Limits\n([\s\S]*?)^## /mu.exec(readme)?.[1] ?? '';
  const rows = section.matchAll(/^\| `([a-z_]+)` \| [^|]+ \| ([^|]+) \| `([a-z_]+)` \| (exempt)? ?\|$/gmu);
  return new Map(
    Array.from(rows, ([, field = '', standard = '', error = '', exempt]) => [
      field,
      { standard, error, isExempt: exempt !== undefined },
    ]),
  );
}

describe('the table of limits', () => {
  let provider: Provider;
  let host: DocumentHost;

  beforeAll(async () => {
    host = await documentHost();
    const mfa = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'], recovery_hours: 48 };
    const agents = { metadata_documents: true, registration: 'open', most_unused: 100 };
    provider = await makeTarget(ANY_DATABASE, {}, { mfa, agents });
  });
  afterAll(async () => {
    await provider.close();
    await host.close();
  });
  beforeEach(() => {
    // The begin of an hour, so that no window ends during a test.
    provider.clock.time = Math.ceil(provider.clock.time / HOUR + 3) * HOUR;
  });

  const visitor = (remoteAddress: string): Visitor => ({
    ...at(provider.app, remoteAddress),
    async send(path, body, authorization) {
      const isForm = body instanceof URLSearchParams;
      const request = {
        method: 'POST',
        headers: {
          'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: isForm ? body.toString() : JSON.stringify(body),
      };
      const env = { incoming: { socket: { remoteAddress } } };
      const reply = await provider.app.request(`${ISSUER}${path}`, request, env);
      return { status: reply.status, body: (await reply.json()) as Fields };
    },
  });

  const signIn = async (): Promise<string> => String((await provider.signIn(uniqueEmail('limited')))['session_token']);

  /** A call of a user who is signed in. */
  const inSession = (path: string, fields: (time: number) => Fields) => async (): Promise<Act> => {
    let session = await signIn();
    return async (from, time) => {
      const reply = await from.post(path, fields(time), session);
      session = String(reply.data['session_token'] ?? session);
      return reply;
    };
  };
  /** A call without a session. */
  const calling = (path: string, fields: () => Fields) => (): Promise<Act> => {
    return Promise.resolve((from) => from.post(path, fields()));
  };
  /** The same call each time. */
  const repeating = (path: string, fields: () => Fields) => (): Promise<Act> => {
    const same = fields();
    return Promise.resolve((from) => from.post(path, same));
  };

  const email = (): Fields => ({ email: uniqueEmail('limited') });
  const number = (): Fields => ({ phone_number: uniqueNumber() });
  const password = (): Fields => ({ ...email(), password: 'a wrong password', ...MINUTES });

  async function wrongAppCodes(): Promise<Act> {
    const { session, secret } = await enrolTotp(provider, await signIn());
    return (from) =>
      from.post('/totps/authenticate', { totp_code: otherThan(codeOf(provider, secret)), ...MINUTES }, session);
  }

  function documents(): Promise<Act> {
    const pushed = (client_id: string) =>
      new URLSearchParams({
        client_id,
        redirect_uri: 'http://127.0.0.1/callback',
        response_type: 'code',
        scope: 'openid',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
    return Promise.resolve((from) => from.send('/oauth2/par', pushed(host.publish(`/${randomUUID()}`))));
  }

  /** What counts against each limit. */
  const CALLS: Readonly<Record<Name, () => Promise<Act>>> = {
    sendsPerAddress: repeating('/otps/email/login_or_create', email),
    dailySendsPerAddress: repeating('/otps/email/login_or_create', email),
    sendsPerNetwork: calling('/otps/email/login_or_create', email),
    failuresPerUser: repeating('/passwords/authenticate', password),
    strangerFailuresPerUser: repeating('/passwords/authenticate', password),
    passwordsPerNetwork: calling('/passwords/authenticate', password),
    failuresPerNetwork: repeating('/magic_links/authenticate', () => ({ token: 'unknown', ...MINUTES })),
    searchesPerNetwork: calling('/users/search', email),
    documentsPerNetwork: documents,
    documentsPerHost: documents,
    registrationsPerNetwork: () =>
      Promise.resolve((from) => from.send('/oauth2/register', { client_name: 'Agent', redirect_uris: [CALLBACK] })),
    textsPerNumber: repeating('/otps/sms/login_or_create', number),
    textsPerRange: calling('/otps/sms/login_or_create', number),
    textsPerNetwork: calling('/otps/sms/login_or_create', number),
    textsPerCountry: calling('/otps/sms/login_or_create', number),
    textsPerProject: calling('/otps/sms/login_or_create', number),
    triesPerTotp: wrongAppCodes,
    dailyTriesPerTotp: wrongAppCodes,
    async dailyTriesPerPasscode() {
      const { method_id, code } = await provider.sendCode(uniqueEmail('limited'));
      return (from) => from.post('/otps/authenticate', { token: otherThan(code), method_id, ...MINUTES });
    },
    challengesPerWallet: repeating('/crypto_wallets/authenticate/start/primary', () => {
      const { type, address } = new SoftwareWallet();
      return { crypto_wallet_type: type, crypto_wallet_address: address };
    }),
    newPasswordsPerUser: inSession('/passwords/session/reset', (time) => ({
      password: `seven quiet lanterns ${time}`,
      ...MINUTES,
    })),
    challengesPerUser: inSession('/webauthn/register/start', () => ({ domain: 'localhost' })),
    additionsPerUser: inSession('/otps/email/send/secondary', email),
    codesPerUser: inSession('/idp/oauth/authorize/submit', () => ({
      client_id: APP,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scopes: ['openid'],
      code_challenge: challenge,
      consent_granted: true,
    })),
    deviceCodesPerUser: inSession('/idp/oauth/device/start', () => ({ user_code: 'BBBBBBBB' })),
    async recoveriesPerUser() {
      const { email: address } = await makeGuarded(provider, uniqueEmail('limited'));
      return async (from) => {
        const browser = new LoginBrowser({ post: (path, body) => from.post(path, body as Fields) });
        const first = await enterEmail(provider, browser, address);
        const reply = await browser.post('/mfa/recovery/start');
        await provider.services.db
          .deleteFrom('recoveries')
          .where('user_id', '=', String(first.data['user_id']))
          .execute();
        return reply;
      };
    },
    async refreshesPerFamily() {
      let tokens = await redeemCode(provider, (await consent(provider, await signIn())).data['authorization_code']);
      return async (from) => {
        const form = { grant_type: 'refresh_token', client_id: APP, refresh_token: String(tokens['refresh_token']) };
        const reply = await from.send('/oauth2/token', new URLSearchParams(form));
        if (reply.status === 200) tokens = reply.body;
        return reply;
      };
    },
    newTotpsPerUser: inSession('/totps', () => ({ expiration_minutes: 60 })),
    backendCallsPerCaller: () => {
      const authorization = basic(provider.services.project.project_id, DEV_SECRET);
      return Promise.resolve((from) => from.send('/v1/users/search', {}, authorization));
    },
  };

  const rows = documented();

  it('has each limit of the project file, with its default', () => {
    const shown = Object.fromEntries(Array.from(rows, ([field, { standard }]) => [field, standard]));
    expect(shown).toEqual(Object.fromEntries(NAMES.map((name) => [fieldOf(name), textOf(DEFAULT_LIMITS[name])])));
  });

  it('has an example that a project file accepts', () => {
    const { limits } = projectFrom(JSON.parse(exampleNamed('limits.json').source));
    expect(Object.keys(limits).length).toBeGreaterThan(0);
  });

  it.each(oneOf(3, NAMES))('has the error, and whether --dev exempts this machine, of %s', async (name) => {
    const limits = provider.services.limits as Record<Name, Limits[Name]>;
    for (const address of [STRANGER, THIS_MACHINE]) {
      Object.assign(limits, Object.fromEntries(NAMES.map((each) => [each, FREELY])));
      const act = await CALLS[name]();
      limits[name] = ONCE;
      const errors: unknown[] = [];
      for (let time = 0; time < 4; time += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other: the first one counts
        const { status, body } = await act(visitor(address), time);
        if (status === 429) errors.push(body['error_type']);
      }
      const { error, isExempt } = rows.get(fieldOf(name)) ?? { error: '', isExempt: false };
      const isRefused = address === STRANGER || !isExempt;
      expect([name, address, [...new Set(errors)]]).toEqual([name, address, isRefused ? [error] : []]);
    }
  });
});
