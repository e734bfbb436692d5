import { CREDENTIALS } from './credentials.ts';
import { ENDINGS, type FlowEnding } from './endings.ts';
import type { Flow } from './flow.ts';
import { PARTIES, type PartyName } from './people.ts';
import { FLOWS } from './table.ts';

/** The rows as the threat model shows them. */

const parties = (these: readonly PartyName[]): string =>
  these.length === PARTIES.length ? 'anyone' : these.join(', ');

function endings(these: readonly FlowEnding[]): string {
  const missing = ENDINGS.filter((each) => !these.includes(each));
  if (missing.length === 0) return 'all of them';
  return missing.length < 5 ? `all but ${missing.join(', ')}` : these.join(', ');
}

const tables = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ');
const plain = (text: string): string => text.replaceAll("'", '’');

const flowRow = ({ name, tables: rows, begunBy, finishedBy, endedBy }: Flow): string => {
  const finishers = finishedBy === 'the holder' ? 'whoever has it' : parties(finishedBy);
  return plain(`| ${name} | ${tables(rows)} | ${parties(begunBy)} | ${finishers} | ${endings(endedBy)} |`);
};

export const FLOW_LINES: readonly string[] = FLOWS.map(flowRow);

export const CREDENTIAL_LINES: readonly string[] = CREDENTIALS.map(
  ({ name, tables: rows, madeBy, usedBy, endedBy, test }) =>
    `| ${name} | ${tables(rows)} | ${madeBy} | ${usedBy} | ${endedBy} | \`${test}\` |`,
);
