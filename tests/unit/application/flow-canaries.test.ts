import { describe, expect, it, vi } from 'vitest';
import { events } from '#application/api/index.ts';
import { EventLog } from '#application/telemetry/event-log.ts';
import type { HostEvent } from '#domain/widget/host-events.ts';
import { consentWorld, openConsent, PROFILE, REQUEST, signedIn } from './consent/open-consent.ts';
import { openLogin } from './open-widget.ts';
import { asked, PHONES } from './phone/open-phone.ts';
import { CHOSEN, open as openPasskeys } from './social/passkey-world.ts';
import { open as openWallets } from './wallets/open-wallets.ts';
import { TestWorld } from './world.ts';

const ADA = 'ada@example.com';
/** What a widget proves somebody with, or is given for it, wherever in a request it stands. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'token',
  'code_verifier',
  'signature',
  'public_key_credential',
  'state',
  'id_token_hint',
  'session_token',
  'session_jwt',
]);

type OpenLogin = Pick<ReturnType<typeof openLogin>, 'world' | 'ports' | 'errors' | 'sessions'>;

function secretsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    SECRET_FIELDS.has(field) && typeof inner === 'string' ? [inner] : secretsIn(inner),
  );
}

/** Walks a flow, and holds every event, log entry, error and client header to none of what the server was told. */
async function walked(
  walk: () => Promise<OpenLogin>,
): Promise<{ readonly secrets: readonly string[]; readonly told: string }> {
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) => vi.spyOn(console, level));
  const noted = vi.spyOn(EventLog.prototype, 'note');
  const { world, ports, errors, sessions } = await walk();
  await world.clock.advance(5_000);
  const requests = world.transport.requests.filter(({ endpoint }) => endpoint !== events.log.name);
  const { session_token, session_jwt } = sessions.tokens() ?? {};
  const secrets = [...requests.flatMap(({ body }) => secretsIn(body)), session_token ?? '', session_jwt ?? ''];
  const told = [
    world.transport.requestsTo(events.log).map(({ body, headers }) => [body, headers]),
    noted.mock.calls.map(([event]) => event),
    requests.map(({ headers }) => Buffer.from(headers['x-sdk-client'] ?? '', 'base64').toString()),
    ports.log.messages(),
    errors.map(({ message, stack, cause }) => [message, stack, String(cause)]),
    spies.flatMap((spy) => spy.mock.calls),
  ];
  return { secrets: secrets.filter((secret) => secret !== ''), told: JSON.stringify(told) };
}

/** Six digits may stand in a time or an id. */
function stands(secret: string, text: string): boolean {
  return /^\d{6}$/u.test(secret)
    ? new RegExp(`(?<![0-9a-f])${secret}(?![0-9a-f])`, 'u').test(text)
    : text.includes(secret);
}

const passcode = async (): Promise<OpenLogin> => {
  const opened = openLogin({ products: ['otp'], otpOptions: { methods: ['email'] } });
  opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await opened.world.settle();
  for (const code of ['908172', opened.world.server.inbox[0]?.code ?? '']) {
    opened.store.send({ type: 'otp/codeEntered', code });
    await opened.world.settle();
  }
  return opened;
};

const text = async (): Promise<OpenLogin> => {
  const opened = openLogin(PHONES);
  opened.store.send(asked());
  await opened.world.settle();
  opened.store.send({ type: 'otp/codeEntered', code: opened.world.server.inbox[0]?.code ?? '' });
  await opened.world.settle();
  return opened;
};

const link = async (): Promise<OpenLogin> => {
  const world = new TestWorld();
  world.server.project['pkce_required_for_email_magic_links'] = true;
  const opened = openLogin({ products: ['emailMagicLinks'] }, { world });
  opened.store.send({ type: 'magicLink/requested', email: ADA });
  await world.settle();
  const { token = '' } = world.server.inbox[0] ?? {};
  await opened.api.magicLinks.authenticate(token, { session_duration_minutes: 60 });
  return opened;
};

const wallet = async (): Promise<OpenLogin> => {
  const opened = await openWallets();
  opened.choose('metamask');
  await opened.world.settle();
  return opened;
};

const passkey = async (): Promise<OpenLogin> => {
  const opened = await openPasskeys();
  await opened.send(CHOSEN);
  return opened;
};

const consent = async (): Promise<OpenLogin> => {
  const { world } = await signedIn();
  const opened = openConsent({ ...REQUEST, state: 'canary-of-a-state' }, world);
  await world.settle();
  opened.store.send({ type: 'consent/allowed' });
  await world.settle();
  return opened;
};

const trusted = async (): Promise<OpenLogin> => {
  const world = consentWorld();
  const trustedAuthToken = world.server.trustedToken(PROFILE, ADA);
  const opened = openConsent(REQUEST, world, { authTokenParams: { tokenProfileID: PROFILE, trustedAuthToken } });
  await world.settle();
  return opened;
};

describe('the identifiers of a person (threats T11, T14, T19 and T56)', () => {
  it.each<[string, () => Promise<OpenLogin>, number]>([
    ['a passcode by email', passcode, 4],
    ['a passcode by text message', text, 3],
    ['a link', link, 4],
    ['a wallet', wallet, 3],
    ['a passkey', passkey, 3],
    ['a consent', consent, 3],
    ['the token of a trusted issuer', trusted, 3],
  ])('goes to the server, and into no event, log, error or header: %s', async (_, walk, atLeast) => {
    const { secrets, told } = await walked(walk);
    expect(secrets.length).toBeGreaterThanOrEqual(atLeast);
    expect(told).toContain('render_');
    expect(secrets.filter((secret) => stands(secret, told))).toEqual([]);
  });

  it('is not told to the host when it is an app’s own state', async () => {
    const opened = await consent();
    const data = (opened as unknown as { readonly heard: readonly HostEvent[] }).heard.map((event) => event.data);
    expect(JSON.stringify(data)).not.toContain('canary-of-a-state');
  });
});
