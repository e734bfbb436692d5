import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api, API_PREFIX, type Endpoint } from '#application/api/index.ts';
import { gates } from '#application/api/gates.ts';
import type { CallGate } from '#domain/rules/gates.ts';
import { OTP_METHODS } from '#domain/contacts/channels.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { backendApi, BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import { createApp } from '#provider/operation/app.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { challenge } from '../kit/idp-harness.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { makeTarget, MINUTES, uniqueEmail, uniqueNumber } from './attacker.ts';

/** Every call of both APIs is made, and the outbox is watched: none sends without a captcha and budgets. */

const SETTINGS = {
  mfa: { policy: 'required', factors: ['sms', 'totp'], recovery_hours: 24 },
  account: { deletion: true },
};

/** The calls of pages and of the app's server that send. Codes and links need a captcha; a notice is the provider's. */
const PAGE_CALLS = [
  'magicLinks.loginOrCreate',
  'magicLinks.sendPrimary',
  'magicLinks.sendSecondary',
  'mfa.addPhone',
  'mfa.sendCode',
  ...OTP_METHODS.flatMap((method) =>
    ['LoginOrCreate', 'SendPrimary', 'SendSecondary'].map((send) => `otps.${method}${send}`),
  ),
  'passwords.resetByEmailStart',
];
const NOTICE_CALLS = ['users.delete'];
const SERVER_CALLS = [
  'magicLinks.emailInvite',
  'magicLinks.emailLoginOrCreate',
  'magicLinks.emailSend',
  ...OTP_METHODS.flatMap((method) => ['LoginOrCreate', 'Send'].map((send) => `otps.${method}${send}`)),
  'passwords.resetByEmailStart',
];

const NONE = { max: 0, windowMs: 60_000 };
/** Each message counts in one of these. */
const WITHOUT_BUDGETS = { ...DEFAULT_LIMITS, dailySendsPerAddress: NONE };
const TOKEN = { captcha_token: 'test-captcha-1' };

interface Call {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly gate?: CallGate | undefined;
}

function callsOf(
  table: Readonly<Record<string, object>>,
  rows: Readonly<Record<string, object>> = {},
): readonly Call[] {
  const calls = Object.entries(table).flatMap(([area, each]) =>
    Object.entries(each as Readonly<Record<string, Endpoint>>).map(([name, endpoint]) => {
      const gate = (rows[area] as Readonly<Record<string, CallGate>> | undefined)?.[name];
      return { name: `${area}.${name}`, endpoint, gate };
    }),
  );
  // What ends a session or a login comes last.
  const ends = ({ name }: Call): number =>
    ['ownSessions.revokeOthers', ...NOTICE_CALLS, 'sessions.revoke'].indexOf(name);
  return calls.sort((a, b) => ends(a) - ends(b));
}

const PAGE = callsOf(api, gates);
const SERVER = callsOf(backendApi);

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 60,
  boolean: true,
  object: {},
  'string[]': [],
};

/** A user with a number as the second factor, a login that lacks it, and one of a user who has none yet. */
async function makeCallers(provider: Provider) {
  const email = uniqueEmail('owner');
  const number = uniqueNumber();
  const owner = new LoginBrowser(provider);
  await enterEmail(provider, owner, email);
  const { method_id } = (await owner.post('/mfa/add_phone', { phone_number: number, channel: 'sms' })).data;
  const token = (await provider.newest(number))?.code;
  const { data } = await owner.post('/otps/authenticate', { token, method_id, ...MINUTES });
  const lacking = new LoginBrowser(provider);
  const step = await enterEmail(provider, lacking, email);
  const { phone_id } = step.data['mfa'].phone_numbers[0] as Fields;
  const enrolling = new LoginBrowser(provider);
  await enterEmail(provider, enrolling, uniqueEmail('new'));
  const session = String(data['session_token']);
  return { email, number, phone_id, session, lacking: lacking.fields, enrolling: enrolling.fields };
}

type Callers = Awaited<ReturnType<typeof makeCallers>>;

/** A body with which the call sends, if it ever does. */
function bodyOf({ name, endpoint, gate }: Call, { email, number, phone_id, lacking, enrolling }: Callers): unknown {
  if (endpoint.method === 'GET') return undefined;
  const isNew = /SendSecondary|sendSecondary|addPhone|Invite/u.test(name);
  const values: Fields = {
    email: isNew ? uniqueEmail('added') : email,
    phone_number: isNew ? uniqueNumber() : number,
    phone_id,
    channel: 'sms',
    code_challenge: challenge,
  };
  const entries = Object.entries(endpoint.body).flatMap(([field, kind]) => {
    if (field in values) return [[field, values[field]]];
    return typeof kind === 'string' && !kind.endsWith('?') ? [[field, SAMPLES[kind]]] : [];
  });
  const step = gate?.takesStep === true ? (name === 'mfa.addPhone' ? enrolling : lacking) : {};
  const body = { ...(Object.fromEntries(entries) as Fields), ...step };
  return endpoint.list ? [body] : body;
}

