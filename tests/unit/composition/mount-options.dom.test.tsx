import { act, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { idp, sessions } from '#application/api/index.ts';
import type { WidgetHandle } from '#composition/mount.tsx';
import { Login, PorticoProvider } from '#composition/react.tsx';
import { ConfigError, type LoginConfig } from '#domain/widget/widget-config.ts';
import { consentWorld, PROFILE, REQUEST } from '../application/consent/open-consent.ts';
import { closeWidgets, open, shown, shows } from './mounted-login.ts';

afterEach(closeWidgets);

describe('a login', () => {
  it('without a config shows email magic links', async () => {
    const { client } = open();
    act(() => void client.mountLogin({ elementId: '#login' }));
    await shows('Sign up or log in');
    expect(document.querySelectorAll('#login input[type=email]')).toHaveLength(1);
  });

  it('as a component needs no config either', async () => {
    const { client } = open();
    render(
      <PorticoProvider client={client}>
        <Login />
      </PorticoProvider>,
    );
    await shows('Sign up or log in');
  });

  it.each<[string, LoginConfig, string]>([
    ['by email', { products: ['otp'] }, 'email'],
    ['by email, with options', { products: ['otp'], otpOptions: { expirationMinutes: 5 } }, 'email'],
    ['by email, with null for options', { products: ['otp'], otpOptions: null as never }, 'email'],
  ])('with passcodes of no named method sends them %s', async (_, config, type) => {
    const { client } = open();
    act(() => void client.mountLogin({ elementId: '#login', config }));
    await shows('Sign up or log in');
    expect(document.querySelectorAll(`#login input[type=${type}]`)).toHaveLength(1);
  });

  it('with email magic links beside passcodes of no named method sends those by text', async () => {
    const { client } = open();
    act(() => void client.mountLogin({ elementId: '#login', config: { products: ['emailMagicLinks', 'otp'] } }));
    await shows('Text');
  });

  it.each([
    ['login', 'config must be an object'],
    [{ products: 'otp' }, 'config.products must be an array of strings'],
    [{ otpOptions: [] }, 'config.otpOptions must be an object'],
    [{ products: ['otp'], otpOptions: { methods: 'sms' } }, 'config.otpOptions.methods must be an array of strings'],
    [{ oauthOptions: { providers: [], layout: 3 } }, 'config.oauthOptions.layout must be a string'],
    [{ oauthOptions: { providers: [null] } }, 'config.oauthOptions.providers must be an array of objects'],
    [
      { sessionOptions: { sessionDurationMinutes: '5' } },
      'config.sessionOptions.sessionDurationMinutes must be a number',
    ],
    [{ otpOptions: { expirationMinutes: '5' } }, 'config.otpOptions.expirationMinutes must be a number'],
    [
      { emailMagicLinksOptions: { signupExpirationMinutes: '5' } },
      'config.emailMagicLinksOptions.signupExpirationMinutes must be a number',
    ],
    [
      { passwordOptions: { resetPasswordExpirationMinutes: '5' } },
      'config.passwordOptions.resetPasswordExpirationMinutes must be a number',
    ],
  ])('with %j as its config is refused by name', (config, message) => {
    const { client } = open();
    const mounts = [
      () => client.mountLogin({ elementId: '#login', config: config as never }),
      () => client.mountResetPassword({ elementId: '#login', config: config as never, passwordResetToken: 't' }),
    ];
    for (const mount of mounts) expect(mount).toThrow(new ConfigError(message));
    expect(shown()).toBe('');
  });

  it.each([[{}], [5], ['#nowhere'], ['##'], [document], [document.createTextNode('')]])(
    'for %j as its elementId is refused',
    (elementId) => {
      const { client } = open();
      expect(() => client.mountLogin({ elementId: elementId as never })).toThrow(
        'Cannot mount the widget: no element matches elementId: ',
      );
    },
  );

  it('warns once of each product and delivery method that does not exist', async () => {
    const { client, tab } = open();
    const products = ['otp', 'otps', 'constructor'] as never;
    const config: LoginConfig = { products, otpOptions: { methods: ['email', 'mail' as never] } };
    act(() => void client.mountLogin({ elementId: '#login', config }));
    const warnings = () => tab.log.messages('warn').filter((text) => text.startsWith('There is no '));
    await vi.waitFor(() => expect(warnings()).toHaveLength(3));
    const known = 'there are emailMagicLinks, oauth, otp, crypto, passwords, passkeys';
    expect(warnings()).toEqual([
      `There is no product "otps"; ${known}.`,
      `There is no product "constructor"; ${known}.`,
      'There is no delivery method "mail"; there are sms, whatsapp, email.',
    ]);
  });
});

describe('the place of a widget', () => {
  it('may be an element, or a shadow root', async () => {
    const { client } = open();
    const element = document.querySelector('#login') as Element;
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    for (const elementId of [element, root]) {
      act(() => void client.mountLogin({ elementId }));
      act(() => void client.mountLogin({ elementId }));
      await vi.waitFor(() => expect(elementId.querySelectorAll('input[type=email]')).toHaveLength(1));
    }
  });

  it.each([
    ['is in no document yet', (element: Element) => element],
    ['is in a fragment', (element: Element) => (document.createDocumentFragment().append(element), element)],
  ])('may be an element that %s: the styles come with the insertion', async (_, put) => {
    const { client } = open();
    const element = put(document.createElement('div'));
    const before = document.adoptedStyleSheets.length;
    act(() => void client.mountLogin({ elementId: element }));
    expect(document.adoptedStyleSheets).toHaveLength(before);
    document.body.append(element.parentNode ?? element);
    expect(document.adoptedStyleSheets.length).toBeGreaterThan(before);
    await vi.waitFor(() => expect(element.querySelectorAll('input[type=email]')).toHaveLength(1));
  });

  it('may become another root, which the styles follow', () => {
    const { client } = open();
    const element = document.querySelector('#login') as Element;
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    const before = document.adoptedStyleSheets.length;
    let widget: WidgetHandle | undefined;
    act(() => void (widget = client.mountLogin({ elementId: element })));
    root.append(element);
    expect(document.adoptedStyleSheets).toHaveLength(before);
    expect(root.adoptedStyleSheets.length).toBeGreaterThan(0);
    element.remove();
    document.body.append(element);
    expect(root.adoptedStyleSheets).toHaveLength(0);
    expect(document.adoptedStyleSheets.length).toBeGreaterThan(before);
    widget?.unmount();
    expect(document.adoptedStyleSheets).toHaveLength(before);
    expect(element.childNodes).toHaveLength(0);
  });

  it('may be in a shadow root, as a component', async () => {
    const { client } = open();
    const container = document.body
      .appendChild(document.createElement('div'))
      .attachShadow({ mode: 'open' })
      .appendChild(document.createElement('div'));
    render(<Login client={client} />, { container });
    await vi.waitFor(() => expect(container.querySelectorAll('input[type=email]')).toHaveLength(1));
  });
});

describe('a widget in a form of the page', () => {
  const EVENTS = ['submit', 'input', 'change', 'keydown', 'keyup'];

  it.each([false, true])('keeps its events from the form, with enableShadowDOM %j', async (enableShadowDOM) => {
    const { client } = open();
    const place = document.querySelector('#login') as HTMLElement;
    const form = document.body.appendChild(document.createElement('form'));
    form.append(place);
    const heard: string[] = [];
    const key = (event: Event): string => (event as KeyboardEvent).key ?? event.type;
    for (const type of EVENTS) form.addEventListener(type, (event) => void heard.push(key(event)));
    act(() => void client.mountLogin({ elementId: place, config: { products: ['otp'], enableShadowDOM } }));
    const root = () => place.firstElementChild?.shadowRoot ?? place;
    await vi.waitFor(() => expect(root().querySelector('input')).not.toBeNull());
    const field = root().querySelector('input') as HTMLInputElement;
    const own = field.closest('form') as HTMLFormElement;
    act(() => {
      for (const each of ['Enter', 'Escape'])
        field.dispatchEvent(new KeyboardEvent('keydown', { key: each, bubbles: true, composed: true }));
      field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      own.requestSubmit();
    });
    expect(heard).toEqual(['Escape']);
    // The widget itself has heard of the empty field.
    await vi.waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    form.dispatchEvent(new Event('submit'));
    expect(heard).toEqual(['Escape', 'submit']);
  });
});

describe('a consent page', () => {
  const href = `http://localhost:3000/authorize?${new URLSearchParams(REQUEST).toString()}`;

  it.each([
    [undefined, 'framed'],
    [true, 'asked'],
  ])('with allowFraming %j in a frame is %s', async (allowFraming, outcome) => {
    const world = consentWorld();
    await world.signIn(world.open().client);
    const { tab, client } = open(world, href);
    tab.browser.isFramed = true;
    act(() => void client.mountIdentityProvider({ elementId: '#login', ...(allowFraming && { allowFraming }) }));
    await vi.waitFor(async () => {
      await act(() => world.settle());
      expect(world.transport.requestsTo(idp.authorizeStart)).toHaveLength(outcome === 'asked' ? 1 : 0);
      // Allow, Deny, and another account.
      expect(document.querySelectorAll('#login button').length).toBe(outcome === 'asked' ? 3 : 0);
    });
  });

  it.each([
    [undefined, 60],
    [{ sessionDurationMinutes: 15 }, 15],
  ])('with sessionOptions %j makes a session of %i minutes of a trusted token', async (sessionOptions, minutes) => {
    const world = consentWorld();
    const { client } = open(world, href);
    const options = {
      elementId: '#login',
      authTokenParams: {
        trustedAuthToken: world.server.trustedToken(PROFILE, 'eve@example.com'),
        tokenProfileID: PROFILE,
      },
    };
    act(() => void client.mountIdentityProvider({ ...options, ...(sessionOptions && { config: { sessionOptions } }) }));
    await vi.waitFor(async () => {
      await act(() => world.settle());
      expect(world.transport.requestsTo(sessions.attest)[0]?.body).toMatchObject({ session_duration_minutes: minutes });
    });
  });
});
