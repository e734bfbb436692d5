/** What a person meets in a browser as they set it up: a strict policy, storage that refuses, private windows, the way back, and tabs. */
import type { BrowserContext, Page } from '@playwright/test';
import { serveChanged } from './changed-demo.ts';
import { expect, test, type Inbox } from './fixtures.ts';
import {
  askForCode,
  codeField,
  expectConfirmed,
  expectSignedIn,
  expectSignedOut,
  heading,
  logOut,
  newAddress,
} from './visitor.ts';

async function logIn(page: Page, inbox: Inbox): Promise<string> {
  const address = newAddress();
  await askForCode(page, address);
  await codeField(page).pressSequentially(await inbox.codeFor(address));
  return address;
}

/** What the pages of this context did against their policy. */
async function violationsOf(context: BrowserContext): Promise<readonly string[]> {
  const seen: string[] = [];
  await context.exposeBinding('reportViolation', (_, directive: string) => void seen.push(directive));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
      (window as unknown as { reportViolation(text: string): void }).reportViolation(violatedDirective);
    });
  });
  return seen;
}

test(
  'no widget breaks the policy of its page, which the browser enforces',
  { tag: ['@every', '@soak'] },
  async ({ page, context, demoPath, inbox, trap }) => {
    trap.allow(/Content[- ]Security[- ]Policy|TrustedScript|TrustedHTML/u);
    const violations = await violationsOf(context);
    const build = demoPath === '/' ? '' : '?build=standalone';
    await page.goto(demoPath);
    const address = await logIn(page, inbox);
    await expectSignedIn(page, address);
    for (const [path, title] of [
      ['/account', 'Your account'],
      ['/passkeys', 'Set up a new Passkey'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await page.goto(`${path}${build}`);
      // oxlint-disable-next-line no-await-in-loop
      await expect(heading(page, title)).toBeVisible();
    }
    await page.goto('/reset');
    await expect(page.getByRole('heading', { name: 'Nothing to do here' })).toBeVisible();
    expect(violations).toEqual([]);

    const [ran, hasTypes, refused] = await page.evaluate(() => {
      const script = document.createElement('script');
      // Firefox has Trusted Types since version 148. Without them text goes into the element, and the policy refuses to run it.
      const isRefused = ((): boolean => {
        try {
          script.textContent = 'window.ran = true';
          document.createElement('div').innerHTML = '<b>';
          return false;
        } catch {
          return true;
        }
      })();
      document.head.append(script);
      return ['ran' in window, 'trustedTypes' in window, isRefused] as const;
    });
    expect([ran, refused]).toEqual([false, hasTypes]);
    // Text that Trusted Types refuse never gets as far as the policy of scripts.
    await expect.poll(() => violations.join()).toMatch(hasTypes ? /^require-trusted-types-for$/u : /^script-src/u);
  },
);

test(
  'a page that comes back from the back-forward cache shows the login, and the sign-out, of the meantime',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, baseURL, trap }) => {
    // The playground may check its session while the other tab signs out.
    trap.allow(/401 \(Unauthorized\).*sessions\/authenticate/);
    const kept = await serveChanged(baseURL ?? '', { mayBeStored: true });
    const url = `${kept.url}${demoPath}`;
    const isKept = async (): Promise<boolean> => page.evaluate(() => 'isMarked' in window);
    const mark = async (): Promise<void> => page.evaluate(() => void Object.assign(window, { isMarked: true }));

    await page.goto(url);
    // A page that is left while it loads its code cannot be kept.
    await expectSignedOut(page);
    await mark();
    await page.goto(`${kept.url}/playground`);
    const other = await page.context().newPage();
    await other.goto(url);
    const address = await logIn(other, inbox);
    await expectSignedIn(other, address);
    await page.goBack();
    await expectSignedIn(page, address);
    const first = await isKept();
    await expectConfirmed(page);
    await mark();
    await page.goto(`${kept.url}/playground`);
    await logOut(other).click();
    await expectSignedOut(other);
    await page.goBack();
    await expectSignedOut(page);
    test.info().annotations.push({ type: 'back-forward cache', description: `${first}, ${await isKept()}` });
    await kept.close();
  },
);
