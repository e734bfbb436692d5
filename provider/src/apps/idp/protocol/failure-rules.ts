/** A rule that a failed connection broke, in the form of the pages for developers and operators. */
export interface ConnectionRule {
  readonly title: string;
  readonly text: string;
  /** The standard and its section. */
  readonly source: string;
  /** The section's URL; absent for a setting of the project. */
  readonly url?: string;
}

const rfc = (number: number, section: string): Pick<ConnectionRule, 'source' | 'url'> => ({
  source: `RFC ${number}, section ${section}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
});

const OPENID = 'https://openid.net/specs/openid-connect-core-1_0.html';

const RULES = {
  client: {
    title: 'Client',
    text: 'client_id is the id that the server gave the app, or the address of its metadata document.',
    ...rfc(6749, '2.2'),
  },
  client_authentication: {
    title: 'Client authentication',
    text: 'A client proves itself in one way, the one that it is registered with. A public client has no secret.',
    ...rfc(6749, '2.3'),
  },
  client_keys: {
    title: 'Keys of the client',
    text: 'jwks_uri answers within five seconds, without redirects, with a key set of at most 64 kB that has the key of the assertion.',
    ...rfc(7517, '5'),
  },
  redirect: {
    title: 'Redirect URI',
    text: 'redirect_uri equals a registered one, character by character. Only the port of http on this machine may differ (RFC 8252, section 7.3).',
    ...rfc(9700, '2.1'),
  },
  redirect_of_code: {
    title: 'Redirect URI of a code',
    text: 'redirect_uri of the token request equals that of the authorization request.',
    ...rfc(6749, '4.1.3'),
  },
  registered_redirect: {
    title: 'Redirect URI of a registration',
    text: 'A redirect URI is https, http on this machine, or a scheme of an app, such as com.example.app:/callback or cursor://host/path.',
    ...rfc(8252, '7'),
  },
  resource: {
    title: 'Resource',
    text: 'resource is the address of an API for which the server issues tokens, without fragment. It can be repeated.',
    ...rfc(8707, '2'),
  },
  audience: {
    title: 'Audience',
    text: 'A token is good at the API that its aud names, and nowhere else.',
    ...rfc(9068, '4'),
  },
  scope: {
    title: 'Scope',
    text: 'An app requests scopes that it may have, separated by spaces. A refresh cannot add scopes.',
    ...rfc(6749, '3.3'),
  },
  metadata_document: {
    title: 'Metadata document',
    text: 'client_id is the https address of a JSON document, which has the same client_id and redirect_uris.',
    source: 'draft-ietf-oauth-client-id-metadata-document',
    url: 'https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/',
  },
  client_metadata: {
    title: 'Client metadata',
    text: 'The fields of a registration have the types and values that the standard lists and the server supports.',
    ...rfc(7591, '2'),
  },
  registration_token: {
    title: 'Registration',
    text: 'A registration needs an initial access token if the project says so; a change needs the token of the registration.',
    ...rfc(7591, '3'),
  },
  approval: {
    title: 'Approval',
    text: 'An operator approves agents before they can ask users for access.',
    source: 'agents.approval_required in the project file',
  },
  request: {
    title: 'Authorization request',
    text: 'A request has response_type code and each parameter at most once.',
    ...rfc(6749, '4.1.1'),
  },
  form: {
    title: 'Request',
    text: 'A request is a form with the parameters of the endpoint, each at most once.',
    ...rfc(6749, '3.2'),
  },
  request_object: {
    title: 'Request object',
    text: 'The server does not support request, request_uri (but for pushed requests) and registration.',
    source: 'OpenID Connect Core 1.0, section 6',
    url: `${OPENID}#JWTRequests`,
  },
  pushed_request: {
    title: 'Pushed request',
    text: 'request_uri is used once, within 90 seconds, with the same client_id.',
    ...rfc(9126, '4'),
  },
  proof_key: {
    title: 'PKCE',
    text: 'code_challenge is the SHA-256 of code_verifier in base64url, 43 characters; code_challenge_method is S256.',
    ...rfc(7636, '4.2'),
  },
  verifier: {
    title: 'PKCE',
    text: 'code_verifier is the text whose SHA-256 was the code_challenge of the authorization request.',
    ...rfc(7636, '4.6'),
  },
  grant: {
    title: 'Grant',
    text: 'A code or refresh token is used once, by the client that it was issued to, before it expires.',
    ...rfc(6749, '5.2'),
  },
  grant_type: {
    title: 'Grant type',
    text: 'grant_type is one that the server and the client have.',
    ...rfc(6749, '5.2'),
  },
  device: {
    title: 'Device code',
    text: 'The client is allowed to use device codes, and polls with the code that it got.',
    ...rfc(8628, '3.4'),
  },
  bound_token: {
    title: 'DPoP',
    text: 'A proof is a JWT of one use for this method and address, signed by the key of the token.',
    ...rfc(9449, '4.3'),
  },
  token: {
    title: 'Access token',
    text: 'The Authorization header has a live access token with the scope that the endpoint needs.',
    ...rfc(6750, '3.1'),
  },
} as const satisfies Readonly<Record<string, ConnectionRule>>;

export type RuleName = keyof typeof RULES;

const isRuleName = (name: string): name is RuleName => Object.hasOwn(RULES, name);

/** The rule of a stored failure; null if another version of the server stored it under a name that is unknown here. */
export const ruleOf = (name: string): ConnectionRule | null => (isRuleName(name) ? RULES[name] : null);
