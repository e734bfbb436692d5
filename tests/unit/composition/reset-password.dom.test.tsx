import { act, cleanup, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { magicLinks } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { PasswordReset, PorticoProvider } from '#composition/react.tsx';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { STATE_KEY, TestWorld, TOKEN } from '../application/world.ts';

const ADA = 'ada@example.com';
const clients: PorticoUIClient[] = [];
for (const part of ['login', 'passwords'] as const) await loadPart(part);

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

/** The effects load on demand. */
const shows = (title: string) =>
  vi.waitFor(async () => {
    await act(() => new Promise<void>((done) => void setTimeout(done, 10)));
    expect(document.querySelector('h1')?.textContent).toBe(title);
  });

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
    // Nobody was mailed that one.
    await shows('This link no longer works');
    expect(document.querySelectorAll('[data-portico]')).toHaveLength(1);
  });
});

describe('a token that was taken out of the address', () => {
  /** The page after a reload: a new client in the same tab, and an address without a token. */
  const reload = ({ tab, client }: Awaited<ReturnType<typeof arrive>>) => {
    client.destroy();
    cleanup();
    const again = new PorticoUIClient(TOKEN, { adapters: tab, telemetry: false });
    clients.push(again);
    document.body.replaceChildren(Object.assign(document.createElement('div'), { id: 'reset' }));
    const mount = () => again.mountResetPassword({ elementId: '#reset', config: {}, passwordResetToken: null });
    return { again, mount };
  };
  const kept = ({ tab }: Awaited<ReturnType<typeof arrive>>) => tab.tabStorage.get(`${STATE_KEY}::reset`);

  it('waits for the tab through a reload, as what it is, and in no other place', async () => {
    const arrived = await arrive('reset_password');
    act(() => void arrived.mount());
    const { again, mount } = reload(arrived);
    expect(again.hasPasswordResetToken()).toBe(true);
    act(() => void mount());
    await shows('Reset your password');
    expect(kept(arrived)).toBe(`reset:${arrived.passwordResetToken}`);
    expect(arrived.tab.browser.href()).not.toContain(arrived.passwordResetToken);
    expect([...arrived.world.storage.values.values()].join()).not.toContain(arrived.passwordResetToken);
    expect(JSON.stringify(arrived.tab.log.entries)).not.toContain(arrived.passwordResetToken);
    expect(arrived.world.tab().tabStorage.get(`${STATE_KEY}::reset`)).toBeNull();
  });

  it('is gone once it was used', async () => {
    const arrived = await arrive('login');
    act(() => void arrived.mount());
    await shows('Success!');
    expect(kept(arrived)).toBeNull();
    expect(reload(arrived).again.hasPasswordResetToken()).toBe(false);
  });

  it.each([
    ['no answer', () => offline(), true],
    ['a server in trouble', () => errorReply(503, 'internal_error'), true],
    ['too many tries', () => errorReply(429, 'too_many_requests'), true],
    ['a weak password', () => errorReply(400, 'weak_password'), true],
    ['a second factor missing', () => errorReply(403, 'mfa_required'), true],
    ['a token that is spent', () => errorReply(401, 'unable_to_auth_magic_link'), false],
    ['an address that is gone', () => errorReply(404, 'email_not_found'), false],
  ])('after %s', async (_, refusal, stays) => {
    const arrived = await arrive('login');
    arrived.world.transport.answer(magicLinks.authenticate, refusal);
    act(() => void arrived.mount());
    await shows('This login link did not work');
    expect(kept(arrived) !== null).toBe(stays);
  });

  it('gives way to another one', async () => {
    const arrived = await arrive('reset_password');
    act(() => void arrived.mount());
    arrived.tab.browser.replaceUrl('http://localhost:3000/?token=another&stytch_token_type=reset_password');
    const { again } = reload(arrived);
    act(() => void again.mountResetPassword({ elementId: '#reset', config: {}, passwordResetToken: 'another' }));
    expect(kept(arrived)).toBe('reset:another');
  });

  it.each(['', 'x', 'reset', 'reset:', ':token', 'admin:token', '{"token":"x"}'])('is none in %j', async (text) => {
    const arrived = await arrive('reset_password');
    arrived.tab.browser.replaceUrl('http://localhost:3000/');
    arrived.tab.tabStorage.set(`${STATE_KEY}::reset`, text);
    expect(reload(arrived).again.hasPasswordResetToken()).toBe(false);
  });
});
