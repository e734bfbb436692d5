import { act, cleanup, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { magicLinks } from '../../../src/application/api/index.ts';
import { PasswordReset, PorticoProvider } from '../../../src/composition/react.tsx';
import { PorticoUIClient } from '../../../src/composition/ui-client.ts';
import { loadPart } from '../../../src/presentation/hooks/useParts.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const ADA = 'ada@example.com';
const clients: PorticoUIClient[] = [];
for (const part of ['emailed', 'passwords'] as const) await loadPart(part);

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  for (const client of clients.splice(0)) client.destroy();
});

/** A page at the address of a reset mail's link, with `query` beside what the link says. */
async function arrive(kind: 'login' | 'reset_password', query = '') {
  const world = new TestWorld();
  const first = world.open();
  await first.client.passwords.create({ email: ADA, password: 'Correct horse 1', session_duration_minutes: 30 });
  await first.client.session.revoke();
  await first.client.passwords.resetByEmailStart({ email: ADA });
  first.client.destroy();
  const link = new URL(world.server.inbox[0]?.links?.[kind] ?? '');
  const passwordResetToken = link.searchParams.get('token') ?? '';
  const tab = world.tab(`${link.href}${query}`);
  const client = new PorticoUIClient(TOKEN, { adapters: tab, telemetry: false });
  clients.push(client);
  document.body.append(Object.assign(document.createElement('div'), { id: 'reset' }));
  const mount = () => client.mountResetPassword({ elementId: '#reset', config: {}, passwordResetToken });
  return { world, tab, client, passwordResetToken, mount };
}

/** The code of the late effects is loaded on the way. */
const shows = (title: string) =>
  vi.waitFor(async () => {
    await act(() => new Promise<void>((done) => void setTimeout(done, 10)));
    expect(document.querySelector('h1')?.textContent).toBe(title);
  }, 5_000);

describe('mountResetPassword', () => {
  it.each(['login', 'reset_password'] as const)('takes a token of type %s out of the address alone', async (kind) => {
    const { tab, mount, passwordResetToken } = await arrive(kind, '&lang=de&next=%2Fa%20b#top');
    act(() => void mount());
    const url = new URL(tab.browser.href());
    expect([...url.searchParams]).toEqual([
      ['lang', 'de'],
      ['next', '/a b'],
    ]);
    expect(url.hash).toBe('#top');
    expect(tab.browser.href()).not.toContain(passwordResetToken);
  });

  it('takes the token out of the address before anything is sent', async () => {
    const { world, tab, mount, passwordResetToken } = await arrive('login');
    const seen: string[] = [];
    const send = world.transport.send.bind(world.transport);
    world.transport.send = (request) => {
      seen.push(tab.browser.href());
      return send(request);
    };
    act(() => void mount());
    await shows('Success!');
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((href) => href.includes(passwordResetToken))).toEqual([]);
  });

  it('leaves a token in the address that is not the one it was given', async () => {
    const { tab, client } = await arrive('reset_password');
    act(() => void client.mountResetPassword({ elementId: '#reset', config: {}, passwordResetToken: 'another' }));
    expect(tab.browser.href()).toContain('token=link-token');
    expect(tab.browser.href()).not.toContain('stytch_token_type');
  });

  it('touches no address without a token', async () => {
    const { tab, client } = await arrive('reset_password');
    tab.browser.replaceUrl('http://localhost:3000/?a=%20b');
    act(() => void client.mountResetPassword({ elementId: '#reset', config: {}, passwordResetToken: 'another' }));
    expect(tab.browser.href()).toBe('http://localhost:3000/?a=%20b');
  });

  it('changes nothing when there is no place for the widget', async () => {
    const { tab, client, passwordResetToken } = await arrive('login');
    const before = tab.browser.href();
    expect(() => client.mountResetPassword({ elementId: '#none', config: {}, passwordResetToken })).toThrow('#none');
    expect(tab.browser.href()).toBe(before);
  });

  it('uses a login token once, however often it is mounted and taken down', async () => {
    const { world, mount } = await arrive('login');
    act(() => mount().unmount());
    act(() => void mount());
    act(() => void mount());
    await shows('Success!');
    act(() => mount().unmount());
    act(() => void mount());
    await shows('Success!');
    expect(world.transport.requestsTo(magicLinks.authenticate)).toHaveLength(1);
  });

  it('uses a login token once under StrictMode', async () => {
    const { world, client, passwordResetToken } = await arrive('login');
    render(
      <StrictMode>
        <PorticoProvider client={client}>
          <PasswordReset config={{}} passwordResetToken={passwordResetToken} />
        </PorticoProvider>
      </StrictMode>,
    );
    await shows('Success!');
    expect(world.transport.requestsTo(magicLinks.authenticate)).toHaveLength(1);
  });

  it('begins anew with another token in the same place', async () => {
    const { client, mount } = await arrive('login');
    act(() => void mount());
    await shows('Success!');
    act(() => void client.mountResetPassword({ elementId: '#reset', config: {}, passwordResetToken: 'another' }));
    await shows('Reset your password');
    expect(document.querySelectorAll('[data-portico]')).toHaveLength(1);
  });
});
