import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { ROOT } from '#scripts/lib/root.mjs';
import { expect, test, type Trap } from './fixtures.ts';
import { askForCode, codeField, expectSignedIn, newAddress } from './visitor.ts';

interface DemoWindow {
  readonly __demo: { readonly client: Readonly<Record<string, (options: object) => unknown>> };
}

const MESSAGE = 'Part of this page did not load.';

/** What answers for a file that a later deployment removed: an error, or the page of a single-page app. */
const ANSWERS = [
  { status: 404, contentType: 'text/plain', body: 'Not found' },
  { status: 200, contentType: 'text/html', body: '<!doctype html><title>App</title>' },
] as const;

const OTP = { products: ['otp'], otpOptions: { methods: ['email'] } };

interface Journey {
  readonly mount: string;
  readonly options?: object;
  /** The presses of a person. */
  readonly act?: (probe: Locator) => Promise<void>;
  /** A file without which the journey ends as it should, with a passcode. */
  readonly needless?: RegExp;
  /** A file that the journey does not miss. */
  readonly aside?: RegExp;
  /** A file whose loss shows before any press. */
  readonly unpressed?: RegExp;
}

const enterEmail = async (probe: Locator): Promise<void> => {
  await probe.getByRole('textbox', { name: /email/iu }).fill(newAddress());
  await probe.getByRole('button', { name: 'Continue with email' }).click();
};
const press =
  (name: string | RegExp) =>
  async (probe: Locator): Promise<void> =>
    probe.getByRole('button', { name }).click();
const login = (config: object, act?: Journey['act'], more: object = {}): Journey => ({
  mount: 'mountLogin',
  options: { config, ...more },
  ...(act && { act }),
});

const SIGNED_OUT: Readonly<Record<string, Journey>> = {
  passcode: login(OTP, enterEmail),
  link: login({ products: ['emailMagicLinks'] }, enterEmail),
  phone: {
    ...login({ products: ['otp'], otpOptions: { methods: ['sms'] } }, async (probe) => {
      await probe.getByRole('textbox', { name: 'Phone number' }).fill('2125550123');
      await press('Continue with text')(probe);
    }),
    // It has the list of countries, which a number of the chosen country does not need.
    needless: /^phones-/u,
  },
  country: login({ products: ['otp'], otpOptions: { methods: ['sms'] } }, press(/^Country/u)),
  password: login({ products: ['passwords'] }, enterEmail),
  passphrase: login({ products: ['passwords'] }, async (probe) => {
    await enterEmail(probe);
    const suggest = probe.getByRole('button', { name: 'Suggest a passphrase' });
    const reload = probe.getByRole('button', { name: 'Reload' });
    await suggest.or(reload).first().waitFor();
    if (await suggest.isVisible()) await suggest.click();
  }),
  wallets: login({ products: ['crypto'] }, async (probe) => {
    const button = probe.getByRole('button', { name: /wallet/iu }).first();
    const message = probe.getByText(MESSAGE).first();
    await button.or(message).first().waitFor();
    if (!(await message.isVisible())) await button.click();
  }),
  // The browser's dialog opens without it. It has the sentence for a dialog that was cancelled.
  passkey: login({ products: ['passkeys', 'otp'], otpOptions: OTP.otpOptions }, press(/passkey/iu)),
  passkeySignUp: {
    ...login({ products: ['passkeys', 'otp'], otpOptions: OTP.otpOptions, passkeyOptions: { signUp: true } }),
    unpressed: /^passkey(?:s|-sign-up)-/u,
  },
  social: login({ products: ['oauth'], oauthOptions: { providers: [{ type: 'snapchat' }, { type: 'google' }] } }),
  language: login(OTP, undefined, { language: 'de' }),
  preset: login(OTP, undefined, { styles: { preset: 'soft' } }),
  reset: { mount: 'mountResetPassword', options: { config: { products: ['passwords'] }, passwordResetToken: 'spent' } },
  // Without a user it creates no passkey.
  registration: { mount: 'mountPasskeyRegistration', aside: /^webauthn-/u },
  account: { mount: 'mountAccount' },
  consent: { mount: 'mountIdentityProvider' },
};
const SIGNED_IN: Readonly<Record<string, Journey>> = {
  stepUp: login({ ...OTP, stepUp: { factors: [], reason: 'second-factor' } }),
  registration: {
    mount: 'mountPasskeyRegistration',
    act: async (probe) => {
      const create = probe.getByRole('button', { name: 'Create a Passkey' });
      const message = probe.getByText(MESSAGE).first();
      await create.or(message).first().waitFor();
      if (!(await message.isVisible())) await create.click();
    },
  },
  account: { mount: 'mountAccount' },
};

