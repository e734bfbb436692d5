/** `portico/testing/playwright`: a provider beside the tests, its inbox, and people who are signed in. */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import type { CookieOptions } from '../application/session/cookie-options.ts';
import { controlOf, type ProviderControl } from './control/provider-control.ts';
import { Authenticator } from './playwright/authenticator.ts';
import { Backend, type PersonOptions, type SignedInPerson } from './playwright/backend.ts';
import { Inbox } from './playwright/inbox.ts';
import { scopedControl } from './playwright/scoped-control.ts';
import { sessionCookies } from './playwright/session-cookies.ts';

export { expect } from '@playwright/test';
export { ControlRefusal } from './control/call-control.ts';
export { controlOf, type ProviderControl } from './control/provider-control.ts';
export { providerServer, type ProviderServerOptions } from './playwright/provider-server.ts';
export { Authenticator, type HeldPasskey } from './playwright/authenticator.ts';
export type { PersonOptions, SignedInPerson } from './playwright/backend.ts';
export { Inbox, type InboxMessage, type WaitOptions } from './playwright/inbox.ts';

/** Where the provider is, and how the app under test names its cookies. */
export interface PorticoTestSettings {
  /** Default: `http://localhost:4100`. */
  readonly apiUrl?: string;
  /** Default: the development project's. */
  readonly projectId?: string;
  /** A secret of the project. Default: the one that every provider with `--dev` accepts. */
  readonly secret?: string;
  /** As the app gives them to its client. Default: those of the client. */
  readonly cookieOptions?: Pick<CookieOptions, 'opaqueTokenCookieName' | 'jwtCookieName' | 'path' | 'domain'>;
}

/** The options of `use` in `playwright.config.ts`: `defineConfig<PorticoOptions>({ use: { portico: { … } } })`. */
export interface PorticoOptions {
  readonly portico: PorticoTestSettings;
}

/** What a test gets from `test` of this entry. */
export interface PorticoFixtures {
  /** The messages that the provider would have sent. */
  readonly inbox: Inbox;
  /**
   * Signs a person in to the app under test, without its screens: the pages of this test that load afterwards have the
   * session. A new address becomes a new user. Needs `baseURL`.
   */
  readonly signInAs: (email: string, person?: PersonOptions) => Promise<SignedInPerson>;
  /** A new person of this test alone, who is signed in to the app under test. Needs `baseURL`. */
  readonly person: SignedInPerson;
  /**
   * Time, faults, settings, people and snapshots of the provider. Time and faults apply to the requests of this test's browser
   * context alone. Settings apply to everybody. All of them end with the test.
   */
  readonly control: ProviderControl;
  /**
   * Puts all data of the provider back as it was when the first test asked for this, before the test. Tests that run at the same time
   * against the same provider would lose theirs: use it with `workers: 1`.
   */
  readonly cleanData: void;
  /** A virtual authenticator in `page`, for passkeys. Chromium only. */
  readonly authenticator: Authenticator;
}

const DEV = {
  apiUrl: 'http://localhost:4100',
  projectId: 'project-test-d1e70000-0000-4000-8000-000000000000',
  secret: 'secret-test-d1e70000-0000-4000-8000-000000000000',
} as const;

/** How the snapshots of `cleanData` begin. A provider may outlive a run, and what it has by the next one is to stay. */
const CLEAN = 'playwright-clean-';

/**
 * Playwright's `test` (https://playwright.dev/docs/test-fixtures) with the fixtures of `PorticoFixtures`. Join it with yours by
 * `mergeTests`.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PorticoOptions & PorticoFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<PorticoOptions & PorticoFixtures>({
  portico: [{}, { option: true }],
  inbox: async ({ portico: { apiUrl = DEV.apiUrl } }, provide) => provide(new Inbox(apiUrl)),
  signInAs: async ({ context, baseURL, portico }, provide) => {
    const { apiUrl, projectId, secret } = { ...DEV, ...portico };
    const backend = new Backend(apiUrl, projectId, secret);
    await provide(async (email, person) => {
      if (baseURL === undefined)
        throw new Error('signInAs needs `baseURL` in playwright.config.ts: the page of your app.');
      const signedIn = await backend.signIn(email, person);
      await context.addCookies(sessionCookies(signedIn, baseURL, portico.cookieOptions));
      return signedIn;
    });
  },
  person: async ({ signInAs }, provide) => provide(await signInAs(`person-${crypto.randomUUID()}@example.com`)),
  control: async ({ context, extraHTTPHeaders, portico: { apiUrl = DEV.apiUrl } }, provide) => {
    const control = await scopedControl(context, apiUrl, extraHTTPHeaders);
    await provide(control);
    await control.reset();
  },
  cleanData: async ({ portico: { apiUrl = DEV.apiUrl } }, provide) => {
    const control = controlOf(apiUrl);
    // All workers of a run have the same parent.
    const mine = `${CLEAN}${process.ppid}`;
    const { snapshots } = await control.state();
    const kept = snapshots.filter(({ name }) => name.startsWith(CLEAN)).map(({ name }) => name);
    for (const name of kept) if (name !== mine) await control.removeSnapshot(name);
    await (kept.includes(mine) ? control.restore(mine) : control.snapshot(mine));
    await provide();
  },
  authenticator: async ({ context, page }, provide) => provide(await Authenticator.addTo(context, page)),
});
