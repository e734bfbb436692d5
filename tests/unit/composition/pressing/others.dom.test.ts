import { afterEach, beforeAll, expect, it } from 'vitest';
import { idp, sessions, users, webauthn } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { consentWorld, LOGOUT, REQUEST } from '../../application/consent/open-consent.ts';
import { TestWorld } from '../../application/world.ts';
import { ADA, AT, closePages, loadParts, Page } from './page.ts';

beforeAll(loadParts);
afterEach(closePages);

/** Somebody signed in, at their passkeys. */
async function passkeys(): Promise<Page> {
  const page = new Page({ world: new TestWorld() });
  await page.world.signIn(page.client, ADA);
  page.client.mountPasskeyRegistration({ ...AT, callbacks: page.callbacks });
  await page.shows('Set up a new Passkey');
  return page;
}

async function listed(): Promise<Page> {
  const page = await passkeys();
  await page.press('Create a Passkey');
  await page.shows('Passkey successfully created!');
  return page;
}

async function editing(): Promise<Page> {
  const page = await listed();
  await page.press('Rename Passkey');
  const field = document.querySelector<HTMLInputElement>('input[type=text]');
  field?.setAttribute('name', 'name');
  await page.fill('name', 'My phone');
  return page;
}

async function deleting(): Promise<Page> {
  const page = await listed();
  await page.press('Delete Passkey');
  return page;
}

/** Somebody signed in, at the page that an app led to. */
async function app(query: Readonly<Record<string, string>>, prepare?: (world: TestWorld) => void) {
  const world = consentWorld();
  const page = new Page({ world, href: `http://localhost:3000/authorize?${new URLSearchParams(query).toString()}` });
  await world.signIn(page.client, ADA);
  prepare?.(world);
  page.client.mountIdentityProvider({ ...AT, callbacks: page.callbacks });
  return page;
}
const consent = async (): Promise<Page> => {
  const page = await app(REQUEST);
  await page.until(() => page.button('Allow'));
  return page;
};
const refused = (query: Readonly<Record<string, string>>) => async (): Promise<Page> => {
  let answer = (): unknown => errorReply(500, 'internal_server_error');
  const page = await app(query, ({ transport }) => {
    for (const endpoint of [idp.authorizeStart, idp.logoutStart]) transport.answer(endpoint, () => answer());
  });
  await page.shows('Looks like there was an error!');
  answer = () => ({ consent_required: true, scope_results: [], client: {} });
  return page;
};
const logout = async (): Promise<Page> => {
  const page = await app(LOGOUT);
  await page.shows('Log out?');
  return page;
};

const ROWS: readonly (readonly [what: string, open: () => Promise<Page>, press: string, asks: readonly string[]])[] = [
  ['to create a passkey', passkeys, 'Create a Passkey', [webauthn.registerStart.name]],
  ['to do without a passkey', passkeys, 'Skip', ['PASSKEY_SKIP']],
  ['to have done with passkeys', listed, 'Done', ['PASSKEY_DONE']],
  ['to rename a passkey', editing, 'Save the name', [webauthn.update.name]],
  ['to delete a passkey', deleting, 'Delete', [users.deleteWebauthnRegistration.name]],
  ['to let an app in', consent, 'Allow', [idp.authorizeSubmit.name]],
  ['to keep an app out', consent, 'Deny', [idp.authorizeSubmit.name]],
  ['to try an app’s request again', refused(REQUEST), 'Try again', [idp.authorizeStart.name]],
  ['to log out', logout, 'Yes', [sessions.revoke.name]],
  ['not to log out', logout, 'No', []],
  ['to try to log out again', refused(LOGOUT), 'Try again', [idp.logoutStart.name]],
];

it.each(ROWS)('ten presses ask once %s', async (_, open, press, asks) => {
  const page = await open();
  const held = page.world.transport.hold();
  expect(await page.tenTimes(() => page.button(press))).toEqual(asks);
  held.release();
  await page.settle();
  for (const name of asks) expect(page.asked().filter((each) => each === name)).toHaveLength(1);
});

it.each([
  ['Yes', 'No', [sessions.revoke.name]],
  ['No', 'Yes', []],
])('who answers %s and %s in one breath has answered with the first', async (first, second, asks) => {
  const page = await logout();
  page.mark();
  page.button(first)?.click();
  page.button(second)?.click();
  await page.settle();
  expect(page.asked().filter((name) => name === sessions.revoke.name)).toEqual(asks);
  const said = document.querySelector('h1')?.textContent;
  expect(said === 'You have not been logged out. You may close this page.').toBe(first === 'No');
});
