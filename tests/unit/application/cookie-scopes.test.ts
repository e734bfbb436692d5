import { describe, expect, it } from 'vitest';
import type { PorticoClient } from '#composition/client.ts';
import {
  Browser,
  CHANGES,
  makeProject,
  NAMED,
  NAMES,
  PAGE,
  pairAt,
  SCOPES,
  sessionOf,
  type Project,
} from './cookie-browser.ts';

/** Ends the session by a copy of its token: the browser learns nothing of it. */
async function endElsewhere(browser: Browser, app: Project, { client }: { readonly client: PorticoClient }) {
  const other = await new Browser(browser.clock).open(app, PAGE);
  other.client.session.updateSession({ session_token: client.session.getTokens()?.session_token ?? '' });
  await other.client.session.revoke();
  other.client.destroy();
}

describe('a change of the cookies’ scope', () => {
  for (const [from, to] of CHANGES) {
    for (const isBlocked of [false, true]) {
      const title = `from ${from} to ${to}${isBlocked ? ' without storage' : ''}`;
      it(`${title} keeps a user signed in, and leaves no cookie in the earlier scope`, async () => {
        const browser = new Browser();
        browser.isStorageBlocked = isBlocked;
        const app = makeProject(browser.clock, 'project-a');
        const before = await browser.open(app, PAGE, SCOPES[from][0]);
        await app.world.signIn(before.client);
        const known = sessionOf(before);
        before.client.destroy();
        const after = await browser.open(app, PAGE, SCOPES[to][0]);
        expect([sessionOf(after), browser.kept]).toEqual([known, pairAt(to)]);
        await after.client.session.revoke();
        await browser.settle();
        expect(browser.kept).toEqual([]);
      });

      it(`${title} holds the next login through every reload, also when the earlier session is over`, async () => {
        const browser = new Browser();
        browser.isStorageBlocked = isBlocked;
        const app = makeProject(browser.clock, 'project-a');
        const before = await browser.open(app, PAGE, SCOPES[from][0]);
        await app.world.signIn(before.client, 'ada@example.com', 120);
        await endElsewhere(browser, app, before);
        before.client.destroy();
        const after = await browser.open(app, PAGE, SCOPES[to][0]);
        expect(sessionOf(after)).toBeNull();
        await app.world.signIn(after.client, 'grace@example.com', 120);
        await browser.settle();
        const known = sessionOf(after);
        expect(browser.kept).toEqual(pairAt(to));
        after.client.destroy();
        for (let reload = 0; reload < 3; reload += 1) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          const again = await browser.open(app, PAGE, SCOPES[to][0]);
          expect(sessionOf(again)).toBe(known);
          again.client.destroy();
        }
        const last = await browser.open(app, PAGE, SCOPES[to][0]);
        await last.client.session.revoke();
        await browser.settle();
        expect(browser.kept).toEqual([]);
      });
    }
  }
});

describe('a change of the cookies’ names', () => {
  it('leaves no cookie of the earlier names after the next login, so that the old session does not return with them', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const names = { opaqueTokenCookieName: 'a', jwtCookieName: '__Secure-b', istCookieName: 'c' };
    for (const [from, to] of [
      [names, {}],
      [{}, names],
    ] as const) {
      const before = await browser.open(app, PAGE, from);
      await app.world.signIn(before.client);
      before.client.destroy();
      const after = await browser.open(app, PAGE, to);
      await app.world.signIn(after.client);
      await browser.settle();
      expect(browser.kept).toHaveLength(2);
      await after.client.session.revoke();
      await browser.settle();
      after.client.destroy();
      const back = await browser.open(app, PAGE, from);
      expect([sessionOf(back), browser.kept]).toEqual([null, []]);
      back.client.destroy();
    }
  });
});

