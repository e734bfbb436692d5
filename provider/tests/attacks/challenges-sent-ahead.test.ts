import { describe, expect, it } from 'vitest';
import { keysInDatabase } from '#provider/base/security/server-keys.ts';
import { createApp } from '#provider/operation/app.ts';
import { BoundBrowser, newBrowserKey, proofOf, signUpBound } from '../kit/bound-browser.ts';
import { BOUND_PROJECT, pagesOf } from '../kit/cookie-pages.ts';
import { EITHER_DATABASE, MASTER, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

// The reply to a proof has the challenge for the next one. Programs on the device may have used the key while they ran.
describe.each(EITHER_DATABASE)('T235: challenges that are sent ahead, %s', (_, databaseUrl) => {
  const provider = suiteProvider(databaseUrl, { project: BOUND_PROJECT, loopback: false, dev: false });
  const { openPage, copyOf } = pagesOf(() => provider);

  /** Another server on the database, which has read its keys there. */
  const anotherServer = async () =>
    createApp({ ...provider.services, keys: await keysInDatabase(provider.services, MASTER) });
  const statusOf = async (browser: BoundBrowser, id: string, challenge: string): Promise<number> =>
    (await browser.answer(id, await proofOf(browser.key, challenge))).status;

  it('are worth nothing once they are used, and the refusal has the next one', async () => {
    const { browser, session_id, proved } = await signUpBound(provider, openPage());
    const proof = await proofOf(browser.key, proved.challenge);
    expect((await browser.answer(session_id, proof)).status).toBe(200);
    // Its reply was lost, or a thief sends the proof again.
    const again = await browser.answer(session_id, proof);
    expect([again.status, again.lines]).toEqual([403, []]);
    expect(await statusOf(browser, session_id, again.challenge)).toBe(200);
  });

  it('prove no other session, also with the key of that one', async () => {
    const one = await signUpBound(provider, openPage());
    const other = await signUpBound(provider, openPage(), one.browser.key);
    expect(await statusOf(one.browser, one.session_id, other.proved.challenge)).toBe(403);
    expect(await statusOf(other.browser, other.session_id, other.proved.challenge)).toBe(200);
  });

  soakIt('count for one of ten proofs at once, each with a signature of its own, at two servers', async () => {
    const { browser, session_id, proved } = await signUpBound(provider, openPage());
    const apps = [provider.app, await anotherServer()];
    const browsers = apps.map((app) => new BoundBrowser(browser.page, browser.key, app));
    const proofs = await Promise.all(Array.from({ length: 10 }, async () => proofOf(browser.key, proved.challenge)));
    const replies = await Promise.all(proofs.map(async (proof, n) => browsers[n % 2]?.answer(session_id, proof)));
    const statuses = replies.map((reply) => reply?.status ?? 0).sort((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 403)]);
  });

  soakIt('are accepted by a server that has started since', async () => {
    const { browser, session_id, proved } = await signUpBound(provider, openPage());
    const restarted = new BoundBrowser(browser.page, browser.key, await anotherServer());
    expect(await statusOf(restarted, session_id, proved.challenge)).toBe(200);
    expect(await statusOf(browser, session_id, proved.challenge)).toBe(403);
  });

  soakIt('give a program that could sign six minutes of access, and a minute of verifiers', async () => {
    const { browser, session_id, proved } = await signUpBound(provider, openPage());
    // While it ran, it signed as many challenges as it liked. Then it is gone, with the token and its proofs.
    const asked = (await browser.askChallenge(session_id)).challenge;
    const proofs = await Promise.all(
      [proved.challenge, asked, asked].map(async (challenge) => proofOf(browser.key, challenge)),
    );
    const thief = new BoundBrowser(copyOf(browser.page, ['stytch_session']), await newBrowserKey(), provider.app);
    provider.clock.time += 3.5 * MINUTE - 1000;
    const kept = await thief.answer(session_id, proofs[0] ?? '');
    expect(kept.status).toBe(200);
    // The challenge of that reply is of no use to it: it cannot sign any more.
    expect(await statusOf(thief, session_id, kept.challenge)).toBe(403);
    provider.clock.time += 1000;
    expect((await thief.answer(session_id, proofs[1] ?? '')).status).toBe(403);
    provider.clock.time += 2.5 * MINUTE - 2000;
    expect((await thief.page.authenticate()).status).toBe(200);
    provider.clock.time += MINUTE + 2000;
    expect((await thief.page.authenticate()).status).toBe(401);
  });

  it('from before the clock was put back are not accepted, and the browser gets another one', async () => {
    const { browser, session_id, proved } = await signUpBound(provider, openPage());
    const { time } = provider.clock;
    provider.clock.time = time - 60 * MINUTE;
    const refused = await browser.answer(session_id, await proofOf(browser.key, proved.challenge));
    expect(refused.status).toBe(403);
    expect(await statusOf(browser, session_id, refused.challenge)).toBe(200);
    provider.clock.time = time;
  });

  it('are accepted by a server whose clock is half a minute behind, or ahead', async () => {
    const behind = await signUpBound(provider, openPage());
    provider.clock.time -= MINUTE / 2;
    expect(await statusOf(behind.browser, behind.session_id, behind.proved.challenge)).toBe(200);
    provider.clock.time += MINUTE / 2;
    const ahead = await signUpBound(provider, openPage());
    // The page refreshes every three minutes.
    provider.clock.time += 3 * MINUTE + MINUTE / 2 - 1000;
    expect(await statusOf(ahead.browser, ahead.session_id, ahead.proved.challenge)).toBe(200);
  });
});
