import { SoftwareWallet } from '../../kit/software-wallet.ts';
import { SoftwareAuthenticator } from '../../kit/webauthn-authenticator.ts';
import type { ProviderResponse, Fields } from '../../kit/harness.ts';
import { codeOf } from '../attacker.ts';
import { refused, isDone, type FlowStarter } from './flow.ts';
import { isServer, LONG, type Call } from './people.ts';

/** Passkeys, wallets, authenticator apps and passwords. */

const DOMAIN = { domain: 'localhost', return_passkey_credential_options: true };
const optionsOf = (reply: ProviderResponse, kind: 'creation' | 'request'): Fields =>
  JSON.parse(String(reply.data[`public_key_credential_${kind}_options`])) as Fields;

export const passkeyRegistration: FlowStarter = async (stage, call) => {
  const named = isServer(call) ? { user_id: stage.user_id } : {};
  const reply = await call('/webauthn/register/start', { ...DOMAIN, ...named });
  if (!isDone(reply)) return refused(reply);
  const public_key_credential = new SoftwareAuthenticator().create(optionsOf(reply, 'creation'));
  return {
    reply,
    finish: (by) =>
      by('/webauthn/register', { public_key_credential, ...(isServer(by) ? { user_id: stage.user_id } : {}) }),
  };
};

/** The user has a passkey, which was made in the session of the first address. */
export const passkeyLogin: FlowStarter = async (stage, call) => {
  const key = new SoftwareAuthenticator();
  const started = await stage.ownStep('/webauthn/register/start', DOMAIN);
  const made = key.create(optionsOf(started, 'creation'));
  await stage.ownStep('/webauthn/register', { public_key_credential: made });
  const path = isServer(call) ? '/webauthn/authenticate/start' : '/webauthn/authenticate/start/primary';
  const reply = await call(path, DOMAIN);
  if (!isDone(reply)) return refused(reply);
  const public_key_credential = key.get(optionsOf(reply, 'request'));
  return { reply, finish: (by) => by('/webauthn/authenticate', { public_key_credential, ...LONG }) };
};

const walletPath = (call: Call, step: 'primary' | 'secondary'): string =>
  isServer(call) ? '/crypto_wallets/authenticate/start' : `/crypto_wallets/authenticate/start/${step}`;

export const walletAddition: FlowStarter = async (stage, call) => {
  const wallet = new SoftwareWallet();
  const names = { crypto_wallet_type: wallet.type, crypto_wallet_address: wallet.address };
  const named = isServer(call) ? { user_id: stage.user_id } : {};
  const reply = await call(walletPath(call, 'secondary'), { ...names, ...named });
  if (!isDone(reply)) return refused(reply);
  const signature = wallet.sign(String(reply.data['challenge']));
  return { reply, finish: (by) => by('/crypto_wallets/authenticate', { ...names, signature, ...LONG }) };
};

/** The user has a wallet. */
export const walletLogin: FlowStarter = async (stage, call) => {
  const wallet = new SoftwareWallet();
  const names = { crypto_wallet_type: wallet.type, crypto_wallet_address: wallet.address };
  const start = await stage.ownStep('/crypto_wallets/authenticate/start/secondary', names);
  const signed = wallet.sign(String(start.data['challenge']));
  await stage.ownStep('/crypto_wallets/authenticate', { ...names, signature: signed, ...LONG });
  const reply = await call(walletPath(call, 'primary'), names);
  if (!isDone(reply)) return refused(reply);
  const signature = wallet.sign(String(reply.data['challenge']));
  return { reply, finish: (by) => by('/crypto_wallets/authenticate', { ...names, signature, ...LONG }) };
};

export const authenticatorEnrolment: FlowStarter = async (stage, call) => {
  const named = (by: Call) => (isServer(by) ? { user_id: stage.user_id } : {});
  const reply = await call('/totps', { expiration_minutes: 60, ...named(call) });
  if (!isDone(reply)) return refused(reply);
  const secret = String(reply.data['secret']);
  return {
    reply,
    finish: (by) => by('/totps/authenticate', { totp_code: codeOf(stage.provider, secret), ...LONG, ...named(by) }),
  };
};
