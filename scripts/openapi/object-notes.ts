import type { FieldKind } from '#domain/shape.ts';
import type { UserName } from '#domain/users/user.ts';
import type { SiweParams } from '#domain/wallets/wallets.ts';
import type { ObjectField, ObjectNote } from './request-fields.ts';

const NAME = {
  first_name: 'string?',
  middle_name: 'string?',
  last_name: 'string?',
} as const satisfies Record<keyof UserName, FieldKind>;

const SIWE = {
  uri: 'string?',
  chain_id: 'string?',
  issued_at: 'string?',
  statement: 'string?',
  not_before: 'string?',
  message_request_id: 'string?',
  resources: 'string[]?',
} as const satisfies Record<keyof SiweParams, FieldKind>;

const METADATA = { fields: null, example: { plan: 'basic' } };
const DIGEST: ObjectNote = {
  about: 'How the hash was made.',
  fields: { prepend_salt: 'string?', append_salt: 'string?' },
  example: { prepend_salt: 'c2FsdA' },
};

/** The fields of requests that are objects. A field without a note is a compile error. */
export const OBJECT_NOTES: Readonly<Record<ObjectField, ObjectNote>> = {
  argon_2_config: {
    about: 'How the hash was made.',
    fields: {
      salt: 'string?',
      iteration_amount: 'number?',
      memory: 'number?',
      threads: 'number?',
      key_length: 'number?',
    },
    example: { salt: 'c2FsdHNhbHQ', iteration_amount: 2, memory: 19456, threads: 1, key_length: 32 },
  },
  attributes: {
    about: 'The address and browser of the user, as the app’s server received them.',
    fields: { ip_address: 'string?', user_agent: 'string?' },
    example: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' },
  },
  authorization_check: {
    about: 'What the session’s user wants to do, by the RBAC policy.',
    fields: { resource_id: 'string', action: 'string' },
    example: { resource_id: 'documents', action: 'write' },
  },
  event: { about: 'The event.', fields: null, example: { type: 'render_login_screen' } },
  fields: { about: 'The values, by the names of the fields.', fields: null, example: { company: 'Example' } },
  firebase_config: {
    about: 'The parameters of Firebase’s scrypt, from its console.',
    fields: { base64_signer_key: 'string', base64_salt_separator: 'string', rounds: 'number', mem_cost: 'number' },
    example: { base64_signer_key: 'a2V5', base64_salt_separator: 'Bw==', rounds: 8, mem_cost: 14 },
  },
  md_5_config: DIGEST,
  name: {
    about: 'The name of the user, in parts.',
    fields: NAME,
    example: { first_name: 'Ada', last_name: 'Lovelace' },
  },
  options: {
    about: 'Whether the login must come from the address or browser that requested the message.',
    fields: { ip_match_required: 'boolean?', user_agent_match_required: 'boolean?' },
    example: { user_agent_match_required: true },
  },
  pbkdf_2_config: {
    about: 'How the hash was made.',
    fields: { salt: 'string', iteration_amount: 'number', key_length: 'number', algorithm: 'string?' },
    example: { salt: 'c2FsdA', iteration_amount: 600000, key_length: 32, algorithm: 'sha256' },
  },
  query: {
    about: '`operator` is `AND` or `OR`. Each operand has a `filter_name` and a `filter_value`.',
    fields: { operator: 'string?', operands: 'object[]?' },
    example: { operator: 'AND', operands: [{ filter_name: 'email_address', filter_value: ['ada@example.com'] }] },
  },
  scrypt_config: {
    about: 'How the hash was made.',
    fields: {
      salt: 'string?',
      n_parameter: 'number?',
      r_parameter: 'number?',
      p_parameter: 'number?',
      key_length: 'number?',
    },
    example: { salt: 'c2FsdA', n_parameter: 16384, r_parameter: 8, p_parameter: 1, key_length: 32 },
  },
  session_custom_claims: { about: 'Claims to add to the session.', ...METADATA },
  sha_1_config: DIGEST,
  sha_256_config: DIGEST,
  sha_512_config: DIGEST,
  siwe_params: {
    about: 'Fields of the message that the wallet signs (EIP-4361). Times are RFC 3339.',
    fields: SIWE,
    example: { uri: 'https://app.example.com/login' },
  },
  telemetry: { about: 'The page and program that sent the event.', fields: null, example: { app_session_id: 'app-1' } },
  terms: { about: 'The accepted versions, by the ids of the terms.', fields: null, example: { privacy: '2026-01' } },
  trusted_metadata: { about: 'Data that only the app’s server can change.', ...METADATA },
  untrusted_metadata: { about: 'Data that the user can change.', ...METADATA },
};
