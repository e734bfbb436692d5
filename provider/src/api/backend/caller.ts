import { isIP } from 'node:net';
import { SchemaRefusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { Trail } from '#provider/base/audit/trail.ts';
import { eventOf } from '#provider/base/audit/events.ts';
import { cutText } from '#provider/base/cut-text.ts';
import type { AppContext } from '#provider/base/http/environment.ts';
import { remoteAddress, requestOrigin } from '#provider/base/http/arrival.ts';
import { ServerSender } from '#provider/messages/outbox/senders.ts';
import { PresentedSession } from '#provider/accounts/sessions/reading/current.ts';
import { SecondStep } from '#provider/accounts/sessions/factors/intermediate.ts';
import type { BackendCaller } from '#provider/accounts/sessions/reading/contract.ts';
import type { Credential } from '#provider/base/contract.ts';
import type { SessionServices } from '#provider/accounts/services.ts';

const LONGEST_USER_AGENT = 512;

export function backendCaller(
  services: SessionServices,
  context: AppContext,
  credential: Credential,
  {
    call,
    body,
    json,
    gate,
    about,
  }: { readonly call: string; readonly body: unknown; readonly json: unknown } & Pick<BackendCaller, 'gate' | 'about'>,
): BackendCaller {
  const { session_token, session_jwt, attributes } = isRecord(body) ? body : {};
  const secret = [session_token, session_jwt].find((candidate) => typeof candidate === 'string' && candidate !== '');
  const { ip_address, user_agent } = attributesOf(attributes);
  return {
    credential,
    sender: new ServerSender(credential),
    gate,
    about,
    // Otherwise an app that stores only the JWT could not refresh it. The secret vouches for the app.
    session: new PresentedSession(services, typeof secret === 'string' ? secret : null, { expiredJwt: 'accepted' }),
    step: SecondStep.of(services, json, { isServer: true }),
    address: ip_address ?? remoteAddress(context),
    userAgent: cutText(user_agent ?? context.req.header('user-agent') ?? '', LONGEST_USER_AGENT),
    page: null,
    origin: requestOrigin(context),
    forMany: ip_address === undefined,
    trail: new Trail(context.get('requestId'), eventOf(call), { kind: 'server', id: credential.secret_id }),
  };
}

function attributesOf(attributes: unknown): { readonly ip_address?: string; readonly user_agent?: string } {
  const { ip_address = null, user_agent = null } = isRecord(attributes) ? attributes : {};
  if (ip_address !== null && (typeof ip_address !== 'string' || isIP(ip_address) === 0)) {
    throw wrong('ip_address', 'an IP address');
  }
  if (user_agent !== null && typeof user_agent !== 'string') throw wrong('user_agent', 'a string');
  return { ...(ip_address === null ? {} : { ip_address }), ...(user_agent === null ? {} : { user_agent }) };
}

function wrong(field: string, expected: string): SchemaRefusal {
  const message = `attributes.${field} must be ${expected}`;
  return new SchemaRefusal([{ dataPath: ['attributes', field], message }]);
}
