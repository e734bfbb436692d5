import { describe, expect, it } from 'vitest';
import { idp, sessions } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { LOGOUT, openConsent, settled, signedIn } from './open-consent.ts';

/** Who is signed in, at the question whether to log out. */
async function asked(query: Readonly<Record<string, string>> = { ...LOGOUT, state: 's 1' }) {
  const { world, client } = await signedIn();
  return { client, ...(await settled(openConsent(query, world))) };
}

describe('logging out for an app', () => {
  it('asks first; Yes ends the session and goes where the server says', async () => {
    const { store, world, consent, navigations, sessions: store_ } = await asked();
    const destination = { host: null, onDevice: true };
    expect(consent()).toEqual({ status: 'confirmLogout', account: 'ada@example.com', destination });
    for (let press = 0; press < 10; press += 1) store.send({ type: 'logout/confirmed' });
    await world.settle();
    expect(world.transport.requestsTo(sessions.revoke)).toHaveLength(1);
    expect(store_.state().session).toBeNull();
    expect(navigations()).toEqual(['http://localhost:3001/?state=s+1']);
  });

  it('goes there although the session could not be revoked: it is forgotten here', async () => {
    const { store, world, navigations, errors, sessions: store_ } = await asked();
    world.transport.answer(sessions.revoke, () => offline());
    store.send({ type: 'logout/confirmed' });
    await world.settle();
    expect([store_.state().session, navigations().length, errors]).toEqual([null, 1, []]);
  });

  it('stays logged in for No', async () => {
    const { store, world, consent, navigations, sessions: store_ } = await asked();
    store.send({ type: 'logout/refused' });
    await world.settle();
    expect(consent()).toEqual({ status: 'notLoggedOut' });
    expect(navigations()).toEqual([]);
    expect(store_.state().session).not.toBeNull();
  });

  it('does so unasked for consent_required === false alone', async () => {
    for (const consent_required of [undefined, null, 'false', 0, [], {}, true, false]) {
      const { world } = await signedIn();
      world.transport.answer(idp.logoutStart, () => ({ consent_required, redirect_uri: 'https://planner.example/' }));
      const opened = await settled(openConsent(LOGOUT, world));
      const done = consent_required === false;
      expect(opened.navigations()).toEqual(done ? ['https://planner.example/'] : []);
      expect(world.transport.requestsTo(sessions.revoke)).toHaveLength(done ? 1 : 0);
    }
  });

  it('goes to no address but a safe one of the reply, and shows that it is done where there is none', async () => {
    for (const [redirect_uri, status] of [
      ['javascript:alert(1)', 'error'],
      ['http://evil.example/', 'error'],
      ['', 'loggedOut'],
    ] as const) {
      const { world } = await signedIn();
      world.transport.answer(idp.logoutStart, () => ({ consent_required: true, redirect_uri }));
      const opened = await settled(openConsent(LOGOUT, world));
      opened.store.send({ type: 'logout/confirmed' });
      await world.settle();
      expect([opened.navigations(), opened.consent().status, opened.store.getState().pending]).toEqual([
        [],
        status,
        null,
      ]);
    }
  });

  it('shows and reports the error of the server, and restarts on a retry', async () => {
    const { world } = await signedIn();
    world.transport.answer(idp.logoutStart, () => errorReply(400, 'invalid_post_logout_redirect_uri'));
    const opened = await settled(openConsent(LOGOUT, world));
    expect(opened.consent()).toMatchObject({ status: 'error', canRetry: true });
    expect(opened.errors).toHaveLength(1);
    opened.store.send({ type: 'consent/retried' });
    await world.settle();
    expect(world.transport.requestsTo(idp.logoutStart)).toHaveLength(2);
  });

  it('says what is missing where an address comes without its app, and calls nobody', async () => {
    const { consent, world } = await asked({ post_logout_redirect_uri: LOGOUT.post_logout_redirect_uri });
    expect(consent()).toMatchObject({
      status: 'error',
      error: {
        error_message: 'Required parameter is missing: client_id. Please reach out to the application developer.',
      },
    });
    expect(world.transport.requestsTo(idp.logoutStart)).toEqual([]);
  });

  it('stays on the page where the app names no address', async () => {
    const queries: readonly Readonly<Record<string, string>>[] = [
      { post_logout_redirect_uri: '' },
      { client_id: LOGOUT.client_id, post_logout_redirect_uri: '', state: 's 1' },
    ];
    for (const query of queries) {
      const { store, world, consent, navigations, sessions: store_ } = await asked(query);
      expect(consent()).toEqual({ status: 'confirmLogout', account: 'ada@example.com' });
      store.send({ type: 'logout/confirmed' });
      await world.settle();
      expect([consent(), navigations(), store_.state().session]).toEqual([{ status: 'loggedOut' }, [], null]);
    }
  });

  it('needs neither a session nor a trusted token', async () => {
    const opened = await settled(openConsent(LOGOUT));
    expect([opened.consent(), opened.errors]).toMatchObject([{ status: 'confirmLogout', account: null }, []]);
  });

  it('asks nothing in a frame', async () => {
    const { world } = await signedIn();
    const framed = openConsent(LOGOUT, world);
    framed.ports.browser.isFramed = true;
    await world.settle();
    expect(framed.consent()).toEqual({ status: 'framed' });
    expect(world.transport.requestsTo(idp.logoutStart)).toEqual([]);
  });
});
