import { parseJson } from '#domain/json.ts';
import { isActive } from '#server-rules/mfa-policy.ts';
import type { ImportedUser } from '#provider/accounts/account/import-line.ts';
import { MOST_FAULTS, placeText } from '../operators/users/import-lines.ts';
import type { LineOutcome } from './import-batches.ts';
import { hasNoWayIn } from './import-report.ts';
import type { SourceFault, SourceLine } from './import-source.ts';
import type { ActionRunner } from './operate.ts';
import { addressIn } from './record-address.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The record from which a line was made, or the line itself. */
export const recordOf = ({ text, record }: SourceLine): unknown => record ?? parseJson(text) ?? text;

/** The place of a line or record, with an address by which an operator finds the person. */
export function labelOf(item: SourceLine | SourceFault): string {
  const [place, record] = 'wrong' in item ? [item.place, item.record] : [placeText(item), recordOf(item)];
  const address = addressIn(record);
  return address === null ? place : `${place} (${address})`;
}

interface NoticeOptions {
  readonly project: ActionRunner['project'];
  readonly json: boolean;
  readonly write: (text: string) => void;
}

/** What an operator must know about single people, and about all of them, beside mistakes. */
export class ImportNotices {
  private readonly counts = new Map<string, number>();
  private readonly countries = new Map<string, number>();
  private apps = 0;
  private locked = 0;

  constructor(private readonly options: NoticeOptions) {}

  /** Notes a user whose line is in order. */
  visit({ totp, locked }: Pick<ImportedUser, 'totp' | 'locked'>): void {
    if (totp !== null) this.apps += 1;
    if (locked) this.locked += 1;
  }

  /** Names a user of another product who has nothing to log in with, or whose data are damaged. */
  add(item: SourceLine, line: Fields): void {
    if (hasNoWayIn(line)) {
      this.tell('nothing to log in with', item, 'the user has nothing to log in with', { lose: 'way in' });
    }
    for (const { what, reason, isDamaged, country } of item.losses) {
      if (country !== undefined) this.countries.set(country, (this.countries.get(country) ?? 0) + 1);
      if (isDamaged) this.tell('damaged data', item, `the user loses ${what} (${reason})`, { lose: what, reason });
    }
  }

  /** Names a user who is here already, if the line has what the user here lacks. */
  addExisting({ line, user_id, brings }: LineOutcome): void {
    if (brings.length === 0) return;
    const text = `${String(user_id)} is here already and does not change: the line would have brought ${brings.join(', ')}`;
    this.tell('more in the file than here', line, text, null);
  }

  /** What is about the whole file. */
  tellTotals(): void {
    for (const warning of [this.appWarning(), this.countryWarning()]) {
      if (warning !== null) this.write(`warning: ${warning}`, { warning });
    }
    if (this.locked === 0) return;
    const subject = this.locked === 1 ? '1 user is' : `${this.locked} users are`;
    this.write(`${subject} locked, and cannot log in until an operator unlocks them.`, { locked: this.locked });
  }

  private write(text: string, json: object): void {
    this.options.write(this.options.json ? JSON.stringify(json) : text);
  }

  /** Names the first people of each kind. With `--json` all are named: a null has its row elsewhere. */
  private tell(kind: string, item: SourceLine, text: string, json: object | null): void {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    if (this.options.json) {
      if (json !== null) this.write('', { line: item.number, place: placeText(item), ...json });
    } else if (count <= MOST_FAULTS) this.write(`${labelOf(item)}: ${text}.`, {});
    else if (count === MOST_FAULTS + 1) this.write(`More users have ${kind}: --json names them all.`, {});
  }

  private appWarning(): string | null {
    const { mfa } = this.options.project;
    if (this.apps === 0 || (isActive(mfa) && mfa.factors.includes('totp'))) return null;
    const subject = this.apps === 1 ? '1 user has' : `${this.apps} users have`;
    const remedy = isActive(mfa)
      ? 'add totp to mfa.factors of the project file'
      : 'set mfa in the project file, such as "mfa": { "policy": "when_enrolled" }';
    return `${subject} an authenticator app, and logins do not ask for it: ${remedy}`;
  }

  private countryWarning(): string | null {
    if (this.countries.size === 0) return null;
    const all = [...this.countries].sort(([, one], [, other]) => other - one);
    const numbers = all.map(([country, count]) => `${country} (${count})`).join(', ');
    return `the project sends no text messages to the countries of some numbers, which are left out: ${numbers}. Add these countries to sms_countries of the project file to keep the numbers`;
  }
}
