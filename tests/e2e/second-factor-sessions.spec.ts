import { decodeJwt } from 'jose';
import { controlOf } from '#composition/control/provider-control.ts';
import { expect } from './fixtures.ts';
import { addApp, appCodeField, button, CONNECTED_APP, judged, leave, proveEmail, test } from './mfa-host.ts';
import { expectSignedIn, heading, newAddress, widget } from './visitor.ts';

// One site serves all of them.
test.describe.configure({ mode: 'default' });
test.afterEach(({ site }) => controlOf(site.provider).reset());

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;
const CONFIRM = 'Confirm that it is you';
interface MountingWindow {
  readonly __demo: {
    readonly client: {
      mountLogin(options: {
        readonly elementId: Element;
        readonly config: object;
        readonly callbacks: { onEvent(event: { readonly type: string }): void };
      }): void;
    };
  };
  readonly types: readonly string[];
}

test(
  'a server that wants a recent proof sends the login to the second factor, and the session has it afterwards',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, control, context, site, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(demoPath);
    await proveEmail(page, inbox, address);
    const { app } = await addApp(page, control);
    await expectSignedIn(page, address);
    const { totpAt, lacks } = await judged(context, control, site);
    expect(lacks).toBeNull();
    await control.clock.move({ minutes: 3 });
    const asked = await judged(context, control, site);
    expect(asked.lacks).toEqual({ factors: ['totp'], reason: 'too-old' });

    await page.evaluate((stepUp) => {
      const element = document.createElement('div');
      element.id = 'step-up';
      document.body.replaceChildren(element);
      const { client } = (window as unknown as MountingWindow).__demo;
      const types: string[] = [];
      Object.assign(window, { types });
      client.mountLogin({
        elementId: element,
        config: { stepUp },
        callbacks: { onEvent: ({ type }) => types.push(type) },
      });
    }, asked.lacks);
    const place = page.locator('#step-up');
    await expect(place.getByRole('heading', { name: CONFIRM })).toBeVisible();
    await expect(place.getByRole('button', { name: 'Back' })).toHaveCount(0);
    await place.getByRole('textbox', { name: 'Code from your authenticator app' }).fill(await app.code());
    await expect
      .poll(() => page.evaluate(() => (window as unknown as MountingWindow).types))
      .toEqual(['SECOND_FACTOR_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    const after = await judged(context, control, site);
    expect(after.lacks).toBeNull();
    expect(after.totpAt).toBeGreaterThan(totpAt);
  },
);

test(
  'another app’s consent waits for the second factor of the login, and for that of a trusted browser where the app asks for two',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, control, axe, site, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(demoPath);
    await proveEmail(page, inbox, address);
    const { app } = await addApp(page, control);
    await expectSignedIn(page, address);
    await leave(page);
    await proveEmail(page, inbox, address);
    await expect(heading(page, CONFIRM)).toBeVisible();
    const [redirect_uri = ''] = CONNECTED_APP.redirect_uris;
    const query = new URLSearchParams({
      client_id: CONNECTED_APP.client_id,
      redirect_uri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    await page.goto(`/authorize?${query.toString()}`);
    await expect(heading(page, CONFIRM)).toBeVisible();
    expect(await axe(page)).toEqual([]);
    await widget(page).getByRole('checkbox', { name: 'Trust this browser for 30 days' }).check();
    // Firefox's driver fills this field so that React does not notice; a person's keys it notices.
    await appCodeField(page).pressSequentially(await app.code());
    await expect(page.getByRole('heading', { name: /^Sign in to Planner/u })).toBeVisible();
    await expect(button(page, 'Allow')).toBeVisible();

    // The login of a trusted browser is one factor, which is not what the app asks for.
    await page.goto(demoPath);
    await leave(page);
    await proveEmail(page, inbox, address);
    await expectSignedIn(page, address);
    const back = page.waitForRequest((request) => request.url().startsWith(redirect_uri));
    await page.context().route(`${redirect_uri}**`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(`${site.provider}/oauth2/authorize?${query.toString()}&acr_values=urn:portico:aal2`);
    await expect(heading(page, CONFIRM)).toBeVisible();
    await appCodeField(page).pressSequentially(await app.code());
    await button(page, 'Allow').click();
    const code = new URL((await back).url()).searchParams.get('code') ?? '';
    const grant = { grant_type: 'authorization_code', code, redirect_uri, client_id: CONNECTED_APP.client_id };
    const form = { ...grant, code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' };
    const reply = await page.request.post(`${site.provider}/oauth2/token`, { form });
    const { id_token = '' } = (await reply.json()) as { readonly id_token?: string };
    expect(decodeJwt(id_token)).toMatchObject({ acr: 'urn:portico:aal2' });
  },
);

test(
  'the account page shows the second factors, makes new recovery codes, and ends the trust in a browser and a recovery',
  { tag: ['@every', '@soak'] },
  async ({ browser, page, demoPath, inbox, control, axe, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(demoPath);
    await proveEmail(page, inbox, address);
    const { app, codes } = await addApp(page, control);
    await expectSignedIn(page, address);
    await leave(page);
    await proveEmail(page, inbox, address);
    await widget(page).getByRole('checkbox', { name: 'Trust this browser for 30 days' }).check();
    await appCodeField(page).fill(await app.code());
    await expectSignedIn(page, address);

    // Whoever lacks the second factor begins a recovery in another browser.
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await other.goto(new URL(demoPath, page.url()).href);
    await proveEmail(other, inbox, address);
    await button(other, 'Lost everything?').click();
    await button(other, 'Begin the recovery').click();
    await expect(heading(other, 'The recovery has begun')).toBeVisible();
    await elsewhere.close();

    await page.goto('/account');
    const section = widget(page).getByRole('region', { name: 'Second factor' });
    await expect(section).toContainText('You have: Authenticator app · Recovery codes');
    await expect(section).toContainText('Someone asked to remove second factors of your account');
    await expect(section.getByRole('listitem')).toHaveCount(1);
    expect(await axe(page)).toEqual([]);
    await button(page, 'Stop the recovery').click();
    await expect(section).toContainText('The recovery was stopped.');
    await expect(section.getByRole('heading', { level: 2 })).toBeFocused();
    await button(page, /^Stop trusting/u).click();
    await expect(section).toContainText('You trust no browser');
    await expect(section.getByRole('heading', { level: 2 })).toBeFocused();

    const totp = widget(page).getByRole('region', { name: 'Authenticator app' });
    await expect(totp).toContainText('Unused recovery codes: 10.');
    await button(page, 'Make new recovery codes').click();
    await expect(totp).toContainText('The earlier ones no longer work.');
    const made = await totp.locator('[data-part=codes] code').allInnerTexts();
    expect(made).toHaveLength(10);
    expect(made.filter((code) => codes.includes(code))).toEqual([]);
    expect(await axe(page)).toEqual([]);
  },
);
