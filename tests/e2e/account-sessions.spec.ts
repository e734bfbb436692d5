import { expect, test } from './fixtures.ts';
import { heading, inNewWindow } from './visitor.ts';
import { pathFor, button, section, enter, events } from './account-page.ts';

test(
  'another browser is signed out from here, and notices',
  { tag: ['@every', '@soak'] },
  async ({ page, browser, demoPath, inbox, trap }) => {
    // The refused refresh of the browser that was signed out.
    trap.allow(/401/);
    const address = await enter(page, pathFor(demoPath), inbox);
    const context = await browser.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:143.0) Firefox/143.0' });
    trap.watch(context);
    const other = await context.newPage();
    await enter(other, pathFor(demoPath), inbox, address);
    const here = await inNewWindow(page);
    const rows = section(here, 'Where you are signed in').getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1);
    await button(here, 'Sign out Firefox on Windows').click();
    await expect(rows).toHaveCount(1);
    await expect(section(here, 'Where you are signed in').getByRole('heading')).toBeFocused();
    await expect(section(here, 'Where you are signed in')).toContainText('It can take a few minutes');
    // What it does next is refused, and it asks to sign in.
    await button(other, 'Edit your name').click();
    await button(other, 'Save').click();
    await expect(heading(other, 'You are signed out')).toBeVisible();
    await expect(heading(here, 'Your account')).toBeVisible();
    await here.close();
    await context.close();
  },
);

test(
  'all other browsers are signed out at once, after a question',
  { tag: ['@every', '@soak'] },
  async ({ page, browser, demoPath, inbox, trap }) => {
    trap.allow(/401/);
    const address = await enter(page, pathFor(demoPath), inbox);
    await expect(section(page, 'Where you are signed in').getByRole('listitem')).toHaveCount(1);
    await expect(button(page, 'Sign out everywhere else')).toHaveCount(0);
    const context = await browser.newContext();
    trap.watch(context);
    const other = await context.newPage();
    await enter(other, pathFor(demoPath), inbox, address);
    const here = await inNewWindow(page);
    const sessions = section(here, 'Where you are signed in');
    await expect(sessions.getByRole('listitem')).toHaveCount(2);
    await button(here, 'Sign out everywhere else').focus();
    await expect(button(here, 'Sign out everywhere else')).toBeFocused();
    await here.keyboard.press('Enter');
    await expect(sessions).toContainText('Apps that were given access there lose it.');
    await button(here, 'Cancel').click();
    await expect(button(here, 'Sign out everywhere else')).toBeFocused();
    await here.keyboard.press('Enter');
    await button(here, 'Yes, sign out there').click();
    await expect(sessions.getByRole('listitem')).toHaveCount(1);
    await expect(sessions).toContainText('Signed out everywhere else.');
    await expect(sessions.getByRole('heading')).toBeFocused();
    await expect.poll(() => events(here)).toEqual(['othersEnded']);
    await button(other, 'Edit your name').click();
    await button(other, 'Save').click();
    await expect(heading(other, 'You are signed out')).toBeVisible();
    await here.close();
    await context.close();
  },
);

test(
  'more than a hundred sessions come by pages, and the focus goes on with the list',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, axe }) => {
    // The server's own pages have their tests; here its list is copied, because 230 logins take a minute.
    interface Page {
      sessions: { session_id: string; is_current: boolean; attributes: object }[];
      next_cursor: string | null;
    }
    await page.route(/\/users\/sessions(?:\/after\/.*)?$/u, async (route) => {
      const isFirst = route.request().url().endsWith('/users/sessions');
      const reply = await route.fetch({
        url: route
          .request()
          .url()
          .replace(/\/after\/.*/u, ''),
      });
      const { data, ...rest } = (await reply.json()) as { data: Page };
      const [own] = data.sessions;
      const copies = Array.from({ length: isFirst ? 99 : 30 }, (_, index) => ({
        ...(own as Page['sessions'][number]),
        session_id: `copy-${isFirst ? 'a' : 'b'}-${index}`,
        is_current: false,
      }));
      const sessions = isFirst ? [...data.sessions, ...copies] : copies;
      await route.fulfill({
        response: reply,
        json: { ...rest, data: { ...data, sessions, next_cursor: isFirst ? '1.x' : null } },
      });
    });
    await enter(page, pathFor(demoPath), inbox);
    const rows = section(page, 'Where you are signed in').getByRole('listitem');
    await expect(rows).toHaveCount(100);
    await button(page, 'Show more').focus();
    await page.keyboard.press('Enter');
    await expect(rows).toHaveCount(130);
    await expect(rows.nth(100)).toBeFocused();
    await expect(button(page, 'Show more')).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(rows.nth(100).getByRole('button')).toBeFocused();
    expect(await axe(page)).toEqual([]);
  },
);
