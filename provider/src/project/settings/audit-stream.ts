import { isAbsolute } from 'node:path';
import { isRecord } from '#domain/shape.ts';
import { mayCall } from '#provider/base/http/outside-fetch.ts';
import { GATEWAY_SECRET, GATEWAY_URL } from './delivery.ts';
import { FieldError, flag, Mistakes, object, textThat, type Reader } from '../readers/readers.ts';
import { secretThat } from '../readers/secret-text.ts';

/** A collector that receives the audit log by HTTP. */
export interface AuditUrlSettings {
  readonly url: string;
  /** Signs the requests: `whsec_` and base64, in the format of Standard Webhooks. */
  readonly secret: string | null;
  /** The header `Authorization` of the requests, such as `Bearer …`. */
  readonly authorization: string | null;
  /** Whether the collector may be http, and on this machine or in a private network. */
  readonly private: boolean;
}

/** A file of this machine to which the audit log is appended. */
export interface AuditFileSettings {
  readonly file: string;
}

export type AuditStreamSettings = AuditUrlSettings | AuditFileSettings;

const AUTHORIZATION = secretThat('the value of a header, such as Bearer and a token', (header) =>
  /^[!-~](?:[ -~]*[!-~])?$/u.test(header),
);

const toUrl = object<AuditUrlSettings>(
  { url: GATEWAY_URL, secret: GATEWAY_SECRET, authorization: AUTHORIZATION, private: flag },
  { secret: null, authorization: null, private: false },
);

const toFile = object<AuditFileSettings>({
  file: textThat('the absolute path of a file', (path) => isAbsolute(path) && !path.includes('\0')),
});

/** The settings `audit_stream` of the project file: a URL or a file. */
export const auditStreamSettings: Reader<AuditStreamSettings | null> = (value, path) => {
  if (value === null) return null;
  if (isRecord(value) && (value['url'] ?? value['file'] ?? null) === null) {
    throw new FieldError(`${path}.url`, 'given, or file instead of it');
  }
  if (isRecord(value) && (value['file'] ?? null) !== null) return toFile(value, path);
  const settings = toUrl(value, path);
  const mistakes = new Mistakes();
  const isUnsigned = settings.secret === null && settings.authorization === null;
  mistakes.refuseIf(isUnsigned, `${path}.secret`, 'given, or authorization, or both');
  const isPrivate = !mayCall(new URL(settings.url), settings.private);
  mistakes.refuseIf(isPrivate, `${path}.url`, 'https at a public address, unless private is true');
  mistakes.check();
  return settings;
};
