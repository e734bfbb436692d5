import type { Shape } from '#domain/shape.ts';
import type { api, BodyFor } from '#application/api/index.ts';
import type { ParamsFor, QueryFor } from '#application/api/endpoint.ts';
import type { FormField, PageParameter } from '#provider/apps/idp/protocol/oauth-calls.ts';
import type { SocialStartField } from '#provider/accounts/social/logins/start-call.ts';
import type { backendApi } from '#provider/base/backend-api/backend-api.ts';

/** Every call of both APIs, as a union. */
type CallsIn<Table> = { [Area in keyof Table]: Table[Area][keyof Table[Area]] }[keyof Table];
type EveryCall = CallsIn<typeof api> | CallsIn<typeof backendApi>;

type BodyOf<E> = BodyFor<E> extends readonly (infer Item)[] ? Item : BodyFor<E>;
type FieldsIn<Body, Of> = { [F in keyof Body]-?: NonNullable<Body[F]> extends Of ? F : never }[keyof Body] & string;
type BodyField<Of> = EveryCall extends infer E ? (E extends unknown ? FieldsIn<BodyOf<E>, Of> : never) : never;
type QueryField = EveryCall extends infer E ? (E extends unknown ? keyof QueryFor<E> & string : never) : never;

type AnyObject = Readonly<Record<string, unknown>>;

/** The fields of requests that are objects. */
export type ObjectField = BodyField<AnyObject>;
/** All other fields of requests. */
export type PlainField =
  | BodyField<string | number | boolean | readonly string[]>
  | QueryField
  | FormField
  | PageParameter
  | SocialStartField;
/** The parameters of paths. */
export type PathParameter =
  | (EveryCall extends infer E ? (E extends unknown ? ParamsFor<E> : never) : never)
  | 'client'
  | 'projectId'
  | 'provider';

/** What a reader needs to know of a field. */
export interface FieldNote {
  readonly about: string;
  readonly example: string | number | boolean | readonly string[];
}

/** The same of an object: its fields, or null if the app chooses them. */
export interface ObjectNote {
  readonly about: string;
  readonly fields: Shape | null;
  readonly example: AnyObject;
}
