import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { Secret, TOTP } from 'otpauth';
import type { Fields } from './harness.ts';
import { CALLBACK, challenge, OFFLINE, SETTINGS, verifier } from './idp-harness.ts';
import { data, UnexpectedAnswer, type Guarantee, type Journal, type Wire } from './kill-journal.ts';
import { SoftwareAuthenticator } from './webauthn-authenticator.ts';

/** One round of what a user does; notes each fact once nothing that is under way can change it. */
export type Writer = (wire: Wire, journal: Journal, email: string) => Promise<void>;

const minutes = { session_duration_minutes: 60 };
const PASSKEY = { domain: 'localhost', return_passkey_credential_options: true };
const issuer = generateKeyPairSync('ed25519');
const PROFILE = {
  profile_id: 'kills',
  issuer: 'https://issuer.example',
  audience: 'kills',
  public_key: issuer.publicKey.export({ format: 'pem', type: 'spki' }),
  email_domains: ['*'],
};

/** The project that the writers need. */
export const PROJECT = { ...SETTINGS, trusted_auth_token_profiles: [PROFILE] };

const refuses = (says: string, error: string, ask: (wire: Wire) => Promise<Fields>): Guarantee => ({
  says,
  holds: async (wire) => {
    const reply = await ask(wire);
    return reply['error_type'] === error || reply['error'] === error;
  },
});

const lives = (user: Fields, seen: (user: Fields) => boolean = () => true): Guarantee => ({
  says: `the session of ${String(user['user_id'])} lives`,
  holds: async (wire) => {
    const me = (await wire.call('GET', '/users/me', undefined, user['session_token'] as string))['data'] as Fields;
    return me?.['user_id'] === user['user_id'] && seen(me);
  },
});

const has = (user: Fields, list: string, name: string, id: unknown): Guarantee => {
  const fact = lives(user, (me) => (me[list] as readonly Fields[]).some((each) => each[name] === id));
  return { ...fact, says: `${String(user['user_id'])} has ${name} ${String(id)}` };
};

async function signIn(wire: Wire, journal: Journal, email: string): Promise<Fields> {
  const { method_id } = data(await wire.call('POST', '/otps/email/login_or_create', { email }));
  const redeem = { token: (await wire.latest(email))['code'], method_id, ...minutes };
  const user = data(await wire.call('POST', '/otps/authenticate', redeem));
  journal.note(
    refuses(`the code of ${email} is used`, 'otp_code_not_found', (w) => w.call('POST', '/otps/authenticate', redeem)),
  );
  return user;
}

const sessions: Writer = async (wire, journal, email) => {
  const kept = await signIn(wire, journal, email);
  const untrusted_metadata = { at: email };
  data(await wire.call('PUT', '/users/me', { untrusted_metadata }, kept['session_token']));
  journal.note(lives(kept, (me) => (me['untrusted_metadata'] as Fields)['at'] === email));
  const ended = await signIn(wire, journal, email);
  data(await wire.call('POST', '/sessions/revoke', undefined, ended['session_token']));
  for (const secret of [ended['session_token'], ended['session_jwt']] as string[]) {
    const me = (w: Wire) => w.call('GET', '/users/me', undefined, secret);
    journal.note(refuses(`a session of ${email} has ended`, 'unauthorized_credentials', me));
  }
};

const links: Writer = async (wire, journal, email) => {
  data(await wire.call('POST', '/magic_links/email/login_or_create', { email }));
  const token = new URL((await wire.latest(email))['link'] as string).searchParams.get('token');
  const open = (w: Wire) => w.call('POST', '/magic_links/authenticate', { token, ...minutes });
  const user = data(await open(wire));
  journal.note(lives(user), refuses(`the link of ${email} is used`, 'unable_to_auth_magic_link', open));
};

const totps: Writer = async (wire, journal, email) => {
  const { session_token } = await signIn(wire, journal, email);
  const { secret, totp_id, recovery_codes } = data(
    await wire.call('POST', '/totps', { expiration_minutes: 60 }, session_token),
  );
  const totp_code = new TOTP({ secret: Secret.fromBase32(secret as string) }).generate();
  const verified = data(await wire.call('POST', '/totps/authenticate', { totp_code, ...minutes }, session_token));
  const recover = { recovery_code: (recovery_codes as string[])[0], ...minutes };
  const user = data(await wire.call('POST', '/totps/recover', recover, verified['session_token']));
  const again = (w: Wire) => w.call('POST', '/totps/recover', recover, user['session_token']);
  journal.note(has(user, 'totps', 'totp_id', totp_id));
  journal.note(refuses(`a recovery code of ${email} is used`, 'recovery_code_not_found', again));
};

