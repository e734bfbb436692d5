import { PATHS, PREFIX } from '#provider/apps/idp/protocol/paths.ts';
import { FIELD_NOTES, STEP_NOTES } from './field-notes.ts';
import type { JsonSchema } from './json-schema.ts';

/** The texts of replies that no request has. A reply with another text makes the generator fail. */
const TEXTS: Readonly<Record<string, string>> = {
  access_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  action: 'write',
  actor: 'user',
  challenge: 'app.example.com wants you to sign in with your Ethereum account',
  client_secret_last_four: '1c2d',
  cname_domain: 'login.example.com',
  delivery_method: 'email',
  description: 'Read your email address',
  event: 'logged_in',
  field: 'company',
  ip_address: '203.0.113.7',
  issuer: 'https://login.example.com',
  label: 'Company',
  method: 'otp',
  network: '203.0.113.7',
  next_client_secret: 'a-new-secret-with-a-lot-of-entropy-5b2e',
  next_cursor: 'cursor-2',
  oauth_attach_token: 'oauth-attach-token-1',
  origin: 'https://app.example.com',
  post_logout_redirect_url: 'https://app.example.com/bye',
  profile_picture_url: 'https://example.com/ada.png',
  program: 'example-cli/1.0',
  project_name: 'Planner',
  provider_subject: '10769150350006150715113082367',
  provider_type: 'Google',
  public_key: 'pQECAyYgASFYIA',
  public_key_credential_creation_options: '{"challenge":"AQ"}',
  public_key_credential_request_options: '{"challenge":"AQ"}',
  qr_code: 'data:image/png;base64,iVBORw0KGgo=',
  redirect_url: 'https://app.example.com/callback',
  refresh_token: '1//0g',
  registering_origin: 'https://login.example.com',
  request_id: 'request-id-test-1',
  role: 'editor',
  scope: 'email',
  scopes_granted: 'openid email',
  secret: 'BTGNX5RKJRMQWQFRQKTG34JCF6XDRHZS',
  session_identifier: 'session-test-1',
  slug_pattern: '[a-z]+',
  suggestion: 'Add another word or two.',
  title: 'Privacy policy',
  registration_client_uri: 'https://login.example.com/oauth2/register/agent-1',
  sub: 'user-test-1',
  token_type: 'Bearer',
  type: 'email_otp',
  url: 'https://app.example.com/privacy',
  value: 'Example',
  verification_uri: 'https://login.example.com/oauth2/device',
  verification_uri_complete: 'https://login.example.com/oauth2/device?user_code=WDJB-MJHT',
  version: '2026-01',
  warning: 'This is similar to a commonly used password.',
};

const at = (path: string): string => `https://login.example.com${PREFIX}${path}`;

/** The addresses in the metadata of the authorization server. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  authorization_endpoint: at(PATHS.authorize),
  pushed_authorization_request_endpoint: at(PATHS.par),
  device_authorization_endpoint: at(PATHS.deviceAuthorization),
  token_endpoint: at(PATHS.token),
  userinfo_endpoint: at(PATHS.userinfo),
  jwks_uri: at(PATHS.jwks),
  revocation_endpoint: at(PATHS.revoke),
  introspection_endpoint: at(PATHS.introspect),
  end_session_endpoint: at(PATHS.logout),
};

const FIELDS: Readonly<Record<string, { readonly example: unknown }>> = { ...FIELD_NOTES, ...STEP_NOTES };

/** Makes examples of replies from their schemas: each with the fields that it must have. */
export class SharedExamples {
  /** The examples of replies that several calls have. */
  readonly components: Record<string, { readonly value: unknown }> = {};

  constructor(private readonly schemas: Readonly<Record<string, JsonSchema>>) {}

  of(schema: JsonSchema, field = '', isNested = false): unknown {
    const { $ref, anyOf, oneOf, properties, items } = schema;
    if ($ref !== undefined) return this.of(this.named($ref), field, true);
    const [first] = anyOf ?? oneOf ?? [];
    if (first !== undefined) return this.of(first, field, isNested);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    const type = Array.isArray(schema.type) ? (schema.type as readonly string[])[0] : schema.type;
    if (properties !== undefined) return this.object(properties, schema.required ?? [], isNested);
    // The lists of an object within the reply are empty: the example of its own call shows them.
    if (type === 'array') return items === undefined || isNested ? [] : [this.of(items, singular(field))];
    if (type === 'string') return schema.format === 'date-time' ? '2030-01-01T00:00:00Z' : this.text(schema, field);
    if (type === 'number') return 1;
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    return {};
  }

  /** A reference to the example of this name. */
  shared(name: string, schema: JsonSchema): object {
    this.components[name] ??= { value: this.of(schema) };
    return { $ref: `#/components/examples/${name}` };
  }

  private named($ref: string): JsonSchema {
    const schema = this.schemas[$ref.slice('#/components/schemas/'.length)];
    if (schema === undefined) throw new Error(`${$ref} is not a schema.`);
    return schema;
  }

  private object(
    properties: Readonly<Record<string, JsonSchema>>,
    required: readonly string[],
    isNested: boolean,
  ): object {
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, schema]) => [name, this.of(schema, name, isNested)]),
    );
  }

  private text({ examples }: JsonSchema, field: string): unknown {
    const known = TEXTS[field] ?? ENDPOINTS[field] ?? examples?.[0] ?? FIELDS[field]?.example;
    if (typeof known === 'string') return known;
    if (field.endsWith('_id')) return `${field.slice(0, -'_id'.length).replaceAll('_', '-')}-test-1`;
    throw new Error(`The field ${field} of a reply has no example.`);
  }
}

const singular = (field: string): string => field.replace(/s$/u, '');
