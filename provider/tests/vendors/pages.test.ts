import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { requestFrom } from '#provider/operation/commands/requests.ts';
import { VENDORS } from '#provider/operation/vendors/vendors.ts';
import { exportFolder, readExport } from './export-files.ts';

const file = exportFolder();
const EXPORTS = readdirSync(new URL('exports', import.meta.url));
const pageOf = (name: string): string => readFileSync(join(ROOT, `docs/moving-from-${name}.md`), 'utf8');

describe('the page of a product whose exports can be imported', () => {
  it.each(Object.keys(VENDORS))('has samples that are read, and commands that are understood: %s', async (name) => {
    const page = pageOf(name);
    const samples = Array.from(page.matchAll(/^```json\n([^]*?)^```$/gmu), ([, text = '']) => text);
    // The commands of a page without samples are run with the files of a whole export.
    expect(samples.length > 0 || EXPORTS.includes(`${name}.json`)).toBe(true);
    if (samples.length > 0) {
      const paths = samples.map((text, n) => file(`${name}-${n}.json`, text));
      const { users, wrong } = await readExport(name, paths, { rp_id: 'example.com', secret: 'secret' });
      expect(users).toHaveLength(1);
      expect(wrong).toEqual([]);
    }
    const commands = page.replaceAll(/\\\n\s*/gu, '').match(/^npx portico-provider users import .*$/gmu) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const request = requestFrom(command.split(' ').slice(2), {});
      expect(request).toMatchObject({ kind: 'operator', name: 'users import', fields: { from: name } });
    }
  });

  it.each(Object.keys(VENDORS))('is linked from the pages about moving and about users: %s', (name) => {
    for (const page of ['docs/people.md', 'docs/migrating.md', 'README.md']) {
      expect(readFileSync(join(ROOT, page), 'utf8')).toContain(`moving-from-${name}.md`);
    }
  });
});
