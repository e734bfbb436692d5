import { newAddress } from '../e2e/visitor.ts';
import { DEMO, expect, test } from './fixtures.ts';
import { askForCode, logOut, seeSignedIn, seeSignedOut } from './visitor.ts';

test('signs in by code under a strict policy; a reload keeps the screen, and signing out reaches the other tab', async ({
  webkit,
  inbox,
}) => {
  const address = newAddress();
  await webkit.goto(`${DEMO}/standalone`);
  await askForCode(webkit, address);
  // A phone may discard the tab while its owner reads the mail.
  await webkit.reload();
  await webkit.see('#widget *', address);
  await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
  await seeSignedIn(webkit, address);
  await webkit.reload();
  await seeSignedIn(webkit, address);
  const [first] = await webkit.newTab();
  await webkit.goto(`${DEMO}/standalone`);
  await seeSignedIn(webkit, address);
  await logOut(webkit);
  await webkit.toTab(first);
  await seeSignedOut(webkit);
  expect((await webkit.cookies()).filter(({ value }) => value !== '')).toEqual([]);
});
