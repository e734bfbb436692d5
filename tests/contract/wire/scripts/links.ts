import { magicLinks, passwords, users } from '#application/api/index.ts';
import { HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { CHALLENGE, EVIL, MINUTE_MS, OTHER_VERIFIER, signIn, VERIFIER } from './people.ts';

async function open(wire: Wire, email: string, extras: object = {}, session?: string) {
  const token = await wire.world.tokenFor(email);
  return wire.call(magicLinks.authenticate, { token, ...HOUR, ...extras }, { session });
}

export const MAGIC_LINKS: readonly Script[] = [
  {
    title: 'links sign up, log in and are good once',
    run: async (wire) => {
      const email = wire.address('ada');
      await wire.call(magicLinks.loginOrCreate, { email });
      await wire.call(users.search, { email });
      await open(wire, email);
      await open(wire, email);
      await wire.call(magicLinks.sendPrimary, { email, login_magic_link_url: 'http://localhost:3000/?a=b' });
      const session = textOf(await open(wire, email), 'session_token');
      await wire.call(users.me, null, { session });
      const other = wire.address('other');
      await wire.call(magicLinks.loginOrCreate, { email: other, create_user_as_pending: false });
      await wire.call(users.search, { email: other });
    },
  },
  {
    title: 'the first proof of an address ends what was on its way, later ones do not',
    run: async (wire) => {
      const email = wire.address('ada');
      const ask = async () => {
        await wire.call(magicLinks.loginOrCreate, { email });
        return wire.world.tokenFor(email);
      };
      const [first, second] = [await ask(), await ask()];
      await wire.call(magicLinks.authenticate, { token: second, ...HOUR });
      await wire.call(magicLinks.authenticate, { token: first, ...HOUR });
      const [third, fourth] = [await ask(), await ask()];
      await wire.call(magicLinks.authenticate, { token: fourth, ...HOUR });
      await wire.call(magicLinks.authenticate, { token: third, ...HOUR });
    },
  },
  {
    title: 'links with a proof key open with its verifier alone',
    run: async (wire) => {
      const email = wire.address('ada');
      await wire.call(magicLinks.loginOrCreate, { email, code_challenge: 'short' });
      await wire.call(magicLinks.loginOrCreate, { email, code_challenge: CHALLENGE });
      await open(wire, email);
      await open(wire, email, { code_verifier: 'short' });
      await open(wire, email, { code_verifier: OTHER_VERIFIER });
      await open(wire, email, { code_verifier: VERIFIER });
      await wire.call(magicLinks.loginOrCreate, { email });
      await open(wire, email, { code_verifier: VERIFIER });
    },
  },
  {
    title: 'projects can require proof keys',
    pkceRequired: true,
    run: async (wire) => {
      const email = wire.address('ada');
      await wire.call(magicLinks.loginOrCreate, { email });
      await wire.call(passwords.resetByEmailStart, { email });
      await wire.call(magicLinks.loginOrCreate, { email, code_challenge: CHALLENGE });
      await open(wire, email, { code_verifier: VERIFIER });
    },
  },
  {
    title: 'links lead to registered pages, in time, and know their purpose',
    run: async (wire) => {
      const email = wire.address('ada');
      await wire.call(magicLinks.loginOrCreate, { email, login_magic_link_url: EVIL });
      await wire.call(magicLinks.loginOrCreate, { email, signup_magic_link_url: EVIL });
      await wire.call(magicLinks.loginOrCreate, { email, login_magic_link_url: 'not a URL' });
      await wire.call(magicLinks.loginOrCreate, { email, login_expiration_minutes: 4 });
      await wire.call(magicLinks.loginOrCreate, { email, signup_expiration_minutes: 10_081 });
      await wire.call(magicLinks.loginOrCreate, { email: 'ada' });
      await wire.call(magicLinks.sendPrimary, { email });
      await wire.call(magicLinks.authenticate, { token: 'unknown', ...HOUR });
      await wire.call(magicLinks.loginOrCreate, { email, signup_expiration_minutes: 5 });
      const token = await wire.world.tokenFor(email);
      await wire.call(magicLinks.authenticate, { token, session_duration_minutes: 0 });
      await wire.call(passwords.resetByEmail, { token, password: 'correct horse battery 7!', ...HOUR });
      wire.world.passTime(5 * MINUTE_MS);
      await wire.call(magicLinks.authenticate, { token, ...HOUR });
    },
  },
  {
    title: 'links add an address in a session of the user who asked',
    run: async (wire) => {
      const [session, eve] = [await signIn(wire), await signIn(wire, 'eve')];
      const email = wire.address('second');
      await wire.call(magicLinks.sendSecondary, { email });
      await wire.call(magicLinks.sendSecondary, { email: wire.address('eve') }, { session });
      await wire.call(magicLinks.sendSecondary, { email }, { session });
      await open(wire, email);
      await open(wire, email, {}, eve);
      await open(wire, email, {}, session);
    },
  },
];