const passkeys: Writer = async (wire, journal, email) => {
  const { session_token } = await signIn(wire, journal, email);
  const key = new SoftwareAuthenticator();
  const asked = data(await wire.call('POST', '/webauthn/register/start', PASSKEY, session_token));
  const created = key.create(JSON.parse(asked['public_key_credential_creation_options'] as string) as Fields);
  const user = data(await wire.call('POST', '/webauthn/register', { public_key_credential: created }, session_token));
  const id = user['webauthn_registration_id'];
  journal.note(has(user, 'webauthn_registrations', 'webauthn_registration_id', id));
  const start = data(await wire.call('POST', '/webauthn/authenticate/start/primary', PASSKEY));
  const got = key.get(JSON.parse(start['public_key_credential_request_options'] as string) as Fields);
  const login = (w: Wire) => w.call('POST', '/webauthn/authenticate', { public_key_credential: got, ...minutes });
  journal.note(lives(data(await login(wire))));
  journal.note(refuses(`a challenge of ${email} is used`, 'webauthn_challenge_not_found', login));
};

/** How long a used refresh token gets the same successor again (row T176 of the threat model). */
const GRACE_MS = 30_000;

interface Refresh {
  readonly token: string;
  readonly reply: Fields;
  /** The server noted a time between these two. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

const refreshForm = (token: string) => ({ grant_type: 'refresh_token', client_id: 'planner', refresh_token: token });

async function tryRefresh(wire: Wire, token: string): Promise<Refresh> {
  const sentAt = Date.now();
  const reply = await wire.form('/token', refreshForm(token));
  return { token, reply, sentAt, answeredAt: Date.now() };
}

async function refresh(wire: Wire, { refresh_token }: Fields): Promise<Refresh> {
  const result = await tryRefresh(wire, refresh_token as string);
  if (result.reply['status'] !== 200) throw new UnexpectedAnswer(JSON.stringify(result.reply));
  return result;
}

/** A refresh token that was used, whose successor was not: within the grace it gets this successor again, and nothing after it. */
const grace = (email: string, first: Refresh): Guarantee => ({
  says: `the refresh token of ${email} has its grace`,
  holds: async (wire) => {
    const { reply, sentAt, answeredAt } = await tryRefresh(wire, first.token);
    const isSame = reply['status'] === 200 && reply['refresh_token'] === first.reply['refresh_token'];
    const isRefusal = reply['error'] === 'invalid_grant';
    if (answeredAt < first.sentAt + GRACE_MS) return isSame;
    if (sentAt >= first.answeredAt + GRACE_MS) return isRefusal;
    return isSame || isRefusal;
  },
});

/** An app that was let in. What was used up is looked at for some apps alone: to present it ends all that the app has. */
let apps = 0;
const connectedApps: Writer = async (wire, journal, email) => {
  const user = await signIn(wire, journal, email);
  const session = user['session_token'] as string;
  const asked = { client_id: 'planner', redirect_uri: CALLBACK, response_type: 'code', scopes: OFFLINE };
  const consent = { ...asked, code_challenge: challenge, consent_granted: true };
  const { authorization_code } = data(await wire.call('POST', '/idp/oauth/authorize/submit', consent, session));
  const redeem = {
    grant_type: 'authorization_code',
    client_id: 'planner',
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    code: authorization_code as string,
  };
  const first = await wire.form('/token', redeem);
  if (first['status'] !== 200) throw new UnexpectedAnswer(JSON.stringify(first));
  const second = await refresh(wire, first);
  const spent = (what: string, fields: Readonly<Record<string, string>>): Guarantee => ({
    ...refuses(`${what} of ${email} is used`, 'invalid_grant', (w) => w.form('/token', fields)),
    once: true,
  });
  apps += 1;
  if (apps % 4 === 0) journal.note(spent('the authorization code', redeem));
  else if (apps % 4 === 1) journal.note(grace(email, second));
  else if (apps % 4 === 2) {
    // The successor is used, too: that ends the grace.
    await refresh(wire, second.reply);
    journal.note(spent('the refresh token', refreshForm(second.token)));
  } else {
    const about = (w: Wire) => w.bearer('/userinfo', second.reply['access_token'] as string);
    const says = `the app of ${email} reads`;
    journal.note({ says, holds: async (w) => (await about(w))['sub'] === user['user_id'] });
  }
};

/** A user whom another issuer vouches for, once for each of its tokens. */
const trust: Writer = async (wire, journal, email) => {
  const now = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({ email, jti: email })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setIssuer(PROFILE.issuer)
    .setAudience(PROFILE.audience)
    .setIssuedAt(now)
    .setExpirationTime(now + 3000)
    .sign(issuer.privateKey);
  const attest = (w: Wire) => w.call('POST', '/sessions/attest', { profile_id: PROFILE.profile_id, token });
  const user = data(await attest(wire));
  journal.note(lives(user), refuses(`the token for ${email} is used`, 'invalid_trusted_auth_token', attest));
};

/** As many as write at once. */
export const WRITERS: readonly Writer[] = [sessions, sessions, sessions, links, totps, passkeys, connectedApps, trust];
