import type { FormPostPort } from '#application/ports/index.ts';
import { safeUrl } from '#domain/safe-url.ts';

/** A form that would have been posted. */
export interface PostedForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Records posts instead of sending them. */
export class FakeFormPost implements FormPostPort {
  /** Oldest first. */
  readonly posted: readonly PostedForm[] = [];

  submit(url: string, fields: Readonly<Record<string, string>>): void {
    const safe = safeUrl(url);
    if (safe === null) throw new RangeError('Refused to post: the URL is not safe');
    (this.posted as PostedForm[]).push({ url: safe, fields: { ...fields } });
  }
}
