import { REFUSALS } from '#domain/rules/refusal.ts';
import { openApiDescription } from './description.ts';
import { referencePage, type PageDescription } from './page.ts';

const LONGEST_LINE = 110;

/** JSON with an object or list on one line if it fits. */
function jsonText(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LONGEST_LINE) return line;
  const inner = `${indent} `;
  const [start, end, parts] = Array.isArray(value)
    ? ['[', ']', value.map((each: unknown) => jsonText(each, inner))]
    : ['{', '}', Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${jsonText(each, inner)}`)];
  return `${start}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${end}`;
}

/** The description as JSON, and the page of the reference. */
interface GeneratedFiles {
  readonly description: string;
  readonly page: string;
}

export function generatedFiles(): GeneratedFiles {
  const description = openApiDescription();
  const errors = Object.entries(REFUSALS).map(([type, [status, message]]) => [type, status, message] as const);
  return {
    description: `${jsonText(description)}\n`,
    page: referencePage(description as PageDescription, errors),
  };
}
