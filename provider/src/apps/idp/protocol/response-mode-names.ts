/**
 * How an app gets the answer of an authorization: in the query or the fragment of its redirect URI (OAuth 2.0 Multiple Response Type
 * Encoding Practices, section 2.1), or as the fields of a form that the browser posts (OAuth 2.0 Form Post Response Mode).
 */
export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;

export type ResponseMode = (typeof RESPONSE_MODES)[number];
