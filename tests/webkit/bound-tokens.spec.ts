import { newAddress } from '../e2e/visitor.ts';
import { checkAlone, expect, test } from './fixtures.ts';
import { askForCode, logOut, seeSignedIn, seeSignedOut } from './visitor.ts';

const COPIES = 100;

/** For each key, whether a script can read its private half. */
const KEYS = `
  const answer = (request) => new Promise((resolve) => request.addEventListener('success', () => resolve(request.result)));
  const read = async () => {
    const database = await answer(indexedDB.open('portico_bound'));
    const pairs = await answer(database.transaction('keys').objectStore('keys').getAll());
    database.close();
    return pairs.map(({ privateKey }) => privateKey.extractable);
  };
  return read();`;
const IS_BOUND = 'return window.__demo?.client.session.getSync()?.device_bound === true';
const IS_CONFIRMED = 'return window.__demo?.client.session.getInfo().fromCache === false';

// The profile of each test is one that WebKit keeps in memory alone, as its private windows do.
test(
  'a bound session lives through a reload and a way back in the history, and its token is worth nothing alone',
  { tag: '@soak' },
  async ({ webkit, inbox, boundDemo }) => {
    // A hundred copies take longer than a test may on a busy machine.
    test.slow();
    const address = newAddress();
    await webkit.goto(`${boundDemo}/standalone`);
    await askForCode(webkit, address);
    await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
    await seeSignedIn(webkit, address);
    await webkit.until('a bound session', IS_BOUND);
    expect(await webkit.run(KEYS)).toEqual([false]);
    await webkit.reload();
    await seeSignedIn(webkit, address);
    await webkit.until('the check of the session', IS_CONFIRMED);
    const token = (await webkit.cookies()).find(({ name }) => name === 'stytch_session')?.value ?? '';
    for (let copy = 1; copy <= COPIES; copy += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one copy after the other
      expect(await checkAlone(token)).toEqual([401, 'session_proof_required']);
    }
    await webkit.goto(`${boundDemo}/config.json`);
    await webkit.back();
    await seeSignedIn(webkit, address);
    await webkit.run(
      'return window.__demo.client.session.authenticate({ session_duration_minutes: 60 }).then(() => true)',
    );
    await logOut(webkit);
    await seeSignedOut(webkit);
    await expect.poll(async () => webkit.run(KEYS)).toEqual([]);
  },
);
