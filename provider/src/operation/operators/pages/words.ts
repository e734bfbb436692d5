import { html } from 'hono/html';
import { isRecord } from '../../../../../src/domain/shape.ts';
import type { Html } from './layout.ts';

/** The names of the wire and of the database in words. */

const KINDS: Readonly<Record<string, string>> = {
  first_party: 'app of this project',
  first_party_public: 'app of this project, without a secret',
  third_party: 'app of another party',
  third_party_public: 'app of another party, without a secret',
  m2m: 'machine',
};

/** The type of a connected app, or `m2m`. */
export const kindWords = (kind: string): string => KINDS[kind] ?? kind;

/** `operator_enrolled` as “operator enrolled”. */
export const words = (name: string): string => name.replaceAll('_', ' ');

/** The name of an event in words, with the name that a filter and the command take as its tooltip. */
export const eventWords = (event: string): Html => html`<span title="${event}">${words(event)}</span>`;

/** The details of an audit row: `{"role":"admin"}` as “role: admin”. */
export function detailWords(details: unknown): string {
  if (!isRecord(details)) return String(details);
  return Object.entries(details)
    .map(
      ([name, value]) =>
        `${words(name)}: ${typeof value === 'string' && !/[,:]/u.test(value) ? value : JSON.stringify(value)}`,
    )
    .join(', ');
}
