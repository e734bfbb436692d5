import { isRecord } from '#domain/shape.ts';
import { mayCall } from '#provider/base/http/outside-fetch.ts';
import { SCOPE } from './app-fields.ts';
import { ID, ISSUER, LABEL } from './oauth-clients.ts';
import { emailDomains } from '../readers/email-domains.ts';
import { FieldError, flag, Mistakes, object, oneOf, texts, textThat, within, type Reader } from '../readers/readers.ts';
import { secretText } from '../readers/secret-text.ts';

/** The roles of operators. Somebody in several groups gets the first of their roles. */
export const OPERATOR_ROLES = ['admin', 'reader', 'support', 'auditor'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The OpenID provider of the company, at which operators log in. */
export interface OperatorLoginSettings {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** The name of the provider on the button. */
  readonly name: string;
  /** The scopes that are requested besides `openid`, `email` and `profile`. */
  readonly scopes: readonly string[];
  /** The claim with the groups of a person, by its name or by a JSON pointer. */
  readonly groups_claim: string;
  /** The role of each group. Nobody else gets in. */
  readonly roles: Readonly<Record<string, OperatorRole>>;
  /** The domains of addresses that get in; empty for all. */
  readonly email_domains: readonly string[];
  /** Whether the provider is in a private network. */
  readonly private: boolean;
}

const roleOfGroup = oneOf(...OPERATOR_ROLES);

const roles: Reader<OperatorLoginSettings['roles']> = (value, path) => {
  if (!isRecord(value) || Object.keys(value).length === 0) {
    throw new FieldError(path, 'an object with the role of one group or more');
  }
  const mistakes = new Mistakes();
  const entries = Object.entries(value).map(
    ([group, role]) => [group, mistakes.attempt(() => roleOfGroup(role, within(path, group)))] as const,
  );
  mistakes.check();
  return Object.fromEntries(entries) as OperatorLoginSettings['roles'];
};

export const operatorLogin: Reader<OperatorLoginSettings | null> = object<OperatorLoginSettings>(
  {
    issuer: ISSUER,
    client_id: ID,
    client_secret: secretText,
    name: LABEL,
    scopes: texts(SCOPE),
    groups_claim: textThat('the name of a claim, or a JSON pointer', (name) => /^[^\p{C}]{1,128}$/u.test(name)),
    roles,
    email_domains: emailDomains,
    private: flag,
  },
  { name: 'your company', scopes: [], groups_claim: 'groups', email_domains: [], private: false },
);

/** Refuses an issuer that would never be called. */
export function checkOperatorLogin(project: {
  readonly operator_login: OperatorLoginSettings | null;
  readonly allow_loopback: boolean;
}): void {
  const { operator_login: settings, allow_loopback } = project;
  if (settings === null || mayCall(new URL(settings.issuer), settings.private || allow_loopback)) return;
  throw new FieldError('operator_login.issuer', 'https at a public address, unless private is true');
}
