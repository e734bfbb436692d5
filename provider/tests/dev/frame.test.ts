import { html } from 'hono/html';
import { expect, it } from 'vitest';
import { page } from '#provider/dev/frame.ts';

const linksOf = (markup: string): readonly string[] =>
  Array.from(markup.matchAll(/<a[^>]* href="([^"]*)"/gu), ([, href = '']) => href);

it('leads to the other pages, and to the demo only where there is one', async () => {
  const inbox = await page({ path: '/dev/inbox', title: 'Inbox', demoUrl: undefined }, html`<main></main>`);
  expect(linksOf(inbox)).toEqual(['/dev/inbox', '/dev/mails', '/dev/connections']);
  const demoUrl = 'http://localhost:3000/?a=%22&b=1';
  const mails = await page({ path: '/dev/mails', title: 'Mails', demoUrl }, html`<main></main>`);
  const demo = 'http://localhost:3000/?a=%22&amp;b=1';
  expect(linksOf(mails)).toEqual([demo, demo, '/dev/inbox', '/dev/mails', '/dev/connections']);
  expect(mails.includes('<a href="/dev/mails" aria-current="page">Mails</a>')).toBe(true);
});
