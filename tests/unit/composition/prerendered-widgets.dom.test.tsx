import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PorticoUIClient } from '#composition/ui-client.ts';
import {
  renderAccount,
  renderIdentityProvider,
  renderPasskeyRegistration,
  renderPasswordReset,
  type PasswordResetPrerenderOptions,
} from '#composition/prerender.tsx';
import { isFocusLeft } from '#presentation/hooks/left-focus.ts';
import { loadAccountTexts } from '#presentation/messages/account-texts.ts';
import { loadLocale } from '#presentation/messages/language.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { loadPresets } from '#presentation/theme/apply-theme.ts';
import { TestWorld, TOKEN } from '../application/world.ts';
import { soakIt } from '../../soak-tests.ts';

const ADA = 'ada@example.com';
const clients: PorticoUIClient[] = [];
let complaints: unknown[];

await Promise.all([
  ...(['login', 'passwords', 'passkeys', 'consent', 'account'] as const).map(loadPart),
  ...(['de', 'ar'] as const).flatMap((language) => [loadLocale(language), loadAccountTexts(language)]),
  new Promise<void>(loadPresets),
]);

beforeEach(async () => {
  // A widget that is removed with the focus inside passes it on for a second, to any widget of this document.
  await vi.waitFor(() => expect(isFocusLeft()).toBe(false));
  // This document has no current event, by which React renders what a click changes before anything else.
  vi.stubGlobal('event', new Event('click'));
  complaints = [];
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words) => {
      // React 18 says so of markup that is rendered in a page. A server has no window, and no such effect (`before-paint.ts`).
      if (!String(words[0]).startsWith('Warning: useLayoutEffect does nothing on the server')) complaints.push(words);
    });
  }
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  for (const client of clients.splice(0)) client.destroy();
});

function open(world = new TestWorld()) {
  const client = new PorticoUIClient(TOKEN, { adapters: world.tab('http://localhost:3000/'), telemetry: false });
  clients.push(client);
  return { client, place: document.body.appendChild(document.createElement('div')) };
}

/** A page at the link of a reset mail. */
async function arrive() {
  const world = new TestWorld();
  const first = world.open();
  await first.client.passwords.create({ email: ADA, password: 'Correct horse 1', session_duration_minutes: 30 });
  await first.client.session.revoke();
  await first.client.passwords.resetByEmailStart({ email: ADA });
  first.client.destroy();
  const token = new URL(world.server.inbox[0]?.links?.reset_password ?? '').searchParams.get('token') ?? '';
  return { ...open(world), token };
}

type Options = Pick<PasswordResetPrerenderOptions, 'config' | 'styles' | 'tokenType'> & { readonly language?: string };
interface Kind {
  readonly name: string;
  readonly render: (options: PasswordResetPrerenderOptions) => Promise<string>;
  readonly mount: (client: PorticoUIClient, place: Element, options: Options, token?: string) => void;
}
const KINDS: readonly Kind[] = [
  {
    name: 'reset page',
    render: renderPasswordReset,
    mount: (client, elementId, options, passwordResetToken = 'unknown') =>
      void client.mountResetPassword({ elementId, passwordResetToken, ...options }),
  },
  {
    name: 'page for passkeys',
    render: renderPasskeyRegistration,
    mount: (client, elementId, options) => void client.mountPasskeyRegistration({ elementId, ...options }),
  },
  {
    name: 'consent page',
    render: renderIdentityProvider,
    mount: (client, elementId, options) => void client.mountIdentityProvider({ elementId, ...options }),
  },
  {
    name: 'account page',
    render: renderAccount,
    mount: (client, elementId, options) => void client.mountAccount({ elementId, ...options }),
  },
];

/** The elements as a text. Ids differ by their prefix; `data-dir` comes in an effect, before the paint. */
function drawn(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? '';
  const attributes = [...node.attributes]
    // React 18 writes the attribute of an empty text, which is as none.
    .filter(({ name, value }) => name !== 'data-dir' && !(name === 'value' && value === ''))
    .map(
      ({ name, value }) => `${name.toLowerCase()}=${value.replace(/\S+?(?=-(?:new-password|strength|error)\b)/gu, '')}`,
    );
  return `<${node.localName} ${attributes.sort().join(' ')}>${[...node.childNodes].map(drawn).join('')}</>`;
}

const LOOKS: readonly (readonly [string, Options])[] = [
  ['by default', {}],
  ['in German', { language: 'de' }],
  ['from right to left', { language: 'ar' }],
  ['with a preset', { styles: { preset: 'soft' } }],
  ['in a shadow root', { config: { enableShadowDOM: true } }],
];

describe.each(KINDS)('The prerendered $name', ({ render, mount }) => {
  it.each(LOOKS)('is what the browser draws first: %s', async (_, { language: locale, ...options }) => {
    const html = await render({ ...options, locale });
    const { client, place } = open();
    act(() => mount(client, place, { ...options, ...(locale !== undefined && { language: locale }) }));
    const outer = place.firstElementChild;
    const widget = (outer?.shadowRoot ?? outer)?.querySelector('[data-portico]');
    const page = document.createElement('template');
    page.innerHTML = html.replace(/<template[^>]*>|<\/template>/gu, '');
    const markup = page.content.querySelector('[data-portico]');
    expect(widget && drawn(widget)).toBe(markup && drawn(markup));
  });

  soakIt('is taken over by the mount call: the same elements, without a complaint of React', async () => {
    const { client, place, token } = await arrive();
    place.innerHTML = await render({});
    const card = place.querySelector('[data-part=container]');
    mount(client, place, {}, token);
    await vi.waitFor(() => expect(place.querySelector('[data-portico-rendered], [data-portico-helper]')).toBeNull());
    expect(place.querySelector('[data-part=container]')).toBe(card);
    expect(complaints).toEqual([]);
  });

  it('is rendered again where another widget is mounted', async () => {
    const { client, place } = open();
    place.innerHTML = await render({});
    const card = place.querySelector('[data-part=container]');
    client.mountLogin({ elementId: place, config: {} });
    await vi.waitFor(() => expect(place.querySelector('[data-portico-rendered]')).toBeNull());
    await vi.waitFor(() => expect(place.querySelector('h1')?.textContent).toBe('Sign up or log in'));
    expect(card?.isConnected).toBe(false);
    expect(place.querySelector('[data-portico-widget]')).toBeNull();
  });
});

describe('The prerendered reset page', () => {
  it('keeps a password that was typed before the script, in its element', async () => {
    const { client, place, token } = await arrive();
    place.innerHTML = await renderPasswordReset({});
    const field = place.querySelector('input') as HTMLInputElement;
    field.value = 'Tall giraffes 77 sing';
    client.mountResetPassword({ elementId: place, passwordResetToken: token });
    await vi.waitFor(() => expect(place.querySelector('[data-portico-rendered]')).toBeNull());
    expect(place.querySelector('input[type=password]')).toBe(field);
    expect(field.value).toBe('Tall giraffes 77 sing');
    expect(complaints).toEqual([]);
  });

  it('is rendered again, without a warning, for a link that logs in', async () => {
    const { client, place } = open();
    place.innerHTML = await renderPasswordReset({ tokenType: 'login' });
    client.mountResetPassword({ elementId: place, passwordResetToken: 'unknown' });
    await vi.waitFor(() => expect(place.querySelector('form')).not.toBeNull());
    expect(complaints).toEqual([]);
  });
});
