import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { webauthn } from '#application/api/index.ts';
import { Login, PorticoProvider } from '#composition/react.tsx';
import type { HostEvent } from '#domain/widget/host-events.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { ADA, closePages, loadParts, Page } from './page.ts';

const CONFIG: LoginConfig = {
  products: ['otp', 'passkeys'],
  otpOptions: { methods: ['email'] },
  passkeyOptions: { offerAfterLogin: true },
};

beforeAll(loadParts);
const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
  closePages();
});

/** Somebody whom a host under StrictMode, which mounts every effect twice, offers a passkey. */
async function offered(): Promise<Page> {
  const page = new Page({ prepare: (tab) => void (tab.webauthn.platform = true) });
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  ended.push(() => root.unmount());
  root.render(
    <StrictMode>
      <PorticoProvider client={page.client}>
        <Login config={CONFIG} callbacks={page.callbacks} />
      </PorticoProvider>
    </StrictMode>,
  );
  await page.fill('email', ADA);
  await page.press('Continue with email');
  await page.fill('code', page.world.server.codeFor(ADA) ?? '');
  await page.shows('Log in faster next time');
  return page;
}

const told = ({ heard }: Page, ...types: readonly HostEvent['type'][]) =>
  heard.flatMap(({ type }) => (types.includes(type) ? [type] : []));

it('is offered once under StrictMode, and one press creates one passkey', async () => {
  const page = await offered();
  expect(document.querySelectorAll('h1')).toHaveLength(1);
  expect(told(page, 'AUTHENTICATE_FLOW_COMPLETE')).toHaveLength(1);
  await page.tenTimes(() => page.button('Create a Passkey'));
  await page.until(() => told(page, 'PASSKEY_REGISTER')[0]);
  expect(told(page, 'PASSKEY_REGISTER')).toHaveLength(1);
  expect(page.world.transport.requestsTo(webauthn.registerStart)).toHaveLength(1);
  expect(page.tab.webauthn.authenticator.count).toBe(1);
});

it('is declined once under StrictMode', async () => {
  const page = await offered();
  expect(await page.tenTimes(() => page.button('Not now'))).toEqual(['PASSKEY_SKIP']);
  expect(document.querySelector('h1')?.textContent).not.toBe('Log in faster next time');
});