describe('cookies whose scope stays', () => {
  it('are written as before: two at each start, and nothing is recorded again', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const first = await browser.open(app, PAGE);
    await app.world.signIn(first.client);
    await browser.settle();
    first.client.destroy();
    for (let start = 0; start < 3; start += 1) {
      browser.clock.jump(60_000);
      const { client, document, stored } = await browser.open(app, PAGE);
      // The token, the JWT, and the intermediate token, which is removed.
      expect(document.writes.map((line) => line.split('=')[0])).toEqual(NAMES);
      expect(stored.filter((key) => key.endsWith('::cookies'))).toEqual([]);
      client.destroy();
    }
  });

  it('are not touched for a visitor without a session', async () => {
    const browser = new Browser();
    const { document } = await browser.open(makeProject(browser.clock, 'project-a'), PAGE);
    expect(document.writes).toEqual([]);
  });
});

describe('a developer who changes the options back and forth', () => {
  it('keeps a user signed in, with one pair of cookies all the while', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const first = await browser.open(app, PAGE);
    await app.world.signIn(first.client, 'ada@example.com', 600);
    const known = sessionOf(first);
    first.client.destroy();
    for (const scope of [...NAMED, ...[...NAMED].reverse()]) {
      browser.clock.jump(60_000);
      const { client } = await browser.open(app, PAGE, SCOPES[scope][0]);
      expect([client.session.getSync()?.session_id, browser.kept]).toEqual([known, pairAt(scope)]);
      client.destroy();
    }
  });

  it('has both builds in two tabs without a loss, and a sign-out in one is one in both', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const old = await browser.open(app, PAGE);
    await app.world.signIn(old.client, 'ada@example.com', 600);
    const known = sessionOf(old);
    const fresh = await browser.open(app, PAGE, { domain: 'example.com' });
    for (let cycle = 0; cycle < 4; cycle += 1) {
      await browser.clock.advance(180_000);
      await browser.settle();
      expect([sessionOf(old), sessionOf(fresh)]).toEqual([known, known]);
      expect(browser.kept.length).toBeGreaterThan(0);
    }
    await old.client.session.revoke();
    await browser.settle();
    expect([sessionOf(fresh), browser.kept]).toEqual([null, []]);
    const again = await browser.open(app, PAGE, { domain: 'example.com' });
    expect(sessionOf(again)).toBeNull();
  });
});

