import { sql } from 'kysely';
import { isStorable, cutText } from '#server-rules/request-body.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { tryTake, takesOfNetwork, COSTLY_STEPS } from '#provider/base/security/limits.ts';
import { widestNetworkOf } from '#provider/base/peer.ts';
import { codeHash, tokenHash } from '#provider/base/security/secrets.ts';
import type { LoginServices, Services } from '#provider/accounts/services.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { findApp } from '#provider/project/registry/connected-apps.ts';
import { brokenRule, expectedBy } from './failure-causes.ts';
import type { RuleName } from '../protocol/failure-rules.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { shownParameters, visible } from './shown-parameters.ts';

/** The name of the endpoint that refused, for pages. */
export type ConnectionStep =
  | 'authorization endpoint'
  | 'consent page'
  | 'pushed request endpoint'
  | 'token endpoint'
  | 'device authorization endpoint'
  | 'registration endpoint'
  | 'revocation endpoint'
  | 'introspection endpoint'
  | 'userinfo endpoint';

/** A refused request. */
export interface RefusedRequest {
  readonly step: ConnectionStep;
  readonly error: unknown;
  /** As claimed by the request; empty for none. */
  readonly client_id: string;
  /** The parameters; only those of an allowlist are stored. */
  readonly fields: Iterable<readonly [name: string, value: string]>;
  /** The network of the request. */
  readonly address: string;
}

/** The steps that handle an authorization request. */
const OF_AUTHORIZATION: ReadonlySet<ConnectionStep> = new Set([
  'authorization endpoint',
  'consent page',
  'pushed request endpoint',
]);

export type FailureServices = LoginServices & Pick<Services, 'report'>;

const KEPT_MS = 7 * 24 * 60 * MINUTE_MS;
/** The most failures per rule and client. All clients unknown to operators count as one. */
const MOST_OF_RULE = 20;
const MOST = 2000;
const OF_NETWORK = { max: 30, windowMs: 10 * MINUTE_MS };

const LONGEST_ID = 256;
const LONGEST_MESSAGE = 1000;

/**
 * Records for the developer and for operators why a connection failed: the step, what was sent, what was expected, and the rule. Secrets,
 * codes and tokens are left out. Failures that are a normal part of a protocol are not recorded. Never throws.
 */
export async function recordFailure(services: FailureServices, request: RefusedRequest): Promise<void> {
  try {
    await record(services, request);
  } catch (error) {
    services.report(error, { where: 'the record of failed connections' });
  }
}

async function record(services: FailureServices, request: RefusedRequest): Promise<void> {
  const { error: cause, step, address } = request;
  const claimed = cutText(request.client_id, LONGEST_ID);
  const client_id = isStorable(claimed) ? visible(claimed, LONGEST_ID) : '';
  const client = client_id === '' ? undefined : await findApp(services, client_id);
  const rule = brokenRule(cause, { client, isForm: !OF_AUTHORIZATION.has(step) });
  if (rule === null || !(await takeRecord(services, address))) return;
  const detail = cause instanceof OAuthError ? cause.detail : {};
  const error = cause instanceof OAuthError ? cause.error : cause instanceof Refusal ? cause.type : '';
  const description = cause instanceof Error ? cause.message : '';
  const message = [description, detail.reason].filter((text) => text !== undefined && text !== '').join(' ');
  await store(
    services,
    {
      owner: isOfProject(client) ? client.client_id : '',
      client_id,
      step,
      rule,
      error,
      message: visible(message, LONGEST_MESSAGE),
      sent: [...shownParameters(rule, request.fields), ...Object.entries(detail.sent ?? {})],
      expected: expectedBy(services, rule, client),
    },
    codeHash(services.keys.codeKey, 'failure network', widestNetworkOf(address)),
  );
}

/** Whether an operator knows the client. Other agents do not count, because anybody can register as many as there is room for. */
const isOfProject = (client: ConnectedAppSettings | undefined): client is ConnectedAppSettings =>
  client !== undefined && (client.agent === undefined || client.agent.approved);

/** Counts a record of the network; false where its share is used up. */
async function takeRecord(services: FailureServices, address: string): Promise<boolean> {
  for (const { name, limit } of takesOfNetwork(services, 'failed connections', address, OF_NETWORK, COSTLY_STEPS)) {
    // oxlint-disable-next-line no-await-in-loop -- a network that has used up its own share does not count in the wider one
    if (!(await tryTake(services, name, limit))) return false;
  }
  return true;
}

