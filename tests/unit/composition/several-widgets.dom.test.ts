/** Widgets of different kinds on one page, in the page and in shadow roots. */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { otps } from '#application/api/index.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { crossings } from '../../gallery/borders.ts';
import { ADA, closePages, loadParts, Page } from './pressing/page.ts';

beforeAll(loadParts);
afterEach(closePages);

const CODES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const LINKS: LoginConfig = { products: ['emailMagicLinks'], enableShadowDOM: true };

/** A page with four widgets of one client. */
function open() {
  const page = new Page();
  const place = (name: string): HTMLElement =>
    document.body.appendChild(Object.assign(document.createElement('div'), { id: name }));
  const [codes, links, account, reset] = ['codes', 'links', 'account', 'reset'].map(place) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  const { client } = page;
  client.mountLogin({ elementId: codes, config: CODES });
  client.mountLogin({ elementId: links, config: LINKS });
  client.mountAccount({ elementId: account.attachShadow({ mode: 'open' }) });
  client.mountResetPassword({ elementId: reset, config: { products: ['passwords'] } });
  const rootOf = (element: HTMLElement): ParentNode =>
    element.shadowRoot ?? element.querySelector('*')?.shadowRoot ?? element;
  const titles = () => [codes, links, account, reset].map((one) => rootOf(one).querySelector('h1')?.textContent ?? '');
  const ready = () => page.until(() => (titles().every((title) => title !== '') ? titles() : null));
  const containers = () =>
    [codes, links, account, reset].map((one) => rootOf(one).querySelector('[data-portico]') as Element);
  return { page, codes, links, rootOf, titles, ready, containers };
}

const inputOf = (root: ParentNode, selector: string): HTMLInputElement | null => root.querySelector(selector);

function write(input: HTMLInputElement | null, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input?.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
}

it('four widgets have names of their own, and each press is of one', async () => {
  const { page, codes, links, rootOf, titles, ready, containers } = open();
  const before = await ready();
  expect(crossings(containers())).toEqual([]);
  write(inputOf(rootOf(links), 'input[type=email]'), 'bo@example.com');
  write(inputOf(codes, 'input[type=email]'), ADA);
  inputOf(codes, 'input[type=email]')?.form?.requestSubmit();
  await page.until(() => (titles()[0] === 'Enter passcode' ? true : null));
  expect(titles().slice(1)).toEqual(before.slice(1));
  expect(inputOf(rootOf(links), 'input[type=email]')?.value).toBe('bo@example.com');
  expect(page.world.transport.requestsTo(otps.emailLoginOrCreate)).toHaveLength(1);
  expect(crossings(containers())).toEqual([]);
});

it('a login in one of them shows in all, and so does the end of the session', async () => {
  const { page, codes, rootOf, links, titles, ready } = open();
  await ready();
  write(inputOf(codes, 'input[type=email]'), ADA);
  inputOf(codes, 'input[type=email]')?.form?.requestSubmit();
  await page.until(() => (titles()[0] === 'Enter passcode' ? true : null));
  write(inputOf(codes, 'input[name=code]'), page.world.server.codeFor(ADA) ?? '');
  await page.until(() =>
    titles()
      .slice(0, 2)
      .every((title) => title === 'Success!')
      ? true
      : null,
  );
  expect(rootOf(links).querySelectorAll('[role=alert]:not(:empty)')).toHaveLength(0);
  await page.client.session.revoke();
  await page.until(() => (titles()[0] === titles()[1] && titles()[0] !== 'Success!' ? true : null));
});
