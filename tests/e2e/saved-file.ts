/** The files that pages save. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { LaunchOptions, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/**
 * The text of the file of this name that the browser saves while `act` runs; `part` is a text that no other test's file contains.
 *
 * Playwright has no `download` event in Firefox: it drops what Firefox tells of a download that has neither an id nor a navigation. There
 * the file is looked for in the folder that `playwright.config.ts` gives to that browser, which numbers files of one name.
 */
export async function savedFile(
  page: Page,
  { downloadsPath }: LaunchOptions,
  name: string,
  part: string,
  act: () => Promise<void>,
): Promise<string> {
  if (downloadsPath === undefined) {
    const saving = page.waitForEvent('download');
    await act();
    const file = await saving;
    expect(file.suggestedFilename()).toBe(name);
    return readFile(await file.path(), 'utf8');
  }
  await mkdir(downloadsPath, { recursive: true });
  await act();
  const { name: stem, ext } = parse(name);
  let found = '';
  const look = async (): Promise<string> => {
    for (const one of await readdir(downloadsPath)) {
      if (!one.startsWith(stem) || !one.endsWith(ext)) continue;
      const path = join(downloadsPath, one);
      // oxlint-disable-next-line no-await-in-loop -- few files
      const text = await readFile(path, 'utf8');
      if (!text.includes(part)) continue;
      found = text;
      // oxlint-disable-next-line no-await-in-loop
      await rm(path);
    }
    return found;
  };
  await expect.poll(look, { message: `the file ${name}` }).toContain(part);
  return found;
}
