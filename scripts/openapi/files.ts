import { REFUSALS } from '#domain/rules/refusal.ts';
import { openApiDescription } from './description.ts';
import { referencePage, type PageDescription } from './page.ts';

/** The generated files, by their paths in the repository. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const description = openApiDescription();
  const errors = Object.entries(REFUSALS).map(([type, [status, message]]) => [type, status, message] as const);
  return {
    'provider/openapi.json': `${JSON.stringify(description, null, 1)}\n`,
    'docs/openapi.md': referencePage(description as PageDescription, errors),
  };
}
