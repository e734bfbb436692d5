/** Host pages whose own markup or scripts left names where code might look for something else (threats T05 and T06). */
import { expect, test } from './fixtures.ts';
import { askForCode, codeField, expectSignedIn, newAddress } from './visitor.ts';

test(
  'elements named as globals are taken for nothing but elements',
  { tag: '@soak' },
  async ({ page, demoPath, inbox }) => {
    await page.addInitScript(() => {
      const named = [
        ['form', 'id', 'config'],
        ['form', 'id', 'options'],
        ['form', 'id', 'google'],
        ['a', 'id', 'accounts'],
        ['a', 'id', 'ethereum'],
        ['a', 'id', 'phantom'],
        ['a', 'id', 'solana'],
        ['a', 'id', 'grecaptcha'],
        ['a', 'id', 'trustedTypes'],
        ['a', 'id', 'portico'],
        ['a', 'id', 'toString'],
        ['img', 'name', 'cookie'],
        ['img', 'name', 'referrer'],
        ['img', 'name', 'visibilityState'],
      ] as const;
      const place = document.createElement('div');
      place.hidden = true;
      for (const [tag, attribute, name] of named) {
        const element = document.createElement(tag);
        element.setAttribute(attribute, name);
        place.append(element);
      }
      new MutationObserver((_, observer) => {
        observer.disconnect();
        document.documentElement.append(place);
      }).observe(document, { childList: true });
    });
    const address = newAddress();
    await page.goto(demoPath);
    expect(await page.evaluate(() => typeof document.cookie)).toBe('object');
    await askForCode(page, address);
    await codeField(page).pressSequentially(await inbox.codeFor(address));
    await expectSignedIn(page, address);
  },
);

test(
  'properties that a script of the page adds to every object change no request and no screen',
  { tag: '@soak' },
  async ({ page, demoPath, providerUrl, inbox }) => {
    await page.addInitScript(() => {
      const evil = {
        polluted: 'yes',
        headers: { 'x-evil': '1' },
        hooks: {},
        error_type: 'evil',
        session_token: 'evil',
      };
      for (const [name, value] of Object.entries(evil)) {
        Reflect.defineProperty(Object.prototype, name, {
          value,
          enumerable: false,
          configurable: true,
          writable: true,
        });
      }
    });
    const headers: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(providerUrl)) headers.push(...Object.keys(request.headers()));
    });
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).pressSequentially(await inbox.codeFor(address));
    await expectSignedIn(page, address);
    expect(headers).toContain('authorization');
    expect(headers).not.toContain('x-evil');
  },
);
