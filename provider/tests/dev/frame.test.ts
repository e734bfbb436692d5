import { expect, it } from 'vitest';
import { frame } from '../../src/dev/frame.ts';

const linksOf = (markup: string): readonly string[] =>
  Array.from(markup.matchAll(/ href="([^"]*)"/gu), ([, href = '']) => href);

it('leads to the other pages, and to the demo only where there is one', async () => {
  expect(linksOf(await frame('/dev/inbox', undefined))).toEqual(['/dev/inbox', '/dev/mails', '/dev/connections']);
  const markup = await frame('/dev/mails', 'http://localhost:3000/?a=%22&b=1');
  const demo = 'http://localhost:3000/?a=%22&amp;b=1';
  expect(linksOf(markup)).toEqual([demo, demo, '/dev/inbox', '/dev/mails', '/dev/connections']);
  expect(markup.includes('<a href="/dev/mails" aria-current="page">Mails</a>')).toBe(true);
});
