import type { FormPostPort } from '#application/ports/index.ts';
import { safeUrl } from '#domain/safe-url.ts';

/** Posts by an invisible form in the page's document. */
export class HiddenForm implements FormPostPort {
  /** @param server the origin of the server, to which forms may also be posted over http */
  constructor(
    private readonly document: Document,
    private readonly server: string = '',
  ) {}

  submit(url: string, fields: Readonly<Record<string, string>>): void {
    const action = safeUrl(url, this.server);
    if (action === null) throw new RangeError('Refused to post: the URL is not safe');
    const { document } = this;
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action, target: '_self', acceptCharset: 'utf-8', hidden: true });
    for (const [name, value] of Object.entries(fields)) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    }
    document.body.append(form);
    // A field named `submit` hides the method of that name. The form reads its fields before `submit` returns.
    (Object.getPrototypeOf(form) as HTMLFormElement).submit.call(form);
    form.remove();
  }
}
