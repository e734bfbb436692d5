import { describe, expect, it } from 'vitest';
import { BoundBrowser, newBrowserKey, signUpBound } from '../kit/bound-browser.ts';
import { API, BOUND_PROJECT, pagesOf, type CookiePage } from '../kit/cookie-pages.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const FOLDER = '/sdk/v1/sessions/device_bound';
/** More than the server tries. */
const MANY = [FOLDER, `${FOLDER}/`, '/sdk/v1/sessions', '/sdk/v1'];

// Browsers call these addresses by themselves, so no page notices what happens there.
describe.each(EITHER_DATABASE)('T236: cookies of a sibling host for the addresses of bound sessions, %s', (_, url) => {
  const provider = suiteProvider(url, { project: BOUND_PROJECT, loopback: false, dev: false });
  const { openPage } = pagesOf(() => provider);

  const toss = (page: CookiePage, paths: readonly string[], value: (n: number) => string): void =>
    page.jar.receive(
      API,
      paths.map((path, n) => `stytch_session=${value(n)}; Domain=example.com; Path=${path}`),
    );
  const garbage = (n: number): string => `${n}`.repeat(43);
  const tokensAt = (page: CookiePage, path: string): number =>
    page.jar.sentTo(new URL(path, API).href).split('stytch_session=').length - 1;

  it.each([
    ['the session of its owner', [`${FOLDER}/register`]],
    ['that session and more than are tried', [`${FOLDER}/register`, ...MANY]],
  ])('do not keep a session unbound: %s', async (_what, paths) => {
    const owner = openPage();
    await owner.signUp();
    const page = openPage();
    const { headers, data } = await page.signUp();
    toss(page, paths, (n) => (n === 0 ? owner.cookie('stytch_session') : garbage(n)));
    const browser = new BoundBrowser(page, await newBrowserKey(), provider.app);
    const registered = await browser.register(headers.get('secure-session-registration'));
    expect(registered.status).toBe(200);
    expect(tokensAt(page, `${FOLDER}/register`)).toBe(1);
    const { session_id } = data['session'] as { session_id: string };
    expect((await browser.refresh(session_id)).status).toBe(200);
    expect((await page.authenticate()).data['session']).toMatchObject({ session_id, device_bound: true });
  });

  it('do not keep a browser from proving its session, and are removed', async () => {
    const { browser, session_id } = await signUpBound(provider, openPage());
    toss(browser.page, [`${FOLDER}/refresh`, ...MANY], garbage);
    expect((await browser.refresh(session_id)).status).toBe(200);
    expect(tokensAt(browser.page, `${FOLDER}/refresh`)).toBe(1);
    expect((await browser.page.authenticate()).status).toBe(200);
  });
});