interface NewFailure {
  readonly owner: string;
  readonly client_id: string;
  readonly step: ConnectionStep;
  readonly rule: RuleName;
  readonly error: string;
  readonly message: string;
  readonly sent: readonly (readonly [string, string])[];
  readonly expected: readonly string[];
}

async function store(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  failure: NewFailure,
  network_key: string,
): Promise<void> {
  const { sent, expected, owner, ...texts } = failure;
  const now = new Date(clock.now());
  const expires_at = new Date(clock.now() + KEPT_MS);
  const stored = await db
    .insertInto('connection_failures')
    .values({
      ...texts,
      owner,
      network_key,
      failure_id: tokenHash(JSON.stringify(failure)),
      sent: JSON.stringify(sent),
      expected: JSON.stringify(expected),
      created_at: now,
      last_at: now,
      expires_at,
    })
    .onConflict((conflict) =>
      conflict.column('failure_id').doUpdateSet({
        times: sql<number>`least(connection_failures.times, 1000000) + 1`,
        last_at: now,
        expires_at,
      }),
    )
    .returning('times')
    .executeTakeFirst();
  if (stored?.times !== 1) return;
  await makeRoomOfRule(db, failure);
  await makeRoom(db);
}

/** Deletes the oldest of the network that has most of them, so that whoever sends many loses their own. */
async function makeRoomOfRule(db: Db, { owner, rule }: NewFailure): Promise<void> {
  await sql`delete from connection_failures where failure_id in (
    select failure_id from (
      select failure_id, last_at, row_number() over (partition by network_key order by last_at desc, failure_id) as place
      from connection_failures where owner = ${owner} and rule = ${rule}
    ) ranked order by place, last_at desc, failure_id offset ${MOST_OF_RULE})`.execute(db);
}

/** Deletes the oldest of the rule and client that have most of them. */
async function makeRoom(db: Db): Promise<void> {
  await sql`delete from connection_failures where failure_id in (
    select failure_id from (
      select failure_id, last_at, row_number() over (partition by owner, rule order by last_at desc, failure_id) as place
      from connection_failures
    ) ranked order by place, last_at desc, failure_id offset ${MOST})`.execute(db);
}

/** A failed connection in the form of the list. */
export interface ListedFailure {
  readonly failure_id: string;
  readonly client_id: string;
  readonly step: string;
  readonly rule: string;
  readonly error: string;
  readonly message: string;
  readonly sent: readonly (readonly [name: string, value: string])[];
  readonly expected: readonly string[];
  readonly times: number;
  readonly created_at: Date;
  readonly last_at: Date;
}

interface FailurePage {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly client_id?: string | undefined;
}

/** The place in a list after which the next page begins. */
const PLACE = /^(\d{1,15})\.([\w-]{1,64})$/u;

/**
 * Failed connections, newest first.
 *
 * @throws Refusal `bad_request` for an invalid cursor
 */
export async function listFailures(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { limit, after, client_id }: FailurePage,
): Promise<{ readonly failures: readonly ListedFailure[]; readonly next: string | null }> {
  let query = db
    .selectFrom('connection_failures')
    .select(['failure_id', 'client_id', 'step', 'rule', 'error', 'message', 'sent', 'expected', 'times'])
    .select(['created_at', 'last_at'])
    .where('expires_at', '>', new Date(clock.now()))
    .orderBy('last_at', 'desc')
    .orderBy('failure_id')
    .limit(limit + 1);
  if (client_id !== undefined) query = query.where('client_id', '=', client_id);
  if (after !== undefined) {
    const [, at, id] = PLACE.exec(after) ?? [];
    if (at === undefined || id === undefined) throw new Refusal('bad_request', 'after must be the cursor of a page.');
    const last_at = new Date(Number(at));
    query = query.where((where) =>
      where.or([
        where('last_at', '<', last_at),
        where.and([where('last_at', '=', last_at), where('failure_id', '>', id)]),
      ]),
    );
  }
  const found = await query.execute();
  const failures = found.slice(0, limit);
  const last = found.length > limit ? failures.at(-1) : undefined;
  return { failures, next: last === undefined ? null : `${last.last_at.getTime()}.${last.failure_id}` };
}
