import { act } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createStytchClient,
  StytchAPISchemaError,
  StytchSDKSchemaError,
  UNRECOVERABLE_ERROR_TYPES,
  type StytchUIClient,
} from 'portico/compat';
import { StytchResetPassword, StytchUI } from 'portico/compat/vanilla';
import { magicLinks } from '#application/api/index.ts';
import { SDKSchemaError } from 'portico/headless';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const CONFIG = { products: ['emailMagicLinks'] } as const;
const LoginElement = class extends StytchUI {};
const ResetElement = class extends StytchResetPassword {};
let world: TestWorld;
let client: StytchUIClient;

beforeEach(() => {
  world = new TestWorld();
  client = createStytchClient(TOKEN, { adapters: world.tab(), telemetry: false });
  if (customElements.get('compat-login')) return;
  customElements.define('compat-login', LoginElement);
  customElements.define('compat-reset', ResetElement);
});
afterEach(() => {
  client.destroy();
  document.body.replaceChildren();
});

const fieldOf = async (root: ParentNode): Promise<HTMLInputElement> =>
  vi.waitFor(() => {
    const field = root.querySelector('input');
    if (field === null) throw new Error('There is no field yet.');
    return field;
  });

async function send(field: HTMLInputElement, text: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.form?.requestSubmit();
    await world.settle();
  });
}

describe('a web component', () => {
  it('tells a callback and the page of an error', async () => {
    const element = document.body.appendChild(new LoginElement());
    const told: string[] = [];
    element.addEventListener('stytch-error', (event) => {
      told.push((event as Event & { readonly error: Error }).error.message);
    });
    const onError = vi.fn();
    world.transport.answer(magicLinks.loginOrCreate, () => errorReply(429, 'too_many_requests'));
    element.render({ client, config: CONFIG, callbacks: { onError } });
    await send(await fieldOf(element), 'ada@example.com');
    await vi.waitFor(() => expect(told).toHaveLength(1));
    expect(onError).toHaveBeenCalledOnce();
    expect(told[0]).toContain('too_many_requests');
  });

  it.each(['attribute', 'argument'])('shows in a shadow root by its %s', async (by) => {
    const element = by === 'attribute' ? new LoginElement() : new LoginElement({ shadow: true });
    if (by === 'attribute') element.setAttribute('shadow', '');
    document.body.append(element);
    element.render({ client, config: CONFIG });
    await vi.waitFor(() => expect(element.firstElementChild?.shadowRoot).toBeTruthy());
    expect(element.querySelector('input')).toBe(null);
  });

  it('takes the properties that a framework has set before it was registered', async () => {
    const element = document.createElement('compat-later');
    document.body.append(element);
    Object.assign(element, { client, config: CONFIG });
    customElements.define('compat-later', class extends StytchUI {});
    customElements.upgrade(element);
    await fieldOf(element);
    expect(Object.keys(element)).not.toContain('client');
  });

  it.each(['attribute', 'property'])('resets a password with the token of its %s', async (by) => {
    const element = new ResetElement();
    if (by === 'attribute') element.setAttribute('passwordResetToken', 'of-a-mail');
    document.body.append(element);
    const mount = vi.spyOn(client, 'mountResetPassword');
    element.render({ client, config: CONFIG, ...(by === 'property' && { passwordResetToken: 'of-a-mail' }) });
    await fieldOf(element);
    expect(mount.mock.calls[0]?.[0].passwordResetToken).toBe('of-a-mail');
  });
});

describe('errors of the reference', () => {
  it('that are made of refused fields name them', () => {
    const body = [{ dataPath: 'email', message: 'is required' }, { dataPath: 'name' }];
    for (const Made of [StytchAPISchemaError, StytchSDKSchemaError]) {
      expect(new Made({ body }).message).toBe(
        '[400] Request does not match expected schema\nemail: is required\nname: \n',
      );
      expect(new SDKSchemaError([])).toBeInstanceOf(Made);
    }
  });

  it('that end a session are those that end one here', () => {
    expect([...UNRECOVERABLE_ERROR_TYPES].sort()).toEqual([
      'invalid_secret_authentication',
      'session_not_found',
      'unauthorized_credentials',
      'user_unauthenticated',
    ]);
  });
});
