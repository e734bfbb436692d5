import { lockOut, unlock } from '#provider/operation/operators/users/actions.ts';
import { VERIFIER, CHALLENGE } from '../../kit/oauth-harness.ts';
import { SoftwareWallet } from '../../kit/software-wallet.ts';
import { BY } from '../../kit/operators-browser.ts';
import { fromBackend, type Stage } from './people.ts';

const PASSWORD = 'correct horse battery staple';

/** The events after which a flow may be over, in the order of the threat model's page. */
export const ENDINGS = [
  'use',
  'expiry',
  'sign-out',
  'sign-out everywhere else',
  'removal of the way in',
  'removal of another way in',
  'addition of a way in',
  'new password',
  'reset by email',
  'lock',
  'deletion of the user',
] as const;
export type FlowEnding = (typeof ENDINGS)[number];

/** Endings that are over at once for everything that was begun. Expiry has a time of its own for each flow. */
export const PLAYED_TOGETHER = ENDINGS.filter((ending) => ending !== 'use' && ending !== 'expiry');

/** Lets an ending happen; `use` is the business of the flow. */
export async function bringAbout(ending: Exclude<FlowEnding, 'use'>, stage: Stage, lifetimeMs: number): Promise<void> {
  const { provider, user_id } = stage;
  const own = { session: stage.own };
  const must = (reply: { readonly status: number; readonly body: unknown }): void => {
    if (reply.status !== 200) throw new Error(`${ending}: ${JSON.stringify(reply.body)}`);
  };
  switch (ending) {
    case 'expiry': {
      provider.clock.time += lifetimeMs + 1000;
      return;
    }
    case 'sign-out': {
      // The session in which the flow was begun.
      const session = await stage.session('the user');
      must(await provider.post('/sessions/revoke', {}, { session: session ?? '' }));
      return;
    }
    case 'sign-out everywhere else': {
      must(await provider.post('/users/sessions/revoke_others', {}, own));
      return;
    }
    case 'removal of the way in': {
      must(await provider.call('DELETE', `/users/emails/${stage.second.email_id}`, undefined, own));
      return;
    }
    case 'removal of another way in': {
      // The session in which the flow was begun goes on.
      must(await provider.call('DELETE', `/users/emails/${stage.third.email_id}`, undefined, own));
      return;
    }
    case 'addition of a way in': {
      // In another session than the one in which the flow was begun.
      const wallet = new SoftwareWallet();
      const names = { crypto_wallet_type: wallet.type, crypto_wallet_address: wallet.address };
      const start = await stage.ownStep('/crypto_wallets/authenticate/start/secondary', names);
      const signature = wallet.sign(String(start.data['challenge']));
      must(await stage.ownStep('/crypto_wallets/authenticate', { ...names, signature, session_duration_minutes: 60 }));
      return;
    }
    case 'new password': {
      must(await provider.post('/passwords/session/reset', { password: PASSWORD }, own));
      return;
    }
    case 'reset by email': {
      must(await provider.post('/passwords/email/reset/start', { email: stage.email, code_challenge: CHALLENGE }));
      const link = (await stage.newest(stage.email))?.link ?? 'http://none';
      const token = new URL(link).searchParams.get('token');
      const body = { token, password: PASSWORD, code_verifier: VERIFIER, session_duration_minutes: 60 };
      must(await provider.post('/passwords/email/reset', body));
      return;
    }
    case 'lock': {
      // Whoever is let in again must not find what was begun before.
      await lockOut(provider.services, user_id, BY);
      await unlock(provider.services, user_id, BY);
      return;
    }
    case 'deletion of the user':
      must(await fromBackend(provider, 'DELETE', `/users/${user_id}`, {}));
  }
}

/** Whether the session in which everything was begun is over afterwards, or may be. */
export const endsTheSession = (ending: FlowEnding): boolean =>
  ending !== 'removal of another way in' && ending !== 'addition of a way in';

/** Whether there is nobody left who could sign in again afterwards. */
export const leavesNobody = (ending: FlowEnding): boolean => ending === 'deletion of the user';
