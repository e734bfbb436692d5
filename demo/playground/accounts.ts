import type { DemoConfig } from '../parts/config.ts';
import { codeThatComes } from '../parts/dev-inbox.ts';

/** A kind of user to try the widget with, as in the provider's search for an address. */
export interface Account {
  readonly email: string;
  readonly password: string | null;
}
export type AccountKind = 'new' | 'password' | 'passwordless';

/**
 * Creates such a user over the public wire, as a visitor would: by the passcode in the inbox, then with a password. Nothing is stored
 * in this browser, and the session for it is ended.
 */
export async function makeAccount(server: DemoConfig, kind: AccountKind): Promise<Account> {
  const email = `${kind}-${short()}@example.com`;
  if (kind === 'new') return { email, password: null };
  const call = callerOf(server);
  const ask = () => call('/otps/email/login_or_create', { email, expiration_minutes: 5 });
  const { answer, code } = await codeThatComes(server, email, ask);
  const { method_id } = answer;
  const first = await call('/otps/authenticate', { token: code, method_id, session_duration_minutes: 5 });
  const password = kind === 'password' ? `Lantern-${short()}-harbour` : null;
  // Setting a password creates a new session in place of the present one.
  const last = password === null ? first : await call('/passwords/session/reset', { password }, first['session_token']);
  await call('/sessions/revoke', {}, last['session_token']);
  return { email, password };
}

const short = (): string => crypto.randomUUID().slice(0, 8);

type Reply = Readonly<Record<string, string>>;

function callerOf({ provider, publicToken }: DemoConfig) {
  return async (path: string, body: object, session = publicToken): Promise<Reply> => {
    const reply = await fetch(`${provider}/sdk/v1${path}`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa(`${publicToken}:${session}`)}` },
      body: JSON.stringify(body),
    });
    const json = (await reply.json()) as { readonly data?: Reply; readonly error_message?: string };
    if (!reply.ok) throw new Error(json.error_message ?? `The provider answered ${path} with ${reply.status}.`);
    return json.data ?? {};
  };
}
