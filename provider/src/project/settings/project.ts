import { allowsOrigin, redirectUrl, type DefaultRedirects } from '#domain/rules/redirects.ts';
import { scopesOf } from '#server-rules/connected-apps.ts';
import { isRecord } from '#domain/shape.ts';
import { meantName } from '#domain/widget/meant-name.ts';
import { NO_PAGES } from './access.ts';
import { checkAgents } from './agents.ts';
import { checkCaptcha } from './captcha.ts';
import { checkSessionCookies } from './cookies.ts';
import { checkGateways } from './delivery.ts';
import { checkHooks } from './hooks.ts';
import { checkMfa } from './mfa.ts';
import { checkOperatorLogin } from './operator-login.ts';
import { checkOAuthClients } from './oauth-clients.ts';
import { checkPasskeys } from './passkeys.ts';
import { checkProfile } from './users/profile.ts';
import { DEMO_PROJECT, readFields, type Project } from './project-fields.ts';
import { checkResources } from './protected-resources.ts';
import { checkSignUp } from './users/sign-up.ts';
import { FieldError, Mistakes } from '../readers/readers.ts';
import { checkPasswordCheck } from './external/password-check.ts';
import { checkTrustedIssuers } from './external/trusted-issuers.ts';
import { checkWebhooks } from './webhooks.ts';

export { DEMO_PROJECT, type Project } from './project-fields.ts';

/**
 * The fields of a project file, with the demo project as the defaults. Throws a FieldError with all mistakes, including missing fields. It
 * repeats no value of the file, because it may be a secret.
 *
 * @param dev the default of `allow_loopback` and `account.deletion`
 */
export function projectFrom(json: unknown, dev = true): Project {
  if (!isRecord(json)) throw new Error('the project file must hold a JSON object');
  const { allow_loopback = null, account = null } = json;
  const file = { ...json, allow_loopback: allow_loopback ?? dev, account: account ?? { deletion: dev } };
  const mistakes = new Mistakes();
  const read = mistakes.attempt(() => readFields(file, ''));
  const lacking = lackingSecrets(read, mistakes);
  const isWhole = read !== undefined && mistakes.fields.size === 0;
  const draft = isWhole ? read : { ...readFields(withoutMistakes(file, mistakes), ''), ...lacking };
  const { default_login_redirect_url, ...redirects } = redirectsFrom(json, draft);
  const idp = json['idp'] === undefined && !draft.allow_loopback ? NO_PAGES : draft.idp;
  const project = { ...draft, idp, default_login_redirect_url, ...redirects };
  checkTogether(project, json, lacking, mistakes);
  mistakes.check();
  return project;
}

/** The correct fields of the file, so that their relations can be checked. */
function withoutMistakes(file: Readonly<Record<string, unknown>>, { fields }: Mistakes): object {
  const right = ([field]: readonly [string, unknown]) => Object.hasOwn(DEMO_PROJECT, field) && !fields.has(field);
  return Object.fromEntries(Object.entries(file).filter(right));
}

/** The fields that lack only secrets, which no relation is about. */
function lackingSecrets(read: Project | undefined, { fields, wrongFields }: Mistakes): Partial<Project> {
  const isKnown = ([field, value]: readonly [string, unknown]) => value !== undefined && !wrongFields.has(field);
  const entries = Object.entries(read ?? {}).filter((entry) => fields.has(entry[0]) && isKnown(entry));
  return Object.fromEntries(entries);
}

const REDIRECTS = ['login', 'signup', 'reset_password'] as const;

/** The redirect URL if the file has no default: the page of the demo, if the project allows it, or else the first registered page. */
function redirectsFrom(json: Readonly<Record<string, unknown>>, draft: Project): DefaultRedirects {
  const isGiven = (kind: (typeof REDIRECTS)[number]) => typeof json[`default_${kind}_redirect_url`] === 'string';
  const { default_login_redirect_url: usual, redirect_urls } = draft;
  const isFirst = !isGiven('login') && redirectUrl(draft, usual) === null;
  const login = isFirst ? (redirect_urls[0] ?? usual) : usual;
  const isSignup = isGiven('signup') || redirectUrl(draft, draft.default_signup_redirect_url) !== null;
  return {
    default_login_redirect_url: login,
    default_signup_redirect_url: isSignup ? draft.default_signup_redirect_url : login,
    default_reset_password_redirect_url: isGiven('reset_password') ? draft.default_reset_password_redirect_url : login,
  };
}