/** Files without which a widget does all that it should: the rest of the name says what replaces each. */
const OPTIONAL: readonly RegExp[] = [
  /^language-/u, // English
  /^themes-/u, // the default look
  /^(?:marks|mails)-/u, // no marks, no hints
  /^(?:strength|phone-data|silent-passkeys|third-party-scripts)-/u, // the server's answer
  /^(?:unreachable|adoption)-/u, // a message for developers; the first screen is rendered again
  /^session-/u, // the session of the last answer
];

/** Files of steps and settings that these journeys do not have. `tests/unit/presentation/missing-files` loses those of the screens. */
const LATER: readonly RegExp[] = [/^(?:second-factor|qr-code|login-binding)-/u];

const nameOf = (file: string): string => file.replace(/^standalone-/u, '');

/** The files of a build that load later, from the build itself: those that the bundler of the page took over. */
const filesOf = (build: 'react' | 'standalone'): readonly string[] =>
  readdirSync(join(ROOT, 'dist/chunks')).filter(
    (file) =>
      file.endsWith('.js') &&
      file.startsWith('standalone-') === (build === 'standalone') &&
      readdirSync(join(ROOT, '.demo/assets')).some((name) =>
        name.startsWith(file.replace(/js$/u, '').replace(/\.$/u, '-')),
      ),
  );

/** The requests for a file, whose name the bundler of the page has made longer. */
const requestsFor = (file: string): RegExp =>
  new RegExp(`/${file.replace(/\.js$/u, '')}(?:-[\\w-]+)?\\.js(?:\\?|$)`, 'u');

const pathOf = (build: 'react' | 'standalone'): string => (build === 'standalone' ? '/standalone' : '/');

async function mount(page: Page, path: string, { mount: call, options = {} }: Journey, what = call): Promise<Locator> {
  await page.goto(path);
  // The page's own widget may need the file, too. A signed-in visitor has none.
  const ready = page
    .locator('#widget [data-portico][data-state=ready]')
    .or(page.getByText(MESSAGE))
    .or(page.getByRole('heading', { name: 'You are signed in' }));
  await expect(ready.first(), what).toBeVisible();
  await page.evaluate(
    ([name, given]) => {
      document.querySelector('#widget')?.remove();
      const element = document.body.appendChild(Object.assign(document.createElement('div'), { id: 'probe' }));
      (window as unknown as DemoWindow).__demo.client[name]?.({ elementId: element, ...given });
    },
    [call, options] as const,
  );
  return page.locator('#probe');
}

/** The page asks for nothing for half a second. */
async function rests(page: Page): Promise<void> {
  let last = Date.now();
  const note = (): void => void (last = Date.now());
  page.on('request', note);
  await expect.poll(() => Date.now() - last, { intervals: [100] }).toBeGreaterThan(500);
  page.off('request', note);
}

/** Without the file the page has no client: it is one of the page's start, and no later one. */
async function isOfStart(page: Page, path: string, file: string): Promise<boolean> {
  await page.route(requestsFor(file), (route) => route.fulfill(ANSWERS[0]));
  await page.goto(path);
  await rests(page);
  const hasClient = await page.evaluate(() => '__demo' in window);
  await page.unroute(requestsFor(file));
  return !hasClient;
}

const expectMessage = async (probe: Locator, what: string): Promise<void> => {
  await expect(probe.getByText(MESSAGE).first(), what).toBeVisible();
  await expect(probe.getByRole('button', { name: 'Reload' }).first(), what).toBeVisible();
  await expect(probe.getByText('Unable to contact our servers.'), what).toHaveCount(0);
};

/** React logs what an error boundary caught: the error of the file. */
const allowFailures = (trap: Trap): void =>
  trap.allow(/Failed to |did not load|MIME type|Expected a JavaScript|is not supported|SDKAPIUnreachableError/u);

