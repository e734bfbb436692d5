import { afterEach, beforeAll, expect, it } from 'vitest';
import { magicLinks, otps, passwords } from '#application/api/index.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { ALONE, GOOD, WITH_CODE, WITH_LINK, worldWith } from '../../application/passwords/open-passwords.ts';
import { TestWorld } from '../../application/world.ts';
import { ADA, AT, closePages, field, loadParts, login, Page } from './page.ts';
import { oneOf } from '../../../soak.ts';

beforeAll(loadParts);
afterEach(closePages);

type UserKind = 'new' | 'password' | 'passwordless';
const TITLES: Readonly<Record<UserKind, string>> = {
  new: 'Finish creating your account by setting a password.',
  password: 'Log In',
  passwordless: 'Check your email',
};

/** The address is entered. */
const known = async (who: UserKind, config: LoginConfig): Promise<Page> => {
  const page = await login(config, { world: who === 'new' ? new TestWorld() : await worldWith(who) });
  await page.fill('email', ADA);
  await page.press('Continue with email');
  await page.shows(who === 'passwordless' && config === WITH_CODE ? 'Enter passcode' : TITLES[who]);
  return page;
};

const on =
  (who: UserKind, config: LoginConfig = WITH_LINK) =>
  (): Promise<Page> =>
    known(who, config);
const typed =
  (who: UserKind, password = GOOD) =>
  async (): Promise<Page> => {
    const page = await known(who, ALONE);
    await page.fill('password', password);
    return page;
  };
const forgotten =
  (config: LoginConfig = WITH_LINK) =>
  async (): Promise<Page> => {
    const page = await known('password', config);
    await page.press('Forgot Password?');
    await page.shows('Forgot password?');
    return page;
  };
const instead = async (): Promise<Page> => {
  const page = await known('passwordless', WITH_LINK);
  await page.press('Create a password instead');
  await page.shows('Check your email!');
  return page;
};

/** The page that a reset mail leads to. */
const reset = async (): Promise<Page> => {
  const world = await worldWith('password');
  const { client } = world.open();
  await client.passwords.resetByEmailStart({ email: ADA });
  client.destroy();
  const page = new Page({ world, href: 'http://localhost:3000/reset' });
  const passwordResetToken = world.server.tokenFor(ADA, 'reset_password') ?? '';
  page.client.mountResetPassword({ ...AT, config: ALONE, passwordResetToken, callbacks: page.callbacks });
  await page.shows('Reset your password');
  await page.fill('password', GOOD);
  return page;
};

const again = passwords.resetByEmailStart.name;
const link = magicLinks.loginOrCreate.name;
const code = otps.emailLoginOrCreate.name;

/** What is pressed on which screen, a button's name or null for Enter in the field, and the one call that it makes. */
const ROWS: readonly (readonly [what: string, open: () => Promise<Page>, press: string | null, asks: string])[] = [
  ['to create one', typed('new'), 'Continue', passwords.create.name],
  ['to create one, in its field', typed('new'), null, passwords.create.name],
  ['to log in', typed('password'), 'Continue', passwords.authenticate.name],
  ['to log in, in its field', typed('password'), null, passwords.authenticate.name],
  ['to log in wrongly', typed('password', 'Wrong horse 9'), 'Continue', passwords.authenticate.name],
  ['for a link in its place, when new', on('new'), 'Email me a login link', link],
  ['for a code in its place, when new', on('new', WITH_CODE), 'Email me a login code', code],
  ['for a link in its place', on('password'), 'Email me a login link', link],
  ['for a code in its place', on('password', WITH_CODE), 'Email me a login code', code],
  ['when it is forgotten', on('password'), 'Forgot Password?', again],
  ['for another mail, when it is forgotten', forgotten(), 'Resend email', again],
  ['to do without, when it is forgotten', forgotten(), 'Login without a password', link],
  ['to do without by a code', forgotten(WITH_CODE), 'Login without a password', code],
  ['for one in place of a link', on('passwordless'), 'Create a password instead', again],
  ['for one in place of a code', on('passwordless', WITH_CODE), 'Create a password instead', again],
  ['for another link', on('passwordless'), 'Resend email', link],
  ['for another code', on('passwordless', WITH_CODE), 'Resend code', code],
  ['for another mail to set one', instead, 'Resend email', again],
  ['to set a new one', reset, 'Continue', passwords.resetByEmail.name],
  ['to set a new one, in its field', reset, null, passwords.resetByEmail.name],
];

it.each(oneOf(2, ROWS))('ten presses about a password ask once %s', async (_, open, press, asks) => {
  const page = await open();
  const held = page.world.transport.hold();
  expect(await page.tenTimes(() => (press === null ? field('password') : page.button(press)))).toEqual([asks]);
  held.release();
  await page.settle();
  expect(page.asked().filter((name) => name === asks)).toHaveLength(1);
});

it('a login that needs a reset asks for one email', async () => {
  const world = await worldWith('password');
  world.server.settings.breachedPasswords = [GOOD];
  const page = await login(WITH_LINK, { world });
  await page.fill('email', ADA);
  await page.press('Continue with email');
  await page.fill('password', GOOD);
  await page.tenTimes(() => page.button('Continue'));
  expect(page.asked()).toEqual([passwords.authenticate.name, again]);
});