/** Checks how the fields relate to each other. Leaves out checks of fields that are wrong by themselves. */
function checkTogether(
  project: Project,
  json: Readonly<Record<string, unknown>>,
  lacking: Partial<Project>,
  mistakes: Mistakes,
): void {
  const wrong = new Set([...mistakes.fields].filter((field) => !Object.hasOwn(lacking, field)));
  const suggestions = new Set(
    Object.keys(json)
      .filter((field) => !Object.hasOwn(DEMO_PROJECT, field))
      .map((field) => meantName(field, Object.keys(DEMO_PROJECT))),
  );
  const check = (fields: readonly (keyof Project)[], run: () => void): void => {
    if (!fields.some((field) => wrong.has(field) || suggestions.has(field))) mistakes.attempt(run);
  };
  check(['idp', 'origins', 'allow_loopback'], () => checkPages(project));
  check(['session_cookies', 'issuer', 'origins'], () => checkSessionCookies(project));
  check(['oauth_clients', 'issuer', 'allow_loopback'], () => checkOAuthClients(project));
  check(['webhooks', 'allow_loopback'], () => checkWebhooks(project));
  check(['operator_login', 'allow_loopback'], () => checkOperatorLogin(project));
  check(['trusted_auth_token_profiles', 'allow_loopback'], () => checkTrustedIssuers(project));
  check(['password_check', 'allow_loopback'], () => checkPasswordCheck(project));
  check(['hooks', 'allow_loopback'], () => checkHooks(project));
  check(['profile', 'origins', 'allow_loopback'], () => checkProfile(project));
  check(['delivery', 'allow_loopback'], () => checkGateways(project));
  for (const kind of REDIRECTS) {
    const field = `default_${kind}_redirect_url` as const;
    check([field, 'redirect_urls', 'allow_loopback'], () => {
      if (redirectUrl(project, project[field]) !== null) return;
      if (typeof json[field] === 'string') throw new FieldError(field, 'one of redirect_urls');
      // Every missing default gets this URL.
      if (kind === 'login')
        throw new FieldError('redirect_urls', 'of one page of yours or more: links and social logins lead there');
    });
  }
  check(['captcha_settings'], () => checkCaptcha(project.captcha_settings));
  check(['mfa', 'rbac_policy', 'oauth_providers', 'oauth_clients'], () => checkMfa(project));
  check(['passkeys', 'passkey_domain', 'origins', 'allow_loopback'], () => checkPasskeys(project));
  const roles = new Set(project.rbac_policy.roles.map(({ role_id }) => role_id));
  const projectScopes = new Set(scopesOf(project));
  check(['role_assignments', 'rbac_policy'], () => {
    project.role_assignments.forEach((assignment, index) =>
      assignment.roles.forEach((role, at) =>
        mistakes.refuseIf(!roles.has(role), `role_assignments[${index}].roles[${at}]`, 'a role of rbac_policy'),
      ),
    );
  });
  check(['sign_up', 'rbac_policy'], () => checkSignUp(project));
  check(['clients', 'rbac_policy'], () => {
    project.clients.forEach(({ scopes }, index) =>
      scopes?.forEach((scope, at) =>
        mistakes.refuseIf(!projectScopes.has(scope), `clients[${index}].scopes[${at}]`, 'a scope of the project'),
      ),
    );
  });
  check(['resources', 'clients', 'rbac_policy'], () => checkResources(project, projectScopes));
  check(['agents', 'rbac_policy'], () => checkAgents(project.agents, projectScopes));
}

/** A page of an unregistered origin cannot call this server, so apps would send their users to an error. */
function checkPages(project: Project): void {
  const mistakes = new Mistakes();
  for (const field of ['authorization_url', 'logout_url'] as const) {
    const url = project.idp[field];
    const isStrange = url !== null && !allowsOrigin(project, new URL(url).origin);
    mistakes.refuseIf(isStrange, `idp.${field}`, 'on one of origins');
  }
  mistakes.check();
}
