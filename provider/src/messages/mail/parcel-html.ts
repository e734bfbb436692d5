import type { Parcel } from '../outbox/carrier.ts';
import { contentsOf, type MessageValues } from '../texts/contents.ts';
import { noticeContentFrom, noticeContents } from '../texts/notices/notice-wording.ts';
import { isMessageKind } from '../texts/kinds.ts';
import type { Templates } from '../texts/templates.ts';
import { wordingFor } from '../texts/wording.ts';
import { mailHtml } from './mail-html.ts';

type MessageSource = Pick<Parcel, 'kind' | 'locale' | 'templateId' | 'values' | 'code' | 'link'>;

/** The HTML of an email in the outbox; null for plain text, and for an email of an older version of this server. */
export function parcelHtml(parcel: MessageSource, templates: Templates | undefined): string | null {
  const { kind, locale, templateId, values, code, link } = parcel;
  if (kind === 'notice') {
    const content = noticeContentFrom(values);
    return content === null ? null : mailHtml(wordingFor(locale), noticeContents(wordingFor(locale), content));
  }
  const { at, minutes, project } = values;
  if (!isMessageKind(kind) || typeof project !== 'string' || typeof minutes !== 'number' || typeof at !== 'string') {
    return null;
  }
  const { device, login_link, login_minutes, autofill_site } = values;
  const messageValues: MessageValues = {
    kind,
    project,
    minutes,
    at: new Date(at),
    code,
    link,
    device: typeof device === 'string' ? device : undefined,
    autofill_site: typeof autofill_site === 'string' ? autofill_site : undefined,
    login_link: typeof login_link === 'string' ? login_link : undefined,
    login_minutes: typeof login_minutes === 'number' ? login_minutes : undefined,
  };
  const wording = wordingFor(locale);
  if (templateId !== null) return templates?.html(templateId, wording, messageValues) ?? null;
  return mailHtml(wording, contentsOf(wording, messageValues));
}
