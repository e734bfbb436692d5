import { parseArgs } from 'node:util';
import type { Store } from '../db/open.ts';
import type { AdminAction } from '../access/admin.ts';
import { explained, storeFrom, UsageError } from './options.ts';

export interface AdminOptions {
  readonly action: AdminAction;
  /** What the action needs to know. */
  readonly fields: Readonly<Record<string, string>>;
  readonly store: Store;
  readonly projectFile: string | null;
}

const USAGE =
  'Say admin impersonate --user EMAIL|USER_ID [--by WHO], or admin trusted-token --profile ID --email ADDRESS.';

/** The arguments after `admin`; throws a UsageError for anything it does not understand. */
export function adminOptionsFrom(args: readonly string[]): AdminOptions {
  const { values, positionals } = parse(args);
  const { data, 'database-url': url, project, ...given } = values;
  if (data !== undefined && url !== undefined) throw new UsageError('Give --data or --database-url, not both.');
  const store = storeFrom(data, url);
  if (store.kind === 'memory') {
    throw new UsageError('What is in memory is the server’s alone; run it with --data DIR or --database-url.');
  }
  const { user, by, profile, email } = given;
  const rest = { store, projectFile: project ?? null };
  const [command, ...others] = positionals;
  if (others.length === 0 && command === 'impersonate' && user !== undefined && !profile && !email) {
    return { ...rest, action: 'impersonation-token', fields: { user, ...(by === undefined ? {} : { by }) } };
  }
  if (others.length === 0 && command === 'trusted-token' && profile !== undefined && email !== undefined && !user) {
    return { ...rest, action: 'trusted-token', fields: { profile, email } };
  }
  throw new UsageError(USAGE);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: true,
      options: {
        user: { type: 'string' },
        by: { type: 'string' },
        profile: { type: 'string' },
        email: { type: 'string' },
        data: { type: 'string' },
        'database-url': { type: 'string' },
        project: { type: 'string' },
      },
    });
  } catch (error) {
    throw explained(error);
  }
}
