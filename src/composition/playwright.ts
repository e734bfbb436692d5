/** `portico/testing/playwright`: a provider for the tests, its inbox, and signed-in users. */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import { controlOf, type ProviderControl } from './control/provider-control.ts';
import { Authenticator } from './playwright/authenticator.ts';
import { Backend, type PersonOptions, type SignedInPerson } from './playwright/backend.ts';
import { Inbox } from './playwright/inbox.ts';
import { scopedControl } from './playwright/scoped-control.ts';
import { sessionCookies } from './playwright/session-cookies.ts';
import { checkedTestSettings, type PorticoTestSettings } from './playwright/test-settings.ts';

export { expect } from '@playwright/test';
export { ControlRefusal } from './control/call-control.ts';
export { controlOf, type ProviderControl } from './control/provider-control.ts';
export { providerServer, type ProviderServerOptions } from './playwright/provider-server.ts';
export { Authenticator, type HeldPasskey } from './playwright/authenticator.ts';
export type { PersonOptions, SignedInPerson } from './playwright/backend.ts';
export { Inbox, type InboxMessage, type WaitOptions } from './playwright/inbox.ts';
export type { PorticoTestSettings } from './playwright/test-settings.ts';

/** The options of `use` in `playwright.config.ts`: `defineConfig<PorticoOptions>({ use: { portico: { … } } })`. */
export interface PorticoOptions {
  readonly portico: PorticoTestSettings;
}

/** The fixtures of `test` from this entry. */
export interface PorticoFixtures {
  /** The messages that the provider would have sent. */
  readonly inbox: Inbox;
  /**
   * Signs a user in to the app under test without its screens. Pages that this test loads afterwards have the session. A new address
   * creates a new user. Needs `baseURL`.
   */
  readonly signInAs: (email: string, person?: PersonOptions) => Promise<SignedInPerson>;
  /** A new user for this test only, signed in to the app under test. Needs `baseURL`. */
  readonly person: SignedInPerson;
  /**
   * Time, faults, settings, users and snapshots of the provider. Time and faults apply only to the requests of this test's browser
   * context; settings apply to all requests. Time, faults and settings are reset after the test.
   */
  readonly control: ProviderControl;
  /**
   * Restores all data of the provider, before the test, to its state when the first test used this fixture. Concurrent tests against
   * the same provider would lose their data: use it with `workers: 1`.
   */
  readonly cleanData: void;
  /** A virtual authenticator in `page`, for passkeys. Chromium only. */
  readonly authenticator: Authenticator;
}

/**
 * The prefix of the names of the `cleanData` snapshots. It is different in each run, because a provider may outlive a run, and the next run
 * must not restore old data.
 */
const CLEAN = 'playwright-clean-';

/**
 * Playwright's `test` (https://playwright.dev/docs/test-fixtures) with the fixtures of `PorticoFixtures`. Combine it with your own
 * fixtures by `mergeTests`.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PorticoOptions & PorticoFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<PorticoOptions & PorticoFixtures>({
  portico: [{}, { option: true }],
  inbox: async ({ portico }, provide) => provide(new Inbox(checkedTestSettings(portico).apiUrl)),
  signInAs: async ({ context, baseURL, portico }, provide) => {
    const { apiUrl, projectId, secret, cookieOptions } = checkedTestSettings(portico);
    const backend = new Backend(apiUrl, projectId, secret);
    await provide(async (email, person) => {
      if (baseURL === undefined)
        throw new Error('signInAs needs `baseURL` in playwright.config.ts: the page of your app.');
      const signedIn = await backend.signIn(email, person);
      await context.addCookies(sessionCookies(signedIn, baseURL, cookieOptions));
      return signedIn;
    });
  },
  person: async ({ signInAs }, provide) => provide(await signInAs(`person-${crypto.randomUUID()}@example.com`)),
  control: async ({ context, extraHTTPHeaders, portico }, provide) => {
    const control = await scopedControl(context, checkedTestSettings(portico).apiUrl, extraHTTPHeaders);
    await provide(control);
    await control.reset();
  },
  cleanData: async ({ portico }, provide) => {
    const control = controlOf(checkedTestSettings(portico).apiUrl);
    // All workers of a run have the same parent.
    const mine = `${CLEAN}${process.ppid}`;
    const { snapshots } = await control.state();
    const names = snapshots.filter(({ name }) => name.startsWith(CLEAN)).map(({ name }) => name);
    for (const name of names) if (name !== mine) await control.removeSnapshot(name);
    await (names.includes(mine) ? control.restore(mine) : control.snapshot(mine));
    await provide();
  },
  authenticator: async ({ context, page }, provide) => provide(await Authenticator.addTo(context, page)),
});
