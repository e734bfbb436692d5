import { checkOutside } from '../../readers/outside-address.ts';
import { object, whole, type Reader } from '../../readers/readers.ts';
import { SIGNED_URL, signingSecrets } from '../webhooks.ts';

/** The old system of imported users whose passwords it did not export. It is asked at their first login. */
export interface PasswordCheckSettings {
  readonly url: string;
  /** Each of them signs, as for webhooks. */
  readonly secret: readonly string[];
  /** How long a login waits for the answer. */
  readonly timeout_seconds: number;
}

export const passwordCheck: Reader<PasswordCheckSettings> = object<PasswordCheckSettings>(
  { url: SIGNED_URL, secret: signingSecrets, timeout_seconds: whole(1, 20) },
  { timeout_seconds: 5 },
);

/** Refuses a URL that would never be called. */
export function checkPasswordCheck(project: {
  readonly password_check: PasswordCheckSettings | null;
  readonly allow_loopback: boolean;
}): void {
  if (project.password_check === null) return;
  checkOutside(project.password_check.url, 'password_check.url', project.allow_loopback);
}
