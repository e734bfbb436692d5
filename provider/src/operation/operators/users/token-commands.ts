import { checkEmail } from '#server-rules/accounts.ts';
import { OPERATOR_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { issueImpersonationToken } from '#provider/accounts/access/impersonation.ts';
import { signTrustedToken } from '#provider/accounts/access/trusted-tokens.ts';
import { isLocal } from '#provider/project/settings/external/trusted-issuers.ts';
import { USER, writeCommand, type OperatorCommand } from '../desk/command.ts';
import { saying } from '../desk/listing.ts';
import { auditOperator } from '../desk/audit-actor.ts';
import { NO_PAGE } from '../desk/roles.ts';
import { meantUser } from '../desk/meant-user.ts';

/** Tokens to log in as a user. A token is printed only after its row is in the audit log. */
export const TOKEN_COMMANDS = {
  'admin impersonate': writeCommand(
    {
      fields: {
        user: USER,
        by: {
          type: 'string?',
          help: 'the name of the impersonator, for the session and the audit log; default operator',
        },
      },
      help: 'prints a token that logs in as a user, once, within five minutes',
      roles: NO_PAGE,
    },
    async (services, { user, by: impersonator_id = 'operator' }, by) => {
      const user_id = await meantUser(services.db, user);
      const impersonator_email_address = impersonator_id.includes('@') ? impersonator_id : '';
      const issued = await issueImpersonationToken(services, { user_id, impersonator_id, impersonator_email_address });
      await auditOperator(services, services.db, by, { event: 'impersonation_token_made', user_id });
      return saying(issued.impersonation_token, { user_id, ...issued });
    },
  ),
  'admin trusted-token': writeCommand(
    {
      fields: {
        profile: { type: 'string', help: 'the id of a trusted token profile without a key' },
        email: { type: 'string', help: 'the address that the token vouches for' },
      },
      help: 'prints a trusted token for an address, valid for five minutes',
      roles: NO_PAGE,
    },
    async (services, { profile, email }, by) => {
      checkEmail(email);
      const found = services.project.trusted_auth_token_profiles.find(({ profile_id }) => profile_id === profile);
      if (found === undefined) throw new Refusal('trusted_auth_token_profile_not_found');
      if (!isLocal(found)) {
        throw new Refusal(
          'unauthorized_action',
          'The profile has keys of its issuer: only the issuer can sign for it.',
        );
      }
      const token = await signTrustedToken(services, found, email, OPERATOR_TOKEN_MINUTES);
      await auditOperator(services, services.db, by, { event: 'trusted_token_made', details: { target: profile } });
      return saying(token, { profile_id: profile, token });
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
