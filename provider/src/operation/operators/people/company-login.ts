import type { Insertable } from 'kysely';
import { Refusal } from '#domain/rules/refusal.ts';
import { OAUTH_FLOW_MINUTES } from '#domain/rules/lifetimes.ts';
import { claimAt } from '#provider/accounts/access/trusted-tokens.ts';
import { OpenIdProvider, type PersonClaims } from '#provider/accounts/social/providers/openid-provider.ts';
import { openIdSettings } from '#provider/accounts/social/providers/openid-table.ts';
import { providerFetch } from '#provider/accounts/social/providers/provider-fetch.ts';
import { SocialFailure } from '#provider/accounts/social/providers/social-provider.ts';
import { proofsOf, type NewFlow } from '#provider/accounts/social/logins/oauth-flows.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { outsideFetch, type OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { tokenHash, uuid } from '#provider/base/security/secrets.ts';
import { EVERY_DOMAIN } from '#server-rules/accounts.ts';
import type { OperatorLoginSettings } from '#provider/project/settings/operator-login.ts';
import type { Services } from '#provider/api/services.ts';
import { startOperatorSession } from '../desk/operator-store.ts';
import { auditOperator, type AuditActor } from '../desk/audit-actor.ts';
import { ROLE_NAMES, type Role } from '../desk/roles.ts';
import type { OperatorsTable } from '../tables.ts';

const TIMEOUT_MS = 8_000;
const NAME = 'company';

/** The provider of the company; null if the project has none. */
export function companyProvider(
  { project, clock }: Pick<Services, 'project' | 'clock'>,
  fetch?: OutsideFetch,
): OpenIdProvider | null {
  const { operator_login: login, allow_loopback } = project;
  if (login === null) return null;
  const email_domains = login.email_domains.length === 0 ? [EVERY_DOMAIN] : login.email_domains;
  const settings = openIdSettings({ [NAME]: { ...login, email_domains } }, NAME, clock);
  if (settings === null) return null;
  const outside = fetch ?? outsideFetch({ timeoutMs: TIMEOUT_MS, allowPrivate: login.private || allow_loopback });
  const scopes = [...settings.scopes, ...login.scopes];
  return new OpenIdProvider({ ...settings, scopes }, providerFetch(outside, clock), clock);
}

/** The row of a login is found only with the state of the address and the secret of the browser. */
const flowHash = ({ state, browser }: Pick<NewFlow, 'state' | 'browser'>): string =>
  tokenHash(`company\n${state}\n${browser}`);

export async function storeCompanyFlow({ db, clock }: Pick<Services, 'db' | 'clock'>, flow: NewFlow): Promise<void> {
  const expires_at = new Date(clock.now() + OAUTH_FLOW_MINUTES * MINUTE_MS);
  await db
    .insertInto('operator_challenges')
    .values({ challenge_hash: flowHash(flow), operator_id: null, expires_at })
    .execute();
}

/** Spends the login that began in this browser. @returns its proofs */
export async function spendCompanyFlow(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  flow: Pick<NewFlow, 'state' | 'browser'>,
) {
  const row = await services.db
    .deleteFrom('operator_challenges')
    .where('challenge_hash', '=', flowHash(flow))
    .where('expires_at', '>', new Date(services.clock.now()))
    .returning('challenge_hash')
    .executeTakeFirst();
  if (row === undefined) {
    throw new Refusal(
      'oauth_flow_callback_error',
      'This login is unknown, was finished already, has expired, or began in another browser. Start again.',
    );
  }
  return proofsOf(services, flow.state);
}

/** A failure of the provider as a refusal. Operators may read its reason. */
export function companyRefusal(error: unknown, name: string): unknown {
  if (!(error instanceof SocialFailure)) return error;
  const { ending, reason } = error;
  if (ending === 'access_denied') {
    return new Refusal('oauth_flow_callback_error', `The login at ${name} was not finished.`);
  }
  if (ending === 'temporarily_unavailable') {
    return new Refusal('service_unavailable', `The login at ${name} is not possible at the moment: ${reason}.`);
  }
  return new Refusal('unauthorized_action', `The login at ${name} did not work: ${reason}.`);
}

/** The first role of the groups of a person; null if none of their groups has one. */
function roleOf({ groups_claim: name, roles }: OperatorLoginSettings, claims: PersonClaims['claims']): Role | null {
  const value = claimAt(claims, name);
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  const rolesOfGroups = new Set(
    groups.map((group) => (typeof group === 'string' && Object.hasOwn(roles, group) ? roles[group] : undefined)),
  );
  return ROLE_NAMES.find((role) => rolesOfGroups.has(role)) ?? null;
}

/** Why the person does not get in; null if nothing is wrong. */
function reasonAgainst(
  login: OperatorLoginSettings,
  role: Role | null,
  { email, email_verified }: PersonClaims['profile'],
) {
  if (email === '') return `${login.name} says no email address of yours.`;
  if (!email_verified) {
    const where = login.email_domains.length === 0 ? '' : ` of ${login.email_domains.join(' or ')}`;
    return `${login.name} does not say that you have a verified address${where}.`;
  }
  return role === null
    ? `None of your groups at ${login.name} has a role here: whoever runs the server adds one to operator_login.roles.`
    : null;
}

/**
 * Logs in the person whom the provider of the company proved, with the role of their groups. Their account is known by its subject, never by
 * its address. Whoever has no role any more loses every session.
 *
 * @returns the token of a session
 */
export async function enterByCompany(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  login: OperatorLoginSettings,
  { profile, claims }: PersonClaims,
  by: Omit<AuditActor, 'name'>,
): Promise<string> {
  const { issuer } = login;
  const { sub: subject, email } = profile;
  const role = roleOf(login, claims);
  const reason = reasonAgainst(login, role, profile);
  const entered = await transaction(services.db, async (tx) => {
    const existing = await tx
      .selectFrom('operators')
      .select(['operator_id', 'name', 'role'])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .forUpdate()
      .executeTakeFirst();
    if (reason !== null || role === null) {
      // A refusal would undo this.
      if (existing !== undefined) {
        await tx.deleteFrom('operator_sessions').where('operator_id', '=', existing.operator_id).execute();
      }
      return null;
    }
    const operator_id = existing?.operator_id ?? `operator-${uuid(services.random)}`;
    const name = existing?.name ?? email;
    if (existing === undefined) await addOperator(services, tx, { operator_id, name, role, issuer, subject });
    else await tx.updateTable('operators').set({ role }).where('operator_id', '=', operator_id).execute();
    await auditOperator(services, tx, { ...by, name }, { event: 'operator_login', details: { role, issuer } });
    return startOperatorSession(services, tx, operator_id);
  });
  if (entered === null) throw new Refusal('unauthorized_action', reason ?? '');
  return entered;
}

async function addOperator(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  operator: Omit<Insertable<OperatorsTable>, 'created_at'>,
): Promise<void> {
  const added = await tx
    .insertInto('operators')
    .values({ ...operator, created_at: new Date(clock.now()) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('operator_id')
    .executeTakeFirst();
  if (added !== undefined) return;
  throw new Refusal(
    'unauthorized_action',
    `There is another operator with the name ${operator.name}. Whoever runs the server can remove them: "operators remove NAME".`,
  );
}