for (const build of ['standalone', 'react'] as const) {
  test(
    `a page whose later files are gone says so at each press, and a reload mends it, in the build ${build}`,
    { tag: '@react' },
    async ({ page, trap }) => {
      allowFailures(trap);
      const files = filesOf(build).map(requestsFor);
      const isLater = ({ href }: URL): boolean => files.some((file) => file.test(href));
      for (const answer of ANSWERS) {
        // What the start of the page loads is there: its files came with the page.
        const atStart: string[] = [];
        page.on('request', (request) => atStart.push(request.url()));
        await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
        await page.goto(pathOf(build));
        await rests(page);
        page.removeAllListeners('request');
        const gone = (url: URL): boolean => isLater(url) && !atStart.includes(url.href);
        await page.route(gone, (route) => route.fulfill(answer));
        const probe = page.locator('#widget');
        const field = probe.getByRole('textbox', { name: /email/iu });
        const go = probe.getByRole('button', { name: 'Continue with email' });
        const address = newAddress();
        await field.fill(address);
        for (let presses = 0; presses < 2; presses += 1) {
          await go.click();
          await expectMessage(probe, `press ${presses}`);
          await expect(field).toHaveValue(address);
        }
        await page.unroute(gone);
        // The file is back: the press goes on where the browser asks for it again, and else a reload brings it.
        await go.click();
        const reload = probe.getByRole('button', { name: 'Reload' });
        const code = probe.getByRole('heading', { name: 'Enter passcode' });
        await expect(reload.or(code)).toBeVisible();
        if (await reload.isVisible()) {
          await reload.click();
          await field.fill(address);
          await go.click();
        }
        await expect(code).toBeVisible();
        await probe.getByRole('button', { name: 'Back' }).click();
      }
    },
  );

  test(
    `each later file of the build ${build} that is gone is said where it is missing`,
    { tag: ['@react', '@soak'] },
    async ({ page, trap, inbox }) => {
      // Some hundred pages.
      test.setTimeout(1_800_000);
      allowFailures(trap);
      // Each login begins at its first screen: one that continues after a reload needs fewer files.
      await page.addInitScript(() => window.sessionStorage.clear());
      const path = pathOf(build);
      const files = filesOf(build);
      const covered = new Set<string>();
      const ofStart = new Map<string, boolean>();
      const walk = async (journeys: Readonly<Record<string, Journey>>): Promise<void> => {
        for (const [name, journey] of Object.entries(journeys)) {
          const asked = new Set<string>();
          const note = (url: string): void =>
            files.filter((file) => requestsFor(file).test(url)).forEach((file) => asked.add(file));
          await page.goto(path);
          await rests(page);
          page.on('request', (request) => note(request.url()));
          const probe = await mount(page, path, journey);
          await journey.act?.(probe);
          await rests(page);
          page.removeAllListeners('request');
          for (const file of asked) {
            if (!ofStart.has(file)) ofStart.set(file, await isOfStart(page, path, file));
            if (ofStart.get(file) === true) {
              covered.add(file);
              continue;
            }
            // A login loads most files while the page is idle, and needs them at a press.
            const isUnpressed = journey.unpressed?.test(nameOf(file)) === true;
            const isPressed = journey.mount !== 'mountLogin' || journey.act !== undefined || isUnpressed;
            const isOptional = OPTIONAL.some((pattern) => pattern.test(nameOf(file)));
            for (const answer of ANSWERS) {
              await page.route(requestsFor(file), (route) => route.fulfill(answer));
              const what = `${name} without ${file}, ${answer.status}`;
              const there = await mount(page, path, journey, what);
              await journey.act?.(there).catch(() => undefined);
              const isAside = journey.aside?.test(nameOf(file)) === true;
              const isNeedless = journey.needless?.test(nameOf(file)) === true;
              if (isNeedless) await expect(there.getByRole('heading', { name: 'Enter passcode' }), what).toBeVisible();
              else if (isOptional || isAside || !isPressed)
                await expect(there.getByText('Unable to contact our servers.'), what).toHaveCount(0);
              else await expectMessage(there, what);
              if (isOptional || (isPressed && !isNeedless && !isAside)) covered.add(file);
              await page.unroute(requestsFor(file));
            }
          }
        }
      };
      await walk(SIGNED_OUT);
      const address = newAddress();
      await page.goto(path);
      await askForCode(page, address);
      await codeField(page).fill(await inbox.codeFor(address));
      await expectSignedIn(page, address);
      await walk(SIGNED_IN);
      const others = files.map(nameOf).filter((name) => ![...OPTIONAL, ...LATER].some((pattern) => pattern.test(name)));
      expect(others.filter((name) => ![...covered].map(nameOf).includes(name))).toEqual([]);
    },
  );
}
