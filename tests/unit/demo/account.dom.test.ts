import { describe, expect, it } from 'vitest';
import { showAccount } from '../../../demo/parts/account.ts';

type Client = Parameters<typeof showAccount>[1];

function signedIn(name: string): Client {
  const session = { session_id: 'session-1', started_at: '', expires_at: '', authentication_factors: [] };
  const user = { user_id: 'user-1', name: { first_name: name }, emails: [{ email: 'ada@example.com' }] };
  return {
    session: { getSync: () => session, getTokens: () => null },
    user: { getSync: () => user },
  } as unknown as Client;
}

describe('the account on the demo pages', () => {
  it('is updated in place, so that a press that began before still counts', () => {
    const place = document.createElement('div');
    showAccount(place, signedIn('Ada'));
    const [panel, logOut] = [place.querySelector('.account'), place.querySelector('button')];
    expect(logOut?.textContent).toBe('Log out');
    expect(place.querySelector('.who')?.textContent).toBe('Ada · ada@example.com');

    showAccount(place, signedIn('Grace'));
    expect(place.querySelector('.who')?.textContent).toBe('Grace · ada@example.com');
    expect(place.querySelector('.account')).toBe(panel);
    expect(place.querySelector('button')).toBe(logOut);
  });
});
