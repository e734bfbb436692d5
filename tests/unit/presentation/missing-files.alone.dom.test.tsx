import { act, cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { PorticoProvider, SignOutButton, UserButton } from '#composition/react.tsx';
import { loadPart } from '#presentation/parts/load-part.ts';
import { arrived, type PartName } from '#presentation/parts/parts.ts';
import { Widget } from '#presentation/Widget.tsx';
import { MAGIC_LINK, main, NOW, type Fixture } from '../../gallery/fixture.ts';
import { FIXTURES } from '../../gallery/fixtures.ts';
import { stillModel } from '../../gallery/still-model.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const gone = vi.hoisted(() => (): never => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
vi.mock('#presentation/components/QrCode.tsx', gone);
vi.mock('#presentation/parts/passkeys/PasskeySignUp.tsx', gone);
vi.mock('#presentation/parts/passwords/passphrase-words.ts', gone);
vi.mock('#presentation/parts/user-button/UserButton.tsx', gone);
vi.mock('#presentation/messages/fr/account.ts', gone);
const lost = vi.hoisted(() => new Set(['phones', 'mails', 'consent']));
const slow = vi.hoisted(() => ({ isAsked: false, isThere: false, arrive: (): void => undefined }));
vi.mock('#presentation/messages/ja/account.ts', async (original) => {
  slow.isAsked = true;
  await new Promise<void>((resolve) => void (slow.arrive = resolve));
  slow.isThere = true;
  return original();
});
vi.mock('#presentation/parts/load-part.ts', async (original) => {
  const { loadPart: load } = await original<{ loadPart: typeof loadPart }>();
  return { loadPart: async (name: PartName) => (lost.has(name) ? gone() : load(name)) };
});

for (const part of ['login', 'passwords', 'passkeys', 'factors', 'account'] as const) await loadPart(part);

afterEach(cleanup);

const press = (name: string | RegExp) => async () => fireEvent.click(await page.findByRole('button', { name }));

type ScreenCase = Pick<Fixture, 'state' | 'config'>;
function named(id: string): ScreenCase {
  const found = FIXTURES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no fixture ${id}.`);
  return found;
}

const SIGN_UP: ScreenCase = {
  state: main(),
  config: { products: ['passkeys', 'otp'], otpOptions: { methods: ['email'] }, passkeyOptions: { signUp: true } },
};
const nothing = (): Promise<void> => Promise.resolve();
/** The screens whose files are missing, and the press that needs them. */
const PLACES: readonly (readonly [file: string, shown: ScreenCase, act: () => Promise<unknown>])[] = [
  ['the QR code of a login', named('factor-scan'), nothing],
  ['the QR code of the account page', named('account-totp-set-up'), nothing],
  ['the sign-up with a passkey', SIGN_UP, nothing],
  ['the list of passphrases', named('password-new'), press('Suggest a passphrase')],
  ['the list of countries', named('phone'), press(/^Country/u)],
  ['a screen', named('consent'), nothing],
];

it.each(PLACES)('without its file, %s says so and offers a reload', async (_, { state, config }, needs) => {
  // React logs the error of a screen.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  render(<Widget model={stillModel(state, NOW)} config={config} />);
  await needs();
  await page.findByText('Part of this page did not load.');
  fireEvent.click(page.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledOnce();
});

it('without its file, the text for a wrong number says so at the press that sends it', async () => {
  const { state, config } = named('phone-invalid');
  render(<Widget model={{ ...stillModel(state, NOW), send: () => undefined }} config={config} />);
  expect(page.queryByText('Part of this page did not load.')).toBeNull();
  await press('Continue with text')();
  await page.findByText('Part of this page did not load.');
});

it.each([
  ['the sentence after the browser’s dialog for a passkey', named('passkey-link-unused')],
  ['the button that creates an account with a passkey', SIGN_UP],
] as const)('without the file of passkeys, %s is said to be missing', async (_, { state, config }) => {
  const { passkeys } = arrived;
  delete arrived.passkeys;
  lost.add('passkeys');
  try {
    render(<Widget model={stillModel(state, NOW)} config={config} />);
    await page.findByText('Part of this page did not load.');
    page.getByRole('button', { name: 'Reload' });
  } finally {
    lost.delete('passkeys');
    if (passkeys) arrived.passkeys = passkeys;
  }
});

it('without the file of passkeys, a page that needs nothing of it says nothing', async () => {
  const { passkeys } = arrived;
  delete arrived.passkeys;
  lost.add('passkeys');
  const { state, config } = named('passkey-link');
  render(<Widget model={stillModel(state, NOW)} config={config} />);
  await press('Use a passkey')();
  expect(page.queryByText('Part of this page did not load.')).toBeNull();
  lost.delete('passkeys');
  if (passkeys) arrived.passkeys = passkeys;
});

it('without the file of the mail services, their links are there', async () => {
  const state: WidgetState = { ...main(), screen: { name: 'EmailConfirmation', email: 'ada@gmail.com' } };
  render(<Widget model={stillModel(state, NOW)} config={MAGIC_LINK} />);
  await page.findByText('Open in Gmail');
  const links = page.getAllByRole('link', { name: /^Open in / });
  expect(links.map(({ textContent }) => textContent)).toEqual(['Open in Gmail', 'Open in Yahoo', 'Open in Outlook']);
});

it('without its file, the button of the user says so and offers a reload', async () => {
  const world = new TestWorld();
  const client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
  await world.signIn(client, 'ada@example.com');
  render(
    <PorticoProvider client={client}>
      <UserButton />
    </PorticoProvider>,
  );
  await page.findByText('Part of this page did not load.');
  page.getByRole('button', { name: 'Reload' });
  await act(async () => client.destroy());
});

it('a button that signs out is in English without the file of its language, and in the language that was chosen last', async () => {
  const world = new TestWorld();
  const client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
  await world.signIn(client, 'ada@example.com');
  const under = (language: string) => (
    <PorticoProvider client={client}>
      <SignOutButton language={language} />
    </PorticoProvider>
  );
  const button = async (name: string) => page.findByRole('button', { name });
  const view = render(under('fr'));
  expect((await button('Sign out')).lang).toBe('en');
  view.rerender(under('ja'));
  await vi.waitFor(() => expect(slow.isAsked).toBe(true));
  view.rerender(under('de'));
  await button('Abmelden');
  await act(async () => {
    slow.arrive();
    await vi.waitFor(() => expect(slow.isThere).toBe(true));
    await new Promise((resolve) => void setTimeout(resolve, 20));
  });
  expect((await button('Abmelden')).lang).toBe('de');
  view.unmount();
  client.destroy();
});