describe('two projects with cookies of the same names', () => {
  const OUTER = 'https://example.com/';
  const INNER = 'https://docs.example.com/guide';
  const pairs = [{}, { availableToSubdomains: true }].flatMap((outer) =>
    [{}, { availableToSubdomains: true }, { path: '/guide' }].map((inner) => [outer, inner] as const),
  );

  for (const [outerOptions, innerOptions] of pairs) {
    for (const first of ['outer', 'inner'] as const) {
      it(`on a domain (${JSON.stringify(outerOptions)}) and its subdomain (${JSON.stringify(innerOptions)}) both keep their sessions; ${first} first`, async () => {
        const browser = new Browser();
        const projects = {
          outer: makeProject(browser.clock, 'project-b'),
          inner: makeProject(browser.clock, 'project-a'),
        };
        const open = async (name: 'outer' | 'inner') =>
          name === 'outer'
            ? browser.open(projects.outer, OUTER, outerOptions)
            : browser.open(projects.inner, INNER, innerOptions);
        const known = new Map<string, string | null>();
        for (const name of first === 'outer' ? (['outer', 'inner'] as const) : (['inner', 'outer'] as const)) {
          const tab = await open(name);
          await projects[name].world.signIn(tab.client, `${name}@example.com`, 600);
          await browser.settle();
          known.set(name, sessionOf(tab));
          tab.client.destroy();
        }
        for (let reload = 0; reload < 3; reload += 1) {
          browser.clock.jump(60_000);
          for (const name of ['inner', 'outer'] as const) {
            const tab = await open(name);
            expect(sessionOf(tab)).toBe(known.get(name));
            const { session_jwt = '' } = tab.client.session.getTokens() ?? {};
            expect(Buffer.from(session_jwt.split('.')[1] ?? '', 'base64').toString()).toContain(projects[name].project);
            tab.client.destroy();
          }
        }
        const inner = await open('inner');
        await inner.client.session.revoke();
        await browser.settle();
        inner.client.destroy();
        const outer = await open('outer');
        expect(sessionOf(outer)).toBe(known.get('outer'));
        // A later login of the inner project does not end it either.
        const again = await open('inner');
        expect(sessionOf(again)).toBeNull();
        await projects.inner.world.signIn(again.client, 'inner@example.com', 600);
        await browser.settle();
        await outer.client.session.authenticate();
        expect(sessionOf(outer)).toBe(known.get('outer'));
        await outer.client.session.revoke();
        again.client.destroy();
        const last = await open('inner');
        expect(sessionOf(last)).not.toBeNull();
      });
    }
  }

  it.each(CHANGES.filter((change) => !change.some((name) => 'domain' in SCOPES[name][0])))(
    'stay apart when the inner one changes from %s to %s',
    async (from, to) => {
      const browser = new Browser();
      const outer = makeProject(browser.clock, 'project-b');
      const inner = makeProject(browser.clock, 'project-a');
      const there = await browser.open(outer, OUTER, { availableToSubdomains: true });
      await outer.world.signIn(there.client, 'outer@example.com', 600);
      const known = sessionOf(there);
      const before = await browser.open(inner, PAGE, SCOPES[from][0]);
      await inner.world.signIn(before.client, 'inner@example.com', 600);
      const own = sessionOf(before);
      before.client.destroy();
      const after = await browser.open(inner, PAGE, SCOPES[to][0]);
      expect(sessionOf(after)).toBe(own);
      const others = NAMES.slice(0, 2).map((name) => `${name} .example.com /`);
      expect(browser.kept).toEqual([...pairAt(to), ...others].sort());
      await there.client.session.authenticate();
      expect(sessionOf(there)).toBe(known);
    },
  );

  it('stay apart when the JWT of the outer one has a name of its own, so that its token has none beside it', async () => {
    const browser = new Browser();
    const outer = makeProject(browser.clock, 'project-b');
    const inner = makeProject(browser.clock, 'project-a');
    const there = await browser.open(outer, OUTER, { availableToSubdomains: true, jwtCookieName: 'outer_jwt' });
    // Servers in memory count their tokens: the first ones of both are equal.
    await outer.world.signIn(there.client, 'first@example.com', 600);
    await outer.world.signIn(there.client, 'outer@example.com', 600);
    const here = await browser.open(inner, INNER);
    await inner.world.signIn(here.client, 'inner@example.com', 600);
    await browser.settle();
    const others = ['stytch_session', 'outer_jwt'].map((name) => `${name} .example.com /`);
    expect(browser.kept).toEqual([...pairAt('the defaults'), ...others].sort());
  });

  it('stay apart when the other one has moved into a scope that this one has left', async () => {
    const browser = new Browser();
    const outer = makeProject(browser.clock, 'project-b');
    const inner = makeProject(browser.clock, 'project-a');
    const before = await browser.open(inner, INNER, { domain: 'example.com' });
    await inner.world.signIn(before.client, 'inner@example.com', 600);
    before.client.destroy();
    // Before the inner project's user returns, the outer one's cookies replace theirs.
    const there = await browser.open(outer, OUTER, { availableToSubdomains: true });
    await outer.world.signIn(there.client, 'outer@example.com', 600);
    const after = await browser.open(inner, INNER);
    await inner.world.signIn(after.client, 'inner@example.com', 600);
    await browser.settle();
    await there.client.session.authenticate();
    expect([sessionOf(there), sessionOf(after)]).toEqual([expect.any(String), expect.any(String)]);
    expect(browser.kept).toHaveLength(4);
  });

  it('leave none of the inner one in a path that it has left, also by a login on a page outside of that path', async () => {
    const browser = new Browser();
    const outer = makeProject(browser.clock, 'project-b');
    const inner = makeProject(browser.clock, 'project-a');
    const there = await browser.open(outer, OUTER, { availableToSubdomains: true });
    await outer.world.signIn(there.client, 'outer@example.com', 600);
    const before = await browser.open(inner, PAGE, SCOPES['a path'][0]);
    await inner.world.signIn(before.client, 'inner@example.com', 600);
    before.client.destroy();
    const after = await browser.open(inner, INNER);
    await inner.world.signIn(after.client, 'inner@example.com', 600);
    await browser.settle();
    const others = NAMES.slice(0, 2).map((name) => `${name} .example.com /`);
    expect(browser.kept).toEqual([...pairAt('the defaults'), ...others].sort());
  });
});
