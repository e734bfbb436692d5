import type { Loss } from '../vendors/vendor.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a user can keep, by the field of the line. */
const KEEPS = {
  emails: 'address',
  phone_numbers: 'phone number',
  password: 'password',
  totp: 'app',
  recovery_codes: 'recovery codes',
  passkeys: 'passkey',
  social_accounts: 'social account',
  wallets: 'wallet',
} as const;

/** An authenticator app and recovery codes are second factors only, and a password needs an address. */
const WAYS_IN = ['emails', 'phone_numbers', 'passkeys', 'social_accounts', 'wallets'] as const;

function has(line: Fields, name: string): boolean {
  const value = line[name];
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

const isElsewhere = ({ password }: Fields): boolean =>
  typeof password === 'object' && password !== null && 'elsewhere' in password;

/** Users who keep and lose the same. */
interface ReportGroup {
  users: number;
  readonly keep: readonly string[];
  readonly lose: readonly Loss[];
}

/** Whether a user has nothing to log in with. */
export function hasNoWayIn(line: Fields): boolean {
  return !WAYS_IN.some((name) => has(line, name));
}

/** The number of groups of which a report is worth reading. The others are counted together. */
const MOST_GROUPS = 200;
const OTHERS: ReportGroup['keep'] = ['other combinations'];

/** Counts what the users of an export keep and lose. */
export class ImportReport {
  private readonly groups = new Map<string, ReportGroup>();

  add(line: Fields, losses: readonly Loss[]): void {
    const names = isElsewhere(line) ? { ...KEEPS, password: 'password (the old system checks it once)' } : KEEPS;
    const keep = Object.entries(names).flatMap(([field, name]) => (has(line, field) ? [name] : []));
    const lose = [...new Map(losses.map((loss) => [`${loss.what}: ${loss.reason}`, loss])).values()];
    const isNew = !this.groups.has(JSON.stringify([keep, lose]));
    const fresh = isNew && this.groups.size >= MOST_GROUPS ? { keep: OTHERS, lose: [] } : { keep, lose };
    const key = JSON.stringify([fresh.keep, fresh.lose]);
    const group = this.groups.get(key) ?? { users: 0, ...fresh };
    group.users += 1;
    this.groups.set(key, group);
  }

  /** The groups, the largest first. */
  rows(): readonly Readonly<ReportGroup>[] {
    return [...this.groups.values()].sort((a, b) => b.users - a.users);
  }

  texts(): readonly string[] {
    return this.rows().map(({ users, keep, lose }) => {
      const [subject, verb] = users === 1 ? ['1 user', 's'] : [`${users} users`, ''];
      const parts = [
        keep.length === 0 ? `keep${verb} nothing` : `keep${verb} ${listed(keep)}`,
        ...lose.map(({ what, reason }) => `lose${verb} ${what} (${reason})`),
      ];
      return `${subject} ${parts.join('; ')}.`;
    });
  }
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
