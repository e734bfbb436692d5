import { expect } from 'vitest';
import { BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { basic, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import {
  consent,
  exchange,
  isAlive,
  passkey,
  phone,
  redeemCode,
  refresh,
  secondAddress,
  uniqueEmail,
  wallet,
  type WayIn,
} from './attacker.ts';
import { tokenOf } from './session-steps.ts';

/** An owner, and a stranger who can log in to the same account by a way in that the owner finds and removes. */

/** A way in, the list of the user that shows it, and the call that removes it. */
export interface Removable {
  readonly way: (provider: Provider) => WayIn;
  readonly list: string;
  readonly key: string;
  readonly path: string;
}

export const REMOVABLE: Readonly<Record<string, Removable>> = {
  'a wallet': { way: wallet, list: 'crypto_wallets', key: 'crypto_wallet_id', path: 'crypto_wallets' },
  'a passkey': {
    way: passkey,
    list: 'webauthn_registrations',
    key: 'webauthn_registration_id',
    path: 'webauthn_registrations',
  },
  'a number': { way: phone, list: 'phone_numbers', key: 'phone_id', path: 'phone_numbers' },
  'a mailbox': { way: secondAddress, list: 'emails', key: 'email_id', path: 'emails' },
};

/** What owner and stranger do at this provider. */
export function intrusionsOf(target: () => Provider) {
  /** The target(), and the last session that a call through it started or joined. */
  function watched() {
    const seen: { last: Fields } = { last: {} };
    const post: Provider['post'] = async (path, body, extras) => {
      const reply = await target().post(path, body, extras);
      if (reply.data['session_token'] !== undefined) seen.last = reply.data;
      return reply;
    };
    return { through: { ...target(), post }, seen };
  }

  const me = async (session: string): Promise<Fields> =>
    (await target().call('GET', '/users/me', undefined, { session })).data;
  const remove = (session: string, path: string, id: unknown): Promise<ProviderResponse> =>
    target().call('DELETE', `/users/${path}/${String(id)}`, undefined, { session });

  async function fromBackend(method: string, path: string): Promise<ProviderResponse['status']> {
    const authorization = basic(target().services.project.project_id, DEV_SECRET);
    const reply = await target().app.request(`${BACKEND_PREFIX}${path}`, { method, headers: { authorization } });
    return reply.status;
  }

  /** An owner, a way in that a stranger has as well, and the stranger's session. */
  async function intruded({ way, list, key }: Removable) {
    const email = uniqueEmail('owner');
    const first = tokenOf(await target().signIn(email));
    const idsIn = async (session: string): Promise<readonly string[]> =>
      ((await me(session))[list] as Fields[]).map((each) => String(each[key]));
    const before = await idsIn(first);
    const { through, seen } = watched();
    const entry = way(through);
    expect((await (await entry.begin(first))()).status).toBe(200);
    const added = tokenOf(seen.last);
    expect(await entry.enter()).not.toBe(null);
    const thief = { ...seen.last };
    const owner = tokenOf(await target().signIn(email));
    // Times are equal while the clock stands still, so the place in the list says nothing.
    const id = (await idsIn(owner)).find((each) => !before.includes(each)) ?? 'none';
    return { email, added, owner, thief, id, entry };
  }

  /** An app that the stranger lets in, with everything it may have. */
  async function appOf(session: string) {
    const tokens = await redeemCode(target(), (await consent(target(), session)).data['authorization_code']);
    const made = await exchange(target(), tokens['access_token']);
    expect(made.status).toBe(200);
    return { tokens, made: tokenOf(made.data) };
  }

  async function isAppOut({ tokens, made }: Awaited<ReturnType<typeof appOf>>): Promise<boolean> {
    const refreshed = await refresh(target(), tokens['refresh_token']);
    const again = await exchange(target(), tokens['access_token']);
    return refreshed['error'] === 'invalid_grant' && again.status === 401 && !(await isAlive(target(), made));
  }

  return { me, remove, fromBackend, intruded, appOf, isAppOut };
}
