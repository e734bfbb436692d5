/**
 * The error classes that apps of the reference client import. A client throws its own errors; `instanceof` matches them by
 * kind, so that code with `error instanceof StytchAPIError` continues to work.
 */
import { isAuthError, type ApiErrorFields, type AuthError } from '#domain/errors.ts';
import { toAuthError } from '#domain/thrown.ts';
import { NativeError, nativeError } from '#domain/native-errors.ts';

/** True if a client threw `value` and it is of that kind. */
const isKind = (value: unknown, kind: AuthError['kind']): boolean => isAuthError(value) && value.kind === kind;
/** True if `value` is an instance of the class itself or a subclass. */
const isMadeBy = (value: unknown, base: { readonly prototype: object }): boolean =>
  typeof value === 'object' && value !== null && base.prototype.isPrototypeOf(value);

/** One field that the server refused. */
export interface SchemaErrorField {
  readonly dataPath: string;
  readonly message?: string;
}

const schemaText = (fields: readonly SchemaErrorField[] = []): string =>
  `[400] Request does not match expected schema\n${fields.map(({ dataPath, message = '' }) => `${dataPath}: ${message}\n`).join('')}`;

/** Every error of a client. */
export class StytchError extends Error {
  constructor(
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (isMadeBy(value, this)) return true;
    return this === StytchError && (isAuthError(value) || value instanceof NativeError);
  }
}

/** The server understood the request and refused it. */
export class StytchAPIError extends StytchError implements ApiErrorFields {
  readonly status_code: number;
  readonly error_type: string;
  readonly error_message: string;
  readonly error_url: string;
  readonly request_id?: string | undefined;
  readonly error_details?: object | undefined;

  constructor(fields: Omit<ApiErrorFields, 'error_details'> & { readonly error_details?: object | undefined }) {
    super('StytchAPIError', `[${fields.status_code}] ${fields.error_type}\n${fields.error_message}`);
    this.status_code = fields.status_code;
    this.error_type = fields.error_type;
    this.error_message = fields.error_message;
    this.error_url = fields.error_url;
    this.request_id = fields.request_id;
    this.error_details = fields.error_details;
  }

  /** Converts any thrown value to an API error; other errors get the type `unknown_error`. */
  static from(cause: unknown): StytchAPIError {
    if (cause instanceof StytchAPIError) return cause;
    const error = toAuthError(cause);
    const text = error.kind === 'api' ? error.error_message : error.message;
    return new StytchAPIError({ status_code: 400, error_type: 'unknown_error', error_message: text, error_url: '' });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMadeBy(value, this) || ((this === StytchAPIError || this === StytchSDKAPIError) && isKind(value, 'api'));
  }
}

/** The 5.x name for the same class. */
export class StytchSDKAPIError extends StytchAPIError {}

/** The server rejected the shape of the request. */
export class StytchAPISchemaError extends StytchError {
  constructor(schemaError: { readonly body?: readonly SchemaErrorField[] }) {
    super('StytchAPISchemaError', schemaText(schemaError.body));
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const ours = this === StytchAPISchemaError || this === StytchSDKSchemaError;
    return isMadeBy(value, this) || (ours && isKind(value, 'schema'));
  }
}

/** The 5.x name for the same class. */
export class StytchSDKSchemaError extends StytchAPISchemaError {}

/** The request got no usable response. */
export class StytchAPIUnreachableError extends StytchError {
  constructor(readonly details: string) {
    super('StytchAPIUnreachableError', details);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMadeBy(value, this) || isKind(value, 'unreachable');
  }
}

/** The 5.x name for the same class. */
export class SDKAPIUnreachableError extends Error {
  override readonly name = 'SDKAPIUnreachableError';

  constructor(
    message: string,
    readonly details: string,
  ) {
    super(message);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMadeBy(value, this) || isKind(value, 'unreachable');
  }
}

/** A method was called with invalid arguments. */
export class StytchSDKUsageError extends Error {
  override readonly name = 'StytchSDKUsageError';

  constructor(methodName: string, message: string) {
    super(`Invalid call to ${methodName}\n${message}`);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMadeBy(value, this) || isKind(value, 'usage');
  }
}

/** The address of the documentation. */
export interface StytchSDKErrorOptions {
  readonly url?: string;
}

/** An error of a native device, reported through the bridge of a web view. */
export class StytchSDKError extends StytchError {
  /** The name of the errors of a class; a minifier may rename the class itself. */
  static readonly of: string | null = null;
  readonly options?: StytchSDKErrorOptions | undefined;

  constructor(name: string, description: string, options?: StytchSDKErrorOptions) {
    super(name, description);
    this.options = options;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (isMadeBy(value, this)) return true;
    const native = value instanceof NativeError || isMadeBy(value, StytchSDKError);
    return native && (this === StytchSDKError || (this.of !== null && (value as Error).name === this.of));
  }
}

/** An error of `callbacks.onError`. */
export interface StytchSDKUIError {
  readonly message: string;
}

/** The error types that end a session. */
export const UNRECOVERABLE_ERROR_TYPES: string[] = [
  'unauthorized_credentials',
  'user_unauthenticated',
  'invalid_secret_authentication',
  'session_not_found',
];

/** The error of a native bridge, by its code; an unknown code becomes an internal error. */
export function errorToStytchError(cause: unknown): StytchSDKError {
  if (cause instanceof StytchSDKError && cause instanceof StytchError) return cause;
  const { code, message } = (typeof cause === 'object' && cause !== null ? cause : {}) as Record<string, unknown>;
  const native = nativeError(typeof code === 'string' ? code : typeof message === 'string' ? message : String(cause));
  const error = new StytchSDKError(native.name, native.message);
  error.cause = cause;
  return error;
}