describe.each(EITHER_DATABASE)('the calls that send, on %s', (_, url) => {
  let provider: Provider;
  let callers: Callers;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, SETTINGS);
  });
  beforeEach(async () => {
    callers = await makeCallers(provider);
  });
  afterAll(() => provider.close());

  const { captcha_settings } = projectFrom({ captcha_settings: { enabled: true, siteKey: 'site-key' } });
  const withCaptcha = () =>
    createApp({ ...provider.services, project: { ...provider.services.project, captcha_settings } });
  const withoutBudgets = () => createApp({ ...provider.services, limits: WITHOUT_BUDGETS });

  type App = ReturnType<typeof withCaptcha>;

  async function request(app: App, call: Call, isServer: boolean, extra: Fields = {}): Promise<Response> {
    const sample = bodyOf(call, callers);
    const body = Array.isArray(sample) || sample === undefined ? sample : { ...sample, ...extra };
    const { project_id } = provider.services.project;
    return app.request(`${isServer ? BACKEND_PREFIX : API_PREFIX}${call.endpoint.path.replaceAll(/:\w+/gu, 'x')}`, {
      method: call.endpoint.method,
      headers: {
        authorization: isServer ? basic(project_id, DEV_SECRET) : basic(PUBLIC_TOKEN, callers.session),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** The kinds of the messages that each call wrote, by its name, and how it was answered. */
  async function play(calls: readonly Call[], make: (call: Call) => Promise<Response>) {
    const { db } = provider.services;
    const sent = new Map<string, readonly string[]>();
    const answers = new Map<string, string>();
    for (const call of calls) {
      const last = await db.selectFrom('outbox').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
      const reply = await make(call);
      const rows = await db
        .selectFrom('outbox')
        .select('kind')
        .where('seq', '>', last?.seq ?? 0)
        .where('channel', 'in', OTP_METHODS)
        .execute();
      if (rows.length > 0)
        sent.set(
          call.name,
          rows.map(({ kind }) => kind),
        );
      answers.set(call.name, `${reply.status} ${await reply.text()}`);
    }
    return { sent, answers };
  }

  const named = (names: readonly string[], calls: readonly Call[]) => calls.filter(({ name }) => names.includes(name));
  const ofPages = (sent: ReadonlyMap<string, readonly string[]>): readonly string[] =>
    [...sent].flatMap(([name, kinds]) => (kinds.every((kind) => kind === 'notice') ? [] : [name])).sort();

  it('are refused without a captcha token, and send nothing', async () => {
    const app = withCaptcha();
    const calls = PAGE.filter(({ name }) => name !== 'sessions.revoke' && !NOTICE_CALLS.includes(name));
    const { sent, answers } = await play(calls, (call) => request(app, call, false));
    expect([...sent]).toEqual([]);
    expect(PAGE_CALLS.filter((name) => answers.get(name) !== '403 Captcha required')).toEqual([]);
  });

  it('are refused over their budgets, and send nothing', async () => {
    const app = withoutBudgets();
    const calls = PAGE.filter(({ name }) => name !== 'sessions.revoke' && !NOTICE_CALLS.includes(name));
    const pages = await play(calls, (call) => request(app, call, false));
    const servers = await play(SERVER, (call) => request(app, call, true));
    expect([...pages.sent, ...servers.sent]).toEqual([]);
    const answers = [
      ...PAGE_CALLS.map((name) => [name, pages.answers.get(name)] as const),
      ...SERVER_CALLS.map((name) => [name, servers.answers.get(name)] as const),
    ];
    expect(answers.filter(([, answer]) => answer?.startsWith('429') !== true)).toEqual([]);
  });

  it('are these of the app’s server', async () => {
    const { sent } = await play(SERVER, (call) => request(provider.app, call, true));
    expect([...sent.keys()].sort()).toEqual([...SERVER_CALLS].sort());
  });

  it('are these of pages, with a captcha token; a notice needs none', async () => {
    const app = withCaptcha();
    const { sent } = await play(PAGE, (call) =>
      request(app, call, false, 'captcha_token' in call.endpoint.body ? TOKEN : {}),
    );
    expect(ofPages(sent)).toEqual([...PAGE_CALLS].sort());
    expect([...sent.keys()].filter((name) => !PAGE_CALLS.includes(name))).toEqual(NOTICE_CALLS);
    expect(named(PAGE_CALLS, PAGE).every(({ endpoint }) => 'captcha_token' in endpoint.body)).toBe(true);
  });
});
