import { OTP_METHODS } from '#domain/contacts/channels.ts';
import type { OtpMethod } from '#domain/passcodes/otp.ts';
import type { Infer, Shape } from '#domain/shape.ts';
import { AUTHENTICATED, type AuthenticationReply } from './authenticated.ts';
import { endpoint, type Endpoint, type EndpointRoute, type ReplyBase } from './endpoint.ts';
import { RISK_FIELDS } from './risk-fields.ts';

/** The reply after sending a passcode. */
export interface SentPasscode {
  /** Identifies the passcode in `otps.authenticate`. */
  readonly method_id: string;
}

const PHONE_FIELDS = {
  phone_number: 'string',
  expiration_minutes: 'number?',
  locale: 'string?',
  ...RISK_FIELDS,
} as const satisfies Shape;

/** The bodies of channels with additional fields besides those of a phone. */
const OWN_FIELDS = {
  email: {
    email: 'string',
    expiration_minutes: 'number?',
    login_template_id: 'string?',
    signup_template_id: 'string?',
    locale: 'string?',
    ...RISK_FIELDS,
  },
  sms: { ...PHONE_FIELDS, enable_autofill: 'boolean?', autofill_session_duration_minutes: 'number?' },
} as const satisfies Partial<Record<OtpMethod, Shape>>;

type OwnFields = typeof OWN_FIELDS;
type FieldsOf<M extends OtpMethod> = M extends keyof OwnFields ? OwnFields[M] : typeof PHONE_FIELDS;

const SENDS = {
  LoginOrCreate: 'login_or_create',
  SendPrimary: 'send/primary',
  SendSecondary: 'send/secondary',
} as const;

/** The names of the three calls of a channel, without the channel. */
export type SendName = keyof typeof SENDS;

type SendOf<M extends OtpMethod, Name extends SendName> = Endpoint<
  never,
  Infer<FieldsOf<M>>,
  ReplyBase & SentPasscode
> &
  EndpointRoute<'POST', `/otps/${M}/${(typeof SENDS)[Name]}`>;

type MethodIn<Key> = { [M in OtpMethod]: Key extends `${M}${SendName}` ? M : never }[OtpMethod];
type SendIn<Key> = { [Name in SendName]: Key extends `${OtpMethod}${Name}` ? Name : never }[SendName];

type SendEndpoints = {
  readonly [Key in `${OtpMethod}${SendName}`]: SendOf<MethodIn<Key>, SendIn<Key>>;
};

const fieldsOf = (method: OtpMethod): Shape =>
  method in OWN_FIELDS ? OWN_FIELDS[method as keyof OwnFields] : PHONE_FIELDS;

/** The calls of every channel. */
const sends = Object.fromEntries(
  OTP_METHODS.flatMap((method) =>
    Object.entries(SENDS).map(([send, path]) => {
      const name = `${method}${send}`;
      const to = {
        name: `otps.${name}`,
        method: 'POST',
        path: `/otps/${method}/${path}`,
        body: fieldsOf(method),
      } as const;
      return [name, endpoint<SentPasscode>()(to)];
    }),
  ),
) as unknown as SendEndpoints;

/**
 * One-time passcodes of six digits. `…LoginOrCreate` logs in an existing user or signs up a new one; `…SendPrimary` sends only to
 * an existing user; `…SendSecondary` adds the address or number to the signed-in user.
 */
export const otps = {
  ...sends,
  authenticate: endpoint<AuthenticationReply & { readonly method_id: string }>()({
    name: 'otps.authenticate',
    method: 'POST',
    path: '/otps/authenticate',
    body: { token: 'string', method_id: 'string', session_duration_minutes: 'number', ...RISK_FIELDS },
    reply: AUTHENTICATED,
  }),
};
