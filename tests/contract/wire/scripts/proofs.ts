import { secp256k1 } from '@noble/curves/secp256k1.js';
import { cryptoWallets, magicLinks, otps, passwords, totps, users, sessions } from '#application/api/index.ts';
import { ethereumWallet } from '../../flows/wallets.ts';
import { HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { CHALLENGE, signIn, VERIFIER, withTotp } from './people.ts';

const GOOD = 'correct horse battery 7!';
const BETTER = 'staple battery horse 9?';

const signUp = async (wire: Wire, who = 'ada') =>
  textOf(await wire.call(passwords.create, { email: wire.address(who), password: GOOD, ...HOUR }), 'session_token');

/** Verifies an address by a code in the session, which adds it if the user does not have it; answers the session's token. */
async function add(wire: Wire, who: string, session: string): Promise<string> {
  const email = wire.address(who);
  const { method_id } = await wire.call(otps.emailSendSecondary, { email }, { session });
  const token = await wire.world.codeFor(email);
  return textOf(await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session }), 'session_token');
}

/** Adds a wallet, which is the same for every server: its address is in the replies. */
async function addWallet(wire: Wire, seed: number, session: string): Promise<string> {
  const signer = ethereumWallet(secp256k1.keygen(new Uint8Array(48).fill(seed)));
  const { crypto_wallet_type, crypto_wallet_address } = signer;
  const names = { crypto_wallet_type, crypto_wallet_address };
  const { challenge } = await wire.call(cryptoWallets.authenticateStartSecondary, names, { session });
  const signature = signer.sign(String(challenge));
  const added = await wire.call(cryptoWallets.authenticate, { ...names, signature, ...HOUR }, { session });
  return textOf(added, 'session_token');
}

/** The token of the user's reset mail. */
async function resetToken(wire: Wire, fields: object = {}): Promise<string> {
  const email = wire.address('ada');
  await wire.call(passwords.resetByEmailStart, { email, ...fields });
  return wire.world.tokenFor(email, 'reset_password');
}

export const PROOFS: readonly Script[] = [
  {
    title: 'an address that its owner verifies in the user of a stranger is the owner’s alone',
    run: async (wire) => {
      const stranger = await addWallet(wire, 92, await add(wire, 'eve', await signUp(wire)));
      const lured = await signIn(wire, 'eve');
      const owner = await add(wire, 'ada', lured);
      await wire.call(users.me, {}, { session: owner });
      for (const session of [stranger, lured]) await wire.call(sessions.authenticate, {}, { session });
      await wire.call(passwords.authenticate, { email: wire.address('ada'), password: GOOD, ...HOUR });
      await wire.call(otps.emailSendPrimary, { email: wire.address('eve') });
    },
  },
  {
    title: 'the session of the sign-up keeps what it added when the address is verified in it',
    run: async (wire) => {
      const own = await addWallet(wire, 93, await add(wire, 'second', await signUp(wire)));
      const login = await wire.call(passwords.authenticate, { email: wire.address('ada'), password: GOOD, ...HOUR });
      const other = await add(wire, 'third', await addWallet(wire, 94, textOf(login, 'session_token')));
      const made = await wire.call(totps.create, { expiration_minutes: 60 }, { session: own });
      const totp_code = wire.world.totpCodeFor(textOf(made, 'secret'));
      const proven = await wire.call(totps.authenticate, { totp_code, ...HOUR }, { session: own });
      await add(wire, 'ada', textOf(proven, 'session_token'));
      await wire.call(sessions.authenticate, {}, { session: other });
      await wire.call(passwords.authenticate, { email: wire.address('ada'), password: GOOD, ...HOUR });
    },
  },
  {
    title: 'another session of the sign-up keeps nothing',
    run: async (wire) => {
      const first = await addWallet(wire, 95, await signUp(wire));
      const login = await wire.call(passwords.authenticate, { email: wire.address('ada'), password: GOOD, ...HOUR });
      await add(wire, 'ada', await addWallet(wire, 96, textOf(login, 'session_token')));
      await wire.call(sessions.authenticate, {}, { session: first });
      await wire.call(passwords.authenticate, { email: wire.address('ada'), password: GOOD, ...HOUR });
    },
  },
  {
    title: 'a reset keeps the second factor, and goes on without it',
    run: async (wire) => {
      const { session } = await withTotp(wire);
      const token = await resetToken(wire);
      const reset = await wire.call(passwords.resetByEmail, { token, password: BETTER, ...HOUR }, { session });
      await wire.call(totps.recoveryCodes, {}, { session: textOf(reset, 'session_token') });
      const again = await resetToken(wire);
      const anew = await wire.call(passwords.resetByEmail, { token: again, password: GOOD, ...HOUR });
      await wire.call(totps.recoveryCodes, {}, { session: textOf(anew, 'session_token') });
    },
  },
  {
    title: 'the first verification by a reset ends the second factor too',
    run: async (wire) => {
      const session = await signUp(wire);
      const made = await wire.call(totps.create, { expiration_minutes: 60 }, { session });
      const totp_code = wire.world.totpCodeFor(textOf(made, 'secret'));
      const proven = await wire.call(totps.authenticate, { totp_code, ...HOUR }, { session });
      const mine = { session: textOf(proven, 'session_token') };
      const token = await resetToken(wire);
      await wire.call(passwords.resetByEmail, { token, password: BETTER, ...HOUR }, mine);
      await wire.call(sessions.authenticate, {}, mine);
    },
  },
  {
    title: 'the link of a reset logs in without a password, once',
    pkceRequired: true,
    run: async (wire) => {
      const session = await signIn(wire);
      await wire.call(passwords.resetBySession, { password: GOOD }, { session });
      await resetToken(wire);
      const token = await resetToken(wire, { code_challenge: CHALLENGE });
      await wire.call(magicLinks.authenticate, { token, ...HOUR });
      await wire.call(magicLinks.authenticate, { token, code_verifier: VERIFIER, ...HOUR });
      await wire.call(magicLinks.authenticate, { token, code_verifier: VERIFIER, ...HOUR });
      await wire.call(passwords.resetByEmail, { token, code_verifier: VERIFIER, password: BETTER, ...HOUR });
      await wire.call(passwords.authenticate, { email: wire.address('ada'), password: GOOD, ...HOUR });
    },
  },
];
