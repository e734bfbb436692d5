import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import type { PhoneMethod } from '#domain/contacts/phone.ts';
import type { Infer, Shape } from '#domain/shape.ts';
import { endpoint, type Endpoint, type EndpointRoute, type ReplyBase } from '#application/api/endpoint.ts';
import { ATTRIBUTES, SESSION_FIELDS, type BackendAuthenticated } from './reply.ts';

const EMAIL_FIELDS = {
  email: 'string',
  expiration_minutes: 'number?',
  login_template_id: 'string?',
  signup_template_id: 'string?',
  locale: 'string?',
  ...ATTRIBUTES,
} as const satisfies Shape;

const PHONE_FIELDS = {
  phone_number: 'string',
  expiration_minutes: 'number?',
  locale: 'string?',
  ...ATTRIBUTES,
} as const satisfies Shape;

/** Adds the address or number to this user, instead of logging in its owner. */
const ADDS = { user_id: 'string?', session_token: 'string?', session_jwt: 'string?' } as const satisfies Shape;

interface SendReply {
  readonly user_id: string;
  /**
   * The id of this send (not in the hosted service). If it is used, other people who know the address cannot use up the user's tries with
   * wrong codes.
   */
  readonly method_id: string;
}

interface SentMail extends SendReply {
  readonly email_id: string;
}

interface SentText extends SendReply {
  readonly phone_id: string;
}

interface UserCreationReply {
  readonly user_created: boolean;
}

type PhoneCalls = {
  readonly [Key in `${PhoneMethod}LoginOrCreate`]: Endpoint<
    never,
    Infer<typeof CREATES>,
    ReplyBase & SentText & UserCreationReply
  > &
    (Key extends `${infer M}LoginOrCreate` ? EndpointRoute<'POST', `/otps/${M}/login_or_create`> : never);
} & {
  readonly [Key in `${PhoneMethod}Send`]: Endpoint<never, Infer<typeof SENDS>, ReplyBase & SentText> &
    (Key extends `${infer M}Send` ? EndpointRoute<'POST', `/otps/${M}/send`> : never);
};

const CREATES = { ...PHONE_FIELDS, create_user_as_pending: 'boolean?' } as const satisfies Shape;
const SENDS = { ...PHONE_FIELDS, ...ADDS } as const satisfies Shape;

/** The calls of all channels that reach a phone. */
const phoneCalls = Object.fromEntries(
  PHONE_METHODS.flatMap((channel): [string, Endpoint][] => [
    [
      `${channel}LoginOrCreate`,
      endpoint<SentText & UserCreationReply>()({
        name: `otps.${channel}.loginOrCreate`,
        method: 'POST',
        path: `/otps/${channel}/login_or_create`,
        body: CREATES,
      }),
    ],
    [
      `${channel}Send`,
      endpoint<SentText>()({
        name: `otps.${channel}.send`,
        method: 'POST',
        path: `/otps/${channel}/send`,
        body: SENDS,
      }),
    ],
  ]),
) as unknown as PhoneCalls;

export const otps = {
  emailLoginOrCreate: endpoint<SentMail & UserCreationReply>()({
    name: 'otps.email.loginOrCreate',
    method: 'POST',
    path: '/otps/email/login_or_create',
    body: { ...EMAIL_FIELDS, create_user_as_pending: 'boolean?' },
  }),
  emailSend: endpoint<SentMail>()({
    name: 'otps.email.send',
    method: 'POST',
    path: '/otps/email/send',
    body: { ...EMAIL_FIELDS, ...ADDS },
  }),
  ...phoneCalls,
  /** `method_id` is the id of the send, or of the address or number. */
  authenticate: endpoint<
    BackendAuthenticated & {
      readonly method_id: string;
      /** Whether this first verification ended all earlier access, including other sessions. */
      readonly reset_sessions: boolean;
    }
  >()({
    name: 'otps.authenticate',
    method: 'POST',
    path: '/otps/authenticate',
    body: { method_id: 'string', code: 'string', options: 'object?', ...SESSION_FIELDS, ...ATTRIBUTES },
  }),
};
