import { beforeEach, describe, expect, it } from 'vitest';
import { startFront } from '../../../demo/front/front.ts';

type Client = Parameters<typeof startFront>[0];
type Server = Parameters<typeof startFront>[1];
type Address = Parameters<typeof startFront>[2];

const PLACES = ['look', 'install', 'copy-install', 'install-said', 'ada-said'];

/** The front page with a client whose session begins and ends as told. */
function frontPage(isIn = false) {
  let tell = () => {};
  let session: object | null = isIn ? {} : null;
  const client = {
    session: { getSync: () => session, onChange: (heard: () => void) => (tell = heard) },
  } as unknown as Client;
  const address = { choices: { styles: {} }, onChange: () => {} } as unknown as Address;
  startFront(client, {} as Server, address);
  const change = (is: boolean) => {
    session = is ? {} : null;
    tell();
  };
  return { change, said: () => document.querySelector('#ada-said')?.textContent };
}

describe('the front page', () => {
  beforeEach(() => {
    const places = PLACES.map((id) => Object.assign(document.createElement('p'), { id }));
    const ada = Object.assign(document.createElement('button'), { id: 'ada' });
    const account = Object.assign(document.createElement('a'), { id: 'account-link' });
    document.body.replaceChildren(...places, ada, account);
  });

  it('says that a person is signed out, until the next session', () => {
    const { change, said } = frontPage();
    expect(said()).toBe('');
    change(true);
    expect(said()).toBe('');
    change(false);
    expect(said()).toBe('You are logged out.');
    // An update without a session leaves the status as it is.
    change(false);
    expect(said()).toBe('You are logged out.');
    change(true);
    expect(said()).toBe('');
  });

  it('says nothing of a session that a page finds', () => {
    expect(frontPage(true).said()).toBe('');
  });
});
