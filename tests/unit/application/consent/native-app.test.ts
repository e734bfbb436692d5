import { describe, expect, it } from 'vitest';
import { idp } from '#application/api/index.ts';
import { consentWorld, LOGOUT, openConsent, PLANNER, REQUEST, settled, signedIn } from './open-consent.ts';

const CALLBACK = 'com.example.app:/callback';
const BYE = 'com.example.app:/bye';

async function open(query: Readonly<Record<string, string>>) {
  const world = consentWorld();
  world.server.settings.clients = [{ ...PLANNER, redirect_uris: [CALLBACK], post_logout_redirect_uris: [BYE] }];
  await signedIn(world);
  return settled(openConsent(query, world));
}

describe('a native app with a private URI scheme', () => {
  it('is opened with the answer, and the page says what was decided', async () => {
    for (const [decision, field, status] of [
      ['consent/allowed', 'code', 'success'],
      ['consent/denied', 'error', 'denied'],
    ] as const) {
      const opened = await open({ ...REQUEST, redirect_uri: CALLBACK });
      opened.store.send({ type: decision });
      await opened.world.settle();
      const [target = ''] = opened.navigations();
      expect(target.startsWith(`${CALLBACK}?`)).toBe(true);
      expect(new URLSearchParams(target.slice(CALLBACK.length)).get(field)).toBeTruthy();
      expect(opened.consent()).toEqual({ status });
      expect(opened.store.getState().pending).toBeNull();
    }
  });

  it('is opened after a logout', async () => {
    const opened = await open({ ...LOGOUT, post_logout_redirect_uri: BYE });
    opened.store.send({ type: 'logout/confirmed' });
    await opened.world.settle();
    expect([opened.navigations(), opened.consent()]).toEqual([[BYE], { status: 'loggedOut' }]);
  });

  it.each(['javascript:alert(1)', 'javascript:/alert(1)', 'data:text/html,x', 'intent:/x', 'myapp:/callback'])(
    'is never %s, whatever the server answers',
    async (redirect_uri) => {
      const opened = await open({ ...REQUEST, redirect_uri: CALLBACK });
      opened.world.transport.answer(idp.authorizeSubmit, () => ({ redirect_uri }));
      opened.store.send({ type: 'consent/allowed' });
      await opened.world.settle();
      expect([opened.navigations(), opened.consent().status]).toEqual([[], 'error']);
    },
  );
});
