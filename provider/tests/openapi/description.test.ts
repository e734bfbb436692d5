import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import type { PageDescription } from '#scripts/openapi/page.ts';
import { generatedFiles } from '#scripts/openapi/files.ts';
import { wrongExamples } from '#tests/openapi/examples.ts';

describe('the OpenAPI description', () => {
  const files = generatedFiles();
  const description = JSON.parse(files.description) as PageDescription;

  it('has a page that says what the tables of calls say: node scripts/lib/jiti.mjs scripts/openapi.ts --write', () => {
    expect(readFileSync(join(ROOT, 'docs/openapi.md'), 'utf8')).toBe(files.page);
  });

  it('has examples of all requests, replies and errors, which match their schemas', () => {
    const { count, wrong } = wrongExamples(description);
    expect(count).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });

  it('has one name for each operation', () => {
    const ids = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });
});
